// Package builtin lists the puzzles of this module together with their commands, for reach and
// query.
package builtin

import (
	"pagoda/cli"
	"pagoda/cli/lunar"
	"pagoda/cli/peg"
	"pagoda/cli/slide"
	"pagoda/cli/tiles"
	"pagoda/puzzle/builtin"
)

// Program returns the program.
func Program() *cli.Program {
	return &cli.Program{
		Families: builtin.Families(),
		Commands: []cli.Commands{peg.Commands(), lunar.Commands(), tiles.Commands(), slide.Commands()},
	}
}
