package contest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
)

// ErrLarge is the error of a puzzle that is too large for a tray.Puzzle.
var ErrLarge = errors.New("the puzzle is too large to be solved")

// Names are the names of pieces in a drawing, in their order in a Puzzle: piece 0 is A.
const Names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz123456789"

// Tray makes a tray.Puzzle of a puzzle that Replay accepts. Piece i has the name Names[i].
// The error is ErrLarge if the box has more than tray.MaxCells open places, or if the puzzle has more
// pieces than there are names.
func (p *Problem) Tray(z *Puzzle) (*tray.Puzzle, error) {
	if len(z.Pieces) > len(Names) {
		return nil, fmt.Errorf("%w: it has %d pieces, expected up to %d", ErrLarge, len(z.Pieces), len(Names))
	}
	rows := p.drawBox()
	goal := p.drawBox()
	if n := bytes.Count(bytes.Join(rows, nil), []byte(".")); n > tray.MaxCells {
		return nil, fmt.Errorf("%w: the box has %d open places, expected up to %d", ErrLarge, n, tray.MaxCells)
	}
	for i, piece := range z.Pieces {
		p.draw(rows, piece, Names[i])
		if piece.Shape == len(p.Free) && p.CheckGoal() == nil {
			p.draw(goal, Piece{Shape: piece.Shape, X: p.X, Y: p.Y}, Names[i])
		}
	}
	if p.CheckGoal() != nil {
		goal = [][]byte{[]byte(tray.NoGoal)}
	}
	return tray.Parse(fmt.Sprintf("tray:\n%s\nparts: *\ngoal:\n%s\n", bytes.Join(rows, []byte("\n")), bytes.Join(goal, []byte("\n"))))
}

// drawBox draws the box without pieces.
func (p *Problem) drawBox() [][]byte {
	rows := make([][]byte, len(p.Box))
	for r, row := range p.Box {
		for _, open := range row {
			if open {
				rows[r] = append(rows[r], '.')
			} else {
				rows[r] = append(rows[r], '#')
			}
		}
	}
	return rows
}

// draw draws a piece.
func (p *Problem) draw(rows [][]byte, piece Piece, name byte) {
	for _, c := range p.Shape(piece.Shape) {
		rows[piece.Y+c.Row][piece.X+c.Col] = name
	}
}

// FromTray makes a puzzle of the pieces at the start of a tray.Puzzle, whose places are those of the
// box. A piece whose shape is not one of the problem is an error.
func (p *Problem) FromTray(t *tray.Puzzle) (*Puzzle, error) {
	z := new(Puzzle)
	for i, name := range t.Pieces() {
		cells := t.PieceCells(t.Start(), i)
		s := NewShape(cells)
		shape := slices.IndexFunc(append(slices.Clone(p.Free), p.Goal), func(f Shape) bool { return slices.Equal(f, s) })
		if shape < 0 {
			return nil, fmt.Errorf("piece %c has none of the shapes of the problem", name)
		}
		z.Pieces = append(z.Pieces, Piece{Shape: shape, X: cells[0].Col - s[0].Col, Y: cells[0].Row})
	}
	return z, nil
}

// Solve gives a puzzle a solution: moves of the pieces of a tray.Puzzle, where piece i has the name
// names[i].
func (z *Puzzle) Solve(names string, moves []tray.Move) error {
	z.Length, z.Moves = len(moves), nil
	for _, mv := range moves {
		m := Move{Piece: strings.Index(names, mv.Pieces)}
		if len(mv.Pieces) != 1 || m.Piece < 0 {
			return fmt.Errorf("%v is no move of one piece", mv)
		}
		for _, letter := range mv.Path {
			d, err := tray.ParseDirection(letter)
			if err != nil {
				return err
			}
			if d >= tray.FlatDirections {
				return fmt.Errorf("%v leaves the floor: a box has one", mv)
			}
			m.Path = append(m.Path, d)
		}
		z.Moves = append(z.Moves, m)
	}
	return nil
}
