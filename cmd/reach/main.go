// Command reach enumerates the state spaces of puzzles and looks after the files that hold
// them.
package main

import (
	"os"

	"pagoda/family/builtin"
	"pagoda/internal/cli"
	"pagoda/internal/command"
)

func main() {
	os.Exit(cli.Main(command.Reach(builtin.Families()), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
