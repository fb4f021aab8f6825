// Package replay checks solutions of Lunar Lockout: it makes their moves on a drawing of the board,
// one cell at a time.
//
// It shares nothing with the solver, nor with the moves of package board. For it, a piece is a
// character on a cell. So it finds errors in the way that they represent positions and make moves.
//
//   - Moves checks that each move follows the rules.
//   - Solution checks also that no letter is left.
package replay

import (
	"errors"
	"fmt"
	"strings"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace/cells"
)

// An Error says which move is wrong, and why.
type Error struct {
	Move   int // from 1; one more than the number of moves if letters are left at the end
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("move %d: %s", e.Move, e.Reason) }

// Solution makes moves, such as 2-D 4-LU, and checks each, and that no letter is left. It returns drawings of the
// positions from the first to the last, on one line each. If a move is wrong, the error is an *Error, and the drawings
// are those before the move.
func Solution(b *board.Board, start board.Drawing, moves string) ([]string, error) {
	d, drawings, err := replay(b, start, moves)
	if err != nil {
		return drawings, err
	}
	for _, name := range d.pieces {
		if letter(name) {
			return drawings, &Error{len(strings.Fields(moves)) + 1, "the moves leave letters on the board"}
		}
	}
	return drawings, nil
}

// replay is Solution for moves after which letters may be left.
func replay(b *board.Board, start board.Drawing, moves string) (*drawing, []string, error) {
	d := newDrawing(b, start)
	drawings := []string{d.String()}
	for i, move := range strings.Fields(moves) {
		if err := d.move(move); err != nil {
			return d, drawings, &Error{i + 1, err.Error()}
		}
		drawings = append(drawings, d.String())
	}
	return d, drawings, nil
}

// A drawing is a position as it is drawn.
type drawing struct {
	order  []cells.Cell // row by row
	exits  map[cells.Cell]bool
	inside map[cells.Cell]bool
	pieces map[cells.Cell]byte
}

func newDrawing(b *board.Board, start board.Drawing) *drawing {
	d := &drawing{b.Cells(), make(map[cells.Cell]bool), make(map[cells.Cell]bool), make(map[cells.Cell]byte)}
	for i, c := range d.order {
		d.inside[c] = true
		if b.Exits()>>i&1 != 0 {
			d.exits[c] = true
		}
		if start[i] != 0 {
			d.pieces[c] = start[i]
		}
	}
	return d
}

// letter reports whether a name is that of a letter piece.
func letter(name byte) bool { return 'A' <= name && name <= 'Z' }

// ways are the directions by their letters.
var ways = map[byte]cells.Cell{'U': {Row: -1}, 'D': {Row: 1}, 'L': {Col: -1}, 'R': {Col: 1}}

// move makes a move, or says what is wrong with it.
func (d *drawing) move(text string) error {
	name, way, ok := strings.Cut(text, "-")
	if !ok || len(name) != 1 || way == "" {
		return fmt.Errorf("expected a piece, - and its steps, such as 4-LU; found %.40q", text)
	}
	var at cells.Cell
	found := false
	for c, piece := range d.pieces {
		if piece == name[0] {
			at, found = c, true
		}
	}
	if !found {
		return fmt.Errorf("there is no piece %s on the board", name)
	}
	for i := range len(way) {
		if i > 0 && !d.turns(way[i-1], way[i]) {
			return fmt.Errorf("piece %s goes %c after %c: it turns by 90 degrees between two steps", name, way[i], way[i-1])
		}
		if d.pieces[at] != name[0] {
			return fmt.Errorf("piece %s has left the board before step %d", name, i+1)
		}
		to, err := d.step(at, way[i])
		if err != nil {
			return fmt.Errorf("piece %s cannot go %c: %w", name, way[i], err)
		}
		at = to
	}
	return nil
}

// turns reports whether a direction is across another.
func (d *drawing) turns(from, to byte) bool {
	a, b := ways[from], ways[to]
	return a.Row*b.Row+a.Col*b.Col == 0
}

// step lets the piece in a cell slide, and returns where it stops.
func (d *drawing) step(from cells.Cell, way byte) (to cells.Cell, err error) {
	by, ok := ways[way]
	if !ok {
		return to, fmt.Errorf("expected U, D, L or R, found %q", way)
	}
	to = from
	for {
		next := cells.Cell{Row: to.Row + by.Row, Col: to.Col + by.Col}
		if !d.inside[next] {
			return to, errors.New("no piece is in its way to stop it")
		}
		if d.pieces[next] != 0 {
			break
		}
		to = next
	}
	if to == from {
		return to, errors.New("it stands next to a piece already")
	}
	name := d.pieces[from]
	delete(d.pieces, from)
	if !letter(name) || !d.exits[to] {
		d.pieces[to] = name
	}
	return to, nil
}

// String draws the position with / between the rows.
func (d *drawing) String() string {
	var s strings.Builder
	row := 0
	for _, c := range d.order {
		for ; row < c.Row; row++ {
			s.WriteByte('/')
		}
		switch name := d.pieces[c]; {
		case name != 0:
			s.WriteByte(name)
		case d.exits[c]:
			s.WriteByte('+')
		default:
			s.WriteByte('.')
		}
	}
	return s.String()
}
