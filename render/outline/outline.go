// Package outline draws around sets of cells: lines with rounded corners, moved inwards or outwards.
package outline

import (
	"image"
	"image/color"

	"pagoda/render"
	"pagoda/statespace/cells"
)

// The edges of cells. A line around cells has them on its right: it goes to the right along a Top, and
// so on.
const (
	Top = iota
	Right
	Bottom
	Left
)

// steps are the steps along the edges.
var steps = [4]image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}

// A bend is a corner of a line around cells.
type bend struct {
	at      image.Point
	in, out int
}

// Lines go around a set of cells.
type Lines [][]bend

// Around returns the lines around a set of cells: clockwise on the outside, anticlockwise
// around holes. Cells that only touch at a corner have separate lines there.
func Around(all []cells.Cell) Lines {
	in := make(map[image.Point]bool, len(all))
	for _, c := range all {
		in[image.Pt(c.Col, c.Row)] = true
	}
	// The edge of a cell by direction: where it begins, and the cell beyond it.
	starts := [4]image.Point{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	beyond := [4]image.Point{{Y: -1}, {X: 1}, {Y: 1}, {X: -1}}
	type edge struct {
		from image.Point
		dir  int
	}
	edges := make(map[edge]bool)
	var order []edge
	for _, cell := range all {
		c := image.Pt(cell.Col, cell.Row)
		for dir := range steps {
			if !in[c.Add(beyond[dir])] {
				e := edge{c.Add(starts[dir]), dir}
				edges[e] = true
				order = append(order, e)
			}
		}
	}
	var lines Lines
	for _, e := range order {
		if !edges[e] {
			continue
		}
		var line []bend
		for at := e; edges[at]; {
			delete(edges, at)
			end := at.from.Add(steps[at.dir])
			for _, turn := range []int{1, 0, 3} { // to the right, straight on, to the left
				next := edge{end, (at.dir + turn) % 4}
				if edges[next] || next == e {
					if turn != 0 {
						line = append(line, bend{end, at.dir, next.dir})
					}
					at = next
					break
				}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// An Inset says how far edges are moved inwards; below 0, it is outwards.
type Inset [4]float64

// Even returns the same inset on all sides.
func Even(by float64) Inset { return Inset{by, by, by, by} }

// Shape returns the outline of lines around cells of a size, with the corner of the cell (0, 0) at
// a point. Corners that stick out have the radius out, others in.
func (l Lines) Shape(at render.Point, cell float64, by Inset, out, in float64, fill color.RGBA, class string) render.Outline {
	s := render.Outline{Fill: fill, Class: class}
	for _, line := range l {
		loop := make([]render.Corner, len(line))
		for i, b := range line {
			c := render.Corner{At: at.Plus(float64(b.at.X)*cell, float64(b.at.Y)*cell), R: out}
			for _, dir := range []int{b.in, b.out} {
				inwards := steps[(dir+1)%4]
				c.At = c.At.Plus(float64(inwards.X)*by[dir], float64(inwards.Y)*by[dir])
			}
			if b.out != (b.in+1)%4 {
				c.R = in
			}
			loop[i] = c
		}
		s.Loops = append(s.Loops, loop)
	}
	return s
}
