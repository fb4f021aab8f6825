//go:build !js

package numbertiles

import (
	"pagoda/family"
	"pagoda/statespace/tiles/twenty48"
)

// forCommands returns what a family contributes to commands. Those that play both games are commands of 2048.
func forCommands(name string) family.Commands {
	if name != twenty48.Family {
		return family.Commands{}
	}
	return family.Commands{Reach: playerCommands, Query: fileCommands}
}
