package cli

import (
	"io"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/render"
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
	Out        string // the file, or empty for stdout
	Format     string // dot, graphml, csv, svg or png; see Check
	Most       int    // vertices
	Theme      func() render.Theme
	NoCaptions bool // leaves out what is written beside a drawing

	table string
}

// Flags adds the flags to a command. Out says what -o is for, and usual what the command does without -o
// and --format.
func (o *GraphOutput) Flags(cmd *cobra.Command, out, usual string) {
	flags := cmd.Flags()
	flags.StringVarP(&o.Out, "output", "o", "", out)
	console.CompleteFlag(cmd, "output", cobra.ShellCompDirectiveFilterFileExt, graphFormats...)
	console.OneOf(cmd, &o.Format, "format", "", graphFormats, "the format: "+suggest.Either(graphFormats)+" (default: what the name after -o ends in, or "+usual+")")
	console.OneOf(cmd, &o.table, "table", edgeTable, []string{edgeTable, vertexTable}, "of csv: the table to write, edges or vertices")
	flags.IntVar(&o.Most, "max-vertices", mostVertices, "refuse a graph with more vertices")
	console.Between(cmd, 1, MaxVertices, "max-vertices")
	o.Theme = themeFlag(cmd, "of a drawing: its colours")
	flags.BoolVar(&o.NoCaptions, "no-captions", false, "of a drawing: leave out the legend")
}

// Draws reports whether the format is a drawing.
func (o *GraphOutput) Draws() bool { return o.Format == "svg" || o.Format == "png" }

// Check finds the format, which may be the usual one, and refuses flags that mean nothing for it. More are the names of other flags that are only for drawings.
func (o *GraphOutput) Check(cmd *cobra.Command, usual string, more ...string) (err error) {
	if o.Format, err = outputFormat(cmd, &o.Out, o.Format, graphFormats, usual); err != nil {
		return err
	}
	switch flag := console.Given(cmd, append(more, "theme", "no-captions")...); {
	case flag != "" && !o.Draws():
		return console.Usagef("--%s is for svg and png; the format here is %s", flag, o.Format)
	case cmd.Flags().Changed("table") && o.Format != "csv":
		return console.Usagef("--table is for csv; the format here is %s", o.Format)
	case o.Format == "png" && o.Out == "" && console.Terminal(cmd.OutOrStdout()):
		return console.Usagef("a PNG is not for a terminal: name a file with -o")
	}
	return nil
}

// Write writes the graph to the output. Draw draws it.
func (o *GraphOutput) Write(cmd *cobra.Command, g *graph.Graph, draw func() (*render.Picture, error)) error {
	if o.Draws() {
		p, err := draw()
		if err != nil {
			return err
		}
		stdout := cmd.OutOrStdout()
		if o.Format == "png" {
			stdout = console.Binary(stdout)
		}
		return writeDrawn(cmd, o.Out, stdout, func(w io.Writer) error { return writePicture(w, p, o.Format) })
	}
	write := map[string]func(io.Writer) error{"dot": g.WriteDOT, "graphml": g.WriteGraphML, "csv": g.WriteEdges}[o.Format]
	if o.table == vertexTable {
		write = g.WriteVertices
	}
	if o.Out == "" {
		return write(cmd.OutOrStdout())
	}
	return console.WriteFile(cmd.Context(), o.Out, write)
}
