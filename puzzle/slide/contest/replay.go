package contest

import (
	"fmt"

	"pagoda/puzzle/slide/tray"
)

// An Error says what is wrong with a puzzle that was read, or with its moves.
type Error struct {
	Line   int // of the output; 0 if the puzzle was not read from one
	Reason string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// empty is an open place of a box without a piece, and wall is no open place.
const empty, wall = -1, -2

// A board is a box with pieces: the number of the piece at each place, or empty or wall.
type board struct {
	problem *Problem
	places  [][]int
	pieces  []Piece
}

// Replay checks that a puzzle is one of the problem, and makes its moves in the box, step by step. It
// checks:
//
//   - Each piece has a shape of the problem, and exactly one is the goal piece.
//   - The pieces lie on open space, no two on one place.
//   - Each move is one of a piece, and each of its steps leads to open space without other pieces.
//   - After the last move the goal piece is at the goal position.
//   - The length is the number of moves.
//
// It does not check that there are no shorter solutions. The error is an *Error.
func (p *Problem) Replay(z *Puzzle) error {
	b := &board{problem: p}
	for _, row := range p.Box {
		places := make([]int, len(row))
		for c, open := range row {
			if places[c] = wall; open {
				places[c] = empty
			}
		}
		b.places = append(b.places, places)
	}
	goal := -1
	for i, piece := range z.Pieces {
		if err := b.place(i, piece); err != nil {
			return &Error{piece.line, err.Error()}
		}
		if piece.Shape == len(p.Free) {
			if goal >= 0 {
				return &Error{piece.line, fmt.Sprintf("piece %d is the goal piece, and piece %d is too: expected one", i, goal)}
			}
			goal = i
		}
	}
	if goal < 0 {
		return &Error{z.lengthLine, fmt.Sprintf("no piece is the goal piece: expected one of shape %d", len(p.Free))}
	}
	if z.Length != len(z.Moves) {
		return &Error{z.lengthLine, fmt.Sprintf("the length is %d, and the number of moves is %d", z.Length, len(z.Moves))}
	}
	for i, m := range z.Moves {
		if err := b.move(m); err != nil {
			return &Error{m.line, fmt.Sprintf("move %d: %v", i+1, err)}
		}
	}
	if at := b.pieces[goal]; at.X != p.X || at.Y != p.Y {
		line := z.lengthLine
		if len(z.Moves) > 0 {
			line = z.Moves[len(z.Moves)-1].line
		}
		return &Error{line, fmt.Sprintf("the goal piece is at %d %d after the last move: expected the goal position %d %d", at.X, at.Y, p.X, p.Y)}
	}
	return nil
}

// place puts a piece into the box.
func (b *board) place(i int, piece Piece) error {
	if piece.Shape < 0 || piece.Shape > len(b.problem.Free) {
		return fmt.Errorf("piece %d has shape %d: expected 0 to %d; the last is the goal piece", i, piece.Shape, len(b.problem.Free))
	}
	b.pieces = append(b.pieces, piece)
	return b.put(i, fmt.Sprintf("piece %d cannot be at %d %d", i, piece.X, piece.Y))
}

// put puts a piece where it is to be. If it cannot be there, the error begins with what is given.
func (b *board) put(i int, cannot string) error {
	piece := b.pieces[i]
	shape := b.problem.Shape(piece.Shape)
	for _, c := range shape {
		row, col := piece.Y+c.Row, piece.X+c.Col
		if row < 0 || row >= len(b.places) || col < 0 || col >= len(b.places[row]) {
			return fmt.Errorf("%s: the place %d %d is outside of the box", cannot, col, row)
		}
		switch had := b.places[row][col]; had {
		case empty:
		case wall:
			return fmt.Errorf("%s: there is a wall at %d %d", cannot, col, row)
		default:
			return fmt.Errorf("%s: piece %d is at %d %d", cannot, had, col, row)
		}
	}
	b.fill(i, i)
	return nil
}

// fill writes a number on all places of a piece.
func (b *board) fill(i, number int) {
	piece := b.pieces[i]
	for _, c := range b.problem.Shape(piece.Shape) {
		b.places[piece.Y+c.Row][piece.X+c.Col] = number
	}
}

// move moves a piece step by step.
func (b *board) move(m Move) error {
	if m.Piece < 0 || m.Piece >= len(b.pieces) {
		return fmt.Errorf("there is no piece %d: expected 0 to %d", m.Piece, len(b.pieces)-1)
	}
	if len(m.Path) == 0 {
		return fmt.Errorf("the path of piece %d is empty: expected up, left, right and down", m.Piece)
	}
	for i, d := range m.Path {
		b.fill(m.Piece, empty)
		switch piece := &b.pieces[m.Piece]; d {
		case tray.Up:
			piece.Y--
		case tray.Down:
			piece.Y++
		case tray.Left:
			piece.X--
		case tray.Right:
			piece.X++
		default:
			return fmt.Errorf("step %d of piece %d has no direction", i+1, m.Piece)
		}
		if err := b.put(m.Piece, fmt.Sprintf("piece %d cannot go %s in step %d", m.Piece, directionWords[d], i+1)); err != nil {
			return err
		}
	}
	return nil
}
