// Package lunar has the commands of Lunar Lockout: single problems and decks, configurations, and
// where a piece can be placed.
package lunar

import (
	"pagoda/cli"
	"pagoda/puzzle/lunar"
)

// Commands returns what Lunar Lockout brings to the command lines.
func Commands() cli.Commands {
	return cli.Commands{Family: lunar.FamilyName, Solving: solving(), Dealing: []*cli.Dealing{dealing()}, Query: queries}
}
