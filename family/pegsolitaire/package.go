package pegsolitaire

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/run"
	"pagoda/statespace/cells"
	"pagoda/statespace/peg"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/packages"
)

// packageOptions are the flags of package.
type packageOptions struct {
	json  bool
	cells func() cells.Notation
	limit command.LimitFlag
	job   *command.Job
}

func packageCommand() *cobra.Command {
	var o packageOptions
	cmd := &cobra.Command{
		Use:   "package BLOCK GOAL",
		Short: "Find what can be done inside a block of pegs with the rest left alone",
		Long: `package finds all positions of a small block of cells that a start can reach and that can
reach a goal, the jumps among them, and the number of sequences of jumps from a start to a
goal. Nothing outside of the block moves.

BLOCK and GOAL draw the block at the start and at the end, in rows separated by /: o is a
peg, . a hole, ? a cell with either, # or a space no cell. They must have the same cells.
Each may be a text file with these rows instead, or - for a text on stdin. A first line
"lattice: triangular", or the same before a first /, is for a triangular lattice.

Open cells of the start and of the goal have nothing to do with each other: n open cells of
the start make 2^n starts. The full block and the empty one are neither starts nor goals.
Those that are in the package are usable. If a start is a goal, no jumps are a sequence too.

A purge takes pegs away and leaves the rest, the catalyst, as it was: the first example is
the 6-purge. The exit code is 1 if no start can reach a goal.

Up to 25 open cells take seconds. More take memory, 2^n bits and the numbers of sequences;
--mem bounds it.`,
		Example: `  reach package '#..o/ooo#/ooo#' '#..o/...#/...#'
  reach package '????/ooo#/ooo#' '????/...#/...#' --limit 0
  reach package ooo/ooo/ooo/o.. '???/.../.../...' --json
  reach package 'lattice: triangular/?/??/o?o/oooo' '?/??/???/....'`,
		Args:              cli.Args(2, 2, "a block and its goal"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	o.cells = command.Cells(cmd)
	o.limit = command.NewLimitFlag(cmd, 10, "usable starts, and usable goals")
	o.job = command.NewJob(cmd, cli.OfMachine)
	return cmd
}

// run finds a package and writes it.
func (o *packageOptions) run(cmd *cobra.Command, args []string) error {
	job, err := o.job.Options()
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
	if o.json {
		err = cli.WriteJSON(cmd.OutOrStdout(), newPackageAnswer(p, most))
	} else {
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

// A packageAnswer is a package in JSON.
type packageAnswer struct {
	Block     string         `json:"block"`
	Goal      string         `json:"goal"`
	Lattice   string         `json:"lattice"`
	Cells     int            `json:"cells"`
	States    uint64         `json:"states"`
	Jumps     uint64         `json:"jumps"`
	Sequences *big.Int       `json:"sequences"`
	Starts    packageEnds    `json:"starts"`
	Goals     packageEnds    `json:"goals"`
	Layers    []packageLayer `json:"layers"` // most pegs first
	Example   *ask.Route     `json:"example,omitempty"`
}

// A packageLayer is the positions with a number of pegs.
type packageLayer struct {
	Pegs   int    `json:"pegs"`
	States uint64 `json:"states"`
}

// packageEnds are the starts or the goals of a package.
type packageEnds struct {
	Count     uint64   `json:"count"`
	Usable    uint64   `json:"usable"`
	Positions []string `json:"positions"` // usable ones, up to a limit
}

func newPackageAnswer(p *packages.Package, most int) *packageAnswer {
	ends := func(e packages.Ends, usable iter.Seq[board.Position]) packageEnds {
		list := packageEnds{e.All, e.Usable, []string{}}
		for q := range first(usable, most) {
			list.Positions = append(list.Positions, p.Board.FormatPosition(q))
		}
		return list
	}
	a := &packageAnswer{Block: p.Board.FormatPattern(p.Start), Goal: p.Board.FormatPattern(p.Goal), Lattice: p.Board.Lattice().String(),
		Cells: len(p.Board.Cells()), States: p.States, Jumps: p.Jumps, Sequences: p.Sequences, Layers: []packageLayer{},
		Starts: ends(p.Starts, p.UsableStarts()), Goals: ends(p.Goals, p.UsableGoals()), Example: exampleOf(p)}
	for _, l := range p.Layers {
		a.Layers = append(a.Layers, packageLayer{l.Layer, l.States})
	}
	return a
}

// first yields the first of some positions.
func first(all iter.Seq[board.Position], most int) iter.Seq[board.Position] {
	return func(yield func(board.Position) bool) {
		n := 0
		for q := range all {
			if n++; n > most || !yield(q) {
				return
			}
		}
	}
}

// exampleOf describes a sequence of a package, nil if it has none.
func exampleOf(p *packages.Package) *ask.Route {
	at, jumps, ok := p.Example()
	if !ok {
		return nil
	}
	r := &ask.Route{Moves: []fmt.Stringer{}, Positions: []string{p.Board.FormatPosition(at)}}
	for _, k := range jumps {
		at ^= p.Board.Jump(k).Mask()
		r.Moves, r.Positions = append(r.Moves, peg.JumpTextOf(p.Board, k)), append(r.Positions, p.Board.FormatPosition(at))
	}
	return r
}

// write writes a package for people.
func (o *packageOptions) write(w io.Writer, p *packages.Package, most int) error {
	var b strings.Builder
	if p.States == 0 {
		fmt.Fprintf(&b, "no start can reach a goal: %s and %s of %s\n", command.Count(p.Starts.All, "start"), command.Count(p.Goals.All, "goal"),
			command.Count(uint64(len(p.Board.Cells())), "cell"))
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "%s, %s, %s\n", command.Count(p.States, "position"), command.Count(p.Jumps, "jump"), countBig(p.Sequences, "sequence"))
	for _, ends := range []struct {
		what   string
		n      packages.Ends
		usable iter.Seq[board.Position]
	}{{"start", p.Starts, p.UsableStarts()}, {"goal", p.Goals, p.UsableGoals()}} {
		fmt.Fprintf(&b, "\n%s of %s usable\n\n", ask.Comma(ends.n.Usable), command.Count(ends.n.All, ends.what))
		for all := range chunks(first(ends.usable, most), render.MaxPanels) {
			if err := render.Text(&b, drawnPanels(p.Board, all), 0, render.Style{}); err != nil {
				return err
			}
		}
		if uint64(most) < ends.n.Usable {
			b.WriteString("\nmore exist: --limit 0 draws all\n")
		}
	}
	r := exampleOf(p)
	r.Cells = o.cells()
	if len(r.Moves) > 0 {
		b.WriteString("\none sequence\n\n")
		if err := r.WriteText(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// chunks yields positions in slices of at most n.
func chunks(all iter.Seq[board.Position], n int) iter.Seq[[]board.Position] {
	return func(yield func([]board.Position) bool) {
		var chunk []board.Position
		for q := range all {
			if chunk = append(chunk, q); len(chunk) == n {
				if !yield(chunk) {
					return
				}
				chunk = nil
			}
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}

// drawnPanels returns drawings of positions.
func drawnPanels(b *board.Board, all []board.Position) (panels []render.Panel) {
	for _, q := range all {
		d := pegs.Position{Board: b, Pattern: board.Pattern{Pegs: q}}
		panels = append(panels, render.Panel{Drawing: d, Caption: d.Pegs()})
	}
	return panels
}

// countBig writes a number of things.
func countBig(n *big.Int, thing string) string {
	if n.IsUint64() {
		return command.Count(n.Uint64(), thing)
	}
	return humanize.BigComma(n) + " " + thing + "s"
}
