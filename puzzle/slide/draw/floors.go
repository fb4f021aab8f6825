package draw

import (
	"fmt"
	"math"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// The floors of a tray stand side by side in one frame, the lowest on the left, with a column between
// them. In a header above them they have numbers from 1.

// floorWidth returns how many columns further right the next higher floor is drawn.
func (d Tray) floorWidth() int {
	_, cols := d.Puzzle.Size()
	return cols + 1
}

// place returns where a cell is drawn.
func (d Tray) place(c tray.Cell) tray.Cell {
	rows := d.Puzzle.FloorRows()
	return tray.Cell{Row: c.Row % rows, Col: c.Row/rows*d.floorWidth() + c.Col}
}

// drawn returns where cells are drawn.
func (d Tray) drawn(cells []tray.Cell) []tray.Cell {
	return lists.Map(cells, d.place)
}

// header returns the height of the header, in pixels.
func (d Tray) header(cell int) int {
	if d.Puzzle.Floors() == 1 {
		return 0
	}
	return cell / 2
}

// drawCaptions draws the captions of the floors.
func (d Tray) drawCaptions(p *render.Picture, at render.Point, l look) {
	if d.Puzzle.Floors() == 1 {
		return
	}
	r := d.span()
	_, cols := d.Puzzle.Size()
	y := at.Y + float64(frame(l.Cell)) + 0.5*float64(d.header(l.Cell)) - 0.05*l.cell
	for floor := range d.Puzzle.Floors() {
		x := l.at.X + (float64(floor*d.floorWidth())+0.5*float64(cols+r.Min.X))*l.cell
		p.Letter(render.Pt(x, y), math.Round(0.34*l.cell), fmt.Sprintf("floor %d", floor+1), render.BlockOf(l.Theme.Board).Letter, l.Style)
	}
}

// drawStairs marks the cells of a piece that goes on upon them or beneath them: by a triangle that points
// up or down, at the right edge of the cell.
func (d Tray) drawStairs(p *render.Picture, i int, l look, b render.Block) {
	if d.Puzzle.Floors() == 1 {
		return
	}
	mask, rows := d.Puzzle.Mask(d.Position, i), d.Puzzle.FloorRows()
	for _, c := range d.Puzzle.PieceCells(d.Position, i) {
		for _, side := range []tray.Direction{tray.Climb, tray.Sink} {
			next, _ := side.Beside(c, rows)
			if n, ok := d.Puzzle.Number(next); !ok || !mask.Has(n) {
				continue
			}
			to := d.place(c)
			y, up := 0.24, -1.0
			if side == tray.Sink {
				y, up = 0.72, 1
			}
			at := l.at.Plus((float64(to.Col)+0.8)*l.cell, (float64(to.Row)+y)*l.cell)
			w, h := 0.09*l.cell, 0.07*l.cell*up
			p.Add(render.Polygon{Points: []render.Point{at.Plus(-w, -h), at.Plus(w, -h), at.Plus(0, h)}, Fill: b.Letter})
		}
	}
}

// ceilings returns the marks of thin walls between floors: a short line at the upper edge of a cell with a
// wall above it, and at the lower edge of the cell upon it.
func (d Tray) ceilings(l look) (marks []render.Segment) {
	for _, w := range d.Puzzle.Walls() {
		if w.Side != tray.Climb {
			continue
		}
		for _, mark := range []struct {
			cell tray.Cell
			y    float64
		}{{w.Cell, 0.14}, {w.Beyond(d.Puzzle.FloorRows()), 0.86}} {
			c := d.place(mark.cell)
			at := l.at.Plus((float64(c.Col)+0.5)*l.cell, (float64(c.Row)+mark.y)*l.cell)
			marks = append(marks, render.Segment{From: at.Plus(-0.22*l.cell, 0), To: at.Plus(0.22*l.cell, 0)})
		}
	}
	return marks
}
