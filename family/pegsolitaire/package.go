package pegsolitaire

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace/cells"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/packages"
	"pagoda/statespace/peg/purges"
)

// packageOptions are the flags of package.
type packageOptions struct {
	graph command.GraphOutput
	draws bool // a graph is wanted
	size  int  // of a drawing: pixels from one cell to the next
	json  bool
	cells func() cells.Notation
	limit command.LimitFlag
	job   *command.Job
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
Each may be a text file with these rows instead, or - for a text on stdin. A first line
"lattice: triangular", or the same before a first /, is for a triangular lattice. A NAME, such
as 6-purge, is that of a package that packages lists.

Open cells of the start and of the goal have nothing to do with each other: n open cells of
the start make 2^n starts. The full block and the empty one are neither starts nor goals.
Starts and goals in the package are usable. If a start is a goal, no jumps are a sequence
too.

-o writes the graph of the positions and jumps: drawn as SVG or PNG, with the positions in
columns by their number of pegs, or as DOT, GraphML or CSV. The thick line is a shortest
sequence.

A purge takes pegs away and leaves the rest, the catalyst, as it was: the first example is
the 6-purge. The exit code is 1 if no start can reach a goal.

Up to 25 open cells take seconds. More take memory, 2^n bits and the numbers of sequences;
--mem bounds it.`,
		Example: `  reach package '#..o/ooo#/ooo#' '#..o/...#/...#'
  reach package '#..o/ooo#/ooo#' '#..o/...#/...#' -o purge.svg
  reach package L-purge
  reach package '????/ooo#/ooo#' '????/...#/...#' --limit 0
  reach package ooo/ooo/ooo/o.. '???/.../.../...' --json
  reach package 'lattice: triangular/?/??/o?o/oooo' '?/??/???/....'`,
		Args:              cli.Args(1, 2, "a block and its goal, or the name of a package"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.graph.Flags(cmd, "write the graph to this file; - is stdout", "no graph")
	cmd.Flags().IntVar(&o.size, "size", packageCell, fmt.Sprintf("of a drawing: pixels from one cell to the next, %d to %d", render.MinCell, render.MaxCell))
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	o.cells = command.Cells(cmd)
	o.limit = command.NewLimitFlag(cmd, 10, "usable starts, and usable goals")
	o.job = command.NewJob(cmd, cli.OfMachine)
	return cmd
}

// run finds a package and writes it.
func (o *packageOptions) run(cmd *cobra.Command, args []string) error {
	job, err := o.job.Options()
	if err == nil {
		err = o.checkGraph(cmd)
	}
	if err != nil {
		return err
	}
	most, err := o.limit.Get(math.MaxInt)
	if err != nil {
		return err
	}
	if most == 0 {
		most = math.MaxInt
	}
	if len(args) == 1 {
		if strings.Trim(args[0], "oO.?#/ \r\n") == "" {
			return cli.Usagef("the goal of the block is missing: expected a block and its goal, or the name of a package")
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
	p, err := packages.Find(cmd.Context(), block, packages.Options{Threads: job.Threads, Memory: run.MemoryLimit(job.Memory)})
	var size *packages.SizeError
	if errors.As(err, &size) {
		return cli.UsageError(err)
	}
	if err != nil {
		return err
	}
	if o.draws && p.States > 0 {
		if err := o.writeGraph(cmd, p, job); err != nil {
			return err
		}
	}
	switch {
	case o.draws && o.graph.Out == "": // stdout has the graph
	case o.json:
		err = cli.WriteJSON(cmd.OutOrStdout(), newPackageAnswer(p, most))
	default:
		err = o.write(cmd.OutOrStdout(), p, most)
	}
	if err == nil && p.States == 0 {
		err = cli.ErrNo
	}
	return err
}

// openBlock reads a block from two arguments: each is a text, or the name of a file with one, or - for
// one on stdin.
func openBlock(cmd *cobra.Command, start, goal string) (packages.Block, error) {
	if start == "-" && goal == "-" {
		return packages.Block{}, cli.Usagef("the block and the goal are both -: expected one text on stdin, and the other as a text or a file")
	}
	var texts, names [2]string
	for i, arg := range []string{start, goal} {
		texts[i] = arg
		if strings.Trim(arg, "oO.?#/ \r\n") == "" || strings.HasPrefix(arg, board.LatticeLine) {
			continue
		}
		name, text, err := family.ReadText(arg, cmd.InOrStdin())
		if family.NoFile(arg, err) {
			return packages.Block{}, cli.Usagef("unknown block %.100q: expected rows of o (peg), . (hole), ? (either) and # (no cell) separated by /, a text file with such rows, or - for a text on stdin", arg)
		}
		if err != nil {
			return packages.Block{}, cli.UsageError(err)
		}
		names[i], texts[i] = name, text
	}
	b, err := packages.Parse(texts[0], texts[1])
	var fault *packages.TextError
	if errors.As(err, &fault) {
		name := names[0]
		if fault.Text == packages.GoalText {
			name = names[1]
		}
		if name != "" {
			err = family.InFile(name, fault.Err)
		}
	}
	return b, cli.UsageError(err)
}
