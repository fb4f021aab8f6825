// Package tiles has the commands of 2048 and Threes: computer players, and games on a file.
package tiles

import (
	"pagoda/cli"
	"pagoda/puzzle/tiles/twenty48"
)

// Commands returns what 2048 and Threes bring to the command lines. Those that play both games are
// commands of 2048.
func Commands() cli.Commands {
	return cli.Commands{Family: twenty48.Family, Reach: playerCommands, Query: fileCommands}
}
