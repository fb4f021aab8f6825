package peg

import (
	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/render/network"
	"pagoda/statespace/graph"
	"pagoda/statespace/graph/layout"
	"pagoda/studies/packages"
)

// checkGraph finds out whether a graph is wanted, and refuses flags that make no sense.
func (o *packageOptions) checkGraph(cmd *cobra.Command) error {
	o.draws = console.Given(cmd, "output", "format") != ""
	if !o.draws {
		return console.Refuse(cmd, true, "table max-vertices theme no-captions size", "--%s is for the graph: name a file for it with -o")
	}
	if err := o.graph.Check(cmd, "size"); err != nil {
		return err
	}
	if console.AsJSON(cmd) && o.graph.Out == "" {
		return console.Usagef("--json and the graph both go to stdout: name a file for the graph with -o")
	}
	return nil
}

// writeGraph writes the graph of a package.
func (o *packageOptions) writeGraph(cmd *cobra.Command, p *packages.Package) error {
	if p.States > uint64(o.graph.Most) {
		return console.Usagef("the package has %s, and --max-vertices is %s: a larger one is allowed up to %s",
			cli.Count(p.States, "position"), amount.Comma(uint64(o.graph.Most)), amount.Comma(cli.MaxVertices))
	}
	if o.graph.Draws() && p.States > network.MaxDrawings {
		return console.Usagef("the package has %s, and a drawing at most %s: dot, graphml and csv have more",
			cli.Count(p.States, "position"), amount.Comma(network.MaxDrawings))
	}
	sp := packages.NewSpace("package of "+p.Block.String(), p)
	g, err := graph.Build(cmd.Context(), sp, graph.Options{Within: -1})
	if err != nil {
		return err
	}
	return o.graph.Write(cmd, g, func() (*render.Picture, error) { return o.draw(cmd, sp, g) })
}

// draw draws the graph of a package: in columns by number of pegs.
func (o *packageOptions) draw(cmd *cobra.Command, sp *packages.Space, g *graph.Graph) (*render.Picture, error) {
	n := cli.NewNetwork(sp.Name(), g)
	most := 0
	for _, v := range g.Vertices {
		most = max(most, sp.Layer(v.State))
	}
	for i, v := range g.Vertices {
		pegsThere := sp.Layer(v.State)
		n.Distance[i] = most - pegsThere
		n.Drawings = append(n.Drawings, draw.Position{Board: sp.Board(), Pattern: board.Pattern{Pegs: sp.Position(v.State)}})
	}
	for pegsThere := most; pegsThere > 0; pegsThere-- {
		n.Headings = append(n.Headings, cli.Count(uint64(pegsThere), "peg"))
	}
	none := func(int64) {}
	places, err := layout.Layered(cmd.Context(), n.Distance, n.Edges, none, none)
	if err != nil {
		return nil, err
	}
	for _, q := range places {
		n.At = append(n.At, render.Pt(q.X, q.Y))
	}
	return n.Picture(network.Style{Cell: o.size, Theme: o.graph.Theme(), NoCaptions: o.graph.NoCaptions})
}
