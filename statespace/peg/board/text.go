package board

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/statespace"
)

// LatticeLine begins the line of a board's text that names its lattice.
const LatticeLine = "lattice:"

// ParseBoard reads a board and a start position from text. Each line is a row, or several with / between:
//
//	o    a cell with a peg
//	.    a cell with a hole
//	#    or a space: no cell
//
// The first line may be "lattice: square", the default, or "lattice: triangular". On a
// triangular lattice the cell in row r and column c also touches (r-1,c-1) and
// (r+1,c+1), so that a triangle is written with its left side straight. Empty rows and
// columns around the board are dropped. Errors are *statespace.SyntaxError.
func ParseBoard(text string) (*Board, Position, error) {
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	lattice := Square
	skip := 0
	if name, ok := strings.CutPrefix(lines[0], LatticeLine); ok {
		skip = 1
		switch name = strings.TrimSpace(name); name {
		case Square.String():
		case Triangular.String():
			lattice = Triangular
		default:
			return nil, 0, &statespace.SyntaxError{Line: 1, Col: len(LatticeLine) + 1, Reason: fmt.Sprintf("unknown lattice %q: expected square or triangular", name)}
		}
	}
	var cells []Cell
	var pegs []bool
	var places []Cell // in the text: line and column, from 1
	row := 0
	for i, line := range lines[skip:] {
		col := 0
		for c, ch := range []rune(line) {
			place := Cell{Row: skip + i + 1, Col: c + 1}
			fault := func(reason string) error {
				return &statespace.SyntaxError{Line: place.Row, Col: place.Col, Reason: reason}
			}
			switch ch {
			case '/':
				row, col = row+1, 0
				continue
			case ' ', '#':
				col++
				continue
			case 'o', '.':
			case 'O':
				return nil, 0, fault("unexpected 'O': a peg is a small o")
			default:
				return nil, 0, fault(fmt.Sprintf("unexpected %q: expected o (peg), . (hole), # or a space (off the board), or / between rows", ch))
			}
			cells, places, pegs = append(cells, Cell{Row: row, Col: col}), append(places, place), append(pegs, ch == 'o')
			col++
		}
		row++
	}
	if len(cells) == 0 {
		return nil, 0, &statespace.SyntaxError{Line: 1, Col: 1, Reason: "no cells: expected rows of o (peg) and . (hole)"}
	}
	at := func(i int, reason string) error {
		return &statespace.SyntaxError{Line: places[i].Row, Col: places[i].Col, Reason: reason}
	}
	if len(cells) > MaxCells {
		return nil, 0, at(MaxCells, (&SizeError{Cells: uint64(len(cells))}).Error())
	}
	top, left := cells[0].Row, slices.MinFunc(cells, func(a, b Cell) int { return a.Col - b.Col }).Col
	for i, c := range cells {
		if c.Row-top >= MaxSide || c.Col-left >= MaxSide {
			return nil, 0, at(i, fmt.Sprintf("a board has at most %d rows and columns", MaxSide))
		}
		cells[i] = Cell{Row: c.Row - top, Col: c.Col - left}
	}
	b, err := NewBoard(lattice, cells)
	if err != nil {
		return nil, 0, err
	}
	var start Position
	for i, peg := range pegs {
		if peg {
			start |= 1 << i
		}
	}
	return b, start, nil
}

// Text writes a board and a position in the form that ParseBoard reads.
func (b *Board) Text(p Position) string {
	text := strings.ReplaceAll(b.FormatPosition(p), "/", "\n") + "\n"
	if b.lattice != Square {
		text = LatticeLine + " " + b.lattice.String() + "\n" + text
	}
	return text
}
