package graph_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/graph"
	"pagoda/statespace/internal/toys"
)

// nasty writes states and moves with every character that a format must escape.
type nasty struct{ *toys.Graph }

func (nasty) Name() string           { return `na"s\ty<&>` }
func (nasty) Format(x uint64) string { return fmt.Sprintf("%d\"\\<&>',\n\\", x) }
func (nasty) FormatMove(from uint64, e statespace.Edge) string {
	return fmt.Sprintf("%d \"to\" <%d>\\", from, e.To)
}

func nastyGraph(t *testing.T, back bool) *graph.Graph {
	return build(t, nasty{toys.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 0}, {1, 3}}, back, []uint64{0}, []uint64{3})}, whole)
}

// wantVertices and wantEdges are a graph as rows of text.
func wantVertices(g *graph.Graph) (rows [][]string) {
	for i, v := range g.Vertices {
		rows = append(rows, []string{g.Space.Format(v.State), strconv.Itoa(v.Distance), strconv.FormatBool(i == 0), strconv.FormatBool(v.Goal)})
	}
	return rows
}

func wantEdges(g *graph.Graph, name func(i int) string) (rows [][]string) {
	for _, e := range g.Edges {
		rows = append(rows, []string{name(e.From), name(e.To), g.Space.FormatMove(g.Vertices[e.From].State, e.Move)})
	}
	return rows
}

func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func same(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestCSV(t *testing.T) {
	g := nastyGraph(t, true)
	read := func(write func(io.Writer) error) [][]string {
		rows, err := csv.NewReader(strings.NewReader(text(t, write))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	same(t, "vertices", read(g.WriteVertices), append([][]string{{"pattern", "distance", "start", "goal"}}, wantVertices(g)...))
	pattern := func(i int) string { return g.Space.Format(g.Vertices[i].State) }
	same(t, "edges", read(g.WriteEdges), append([][]string{{"source", "target", "move"}}, wantEdges(g, pattern)...))
	piles := build(t, toys.Piles{N: 4}, graph.Options{Within: -1, UpToSymmetry: true})
	if rows := read(piles.WriteVertices); strings.Join(rows[0], " ") != "pattern distance things start orbit" || strings.Join(rows[1][1:], " ") != "0 6 true 1" {
		t.Errorf("%v", rows)
	}
}

func TestGraphML(t *testing.T) {
	for _, back := range []bool{false, true} {
		g := nastyGraph(t, back)
		var doc struct {
			Key []struct {
				ID   string `xml:"id,attr"`
				Name string `xml:"attr.name,attr"`
				Type string `xml:"attr.type,attr"`
			} `xml:"key"`
			Graph struct {
				ID   string `xml:"id,attr"`
				Kind string `xml:"edgedefault,attr"`
				Node []struct {
					ID   string   `xml:"id,attr"`
					Data []string `xml:"data"`
				} `xml:"node"`
				Edge []struct {
					Source string `xml:"source,attr"`
					Target string `xml:"target,attr"`
					Data   string `xml:"data"`
				} `xml:"edge"`
			} `xml:"graph"`
		}
		if err := xml.Unmarshal([]byte(text(t, g.WriteGraphML)), &doc); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]string{true: "undirected", false: "directed"}[back]; doc.Graph.Kind != want || doc.Graph.ID != g.Space.Name() || len(doc.Key) != 5 {
			t.Errorf("%+v, want %s", doc, want)
		}
		var vertices, edges [][]string
		for i, n := range doc.Graph.Node {
			if n.ID != fmt.Sprintf("n%d", i) {
				t.Errorf("node %d is %s", i, n.ID)
			}
			vertices = append(vertices, n.Data)
		}
		for _, e := range doc.Graph.Edge {
			edges = append(edges, []string{e.Source, e.Target, e.Data})
		}
		same(t, "vertices", vertices, wantVertices(g))
		same(t, "edges", edges, wantEdges(g, func(i int) string { return fmt.Sprintf("n%d", i) }))
	}
}

func TestDOT(t *testing.T) {
	for _, back := range []bool{false, true} {
		g := nastyGraph(t, back)
		kind, arrow := "digraph", "->"
		if back {
			kind, arrow = "graph", "--"
		}
		dot := text(t, g.WriteDOT)
		if want := kind + ` "na\"s\\ty<&>" {`; !strings.HasPrefix(dot, want) || !strings.HasSuffix(dot, "}\n") {
			t.Errorf("%s, want %s", dot, want)
		}
		quoted := `"((?:[^"\\]|\\.)*)"`
		plain := func(s string) string { return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s) }
		var vertices, edges [][]string
		for _, m := range regexp.MustCompile(`(?s)(\d+) \[pattern=`+quoted+`, "distance"=(\d+), "start"=(\w+), "goal"=(\w+)\];\n`).FindAllStringSubmatch(dot, -1) {
			vertices = append(vertices, []string{plain(m[2]), m[3], m[4], m[5]})
		}
		for _, m := range regexp.MustCompile(`(\d+) `+arrow+` (\d+) \[move=`+quoted+`\];\n`).FindAllStringSubmatch(dot, -1) {
			edges = append(edges, []string{m[1], m[2], plain(m[3])})
		}
		same(t, "vertices", vertices, wantVertices(g))
		same(t, "edges", edges, wantEdges(g, strconv.Itoa))
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFull(t *testing.T) {
	g := nastyGraph(t, true)
	for _, write := range []func(io.Writer) error{g.WriteDOT, g.WriteGraphML, g.WriteEdges, g.WriteVertices} {
		if err := write(full{}); !errors.Is(err, errFull) {
			t.Error(err)
		}
	}
}
