package peg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/statespace/cells"
	"pagoda/studies/packages"
	"pagoda/studies/purges"
)

// packageOptions are the flags of package.
type packageOptions struct {
	graph cli.GraphOutput
	draws bool // a graph is wanted
	size  int  // of a drawing: pixels from one cell to the next
	cells func() cells.Notation
	limit *int
	job   *cli.Job
}

// packageCell is the distance of cells in the drawing of a graph if nothing else is said.
const packageCell = 14

func packageCommand() *cobra.Command {
	var o packageOptions
	cmd := &cobra.Command{
		Use:   "package BLOCK GOAL|NAME",
		Short: "Find what can be done inside a block of pegs with the rest left alone",
		Long: `package finds all positions of a small block of cells that a start can reach and that can
reach a goal, the jumps among them, and the number of sequences of jumps from a start to a
goal. Nothing outside of the block moves.

BLOCK and GOAL draw the block at the start and at the end, in rows separated by /: o is a
peg, . a hole, ? a cell with either, # or a space no cell. They must have the same cells.
Each may be a text file with these rows instead, or - for a text on stdin. "lattice:
triangular/" before the rows makes the block triangular, and "lattice: diagonal/" lets pegs
jump along the diagonals, too. Instead of both, give the NAME of a package in the library, such
as 6-purge: reach packages lists them.

A start with n open cells stands for 2^n starts, and so does a goal; the open cells of start
and goal are independent. A full block and an empty one are neither. A start is usable if it
can reach a goal, and a goal if a start can reach it. If a start is a goal, the sequence
without jumps counts, too.

-o writes the graph of the positions and jumps: drawn as SVG or PNG, with up to 4,096 positions
in columns by their number of pegs, or as DOT, GraphML or CSV. The thick line is a shortest
sequence.

A purge takes pegs away and leaves the rest, the catalyst, as it was: the first example is
the 6-purge. If no start can reach a goal, it says why, and the exit code is 1.

A block of 25 open cells takes seconds. A block of n cells takes up to 2^n bits of memory,
and memory for the numbers of sequences; --mem bounds both.`,
		Example: `  reach package '#..o/ooo#/ooo#' '#..o/...#/...#'
  reach package '#..o/ooo#/ooo#' '#..o/...#/...#' -o purge.svg
  reach package L-purge
  reach package '????/ooo#/ooo#' '????/...#/...#' --limit 0
  reach package ooo/ooo/ooo/o.. '???/.../.../...' --json
  reach package 'lattice: triangular/?/??/o?o/oooo' '?/??/???/....'`,
		Args:              console.Args(1, 2, "a block and its goal, or the name of a package"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.graph.Flags(cmd, "write the graph to this `FILE`; - is stdout", "no graph")
	cmd.Flags().IntVar(&o.size, "size", packageCell, fmt.Sprintf("of a drawing: pixels from one cell to the next, %d to %d", render.MinCell, render.MaxCell))
	console.Between(cmd, render.MinCell, render.MaxCell, "size")
	console.JSON(cmd, "one JSON object")
	o.cells = cli.Cells(cmd)
	o.limit = cli.LimitFlag(cmd, 10, math.MaxInt, "usable starts, and usable goals")
	o.job = cli.NewJob(cmd, console.OfMachine)
	return cmd
}

// run finds a package and writes it.
func (o *packageOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.checkGraph(cmd); err != nil {
		return err
	}
	most := cmp.Or(*o.limit, math.MaxInt)
	if len(args) == 1 {
		if strings.Trim(args[0], "oO.?#/ \r\n") == "" {
			return console.Usagef("the goal of the block is missing: expected a block and its goal, or the name of a package")
		}
		p, err := fromLibrary(purges.Library(), args[0])
		if err != nil {
			return err
		}
		args = []string{p.Text(p.Start), p.Text(p.Goal)}
	}
	block, err := openBlock(cmd, args[0], args[1])
	if err != nil {
		return err
	}
	p, err := packages.Find(cmd.Context(), block, packages.Options{Threads: o.job.Threads(), Memory: o.job.Memory()})
	if _, large := errors.AsType[*packages.SizeError](err); large {
		return console.UsageError(err)
	}
	if err != nil {
		return err
	}
	if o.draws && p.States > 0 {
		if err := o.writeGraph(cmd, p); err != nil {
			return err
		}
	}
	switch {
	case o.draws && o.graph.Out == "": // stdout has the graph
	case console.AsJSON(cmd):
		if err = checkMemory(p, most, o.job.Memory()); err == nil {
			err = console.WriteJSON(cmd.OutOrStdout(), newPackageAnswer(p, most))
		}
	default:
		err = o.write(cmd.Context(), cmd.OutOrStdout(), p, most)
	}
	return console.NoIf(p.States == 0, err)
}

// openBlock reads a block from two arguments: each is a text, or the name of a file with one, or - for
// one on stdin.
func openBlock(cmd *cobra.Command, start, goal string) (packages.Block, error) {
	if start == "-" && goal == "-" {
		return packages.Block{}, console.Usagef("the block and the goal are both -: expected one text on stdin, and the other as a text or a file")
	}
	var texts, names [2]string
	for i, arg := range []string{start, goal} {
		texts[i] = arg
		if strings.Trim(arg, "oO.?#/ \r\n") == "" || strings.HasPrefix(arg, board.LatticeLine) {
			continue
		}
		name, text, err := puzzle.ReadText(cmd.Context(), arg, cmd.InOrStdin())
		if puzzle.NoFile(arg, err) {
			return packages.Block{}, console.Usagef("unknown block %.100q: expected rows of o (peg), . (hole), ? (either) and # (no cell) separated by /, a text file with such rows, or - for a text on stdin", arg)
		}
		if err != nil {
			return packages.Block{}, console.UsageError(err)
		}
		names[i], texts[i] = name, text
	}
	b, err := packages.Parse(texts[0], texts[1])
	if fault, ok := errors.AsType[*packages.TextError](err); ok {
		name := names[0]
		if fault.Text == packages.GoalText {
			name = names[1]
		}
		if name != "" {
			err = puzzle.InFile(name, fault.Err)
		}
	}
	return b, console.UsageError(err)
}
