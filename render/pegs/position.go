package pegs

import (
	"fmt"
	"image/color"
	"math"
	"math/bits"

	"pagoda/render"
	"pagoda/statespace/peg/board"
)

// A Position is a Drawing of a position of a peg board, or of a pattern: cells that it leaves
// open have a look of their own.
type Position struct {
	Board   *board.Board
	Pattern board.Pattern
	// Jump, if there is one, is drawn as an arrow.
	Jump *board.Jump
	// flight, if above 0, is how much of the jump is made: the pegs are drawn on the way.
	flight float64
}

// Pegs describes the number of pegs, such as "17 pegs".
func (d Position) Pegs() string {
	least := bits.OnesCount64(d.Pattern.Pegs)
	most := least + bits.OnesCount64(d.Pattern.Any)
	switch {
	case most > least:
		return fmt.Sprintf("%d to %d pegs", least, most)
	case most == 1:
		return "1 peg"
	}
	return fmt.Sprintf("%d pegs", most)
}

// panel returns the position above its number of pegs.
func (d Position) panel() render.Panel { return render.Panel{Drawing: d, Caption: d.Pegs()} }

// Check implements render.Drawing.
func (d Position) Check() error {
	if d.Board == nil {
		return fmt.Errorf("a position has no board")
	}
	cells := d.Board.Cells()
	if (d.Pattern.Pegs|d.Pattern.Any)&^d.Board.Full() != 0 {
		return fmt.Errorf("a pattern has cells beyond the board's %d cells", len(cells))
	}
	if both := d.Pattern.Pegs & d.Pattern.Any; both != 0 {
		return fmt.Errorf("a pattern has a peg in the cell %v and leaves it open", cells[bits.TrailingZeros64(both)])
	}
	if d.Jump == nil {
		return nil
	}
	for _, i := range []int{d.Jump.From, d.Jump.Over, d.Jump.To} {
		if i < 0 || i >= len(cells) {
			return fmt.Errorf("a jump has the cell %d of a board that has 0 to %d", i, len(cells)-1)
		}
	}
	return nil
}

// Title implements render.Drawing.
func (d Position) Title() string { return d.Board.FormatPattern(d.Pattern) }

// rowHeight returns the distance of rows if neighbouring cells are at a distance of 1.
func rowHeight(b *board.Board) float64 {
	if b.Lattice() == board.Triangular {
		return math.Sqrt(3) / 2
	}
	return 1
}

// place returns where a cell lies if neighbouring cells are at a distance of 1. Each row of a
// triangular lattice is shifted by half a cell.
func place(b *board.Board, c board.Cell) render.Point {
	x := float64(c.Col)
	if b.Lattice() == board.Triangular {
		x -= float64(c.Row) / 2
	}
	return render.Pt(x, float64(c.Row)*rowHeight(b))
}

// extent returns the box of the centres of all cells, in the unit of place.
func extent(b *board.Board) render.Box {
	var places []render.Point
	for _, c := range b.Cells() {
		places = append(places, place(b, c))
	}
	return render.BoxOf(places...)
}

// pad returns how far the board reaches beyond its cells: whole pixels, so that straight edges
// are sharp.
func pad(cell int) int { return (cell + 2) / 5 }

// Size implements render.Drawing.
func (d Position) Size(cell int) (width, height int) {
	e := extent(d.Board)
	more := cell + 2*pad(cell) + 2*render.Rim(cell)
	return int(math.Ceil((e.Max.X-e.Min.X)*float64(cell))) + more, int(math.Ceil((e.Max.Y-e.Min.Y)*float64(cell))) + more
}

// The radii of a peg and of a hole, in the unit of place.
const (
	pegRadius  = 0.38
	holeRadius = 0.27
)

