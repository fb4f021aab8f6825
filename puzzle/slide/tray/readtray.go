package tray

import (
	"strconv"

	"pagoda/internal/amount"
	"pagoda/internal/lazy"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

func isName(ch rune) bool {
	return 'A' <= ch && ch <= 'Z' || 'a' <= ch && ch <= 'z' || '0' <= ch && ch <= '9'
}

// readTray makes the cells and the pieces.
func (r *reader) readTray() error {
	names, err := r.readCells()
	if err != nil {
		return err
	}
	p := r.p
	for i, name := range names {
		if name == '.' {
			continue
		}
		n, seen := r.pieceNamed[name]
		if !seen {
			n = len(p.pieces)
			r.pieceNamed[name] = n
			p.pieces = append(p.pieces, piece{name: name, anchor: uint8(i)})
			r.start = append(r.start, Set{})
			r.where = append(r.where, r.cells[i])
		}
		r.start[n].Add(i)
	}
	if len(p.pieces) == 0 {
		return r.tray[0].Errorf(0, "no piece in the tray: expected letters or digits")
	}
	return nil
}

// readCells makes the cells, and returns the character in each.
func (r *reader) readCells() (names []byte, err error) {
	var found []Cell
	cols := 0
	if at, spaced := boardtext.Spaced(r.tray); spaced {
		return nil, at.Errorf("a space is a wall, and here only spaces stand between cells: write the cells of a row without spaces, or # for a wall")
	}
	for at := range boardtext.Places(r.tray) {
		switch {
		case at.Row >= MaxSide:
			return nil, at.Errorf("a tray has at most %d rows", MaxSide)
		case at.Col >= MaxSide:
			return nil, at.Errorf("a tray has at most %d columns", MaxSide)
		case at.Char == ' ' || at.Char == '#':
		case at.Char != '.' && !isName(at.Char):
			return nil, at.Errorf("unexpected %q: expected a letter or digit (a piece), . (empty), # or a space (a wall)", at.Char)
		case len(found) == MaxCells:
			return nil, at.Errorf("a tray has at most %d cells besides walls", MaxCells)
		default:
			found = append(found, at.Cell)
			names = append(names, byte(at.Char))
			r.cells = append(r.cells, at)
			cols = max(cols, at.Col+1)
		}
	}
	if len(found) == 0 {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "no tray: expected rows of letters or digits (pieces), . (empty) and # (walls)"}
	}
	rows := found[len(found)-1].Row + 1
	floors, err := r.readFloors()
	if floors > 1 {
		rows = len(r.tray)
	}
	r.p.tray = newTray(floors, rows, cols, found)
	return names, err
}

// readFloors returns the number of floors.
func (r *reader) readFloors() (int, error) {
	if r.floors == nil {
		return 1, nil
	}
	floors, err := strconv.ParseUint(r.floors.Text, 10, 31)
	if err != nil || floors == 0 || floors > MaxSide {
		return 1, r.floors.Errorf(0, "unexpected %.40q: expected the number of floors, 1 to %d", r.floors.Text, MaxSide)
	}
	if rows := len(r.tray); rows%int(floors) != 0 {
		return 1, r.floors.Errorf(0, "the tray has %s: expected %d floors, each with the same number of rows; write # in a row of walls", amount.Of(rows, "row"), floors)
	}
	return int(floors), r.checkGaps(r.tray, len(r.tray)/int(floors))
}

// checkGaps returns an error if an empty line stands in a drawing, and not between two floors of some
// rows.
func (r *reader) checkGaps(drawing []boardtext.Span, rows int) error {
	for i, s := range drawing {
		if i%rows != 0 && s.Col == 1 && r.apart[s.Line] {
			return s.Errorf(0, "unexpected row below an empty line: such a line may stand between two floors of %s; write goal: above a goal", amount.Of(rows, "row"))
		}
	}
	return nil
}

// sideText matches a side of a cell.
var sideText = lazy.Regexp(`^ *(right|left|above|below|ceiling|floor)\b`)

var sideNames = map[string]Direction{"right": Right, "left": Left, "above": Up, "below": Down, "ceiling": Climb, "floor": Sink}

// readWalls reads thin walls, such as "(0,1) right, d3 below".
func (r *reader) readWalls() error {
	p := r.p
	for _, s := range r.lists["walls"] {
		if s.Text == "" {
			return s.Errorf(0, "no walls: expected cells and sides, such as (0,1) right, d3 below")
		}
		for at := 0; at < len(s.Text); {
			if ch := s.Text[at]; ch == ' ' || ch == '\t' || ch == ',' {
				at++
				continue
			}
			cell, length := cells.CutCell(s.Text[at:])
			side := sideText().FindStringSubmatch(s.Text[at+length:])
			if length == 0 || side == nil {
				return s.Errorf(at, "unexpected %.40q: expected a cell and one of its sides right, left, above, below, ceiling and floor, such as (0,1) right or b1 right. A cell is %s", s.Text[at:], cells.AboutCell)
			}
			w := Wall{cell, sideNames[side[1]]}
			beyond, on := w.Side.Beside(w.Cell, p.FloorRows())
			if !on && p.Floors() > 1 {
				return s.Errorf(at, "a wall lies between two cells, and the edge of a floor is on this side of %v", w.Cell)
			}
			for _, c := range []Cell{w.Cell, beyond} {
				if _, ok := p.number[c]; !ok {
					return s.Errorf(at, "a wall lies between two cells, and the tray has no cell in row %d, column %d (counted from 0)", c.Row, c.Col)
				}
			}
			if w.Side == Left || w.Side == Up || w.Side == Sink {
				w, beyond = Wall{beyond, w.Side.Opposite()}, w.Cell
			}
			p.addWall(w)
			for i, piece := range r.start {
				if piece.Has(p.number[w.Cell]) && piece.Has(p.number[beyond]) {
					return s.Errorf(at, "piece %c lies across this wall", p.pieces[i].name)
				}
			}
			at += length + len(side[0])
		}
	}
	return nil
}
