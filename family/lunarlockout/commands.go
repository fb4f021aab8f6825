//go:build !js

package lunarlockout

import (
	"pagoda/family"
)

// forCommands returns what the family contributes to commands.
func forCommands() family.Commands {
	return family.Commands{Solving: solving(), Dealing: dealing(), Query: queries}
}
