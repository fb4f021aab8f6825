package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/memory"
	"pagoda/internal/progress"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/render/network"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/graph"
	"pagoda/statespace/graph/layout"
)

// graphFlags are the flags of graph.
type graphFlags struct {
	GraphOutput
	upToSymmetry  bool
	within, width int
	seed          uint64
}

func (p *Program) graph() *cobra.Command {
	f := new(graphFlags)
	cmd := &cobra.Command{
		Use:   "graph SPACE|FILE",
		Short: "Draw or write the graph of positions and moves",
		Long: `graph makes the graph of a puzzle: its vertices are the positions that can be reached, its
edges the moves. It draws the graph, as SVG or PNG, or writes it for other programs: dot for
Graphviz, graphml for Gephi, yEd, igraph and NetworkX, csv for everything else.

In the drawing, dots are positions, in the colour of their distance from the start. The start
and the goals are marked; the thick line is a shortest solution. If moves can be taken back,
two dots are about as far apart as the number of moves between them; other graphs are drawn in
columns by distance.

In the other formats a vertex has its pattern, distance, layer, start, goal, and with
--up-to-symmetry orbit, the number of positions that it stands for; an edge has its move.
Several moves between two positions are one edge, and so are a move and its way back. Moves
from an orbit to itself are left out.

A file of states gives its members, and its distances are compared. The graph is kept in
memory.`,
		Args: console.Args(1, 1, "one space, or a file of states"),
	}
	flags := cmd.Flags()
	f.Flags(cmd, "the `FILE` to write; - is stdout (default stdout)", "dot on stdout")
	flags.BoolVar(&f.upToSymmetry, "up-to-symmetry", false, "one vertex for positions that symmetries of the start map to each other")
	flags.IntVar(&f.within, "within", -1, "only positions within this many moves of the start (default: all)")
	flags.Lookup("within").DefValue = "0" // so that the help does not say -1
	console.Within(cmd, "within", 0, math.MaxInt, "0 or more")
	flags.IntVar(&f.width, "size", network.DefaultWidth, fmt.Sprintf("of a drawing: its width in pixels, %d to %d", network.MinWidth, network.MaxWidth))
	console.Between(cmd, network.MinWidth, network.MaxWidth, "size")
	flags.Uint64Var(&f.seed, "seed", 1, "of a drawing: another seed finds other places; the same one gives the same bytes")
	choice := ChoiceFlags(cmd, p.Families)
	new(console.Memory).Flag(cmd, "of a space "+console.OfMachine+"; of a file "+console.OfFile)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := cmp.Or(f.Check(cmd, "size seed"), notItself(args[0], f.Out)); err != nil {
			return err
		}
		g, err := f.build(cmd, p, args[0], choice)
		if err != nil {
			return err
		}
		return f.Write(cmd, g, func() (*render.Picture, error) { return f.draw(cmd, g) })
	}
	return cmd
}

// build makes the graph of a file of states, or else of a space.
func (f *graphFlags) build(cmd *cobra.Command, p *Program, arg string, choice func(memory uint64) puzzle.Choice) (*graph.Graph, error) {
	o := graph.Options{Within: f.within, Most: f.Most, UpToSymmetry: f.upToSymmetry}
	chosen := choice(run.MemoryLimit(console.MemoryOf(cmd)))
	file, err := p.openStates(cmd, arg)
	if err != nil {
		return nil, err
	}
	if file != nil {
		defer file.Close()
		for name := range chosen.Options {
			return nil, console.Usagef("--%s is for a space; %s is a file of states, which has its own", name, arg)
		}
		g, err := file.Graph(cmd.Context(), o)
		return g, tooLarge(err, fmt.Sprintf("; the file has %s in all", Count(file.Meta().States, "position")))
	}
	sp, err := Lookup(cmd, p.Families, arg, chosen)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(cmd.Context(), sp, o)
	return g, tooLarge(err, "; "+cmd.Root().Name()+" run counts all")
}

// openStates opens a file of states. It returns nil if the argument is something else.
func (p *Program) openStates(cmd *cobra.Command, arg string) (*ask.File, error) {
	if info, err := os.Stat(arg); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := p.open(cmd, arg)
	if errors.Is(err, layers.ErrNotReach) {
		return nil, nil
	}
	return f, err
}

// tooLarge says how to make a graph that is too large, with more that is known of its size, or one
// that needs a file.
func tooLarge(err error, more string) error {
	if errors.Is(err, graph.ErrNumbers) {
		return console.Usagef("%w: run makes a file of them, and graph takes the file", err)
	}
	var size *graph.SizeError
	if errors.As(err, &size) && size.Depth < 0 {
		return console.Usagef("%w%s: --max-vertices allows more", err, more)
	}
	if size != nil {
		return console.Usagef("%w%s: --within %d keeps these, --max-vertices allows more", err, more, size.Depth)
	}
	return err
}

// draw draws the graph.
func (f *graphFlags) draw(cmd *cobra.Command, g *graph.Graph) (*render.Picture, error) {
	what := Count(uint64(len(g.Vertices)), "position")
	if g.Orbits {
		what += " up to symmetry"
	}
	n := NewNetwork(g.Space.Name()+": "+what, g)
	share := memory.For(cmd.Context(), "the drawing of "+g.Space.Name())
	if err := share.Set(layout.Memory(len(g.Vertices), len(g.Edges))); err != nil && !g.Directed {
		return nil, err
	}
	var done statespace.Progress
	defer progress.Start(cmd.Context(), g.Space.Name(), uint64(len(g.Vertices)), "positions placed", done.Read)()
	place := func() ([]layout.Point, error) {
		if g.Directed {
			return layout.Layered(cmd.Context(), n.Distance, n.Edges, done.Start, done.Add)
		}
		return layout.Stress(cmd.Context(), len(g.Vertices), n.Edges, f.seed, done.Start, done.Add)
	}
	places, err := place()
	if err != nil {
		return nil, err
	}
	for _, q := range places {
		n.At = append(n.At, render.Pt(q.X, q.Y))
	}
	return n.Picture(network.Style{Width: f.width, Theme: f.Theme(), NoCaptions: f.NoCaptions})
}
