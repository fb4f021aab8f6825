package board

import (
	"cmp"
	"encoding/json"
	"fmt"

	"pagoda/statespace/cells"
)

// A Play is a move of a piece that has a name.
type Play struct {
	Piece byte
	Move
	board *Board
}

// NewPlay gives a move on a board the name of its piece.
func (b *Board) NewPlay(piece byte, m Move) Play { return Play{piece, m, b} }

// String writes a play as the article does: the piece, and the directions of its steps, such as
// 4-LU.
func (p Play) String() string { return string(p.Piece) + "-" + p.Way() }

// MarshalJSON writes an object.
func (p Play) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Move   string     `json:"move"` // such as 4-LU
		Piece  string     `json:"piece"`
		Steps  int        `json:"steps"`
		From   cells.Cell `json:"from"` // row and column, from 0
		To     cells.Cell `json:"to"`
		Leaves bool       `json:"leaves,omitempty"` // by this exit
	}{p.String(), string(p.Piece), len(p.Steps), p.board.cells[p.From], p.board.cells[p.To], p.Leaves})
}

// A Drawing is a position with the name of each piece, by its cell; 0 where none is.
type Drawing []byte

// ParseDrawing reads a drawing of a position. Pieces that are drawn without a name of their own, as o or
// with the name of another piece, get one.
func (b *Board) ParseDrawing(text string) (Drawing, error) {
	if _, err := b.ParsePosition(text); err != nil {
		return nil, err
	}
	drawn, err := b.Drawn(text, false)
	if err != nil {
		return nil, err
	}
	return nameAll(drawn)
}

// nameAll gives every piece a name of its own: first those that are drawn keep theirs.
func nameAll(drawn []byte) (Drawing, error) {
	d := make(Drawing, len(drawn))
	var used [256]bool
	for i, ch := range drawn {
		if (IsLetter(ch) || IsNumber(ch)) && ch != 'o' && !used[ch] {
			d[i], used[ch] = ch, true
		}
	}
	for i, ch := range drawn {
		names := ""
		switch {
		case d[i] != 0:
			continue
		case IsLetter(ch):
			names = LetterNames
		case IsNumber(ch):
			names = NumberNames
		default:
			continue
		}
		for k := 0; d[i] == 0; k++ {
			if k == len(names) {
				return nil, fmt.Errorf("there are more pieces of a kind than names: expected at most %d", len(names))
			}
			if !used[names[k]] {
				d[i], used[names[k]] = names[k], true
			}
		}
	}
	return d, nil
}

// NewDrawing names the pieces of a position in the order of the cells, as FormatPosition does.
func (b *Board) NewDrawing(p Position) (Drawing, error) { return b.ParseDrawing(b.FormatPosition(p)) }

// Position returns where the pieces stand.
func (d Drawing) Position() (p Position) {
	for i, ch := range d {
		switch {
		case ch == 0:
		case IsLetter(ch):
			p.Letters |= 1 << i
		default:
			p.Numbers |= 1 << i
		}
	}
	return p
}

// Make returns the drawing after a move, and the play. A piece stands in m.From.
func (b *Board) Make(d Drawing, m Move) (Drawing, Play) {
	after := append(Drawing(nil), d...)
	after[m.From] = 0
	if !m.Leaves {
		after[m.To] = d[m.From]
	}
	return after, b.NewPlay(d[m.From], m)
}

// Format writes a drawing on one line.
func (b *Board) Format(d Drawing) string {
	return b.Draw(func(cell int) byte { return cmp.Or(d[cell], b.EmptyAt(cell)) })
}
