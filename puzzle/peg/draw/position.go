package draw

import (
	"fmt"
	"image/color"
	"math"
	"math/bits"

	"pagoda/internal/amount"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
)

// A Position is a Drawing of a position of a peg board, or of a pattern: cells that it leaves
// open have a look of their own.
type Position struct {
	Board   *board.Board
	Pattern board.Pattern
	// Taken are pegs that are drawn as the one that a jump takes.
	Taken uint64
	// Jump, if there is one, is drawn as an arrow.
	Jump *board.Jump
	// Moved, if not nil, is two cells in place of a jump: an arrow goes from the first to the second, under
	// the pegs.
	Moved *[2]int
	// flight, if above 0, is how much of the jump is made: the pegs are drawn on the way.
	flight float64
}

// Pegs describes the number of pegs, such as "17 pegs".
func (d Position) Pegs() string {
	least := bits.OnesCount64(d.Pattern.Pegs)
	most := least + bits.OnesCount64(d.Pattern.Any)
	if most > least {
		return fmt.Sprintf("%d to %d pegs", least, most)
	}
	return amount.Of(most, "peg")
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
	if none := d.Taken &^ d.Pattern.Pegs; none != 0 {
		return fmt.Errorf("the pegs %#x are to be taken, and the position has none there", none)
	}
	var arrows []int
	if d.Jump != nil {
		arrows = append(arrows, d.Jump.From, d.Jump.Over, d.Jump.To)
	}
	if d.Moved != nil {
		arrows = append(arrows, d.Moved[0], d.Moved[1])
		if d.Jump != nil || d.Moved[0] == d.Moved[1] {
			return fmt.Errorf("a peg moves from the cell %d to %d, with the jump %v: expected two cells, and no jump", d.Moved[0], d.Moved[1], d.Jump)
		}
	}
	for _, i := range arrows {
		if i < 0 || i >= len(cells) {
			return fmt.Errorf("an arrow has the cell %d of a board that has 0 to %d", i, len(cells)-1)
		}
	}
	return nil
}

// Title implements render.Drawing.
func (d Position) Title() string { return d.Board.FormatPattern(d.Pattern) }

// Size implements render.Drawing.
func (d Position) Size(cell int) (width, height int) { return Size(&d.Board.Shape, cell) }

// The radii of a peg and of a hole, in the unit of place.
const (
	PegRadius  = 0.38
	holeRadius = 0.27
)

// Draw implements render.Drawing.
func (d Position) Draw(p *render.Picture, at render.Point, s render.Style) {
	cell := float64(s.Cell)
	where := Places(&d.Board.Shape, at, s)
	DrawBoard(p, &d.Board.Shape, where, s)

	if d.Moved != nil {
		d.drawMoved(p, where, s)
		return
	}
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

// drawMoved draws the cells of the board and, between the holes and the pegs, the arrow of a peg that gets
// to another cell by several jumps.
func (d Position) drawMoved(p *render.Picture, where func(int) render.Point, s render.Style) {
	draw := func(cells uint64) {
		for i := range d.Board.Cells() {
			if cells>>i&1 == 1 {
				d.drawCell(p, i, where(i), s)
			}
		}
	}
	holes := d.Board.Full() &^ (d.Pattern.Pegs | d.Pattern.Any)
	draw(holes)
	p.PathArrow([]render.Point{where(d.Moved[0]), where(d.Moved[1])}, 0.8*float64(s.Cell), s.Theme)
	draw(^holes)
}

func (d Position) drawCell(p *render.Picture, i int, at render.Point, s render.Style) {
	cell, t := float64(s.Cell), s.Theme
	switch {
	case d.Pattern.Any>>i&1 == 1:
		p.Add(render.Circle{At: at, R: PegRadius * cell, Fill: t.Any, Class: "any"},
			render.Dashed{At: at, R: (PegRadius - 0.02) * cell, Stroke: math.Max(1, 0.05*cell), Dashes: 7, Color: t.Piece})
	case d.Taken>>i&1 == 1, d.Pattern.Pegs>>i&1 == 1 && d.Jump != nil && i == d.Jump.Over:
		drawPeg(p, at, cell, t, t.Taken)
	case d.Pattern.Pegs>>i&1 == 1:
		drawPeg(p, at, cell, t, t.Piece)
	default:
		DrawHole(p, at, cell, t)
	}
}

// DrawHole draws a hole, with its upper side in the shade.
func DrawHole(p *render.Picture, at render.Point, cell float64, t render.Theme) {
	p.Add(render.Stamp{At: at, Class: "hole", Circles: []render.Circle{
		{R: holeRadius * cell, Fill: t.HoleShade},
		{At: render.Pt(0, 0.03*cell), R: (holeRadius - 0.03) * cell, Fill: t.Hole},
	}})
}

// drawPeg draws a peg for cells at a distance of cell.
func drawPeg(p *render.Picture, at render.Point, cell float64, t render.Theme, fill color.RGBA) {
	peg := BluntPeg(at, cell, t, fill)
	if fill == t.Piece {
		peg.Circles = append(peg.Circles, render.Circle{At: render.Pt(-0.12*cell, -0.15*cell), R: 0.075 * cell, Fill: t.PieceLight})
	}
	p.Add(peg)
}

// BluntPeg is a peg that does not shine.
func BluntPeg(at render.Point, cell float64, t render.Theme, fill color.RGBA) render.Stamp {
	return render.Stamp{At: at, Class: "peg", Circles: []render.Circle{
		{At: render.Pt(0, 0.035*cell), R: PegRadius * cell, Fill: t.Shadow},
		{R: PegRadius * cell, Fill: t.PieceShade},
		{At: render.Pt(0, -0.02*cell), R: (PegRadius - 0.025) * cell, Fill: fill},
	}}
}

// drawFlight draws the jump under way: the peg rises over the other one, which shrinks away.
func (d Position) drawFlight(p *render.Picture, where func(int) render.Point, s render.Style) {
	cell, t := float64(s.Cell), s.Theme
	from, over, to := where(d.Jump.From), where(d.Jump.Over), where(d.Jump.To)
	for _, at := range []render.Point{from, over, to} {
		DrawHole(p, at, cell, t)
	}
	share := d.flight * d.flight * (3 - 2*d.flight) // slow at both ends
	height := math.Sin(math.Pi * d.flight)
	ground := from.Towards(to, share)
	p.Add(render.Circle{At: ground.Plus(0, 0.05*cell), R: (PegRadius - 0.06*height) * cell, Fill: t.Shadow})
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

// Rows implements render.Drawing: o is a peg, x one that is taken, . a hole and ? an open cell. In a
// jump, an arrow is the peg that jumps. A peg moves from a to b.
func (d Position) Rows() []string {
	cells := d.Board.Cells()
	return TextRows(&d.Board.Shape, 2, 1, func(i int) string {
		switch {
		case d.Jump != nil && i == d.Jump.From:
			switch from, to := cells[i], cells[d.Jump.To]; {
			case to.Row < from.Row:
				return "^"
			case to.Row > from.Row:
				return "v"
			case to.Col < from.Col:
				return "<"
			}
			return ">"
		case d.Moved != nil && i == d.Moved[0]:
			return "a"
		case d.Moved != nil && i == d.Moved[1]:
			return "b"
		case d.Taken>>i&1 == 1, d.Jump != nil && i == d.Jump.Over:
			return "x"
		case d.Pattern.Any>>i&1 == 1:
			return "?"
		case d.Pattern.Pegs>>i&1 == 1:
			return "o"
		}
		return "."
	})
}
