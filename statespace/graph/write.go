package graph

import (
	"bufio"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pagoda/internal/lists"
)

// An attribute is what a vertex has besides its pattern.
type attribute struct {
	name, kind string // the kind as GraphML names it
	of         func(i int) string
}

// attributes lists what the vertices have.
func (g *Graph) attributes() []attribute {
	all := []attribute{{"distance", "int", func(i int) string { return strconv.Itoa(g.Vertices[i].Distance) }}}
	if l := g.Space.Parts().Layers; l != nil {
		all = append(all, attribute{l.LayerName(), "int", func(i int) string { return strconv.Itoa(l.Layer(g.Vertices[i].State)) }})
	}
	root := "start"
	if g.Space.Parts().Reversed {
		root = "end"
	}
	all = append(all, attribute{root, "boolean", func(i int) string { return strconv.FormatBool(g.Start(i)) }})
	if g.Space.Parts().Goals.Any() {
		all = append(all, attribute{"goal", "boolean", func(i int) string { return strconv.FormatBool(g.Vertices[i].Goal) }})
	}
	if g.Orbits {
		all = append(all, attribute{"orbit", "int", func(i int) string { return strconv.Itoa(g.Vertices[i].Orbit) }})
	}
	return all
}

// pattern returns a vertex as Parse reads it, move the text of an edge.
func (g *Graph) pattern(i int) string { return g.Space.Format(g.Vertices[i].State) }
func (g *Graph) move(e Edge) string   { return g.Space.FormatMove(g.Vertices[e.From].State, e.Move) }

// WriteDOT writes the graph in the language of Graphviz.
func (g *Graph) WriteDOT(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	kind, arrow := "graph", "--"
	if g.Directed {
		kind, arrow = "digraph", "->"
	}
	fmt.Fprintf(w, "%s %s {\nnode [shape=point];\n", kind, quoteDOT(g.Space.Name()))
	attributes := g.attributes()
	for i := range g.Vertices {
		fmt.Fprintf(w, "%d [pattern=%s", i, quoteDOT(g.pattern(i)))
		for _, a := range attributes {
			fmt.Fprintf(w, ", %s=%s", quoteDOT(a.name), a.of(i))
		}
		w.WriteString("];\n")
	}
	for _, e := range g.Edges {
		fmt.Fprintf(w, "%d %s %d [move=%s];\n", e.From, arrow, e.To, quoteDOT(g.move(e)))
	}
	w.WriteString("}\n")
	return w.Flush()
}

// quoteDOT writes a string in quotes. In them, only quotes need an escape; a backslash at the end
// would escape the quote, so all get one.
func quoteDOT(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// WriteGraphML writes the graph as GraphML.
func (g *Graph) WriteGraphML(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	escaped := func(text string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(text)) // a builder takes everything
		return b.String()
	}
	w.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	attributes := append([]attribute{{"pattern", "string", g.pattern}}, g.attributes()...)
	for i, a := range attributes {
		fmt.Fprintf(w, "<key id=\"v%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n", i, escaped(a.name), a.kind)
	}
	direction := "undirected"
	if g.Directed {
		direction = "directed"
	}
	fmt.Fprintf(w, "<key id=\"e0\" for=\"edge\" attr.name=\"move\" attr.type=\"string\"/>\n<graph id=\"%s\" edgedefault=\"%s\">\n", escaped(g.Space.Name()), direction)
	for i := range g.Vertices {
		fmt.Fprintf(w, "<node id=\"n%d\">", i)
		for k, a := range attributes {
			fmt.Fprintf(w, "<data key=\"v%d\">%s</data>", k, escaped(a.of(i)))
		}
		w.WriteString("</node>\n")
	}
	for _, e := range g.Edges {
		fmt.Fprintf(w, "<edge source=\"n%d\" target=\"n%d\"><data key=\"e0\">%s</data></edge>\n", e.From, e.To, escaped(g.move(e)))
	}
	w.WriteString("</graph>\n</graphml>\n")
	return w.Flush()
}

// WriteEdges writes a line of CSV for each edge: the patterns at its ends, and the move.
func (g *Graph) WriteEdges(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"source", "target", "move"})
	for _, e := range g.Edges {
		w.Write([]string{g.pattern(e.From), g.pattern(e.To), g.move(e)})
	}
	w.Flush()
	return w.Error()
}

// WriteVertices writes a line of CSV for each vertex: the pattern, and what is known of it.
func (g *Graph) WriteVertices(to io.Writer) error {
	w := csv.NewWriter(to)
	attributes := append([]attribute{{"pattern", "string", g.pattern}}, g.attributes()...)
	row := lists.Map(attributes, func(a attribute) string { return a.name })
	w.Write(row)
	for i := range g.Vertices {
		for k, a := range attributes {
			row[k] = a.of(i)
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}
