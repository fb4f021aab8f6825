// Command reach enumerates the state spaces of puzzles and looks after the files that hold
// them.
package main

import (
	"os"

	"pagoda/cli/builtin"
	"pagoda/internal/console"
)

func main() {
	os.Exit(console.Main(builtin.Program().Reach(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
