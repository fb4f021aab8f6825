package render

import (
	"fmt"
	"image/color"
	"math"
	"math/bits"
	"time"

	"pagoda/statespace/peg"
)

// A Position is a position of a peg board, or a pattern: its cells that may be
// either have a look of their own. It is a Drawing.
type Position struct {
	Board   *peg.Board
	Pattern peg.Pattern
	// Jump, if there is one, is drawn as an arrow.
	Jump *peg.Jump
	// flight, if above 0, shows the jump itself instead: 1 is its end.
	flight float64
}

// Pegs tells the number of pegs, such as "17 pegs".
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

func (d Position) check() error {
	if d.Board == nil {
		return fmt.Errorf("a position has no board")
	}
	cells := d.Board.Cells()
	if (d.Pattern.Pegs|d.Pattern.Any)&^d.Board.Full() != 0 {
		return fmt.Errorf("a pattern has cells beyond the board's %d cells", len(cells))
	}
	if both := d.Pattern.Pegs & d.Pattern.Any; both != 0 {
		return fmt.Errorf("a pattern has the cell %v both with a peg and with either", cells[bits.TrailingZeros64(both)])
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

func (d Position) describe() string { return d.Board.FormatPattern(d.Pattern) }

// rowHeight is the distance of rows, for cells at a distance of 1.
func rowHeight(b *peg.Board) float64 {
	if b.Lattice() == peg.Triangular {
		return math.Sqrt(3) / 2
	}
	return 1
}

// place is where a cell lies, for cells at a distance of 1. The rows of a
// triangular lattice are shifted, so that neighbours are at equal distances.
func place(b *peg.Board, c peg.Cell) point {
	x := float64(c.Col)
	if b.Lattice() == peg.Triangular {
		x -= float64(c.Row) / 2
	}
	return point{x, float64(c.Row) * rowHeight(b)}
}

// extent is the box of the middles of all cells, for cells at a distance of 1.
func extent(b *peg.Board) box {
	e := boxOf(place(b, b.Cells()[0]))
	for _, c := range b.Cells()[1:] {
		e = e.union(boxOf(place(b, c)))
	}
	return e
}

// pad is how far the board reaches beyond its cells, and rim is the width of its
// edge. Both are whole pixels, so that straight edges are sharp.
func pad(cell int) int { return (cell + 2) / 5 }
func rim(cell int) int { return max(1, (cell+14)/28) }

func (d Position) size(cell int) (width, height int) {
	e := extent(d.Board)
	more := cell + 2*pad(cell) + 2*rim(cell)
	return int(math.Ceil((e.max.x-e.min.x)*float64(cell))) + more, int(math.Ceil((e.max.y-e.min.y)*float64(cell))) + more
}

// The radii of what is in a cell, for cells at a distance of 1.
const (
	pegRadius  = 0.38
	holeRadius = 0.27
)

func (d Position) draw(p *Picture, at point, s Style) {
	e := extent(d.Board)
	cell := float64(s.Cell)
	edge := float64(s.Cell)/2 + float64(pad(s.Cell)+rim(s.Cell))
	where := func(i int) point {
		q := place(d.Board, d.Board.Cells()[i])
		return at.plus((q.x-e.min.x)*cell+edge, math.Round((q.y-e.min.y)*cell)+edge)
	}
	d.drawBoard(p, where, s)

	// The cells of a jump come last: while it is drawn, nothing before them changes.
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
		p.arrow(where(d.Jump.From), where(d.Jump.To), cell, s.Theme.Mark, s.Theme.MarkRim)
	}
}

// drawBoard draws the board under the cells: a bar for each longest row of
// neighbours in each direction. Together they have straight sides and round corners. Of
// a rectangle, one bar will do.
func (d Position) drawBoard(p *Picture, where func(int) point, s Style) {
	rows := longestRows(d.Board)
	e, n := extent(d.Board), len(d.Board.Cells())
	if d.Board.Lattice() == peg.Square && (e.max.x-e.min.x+1)*(e.max.y-e.min.y+1) == float64(n) {
		rows = [][2]int{{0, n - 1}}
	}
	radius := float64(s.Cell)/2 + float64(pad(s.Cell))
	for _, layer := range []struct {
		radius float64
		fill   color.RGBA
	}{{radius + float64(rim(s.Cell)), s.Theme.Edge}, {radius, s.Theme.Board}} {
		bars := lines{stroke: 2 * layer.radius, color: layer.fill}
		for _, row := range rows {
			from, to := where(row[0]), where(row[1])
			if d.Board.Lattice() == peg.Triangular {
				bars.lines = append(bars.lines, segment{from, to})
			} else {
				p.add(rect{boxOf(from, to).grow(layer.radius), 0.8 * layer.radius, layer.fill, ""})
			}
		}
		if len(bars.lines) > 0 {
			p.add(bars)
		}
	}
}

// longestRows returns the first and the last cell of each longest row of
// neighbours, in each direction of the lattice.
func longestRows(b *peg.Board) [][2]int {
	directions := []peg.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}}
	if b.Lattice() == peg.Triangular {
		directions = append(directions, peg.Cell{Row: 1, Col: 1})
	}
	var rows [][2]int
	for _, dir := range directions {
		for first, c := range b.Cells() {
			if _, ok := b.Number(peg.Cell{Row: c.Row - dir.Row, Col: c.Col - dir.Col}); ok {
				continue
			}
			last := first
			for ok := true; ok; {
				c = peg.Cell{Row: c.Row + dir.Row, Col: c.Col + dir.Col}
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

func (d Position) drawCell(p *Picture, i int, at point, s Style) {
	cell, t := float64(s.Cell), s.Theme
	switch {
	case d.Pattern.Any>>i&1 == 1:
		p.add(circle{at, pegRadius * cell, t.Any, "any"},
			dashed{at, (pegRadius - 0.02) * cell, math.Max(1, 0.05*cell), 7, t.Peg})
	case d.Pattern.Pegs>>i&1 == 1 && d.Jump != nil && i == d.Jump.Over:
		drawPeg(p, at, cell, t, t.Taken)
	case d.Pattern.Pegs>>i&1 == 1:
		drawPeg(p, at, cell, t, t.Peg)
	default:
		drawHole(p, at, cell, t)
	}
}

// drawHole draws a hole, with its upper side in the shade.
func drawHole(p *Picture, at point, cell float64, t Theme) {
	p.add(stamp{at, "hole", []circle{
		{point{}, holeRadius * cell, t.HoleShade, ""},
		{point{0, 0.03 * cell}, (holeRadius - 0.03) * cell, t.Hole, ""},
	}})
}

// drawPeg draws a peg, for cells at a distance of cell.
func drawPeg(p *Picture, at point, cell float64, t Theme, fill color.RGBA) {
	peg := stamp{at, "peg", []circle{
		{point{0, 0.035 * cell}, pegRadius * cell, t.Shadow, ""},
		{point{}, pegRadius * cell, t.PegShade, ""},
		{point{0, -0.02 * cell}, (pegRadius - 0.025) * cell, fill, ""},
	}}
	if fill == t.Peg {
		peg.circles = append(peg.circles, circle{point{-0.12 * cell, -0.15 * cell}, 0.075 * cell, t.PegLight, ""})
	}
	p.add(peg)
}

// drawFlight draws the jump while it happens: the peg rises over the other one,
// which shrinks away.
func (d Position) drawFlight(p *Picture, where func(int) point, s Style) {
	cell, t := float64(s.Cell), s.Theme
	from, over, to := where(d.Jump.From), where(d.Jump.Over), where(d.Jump.To)
	for _, at := range []point{from, over, to} {
		drawHole(p, at, cell, t)
	}
	share := d.flight * d.flight * (3 - 2*d.flight) // slow at both ends
	height := math.Sin(math.Pi * d.flight)
	ground := from.towards(to, share)
	p.add(circle{ground.plus(0, 0.05*cell), (pegRadius - 0.06*height) * cell, t.Shadow, ""})
	if rest := math.Min(1, 1.8*(1-d.flight)); rest > 0.15 {
		drawPeg(p, over, rest*cell, t, t.Taken)
	}
	drawPeg(p, ground.plus(0, -0.32*height*cell), (1+0.14*height)*cell, t, t.Peg)
}

func (d Position) blends(t Theme) [][2]color.RGBA {
	return [][2]color.RGBA{
		{t.Background, t.Edge}, {t.Edge, t.Board},
		{t.Board, t.HoleShade}, {t.HoleShade, t.Hole}, {t.Board, t.Shadow}, {t.Shadow, t.Hole},
		{t.Board, t.PegShade}, {t.Board, t.Peg}, {t.Peg, t.PegShade}, {t.Peg, t.PegLight}, {t.Shadow, t.PegShade},
		{t.Hole, t.Taken}, {t.Shadow, t.Taken}, {t.Taken, t.Peg}, {t.Taken, t.PegShade}, {t.Background, t.Peg},
		{t.Board, t.Any}, {t.Any, t.Peg}, {t.Board, t.MarkRim}, {t.MarkRim, t.Mark},
	}
}

// text draws o for a peg, . for a hole and ? for either. A jump is drawn as an
// arrow for the peg that jumps, and x for the one that is taken.
func (d Position) text() []string {
	cells := d.Board.Cells()
	column := func(c peg.Cell) int { // two for each step
		return int(math.Round(2 * place(d.Board, c).x))
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

// A Solution is jumps that are made from a start on.
type Solution struct {
	Board *peg.Board
	Start peg.Position
	Jumps []int // by the numbers of the board
}

// positions returns the positions before each jump, and the one after the last.
func (s Solution) positions() ([]peg.Position, error) {
	if s.Board == nil {
		return nil, fmt.Errorf("a solution has no board")
	}
	if s.Start&^s.Board.Full() != 0 {
		return nil, fmt.Errorf("the start %#x has pegs beyond the board's %d cells", s.Start, len(s.Board.Cells()))
	}
	all := []peg.Position{s.Start}
	p := s.Start
	for i, k := range s.Jumps {
		if k < 0 || k >= s.Board.Jumps() {
			return nil, fmt.Errorf("jump %d of the solution is number %d of the board, which has 0 to %d", i+1, k, s.Board.Jumps()-1)
		}
		j := s.Board.Jump(k)
		if p>>j.From&1 == 0 || p>>j.Over&1 == 0 || p>>j.To&1 == 1 {
			c := s.Board.Cells()
			return nil, fmt.Errorf("jump %d of the solution, %v over %v to %v, cannot be made in %s",
				i+1, c[j.From], c[j.Over], c[j.To], s.Board.FormatPosition(p))
		}
		p ^= 1<<j.From | 1<<j.Over | 1<<j.To
		all = append(all, p)
	}
	return all, nil
}

// Panels returns a film strip: each position with the jump that is made in it, and
// the last one.
func (s Solution) Panels() ([]Panel, error) {
	positions, err := s.positions()
	if err != nil {
		return nil, err
	}
	var panels []Panel
	for i, p := range positions {
		d := Position{Board: s.Board, Pattern: peg.Pattern{Pegs: p}}
		caption := "end, " + d.Pegs()
		if i < len(s.Jumps) {
			j := s.Board.Jump(s.Jumps[i])
			d.Jump = &j
			caption = fmt.Sprintf("jump %d, %s", i+1, d.Pegs())
		}
		panels = append(panels, Panel{d, caption})
	}
	return panels, nil
}

// Frames returns the frames of an animation, in which the pegs jump.
func (s Solution) Frames(t Timing) ([]Frame, error) {
	t, err := t.fill()
	if err != nil {
		return nil, err
	}
	positions, err := s.positions()
	if err != nil {
		return nil, err
	}
	frame := func(p peg.Position, j *peg.Jump, flight float64, delay time.Duration) Frame {
		d := Position{Board: s.Board, Pattern: peg.Pattern{Pegs: p}, Jump: j, flight: flight}
		return Frame{Panel{d, d.Pegs()}, delay}
	}
	frames := []Frame{frame(s.Start, nil, 0, t.Hold)}
	n, each := t.flight()
	for i, k := range s.Jumps {
		j := s.Board.Jump(k)
		for f := range n {
			frames = append(frames, frame(positions[i], &j, float64(f+1)/float64(n+1), each))
		}
		rest := t.Jump - time.Duration(n)*each
		if i == len(s.Jumps)-1 {
			rest = t.Hold
		}
		frames = append(frames, frame(positions[i+1], nil, 0, rest))
	}
	return frames, nil
}

// flight returns how many frames show a peg in the air, and the time of each: three
// fifths of the time of a jump in all.
func (t Timing) flight() (frames int, each time.Duration) {
	frames = int(min(8, max(1, t.Jump*3/5/(50*time.Millisecond))))
	return frames, (t.Jump * 3 / 5 / time.Duration(frames)).Truncate(tick)
}
