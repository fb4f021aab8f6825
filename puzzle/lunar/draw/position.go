package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"math/bits"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/render"
)

// A Position is a Drawing of a position with the names of its pieces, or of a pattern: cells that it
// leaves open have a look of their own.
type Position struct {
	Board  *board.Board
	Pieces board.Drawing
	Open   board.Set
	Looks  Looks
	// Move, if there is one, is drawn as an arrow.
	Move *board.Move
	// flight, if above 0, is how much of the move is made: the piece is drawn on its way.
	flight float64
}

// Parse reads a position, or a pattern.
func Parse(b *board.Board, text string) (Position, error) {
	drawn, err := b.Drawn(text, true)
	if err != nil {
		return Position{}, err
	}
	d := Position{Board: b}
	d.Pieces, err = b.ParseDrawing(b.Draw(func(cell int) byte {
		if drawn[cell] == board.OpenChar {
			d.Open |= 1 << cell
			return b.EmptyAt(cell)
		}
		return drawn[cell]
	}))
	return d, err
}

// Caption describes the pieces, such as "2 letters, 4 numbers". Without a letter it is "solved".
func (d Position) Caption() string {
	p := d.Pieces.Position()
	switch {
	case d.Open != 0:
		return ""
	case p.Solved():
		return "solved"
	}
	caption := amount.Of(bits.OnesCount64(p.Letters), "letter")
	if p.Numbers != 0 {
		caption += ", " + amount.Of(bits.OnesCount64(p.Numbers), "number")
	}
	return caption
}

// Check implements render.Drawing.
func (d Position) Check() error {
	if d.Board == nil {
		return fmt.Errorf("a position has no board")
	}
	n := len(d.Board.Cells())
	if len(d.Pieces) != n || d.Open&^d.Board.All() != 0 {
		return fmt.Errorf("a position has %d cells and the open ones %#x, expected the %d of the board", len(d.Pieces), d.Open, n)
	}
	for i, ch := range d.Pieces {
		switch {
		case ch != 0 && !board.IsLetter(ch) && !board.IsNumber(ch):
			return fmt.Errorf("cell %v has the piece %q, expected a letter or a number piece", d.Board.Cells()[i], ch)
		case ch != 0 && d.Open>>i&1 != 0:
			return fmt.Errorf("cell %v has the piece %c and is left open", d.Board.Cells()[i], ch)
		}
	}
	if err := d.Looks.check(); err != nil {
		return err
	}
	if d.Move == nil {
		return nil
	}
	_, err := way(d.Board, d.Pieces, *d.Move)
	return err
}

// way returns the cells where the steps of a move begin and end: its first one, and then the end of each
// step. It returns an error if the move cannot be made.
func way(b *board.Board, d board.Drawing, m board.Move) ([]int, error) {
	n := len(b.Cells())
	if m.From < 0 || m.From >= n || d[m.From] == 0 {
		return nil, fmt.Errorf("a move begins in cell %d, expected one with a piece", m.From)
	}
	if len(m.Steps) == 0 {
		return nil, fmt.Errorf("the move of piece %c has no steps", d[m.From])
	}
	cells, others := []int{m.From}, d.Position().All()&^(1<<m.From)
	for i, dir := range m.Steps {
		if dir >= board.Directions {
			return nil, fmt.Errorf("the move of piece %c has a step in the direction %d, expected one below %d", d[m.From], dir, board.Directions)
		}
		at, _, ok := b.Slide(others, cells[i], dir)
		if !ok {
			return nil, fmt.Errorf("the move %c-%s cannot be made in %s: no piece stops step %d", d[m.From], m.Way(), b.Format(d), i+1)
		}
		cells = append(cells, at)
	}
	if at := cells[len(cells)-1]; at != m.To || m.Leaves && b.Exits()>>at&1 == 0 {
		return nil, fmt.Errorf("the move %c-%s ends in cell %d in %s, expected %d", d[m.From], m.Way(), at, b.Format(d), m.To)
	}
	return cells, nil
}

// Title implements render.Drawing.
func (d Position) Title() string {
	return d.Board.Draw(d.char)
}

// char returns the character of a cell.
func (d Position) char(cell int) byte {
	if d.Open>>cell&1 != 0 {
		return board.OpenChar
	}
	return cmp.Or(d.Pieces[cell], d.Board.EmptyAt(cell))
}

// Rows implements render.Drawing, as Parse reads it.
func (d Position) Rows() []string {
	_, width := d.Board.Size()
	rows := d.Board.Lines(d.char)
	for i := range rows {
		rows[i] += strings.Repeat(" ", width-len(rows[i]))
	}
	return rows
}

// Size implements render.Drawing.
func (d Position) Size(cell int) (width, height int) {
	rows, cols := d.Board.Size()
	return cols*cell + 2*frame(cell), rows*cell + 2*frame(cell)
}

// Blends implements render.Drawing.
func (d Position) Blends(t render.Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Edge}, {t.Edge, t.Board}, {t.Board, t.HoleShade}, {t.HoleShade, t.Hole}, {t.Board, t.Hole},
		{t.Board, t.Target()}, {t.HoleShade, t.Target()}, {t.Target(), t.Blocks[0]}}
	for _, ch := range d.Pieces {
		if ch != 0 {
			b := d.Looks.block(ch, t)
			all = append(all, [][2]color.RGBA{{t.Hole, b.Shade}, {t.Target(), b.Shade}, {t.Blocks[0], b.Shade},
				{b.Shade, b.Face}, {b.Shade, b.Light}, {b.Face, b.Light}, {b.Face, b.Letter}}...)
		}
	}
	switch {
	case d.Move == nil:
	case d.flight == 0:
		all = append(all, [][2]color.RGBA{{t.Hole, t.MarkRim}, {t.MarkRim, t.Mark}}...)
	case d.Move.Leaves:
		b := d.Looks.block(d.Pieces[d.Move.From], t)
		all = append(all, [][2]color.RGBA{{t.Target(), b.Face}, {t.Target(), b.Letter}, {t.Target(), b.Light}, {t.Blocks[0], b.Face}}...)
	}
	if d.Open != 0 {
		all = append(all, [][2]color.RGBA{{t.Hole, t.Any}, {t.Any, t.Piece}}...)
	}
	return all
}
