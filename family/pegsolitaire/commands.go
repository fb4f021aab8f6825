//go:build !js

package pegsolitaire

import (
	"github.com/spf13/cobra"

	"pagoda/family"
)

// forCommands returns what the family contributes to commands.
func forCommands() family.Commands {
	return family.Commands{
		Explain: explain,
		Reach: func(families *family.Set) []*cobra.Command {
			return []*cobra.Command{packageCommand(), purgesCommand(), bestCommand(families)}
		},
		Query: commands,
	}
}
