// Command reach enumerates the state spaces of puzzles and looks after the files
// that hold them.
package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"pagoda/internal/cli"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "reach",
		Short: "Enumerate everything that can happen in a puzzle",
		Long: `reach enumerates all states of a puzzle that can be reached from its start, keeps
them in a file, and checks such files. query answers questions from them.

  reach run peg/5x7        all positions of the 5x7 peg board, into peg-5x7.reach
  reach spaces             the puzzles known by name
  reach explain peg/5x7    what a run would do
  reach solve slide/dads   the shortest solution of a sliding-block puzzle

A space is a name of the catalogue, with @row,column to vacate another hole, or a
text file that draws a board with o for a peg, . for a hole, # or a space for no
cell.

Exit codes: 0 done; 1 a puzzle cannot be solved; 2 the command cannot be carried out
as given; 3 a file is damaged, of another space, or cannot be read or written; 130
interrupted.`,
	}
	root.AddCommand(runCommand(), resumeCommand(), spacesCommand(), explainCommand(), puzzleCommand(), solveCommand(), diameterCommand(), hardestCommand(), bbCommand(), infoCommand(), checkCommand(), verifyCommand(), convertCommand(), packCommand(), unpackCommand())
	return cli.Main(root, args, stdin, stdout, stderr)
}
