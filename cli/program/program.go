// Package program makes a command line for puzzles of your own.
package program

import (
	"os"

	"pagoda/cli"
	"pagoda/cli/builtin"
	"pagoda/cli/serve"
	"pagoda/internal/console"
	"pagoda/puzzle"
)

// Main is the main function of a command line for some families, with all commands of reach and of
// query; without families, for those of this module. It does not return.
func Main(name string, families ...*puzzle.Family) {
	p := builtin.Program()
	if len(families) > 0 {
		p = &cli.Program{Families: puzzle.NewSet(families...)}
	}
	p.More = append(p.More, serve.Command)
	os.Exit(console.Main(p.All(name), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
