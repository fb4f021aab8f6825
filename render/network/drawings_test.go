package network_test

import (
	"image/color"
	"strings"
	"testing"

	"pagoda/render"
	"pagoda/render/network"
)

// A tile is a drawing of three cells by two, and notes where it is drawn.
type tile struct{ at *[]render.Box }

func (tile) Check() error                        { return nil }
func (tile) Size(cell int) (int, int)            { return 3 * cell, 2 * cell }
func (tile) Rows() []string                      { return nil }
func (tile) Blends(render.Theme) [][2]color.RGBA { return nil }
func (tile) Title() string                       { return "" }
func (d tile) Draw(p *render.Picture, at render.Point, s render.Style) {
	w, h := d.Size(s.Cell)
	box := render.Box{Min: at, Max: at.Plus(float64(w), float64(h))}
	*d.at = append(*d.at, box)
	p.Add(render.Rect{Box: box, Fill: s.Theme.Board, Class: "tile"})
}

// fan is a network of columns with 1, 3, 5 and 1 vertices, whose drawings note where they are.
func fan() (network.Network, *[]render.Box) {
	at := new([]render.Box)
	n := network.Network{Title: "fan <&>", Headings: []string{"a", "b", "c", "d"}, Starts: []int{0}, Goals: []int{0, 9}, Path: []int{0, 1, 4, 9}}
	for d, count := range []int{1, 3, 5, 1} {
		for k := range count {
			n.At = append(n.At, render.Pt(float64(d)/3, (float64(k)+0.5)/float64(count)))
			n.Distance = append(n.Distance, d)
			n.Drawings = append(n.Drawings, tile{at})
		}
	}
	for i, d := range n.Distance {
		for k, e := range n.Distance {
			if e == d+1 {
				n.Edges = append(n.Edges, [2]int{i, k})
			}
		}
	}
	return n, at
}

// The drawings are apart from each other and within the picture, at any size.
func TestDrawings(t *testing.T) {
	for _, cell := range []int{render.MinCell, 14, 60} {
		for i, theme := range render.Themes() {
			n, at := fan()
			p, err := n.Picture(network.Style{Cell: cell, Theme: theme, NoCaptions: i == 1})
			if err != nil {
				t.Fatal(err)
			}
			w, h := p.Size()
			if len(*at) != len(n.At) {
				t.Fatalf("%d drawings of %d vertices", len(*at), len(n.At))
			}
			for i, a := range *at {
				if a.Min.X < 4 || a.Min.Y < 4 || a.Max.X > float64(w-4) || a.Max.Y > float64(h-4) {
					t.Errorf("cell %d: the drawing %d at %v is not within %d x %d", cell, i, a, w, h)
				}
				for k, b := range (*at)[:i] {
					if a.Min.X < b.Max.X+2 && b.Min.X < a.Max.X+2 && a.Min.Y < b.Max.Y+2 && b.Min.Y < a.Max.Y+2 {
						t.Errorf("cell %d: the drawings %d and %d are on top of each other", cell, k, i)
					}
				}
				for k, b := range *at {
					if n.Distance[i] < n.Distance[k] && a.Max.X >= b.Min.X {
						t.Errorf("cell %d: the drawing %d is not to the left of %d", cell, i, k)
					}
				}
			}
			img, err := p.Image()
			if err != nil {
				t.Fatal(err)
			}
			for x := range w {
				if img.At(x, 0) != img.At(0, 0) || img.At(x, h-1) != img.At(0, 0) {
					t.Fatalf("the edge of the picture is not empty at %d", x)
				}
			}
		}
	}
}

func TestDrawingsText(t *testing.T) {
	n, _ := fan()
	text := svg(t, n, network.Style{Cell: 14})
	for _, want := range []string{">fan &lt;&amp;&gt;<", ">start<", ">goal<", ">a<", ">d<"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
	// A line for each edge and, at its ends, one for each side of a vertex; the path has both, too.
	if got, want := strings.Count(text, "L"), len(n.Edges)+(1+3+5)+(3+5+1)+3*3; got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	if text := svg(t, n, network.Style{Cell: 14, NoCaptions: true}); strings.Contains(text, "<text") {
		t.Error("without captions there is a text")
	}
}

func TestDrawingsErrors(t *testing.T) {
	wrong := func(change func(n *network.Network, s *network.Style), want string) {
		t.Helper()
		n, _ := fan()
		s := network.Style{Cell: 14}
		change(&n, &s)
		if _, err := n.Picture(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
	wrong(func(n *network.Network, s *network.Style) { s.Cell = render.MinCell - 1 }, "the size of a cell is 7 pixels, expected 8 to 400")
	wrong(func(n *network.Network, s *network.Style) { n.Drawings = n.Drawings[1:] }, "10 vertices and 9 drawings")
	wrong(func(n *network.Network, s *network.Style) {
		n.Drawings = make([]render.Drawing, network.MaxDrawings+1)
	}, "at most 4096 are drawn")
}
