// Command query answers questions about the states in a file that reach has made.
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
		Use:   "query",
		Short: "Ask what can happen in a puzzle",
		Long: `query answers questions from a file of states that reach run has made.

  query has peg-5x7.reach ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo
  query near peg-5x7.reach .ooo./o...o/o...o/ooooo/o...o/o...o/o...o --within 2
  query path peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o....
  query render peg-5x7.reach oooo./o...o/o...o/oo.o./o..../o..../o.... -o p.png
  query sample peg-5x7.reach -n 5 --pegs 17
  query word peg-5x7.reach HELLO -o hello.gif

A pattern is the cells of the board in rows, separated by / or line ends, or all in
one piece: o, 1 or * is a peg, ., 0 or - a hole; spaces do not count. In a row, #
may stand for a place off the board. For has, near, path and render, the pattern -
reads patterns from stdin, one a line.

Exit codes: 0 yes; 1 no; 2 the command cannot be carried out as given; 3 the file is
damaged or cannot be read; 130 interrupted.`,
	}
	root.AddCommand(hasCommand(), nearCommand(), pathCommand(), solveCommand(), renderCommand(), wordCommand(),
		countCommand(), listCommand(), sampleCommand(), nthCommand(), rankCommand(), layersCommand(), serveCommand())
	return cli.Main(root, cli.HidePatterns(root, args), stdin, stdout, stderr)
}
