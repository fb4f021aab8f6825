package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/render"
	"pagoda/render/network"
	"pagoda/statespace/graph"
)

// graphFormats are the formats of graphs, by the ending of a file's name.
var graphFormats = []string{"dot", "graphml", "csv", "svg", "png"}

// The tables of a graph in CSV.
const edgeTable, vertexTable = "edges", "vertices"

// mostVertices is how many vertices a graph has without --max-vertices.
const mostVertices = 30_000

// MaxVertices is the most that --max-vertices allows. Their graph takes up to a gigabyte.
const MaxVertices = 1_000_000

// A GraphOutput is the flags of commands that write a graph or draw it.
type GraphOutput struct {
	Output         // dot, graphml, csv, svg or png; see Check
	Most       int // vertices
	Theme      func() render.Theme
	NoCaptions bool // leaves out what is written beside a drawing

	table string
}

// Flags adds the flags to a command. Out says what -o is for, and usual what the command does without -o
// and --format.
func (o *GraphOutput) Flags(cmd *cobra.Command, out, usual string) {
	flags := cmd.Flags()
	o.addFlags(cmd, graphFormats, "dot", out, "the format: "+suggest.Either(graphFormats)+" (default: what the name after -o ends in, or "+usual+")")
	console.OneOf(cmd, &o.table, "table", edgeTable, []string{edgeTable, vertexTable}, "of csv: the table to write, edges or vertices")
	flags.IntVar(&o.Most, "max-vertices", mostVertices, fmt.Sprintf("refuse a graph with more vertices; at most %d", MaxVertices))
	console.Between(cmd, 1, MaxVertices, "max-vertices")
	o.Theme = themeFlag(cmd)
	flags.BoolVar(&o.NoCaptions, "no-captions", false, "of a drawing: leave out the legend")
}

// Draws reports whether the format is a drawing.
func (o *GraphOutput) Draws() bool { return o.Format == "svg" || o.Format == "png" }

// Check finds the format, and refuses flags that mean nothing for it. More are the names of other flags that are only for drawings.
func (o *GraphOutput) Check(cmd *cobra.Command, more string) error {
	if err := o.FindFormat(cmd); err != nil {
		return err
	}
	return cmp.Or(o.For(cmd, more+" theme no-captions", "svg and png"), o.For(cmd, "table", "csv"))
}

// Write writes the graph to the output. Draw draws it.
func (o *GraphOutput) Write(cmd *cobra.Command, g *graph.Graph, draw func() (*render.Picture, error)) error {
	if o.Draws() {
		p, err := draw()
		if err != nil {
			return err
		}
		return o.WriteWhole(cmd, func(w io.Writer) error { return writePicture(w, p, o.Format) })
	}
	write := map[string]func(io.Writer) error{"dot": g.WriteDOT, "graphml": g.WriteGraphML, "csv": g.WriteEdges}[o.Format]
	if o.table == vertexTable {
		write = g.WriteVertices
	}
	return o.stream(cmd, write)
}

// NewNetwork returns the drawing of a graph, without places.
func NewNetwork(title string, g *graph.Graph) *network.Network {
	n := &network.Network{Title: title, Path: g.Solution()}
	for i, v := range g.Vertices {
		n.Distance = append(n.Distance, v.Distance)
		if g.Start(i) {
			n.Starts = append(n.Starts, i)
		}
		if v.Goal {
			n.Goals = append(n.Goals, i)
		}
	}
	for _, e := range g.Edges {
		n.Edges = append(n.Edges, [2]int{e.From, e.To})
	}
	return n
}
