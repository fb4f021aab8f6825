package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// An outline is closed lines with right angles and rounded corners, filled. Clockwise
// lines add, others cut out.
type outline struct {
	loops [][]corner
	fill  color.RGBA
	kind  string // what it stands for: the class of the SVG element
}

// A corner is where two straight lines meet, rounded by a quarter of a circle.
type corner struct {
	at point
	r  float64
}

func (s outline) bounds() box {
	b := boxOf(s.loops[0][0].at)
	for _, loop := range s.loops {
		for _, c := range loop {
			b = b.union(boxOf(c.at))
		}
	}
	return b
}

// quarters calls do for each corner of a loop, with the points where its quarter of a
// circle begins and ends, and whether it goes around clockwise.
func quarters(loop []corner, do func(from, to point, c corner, clockwise bool)) {
	for i, c := range loop {
		before, after := loop[(i+len(loop)-1)%len(loop)].at, loop[(i+1)%len(loop)].at
		cross := (c.at.x-before.x)*(after.y-c.at.y) - (c.at.y-before.y)*(after.x-c.at.x)
		toward := func(q point) point {
			return c.at.towards(q, c.r/math.Hypot(q.x-c.at.x, q.y-c.at.y))
		}
		do(toward(before), toward(after), c, cross > 0)
	}
}

func (s outline) svg(w *svgWriter) {
	w.WriteString("<path")
	if s.kind != "" {
		fmt.Fprintf(w, ` class="%s"`, s.kind)
	}
	w.WriteString(` d="`)
	for _, loop := range s.loops {
		letter := "M"
		quarters(loop, func(from, to point, c corner, clockwise bool) {
			fmt.Fprintf(w, "%s%s,%s", letter, number(from.x), number(from.y))
			if c.r > 0 {
				sweep := 0
				if clockwise {
					sweep = 1
				}
				fmt.Fprintf(w, "A%s,%s 0 0 %d %s,%s", number(c.r), number(c.r), sweep, number(to.x), number(to.y))
			}
			letter = "L"
		})
		w.WriteByte('Z')
	}
	fmt.Fprintf(w, "\" fill=\"%s\"/>\n", hex(s.fill))
}

func (s outline) raster(c *canvas) {
	c.fill(s.bounds(), s.fill, func(t *tracer) {
		for _, loop := range s.loops {
			first := true
			quarters(loop, func(from, to point, c corner, _ bool) {
				x, y := t.pt(from)
				if first {
					t.ras.MoveTo(x, y)
					first = false
				} else {
					t.ras.LineTo(x, y)
				}
				px, py := t.pt(from.towards(c.at, quarter))
				qx, qy := t.pt(to.towards(c.at, quarter))
				x, y = t.pt(to)
				t.ras.CubeTo(px, py, qx, qy, x, y)
			})
			t.ras.ClosePath()
		}
	})
}

// The ways in which a line around cells goes, which has the cells on its right: a line
// to the right is an upper edge, and so on.
const (
	toRight = iota
	toBottom
	toLeft
	toTop
)

// ways are the steps of the ways.
var ways = [4]image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}

// A bend is a corner of a line around cells.
type bend struct {
	at      image.Point
	in, out int
}

// around returns the lines around a set of cells, clockwise on the outside and the other
// way around holes. Cells that touch at a corner only have lines of their own there.
func around(cells []image.Point) [][]bend {
	in := make(map[image.Point]bool, len(cells))
	for _, c := range cells {
		in[c] = true
	}
	// The edge of a cell by the way of its line: where it begins, and what is beyond it.
	starts := [4]image.Point{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	beyond := [4]image.Point{{Y: -1}, {X: 1}, {Y: 1}, {X: -1}}
	type edge struct {
		from image.Point
		way  int
	}
	edges := make(map[edge]bool)
	var order []edge
	for _, c := range cells {
		for way := range ways {
			if !in[c.Add(beyond[way])] {
				e := edge{c.Add(starts[way]), way}
				edges[e] = true
				order = append(order, e)
			}
		}
	}
	var all [][]bend
	for _, e := range order {
		if !edges[e] {
			continue
		}
		var line []bend
		for at := e; edges[at]; {
			delete(edges, at)
			end := at.from.Add(ways[at.way])
			for _, turn := range []int{1, 0, 3} { // to the right, straight on, to the left
				next := edge{end, (at.way + turn) % 4}
				if edges[next] || next == e {
					if turn != 0 {
						line = append(line, bend{end, at.way, next.way})
					}
					at = next
					break
				}
			}
		}
		all = append(all, line)
	}
	return all
}

// An inset says how far edges are moved inwards, by the way of their line.
type inset [4]float64

// even is the same inset on all sides.
func even(by float64) inset { return inset{by, by, by, by} }

// outlineOf makes the outline of lines around cells of a size, with the corner of the
// cell 0, 0 at a point. Corners that stick out have the radius out, others in.
func outlineOf(lines [][]bend, at point, cell float64, by inset, out, in float64, fill color.RGBA, kind string) outline {
	s := outline{fill: fill, kind: kind}
	for _, line := range lines {
		loop := make([]corner, len(line))
		for i, b := range line {
			c := corner{at.plus(float64(b.at.X)*cell, float64(b.at.Y)*cell), out}
			for _, way := range []int{b.in, b.out} {
				inwards := ways[(way+1)%4]
				c.at = c.at.plus(float64(inwards.X)*by[way], float64(inwards.Y)*by[way])
			}
			if b.out != (b.in+1)%4 {
				c.r = in
			}
			loop[i] = c
		}
		s.loops = append(s.loops, loop)
	}
	return s
}
