// Package builtin is the program of this module: its families of puzzles, with the commands that they
// bring.
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
