package network_test

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"pagoda/render"
	"pagoda/render/network"
)

// ring is a cycle of n positions: the start is 0, the goal is opposite.
func ring(n int) network.Network {
	g := network.Network{Title: "ring <&>", Starts: []int{0}, Goals: []int{n / 2}}
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		g.At = append(g.At, render.Pt(math.Cos(a), math.Sin(a)))
		g.Distance = append(g.Distance, min(i, n-i))
		g.Edges = append(g.Edges, [2]int{i, (i + 1) % n})
		if i <= n/2 {
			g.Path = append(g.Path, i)
		}
	}
	return g
}

func svg(t *testing.T, g network.Network, s network.Style) string {
	t.Helper()
	p, err := g.Picture(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(p.SVG())
}

func TestPicture(t *testing.T) {
	const n = 20
	for _, theme := range render.Themes() {
		text := svg(t, ring(n), network.Style{Width: 400, Theme: theme})
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		// A dot for each vertex, one more on the path, and two for the goal; a line for each edge, and two for each of the path.
		if dots, lines := strings.Count(text, "h0"), strings.Count(text, "L"); dots != n+2+n/2+1 || lines != n+n {
			t.Errorf("%d dots, %d lines", dots, lines)
		}
		if text != svg(t, ring(n), network.Style{Width: 400, Theme: theme}) {
			t.Error("the same graph gives other bytes")
		}
		for _, want := range []string{"ring &lt;&amp;&gt;", ">start<", ">goal<", ">0 to 10 moves<"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s", theme.Name, want)
			}
		}
	}
	if text := svg(t, ring(n), network.Style{Width: 400, NoCaptions: true}); strings.Contains(text, "<text") {
		t.Error("without captions there is a text")
	}
}

// Everything is drawn within the picture, also of odd graphs.
func TestOdd(t *testing.T) {
	line := network.Network{At: []render.Point{{X: 0, Y: 0}, {X: 5, Y: 0}}, Distance: []int{0, 1}, Edges: [][2]int{{0, 1}}}
	column := network.Network{At: []render.Point{{X: 0, Y: 0}, {X: 0, Y: 900}}, Distance: []int{0, 1}}
	for _, g := range []network.Network{{At: []render.Point{{X: 7, Y: 7}}, Distance: []int{0}, Starts: []int{0}}, line, column, ring(3), ring(1000)} {
		p, err := g.Picture(network.Style{Width: network.MinWidth})
		if err != nil {
			t.Fatal(err)
		}
		w, h := p.Size()
		if w != network.MinWidth || h < 10 || h > 2*w {
			t.Errorf("the picture has %d by %d pixels", w, h)
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
	if _, err := (network.Network{}).Picture(network.Style{Width: 400}); err == nil {
		t.Error("a graph without vertices is drawn")
	}
	for _, width := range []int{0, network.MinWidth - 1, network.MaxWidth + 1} {
		if _, err := ring(3).Picture(network.Style{Width: width}); err == nil || !strings.Contains(err.Error(), "expected 200 to 10000") {
			t.Errorf("width %d: %v", width, err)
		}
	}
}
