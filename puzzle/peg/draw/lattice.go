package draw

import (
	"image/color"
	"math"
	"strings"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
)

// rowHeight returns the distance of rows if neighbouring cells are at a distance of 1.
func rowHeight(s *board.Shape) float64 {
	if s.Lattice() == board.Triangular {
		return math.Sqrt(3) / 2
	}
	return 1
}

// place returns where a cell lies if neighbouring cells are at a distance of 1. Each row of a
// triangular lattice is shifted by half a cell.
func place(s *board.Shape, c board.Cell) render.Point {
	x := float64(c.Col)
	if s.Lattice() == board.Triangular {
		x -= float64(c.Row) / 2
	}
	return render.Pt(x, float64(c.Row)*rowHeight(s))
}

// extent returns the box of the centres of all cells, in the unit of place.
func extent(s *board.Shape) render.Box {
	places := lists.Map(s.Cells(), func(c board.Cell) render.Point { return place(s, c) })
	return render.BoxOf(places...)
}

// pad returns how far the board reaches beyond its cells: whole pixels, so that straight edges
// are sharp.
func pad(cell int) int { return (cell + 2) / 5 }

// Size returns how many pixels a board takes if neighbouring cells are cell pixels apart.
func Size(s *board.Shape, cell int) (width, height int) {
	e := extent(s)
	more := cell + 2*pad(cell) + 2*render.Rim(cell)
	return int(math.Ceil((e.Max.X-e.Min.X)*float64(cell))) + more, int(math.Ceil((e.Max.Y-e.Min.Y)*float64(cell))) + more
}

// Places returns where the middle of each cell lies, by its number, if the upper left corner of
// the board is at a point.
func Places(shape *board.Shape, at render.Point, s render.Style) func(cell int) render.Point {
	e := extent(shape)
	cell := float64(s.Cell)
	edge := float64(s.Cell)/2 + float64(pad(s.Cell)+render.Rim(s.Cell))
	return func(i int) render.Point {
		q := place(shape, shape.Cells()[i])
		return at.Plus((q.X-e.Min.X)*cell+edge, math.Round((q.Y-e.Min.Y)*cell)+edge)
	}
}

// DrawBoard draws the board under the cells: a bar for each longest row of neighbours in each
// direction. Together they have straight sides and round corners. A rectangle is one bar.
func DrawBoard(p *render.Picture, b *board.Shape, where func(int) render.Point, s render.Style) {
	rows := longestRows(b)
	e, n := extent(b), len(b.Cells())
	if b.Lattice() != board.Triangular && (e.Max.X-e.Min.X+1)*(e.Max.Y-e.Min.Y+1) == float64(n) {
		rows = [][2]int{{0, n - 1}}
	}
	radius := float64(s.Cell)/2 + float64(pad(s.Cell))
	for _, layer := range []struct {
		radius float64
		fill   color.RGBA
	}{{radius + float64(render.Rim(s.Cell)), s.Theme.Edge}, {radius, s.Theme.Board}} {
		bars := render.Lines{Stroke: 2 * layer.radius, Color: layer.fill}
		for _, row := range rows {
			from, to := where(row[0]), where(row[1])
			if b.Lattice() == board.Triangular {
				bars.Segments = append(bars.Segments, render.Segment{From: from, To: to})
			} else {
				p.Add(render.Rect{Box: render.BoxOf(from, to).Grow(layer.radius), R: 0.8 * layer.radius, Fill: layer.fill})
			}
		}
		if len(bars.Segments) > 0 {
			p.Add(bars)
		}
	}
}

// longestRows returns the first and the last cell of each longest row of neighbours, in each
// direction of the lattice, but not along the diagonals of squares.
func longestRows(b *board.Shape) [][2]int {
	directions := b.Lattice().Directions()
	if b.Lattice() == board.Diagonal {
		directions = board.Square.Directions()
	}
	var rows [][2]int
	for _, dir := range directions {
		for first, c := range b.Cells() {
			if _, ok := b.Number(board.Cell{Row: c.Row - dir.Row, Col: c.Col - dir.Col}); ok {
				continue
			}
			last := first
			for ok := true; ok; {
				c = board.Cell{Row: c.Row + dir.Row, Col: c.Col + dir.Col}
				var next int
				if next, ok = b.Number(c); ok {
					last = next
				}
			}
			rows = append(rows, [2]int{first, last})
		}
	}
	return rows
}

// TextRows draws a board in rows of characters of equal length. Neighbours in a row are step
// characters apart, an even number on a triangular lattice; each cell has a text of at most width
// characters, which ends at the same place.
func TextRows(s *board.Shape, step, width int, text func(cell int) string) []string {
	cells := s.Cells()
	column := func(c board.Cell) int { return int(math.Round(float64(step) * place(s, c).X)) }
	first, last := column(cells[0]), column(cells[0])
	for _, c := range cells {
		first, last = min(first, column(c)), max(last, column(c))
	}
	top := cells[0].Row
	rows := make([]string, cells[len(cells)-1].Row-top+1)
	for i, c := range cells {
		row := &rows[c.Row-top]
		field := text(i)
		*row += strings.Repeat(" ", column(c)-first+width-len(*row)-len(field)) + field
	}
	for i := range rows {
		rows[i] += strings.Repeat(" ", last-first+width-len(rows[i]))
	}
	return rows
}
