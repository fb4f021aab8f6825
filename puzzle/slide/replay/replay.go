package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
)

// An Error says which move is wrong, and why.
type Error struct {
	Move   int // from 1; one more than the number of moves if the end is not a goal
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("move %d: %s", e.Move, e.Reason) }

// ErrNotSolved is the Error of moves that are correct and do not lead to a goal.
var ErrNotSolved = errors.New("the moves do not lead to a goal")

// Is reports whether target is ErrNotSolved, and the error too.
func (e *Error) Is(target error) bool {
	return target == ErrNotSolved && e.Reason == ErrNotSolved.Error()
}

// Moves makes moves from the start of a puzzle, and checks that each is a move of the metric. It
// returns drawings of the positions from the first to the last. If a move is wrong, the error is
// an *Error, and the drawings are those before the move.
func Moves(p *tray.Puzzle, m tray.Metric, moves []tray.Move) ([]string, error) {
	_, drawings, err := replay(p, m, moves)
	return drawings, err
}

// Solution is Moves for moves that must lead to a goal.
func Solution(p *tray.Puzzle, m tray.Metric, moves []tray.Move) ([]string, error) {
	d, drawings, err := replay(p, m, moves)
	if err != nil {
		return drawings, err
	}
	for g := range p.Goals() {
		if !slices.ContainsFunc(p.Wants(g), func(w tray.Want) bool { return !d.holds(w) }) {
			return drawings, nil
		}
	}
	return drawings, &Error{len(moves) + 1, ErrNotSolved.Error()}
}

func replay(p *tray.Puzzle, m tray.Metric, moves []tray.Move) (*drawing, []string, error) {
	d := newDrawing(p)
	drawings := []string{d.String()}
	for i, mv := range moves {
		if err := d.move(m, mv); err != nil {
			return d, drawings, &Error{i + 1, err.Error()}
		}
		drawings = append(drawings, d.String())
	}
	return d, drawings, nil
}

// A drawing is a position as it is drawn.
type drawing struct {
	puzzle *tray.Puzzle
	walls  map[[2]tray.Cell]bool // between two cells, in both orders
	cells  map[tray.Cell]byte    // the name of a piece, or . for an empty cell
}

// newDrawing draws the start.
func newDrawing(p *tray.Puzzle) *drawing {
	d := &drawing{p, make(map[[2]tray.Cell]bool), make(map[tray.Cell]byte)}
	for _, w := range p.Walls() {
		beyond := w.Beyond(p.FloorRows())
		d.walls[[2]tray.Cell{w.Cell, beyond}], d.walls[[2]tray.Cell{beyond, w.Cell}] = true, true
	}
	for r, row := range strings.Split(p.FormatPosition(p.Start()), "/") {
		for c := range len(row) {
			if row[c] != '#' {
				d.cells[tray.Cell{Row: r, Col: c}] = row[c]
			}
		}
	}
	return d
}

// move makes a move, or says what is wrong with it.
func (d *drawing) move(m tray.Metric, mv tray.Move) error {
	if err := checkForm(d.puzzle.Pieces(), m, mv); err != nil {
		return err
	}
	for _, letter := range mv.Path {
		direction, err := tray.ParseDirection(letter)
		if err == nil {
			err = d.step(mv.Pieces, direction)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkForm checks what can be said about a move without the position.
func checkForm(names string, m tray.Metric, mv tray.Move) error {
	if mv.Pieces == "" || mv.Path == "" {
		return errors.New("expected the names of pieces and a path of U, D, L and R, and between floors C (climb) and S (sink)")
	}
	if len(mv.Pieces) > 1 && !m.Super() {
		return fmt.Errorf("%s are several pieces; in the metric %v one moves at a time", mv.Pieces, m)
	}
	for i := range len(mv.Pieces) {
		if strings.IndexByte(names, mv.Pieces[i]) < 0 {
			return fmt.Errorf("there is no piece %q", mv.Pieces[i])
		}
		if strings.IndexByte(mv.Pieces[:i], mv.Pieces[i]) >= 0 {
			return fmt.Errorf("piece %c is named twice", mv.Pieces[i])
		}
	}
	switch m.Single() {
	case tray.Steps:
		if len(mv.Path) > 1 {
			return fmt.Errorf("%s is more than one step", mv.Path)
		}
	case tray.Lines:
		if strings.Trim(mv.Path, mv.Path[:1]) != "" {
			return fmt.Errorf("%s is no straight line", mv.Path)
		}
	}
	return nil
}

// step moves pieces together by one cell, or says why they cannot move.
func (d *drawing) step(pieces string, to tray.Direction) error {
	for i := range len(pieces) {
		axis := d.puzzle.Axis(strings.IndexByte(d.puzzle.Pieces(), pieces[i]))
		if !axis.Allows(to) {
			return fmt.Errorf("piece %c is %v, it cannot go %v", pieces[i], axis, to)
		}
	}
	moves := func(name byte) bool { return strings.IndexByte(pieces, name) >= 0 }
	rows := d.puzzle.FloorRows()
	moved := make(map[tray.Cell]byte)
	for c, name := range d.cells {
		if !moves(name) {
			continue
		}
		next, on := to.Beside(c, rows)
		if _, ok := d.cells[next]; !ok || !on || d.walls[[2]tray.Cell{c, next}] {
			return fmt.Errorf("piece %c cannot go %v: there is a wall", name, to)
		}
		moved[next] = name
	}
	for c, name := range moved {
		had := d.cells[c]
		if had != '.' && !moves(had) {
			return fmt.Errorf("piece %c cannot go %v: piece %c is in the way", name, to, had)
		}
		if cell, ok := d.puzzle.Number(c); ok && d.puzzle.Gate(cell) != tray.None && d.puzzle.Pieces()[d.puzzle.Gate(cell)] != name {
			return fmt.Errorf("piece %c cannot go %v: there is the gate of another piece", name, to)
		}
		for _, side := range []tray.Direction{tray.Right, tray.Down, tray.Climb} {
			next, _ := side.Beside(c, rows)
			if moved[next] == name && d.walls[[2]tray.Cell{c, next}] {
				return fmt.Errorf("piece %c cannot go %v: it would lie across a wall", name, to)
			}
		}
	}
	for c, name := range d.cells {
		if moves(name) {
			d.cells[c] = '.'
		}
	}
	for c, name := range moved {
		d.cells[c] = name
	}
	return nil
}

// holds reports whether a wanted place has exactly the cells of a piece that can take it.
func (d *drawing) holds(want tray.Want) bool {
	name := d.cells[want.Cells[0]]
	for c, other := range d.cells {
		if (other == name) != slices.Contains(want.Cells, c) {
			return false
		}
	}
	i := strings.IndexByte(d.puzzle.Pieces(), name)
	return i >= 0 && d.puzzle.Alike(i, want.Piece)
}

// String draws the position as Puzzle.FormatPosition does.
func (d *drawing) String() string {
	height, width := d.puzzle.Size()
	rows := make([]string, height)
	for r := range rows {
		var row []byte
		for c := range width {
			name, ok := d.cells[tray.Cell{Row: r, Col: c}]
			if !ok {
				name = '#'
			}
			row = append(row, name)
		}
		if rows[r] = strings.TrimRight(string(row), "#"); rows[r] == "" {
			rows[r] = "#"
		}
	}
	return strings.Join(rows, "/")
}