// Draw implements render.Drawing.
func (d Position) Draw(p *render.Picture, at render.Point, s render.Style) {
	e := extent(d.Board)
	cell := float64(s.Cell)
	edge := float64(s.Cell)/2 + float64(pad(s.Cell)+render.Rim(s.Cell))
	where := func(i int) render.Point {
		q := place(d.Board, d.Board.Cells()[i])
		return at.Plus((q.X-e.Min.X)*cell+edge, math.Round((q.Y-e.Min.Y)*cell)+edge)
	}
	d.drawBoard(p, where, s)

	// The cells of a jump come last: all shapes before them stay equal during the jump.
	jump := func(i int) bool { return d.Jump != nil && (i == d.Jump.From || i == d.Jump.Over || i == d.Jump.To) }
	for i := range d.Board.Cells() {
		if !jump(i) {
			d.drawCell(p, i, where(i), s)
		}
	}
	switch {
	case d.Jump == nil:
	case d.flight > 0:
		d.drawFlight(p, where, s)
	default:
		for _, i := range []int{d.Jump.From, d.Jump.Over, d.Jump.To} {
			d.drawCell(p, i, where(i), s)
		}
		drawArrow(p, where(d.Jump.From), where(d.Jump.To), cell, s.Theme)
	}
}

// drawBoard draws the board under the cells: a bar for each longest row of neighbours in each
// direction. Together they have straight sides and round corners. A rectangle is one bar.
func (d Position) drawBoard(p *render.Picture, where func(int) render.Point, s render.Style) {
	rows := longestRows(d.Board)
	e, n := extent(d.Board), len(d.Board.Cells())
	if d.Board.Lattice() == board.Square && (e.Max.X-e.Min.X+1)*(e.Max.Y-e.Min.Y+1) == float64(n) {
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
			if d.Board.Lattice() == board.Triangular {
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
// direction of the lattice.
func longestRows(b *board.Board) [][2]int {
	directions := []board.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}}
	if b.Lattice() == board.Triangular {
		directions = append(directions, board.Cell{Row: 1, Col: 1})
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

func (d Position) drawCell(p *render.Picture, i int, at render.Point, s render.Style) {
	cell, t := float64(s.Cell), s.Theme
	switch {
	case d.Pattern.Any>>i&1 == 1:
		p.Add(render.Circle{At: at, R: pegRadius * cell, Fill: t.Any, Class: "any"},
			render.Dashed{At: at, R: (pegRadius - 0.02) * cell, Stroke: math.Max(1, 0.05*cell), Dashes: 7, Color: t.Piece})
	case d.Pattern.Pegs>>i&1 == 1 && d.Jump != nil && i == d.Jump.Over:
		drawPeg(p, at, cell, t, t.Taken)
	case d.Pattern.Pegs>>i&1 == 1:
		drawPeg(p, at, cell, t, t.Piece)
	default:
		drawHole(p, at, cell, t)
	}
}

// drawHole draws a hole, with its upper side in the shade.
func drawHole(p *render.Picture, at render.Point, cell float64, t render.Theme) {
	p.Add(render.Stamp{At: at, Class: "hole", Circles: []render.Circle{
		{R: holeRadius * cell, Fill: t.HoleShade},
		{At: render.Pt(0, 0.03*cell), R: (holeRadius - 0.03) * cell, Fill: t.Hole},
	}})
}

// drawPeg draws a peg for cells at a distance of cell.
func drawPeg(p *render.Picture, at render.Point, cell float64, t render.Theme, fill color.RGBA) {
	peg := render.Stamp{At: at, Class: "peg", Circles: []render.Circle{
		{At: render.Pt(0, 0.035*cell), R: pegRadius * cell, Fill: t.Shadow},
		{R: pegRadius * cell, Fill: t.PieceShade},
		{At: render.Pt(0, -0.02*cell), R: (pegRadius - 0.025) * cell, Fill: fill},
	}}
	if fill == t.Piece {
		peg.Circles = append(peg.Circles, render.Circle{At: render.Pt(-0.12*cell, -0.15*cell), R: 0.075 * cell, Fill: t.PieceLight})
	}
	p.Add(peg)
}

// drawFlight draws the jump under way: the peg rises over the other one, which shrinks away.
func (d Position) drawFlight(p *render.Picture, where func(int) render.Point, s render.Style) {
	cell, t := float64(s.Cell), s.Theme
	from, over, to := where(d.Jump.From), where(d.Jump.Over), where(d.Jump.To)
	for _, at := range []render.Point{from, over, to} {
		drawHole(p, at, cell, t)
	}
	share := d.flight * d.flight * (3 - 2*d.flight) // slow at both ends
	height := math.Sin(math.Pi * d.flight)
	ground := from.Towards(to, share)
	p.Add(render.Circle{At: ground.Plus(0, 0.05*cell), R: (pegRadius - 0.06*height) * cell, Fill: t.Shadow})
	if rest := math.Min(1, 1.8*(1-d.flight)); rest > 0.15 {
		drawPeg(p, over, rest*cell, t, t.Taken)
	}
	drawPeg(p, ground.Plus(0, -0.32*height*cell), (1+0.14*height)*cell, t, t.Piece)
}

// drawArrow draws an arrow with a rim that sets it off from its background. Its shaft is about
// a tenth as wide as unit.
func drawArrow(p *render.Picture, from, to render.Point, unit float64, t render.Theme) {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return
	}
	ux, uy := (to.X-from.X)/length, (to.Y-from.Y)/length
	at := func(along, across float64) render.Point {
		return from.Plus(along*ux-across*uy, along*uy+across*ux)
	}
	shaft, head, barb := 0.06*unit, 0.34*unit, 0.2*unit
	points := []render.Point{at(0, -shaft), at(length-head, -shaft), at(length-head, -barb), at(length, 0),
		at(length-head, barb), at(length-head, shaft), at(0, shaft)}
	p.Add(render.Polygon{Points: points, Stroke: 0.14 * unit, Fill: t.MarkRim}, render.Polygon{Points: points, Stroke: 0.04 * unit, Fill: t.Mark})
}

// Blends implements render.Drawing.
func (d Position) Blends(t render.Theme) [][2]color.RGBA {
	return [][2]color.RGBA{
		{t.Background, t.Edge}, {t.Edge, t.Board},
		{t.Board, t.HoleShade}, {t.HoleShade, t.Hole}, {t.Board, t.Shadow}, {t.Shadow, t.Hole},
		{t.Board, t.PieceShade}, {t.Board, t.Piece}, {t.Piece, t.PieceShade}, {t.Piece, t.PieceLight}, {t.Shadow, t.PieceShade},
		{t.Hole, t.Taken}, {t.Shadow, t.Taken}, {t.Taken, t.Piece}, {t.Taken, t.PieceShade}, {t.Background, t.Piece},
		{t.Board, t.Any}, {t.Any, t.Piece}, {t.Board, t.MarkRim}, {t.MarkRim, t.Mark},
	}
}

// Rows implements render.Drawing: o is a peg, . a hole and ? an open cell. In a jump, an arrow
// is the peg that jumps, and x the one that is taken.
func (d Position) Rows() []string {
	cells := d.Board.Cells()
	column := func(c board.Cell) int { // two characters per step
		return int(math.Round(2 * place(d.Board, c).X))
	}
	first, last := column(cells[0]), column(cells[0])
	for _, c := range cells {
		first, last = min(first, column(c)), max(last, column(c))
	}
	top := cells[0].Row
	rows := make([][]byte, cells[len(cells)-1].Row-top+1)
	for i := range rows {
		rows[i] = make([]byte, last-first+1)
		for j := range rows[i] {
			rows[i][j] = ' '
		}
	}
	for i, c := range cells {
		ch := ".o"[d.Pattern.Pegs>>i&1]
		if d.Pattern.Any>>i&1 == 1 {
			ch = '?'
		}
		if d.Jump != nil && i == d.Jump.From {
			to := cells[d.Jump.To]
			switch {
			case to.Row < c.Row:
				ch = '^'
			case to.Row > c.Row:
				ch = 'v'
			case to.Col < c.Col:
				ch = '<'
			default:
				ch = '>'
			}
		}
		if d.Jump != nil && i == d.Jump.Over {
			ch = 'x'
		}
		rows[c.Row-top][column(c)-first] = ch
	}
	text := make([]string, len(rows))
	for i, row := range rows {
		text[i] = string(row)
	}
	return text
}
