// Package peg has the commands of peg solitaire: words and games of a file, packages, purges, and
// the best games of weighted boards.
package peg

import (
	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/puzzle"
	"pagoda/puzzle/peg"
)

// Commands returns what peg solitaire brings to the command lines.
func Commands() cli.Commands {
	return cli.Commands{
		Family:  peg.FamilyName,
		Explain: explain,
		Reach: func(families *puzzle.Set) []*cobra.Command {
			return []*cobra.Command{packageCommand(), purgesCommand(), bestCommand(families)}
		},
		Query: commands,
	}
}
