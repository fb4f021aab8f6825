package blocks

import (
	"image"
	"image/color"
	"slices"

	"pagoda/render"
	"pagoda/statespace/slide/tray"
)

// The directions of a line around cells, which has the cells on its right: a line to the right
// is an upper edge, and so on.
const (
	toRight = iota
	toBottom
	toLeft
	toTop
)

// steps are the steps in the directions.
var steps = [4]image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}

// A bend is a corner of a line around cells.
type bend struct {
	at      image.Point
	in, out int
}

// around returns the lines around a set of cells: clockwise on the outside, anticlockwise
// around holes. Cells that only touch at a corner have separate lines there.
func around(cells []tray.Cell) [][]bend {
	in := make(map[image.Point]bool, len(cells))
	for _, c := range cells {
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
	for _, cell := range cells {
		c := image.Pt(cell.Col, cell.Row)
		for dir := range steps {
			if !in[c.Add(beyond[dir])] {
				e := edge{c.Add(starts[dir]), dir}
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
		all = append(all, line)
	}
	return all
}

// partsOf divides cells into those that edges connect. The first cells of the parts are in order.
func partsOf(cells []tray.Cell) [][]tray.Cell {
	left := slices.Clone(cells)
	var parts [][]tray.Cell
	for len(left) > 0 {
		part := []tray.Cell{left[0]}
		left = left[1:]
		for i := 0; i < len(part); i++ {
			for d := range tray.Direction(tray.Directions) {
				if at := slices.Index(left, d.From(part[i])); at >= 0 {
					part = append(part, left[at])
					left = slices.Delete(left, at, at+1)
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// An inset says how far edges are moved inwards, by direction.
type inset [4]float64

// even returns the same inset on all sides.
func even(by float64) inset { return inset{by, by, by, by} }

// outlineOf returns the outline of lines around cells of a size, with the corner of the cell
// (0, 0) at a point. Corners that stick out have the radius out, others in.
func outlineOf(lines [][]bend, at render.Point, cell float64, by inset, out, in float64, fill color.RGBA, class string) render.Outline {
	s := render.Outline{Fill: fill, Class: class}
	for _, line := range lines {
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
