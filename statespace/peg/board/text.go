package board

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/statespace"
)

// LatticeLine begins the line of a board's text that names its lattice.
const LatticeLine = "lattice:"

// ParseBoard reads a board and a start position from text, as ParseShape does. The board
// has at most MaxCells cells.
func ParseBoard(text string) (*Board, Position, error) {
	d, err := readDrawing(text)
	if err != nil {
		return nil, 0, err
	}
	if len(d.cells) > MaxCells {
		return nil, 0, d.fault(MaxCells, (&SizeError{Cells: uint64(len(d.cells))}).Error())
	}
	s, err := d.shape()
	if err != nil {
		return nil, 0, err
	}
	b, err := Of(s)
	if err != nil {
		return nil, 0, err
	}
	var start Position
	for i, peg := range d.pegs {
		if peg {
			start |= 1 << i
		}
	}
	return b, start, nil
}

// ParseShape reads a board of any size and the pegs of a start, by cell, from text. Each
// line is a row, or several with / between:
//
//	o    a cell with a peg
//	.    a cell with a hole
//	#    or a space: no cell
//
// The first line may be "lattice: square", the default, or "lattice: triangular". On a
// triangular lattice the cell in row r and column c also touches (r-1,c-1) and
// (r+1,c+1), so that a triangle is written with its left side straight. Empty rows and
// columns around the board are dropped. Errors are *statespace.SyntaxError.
func ParseShape(text string) (*Shape, []bool, error) {
	d, err := readDrawing(text)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.shape()
	return s, d.pegs, err
}

// A drawing is a board as text draws it, cell by cell in row-major order.
type drawing struct {
	lattice Lattice
	cells   []Cell
	pegs    []bool
	places  []Cell // in the text: line and column, from 1
}

// fault returns the error of a cell.
func (d *drawing) fault(cell int, reason string) error {
	return &statespace.SyntaxError{Line: d.places[cell].Row, Col: d.places[cell].Col, Reason: reason}
}

// readDrawing reads a text that has at least one cell.
func readDrawing(text string) (*drawing, error) {
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	d := &drawing{lattice: Square}
	skip := 0
	if name, ok := strings.CutPrefix(lines[0], LatticeLine); ok {
		skip = 1
		switch name = strings.TrimSpace(name); name {
		case Square.String():
		case Triangular.String():
			d.lattice = Triangular
		default:
			return nil, &statespace.SyntaxError{Line: 1, Col: len(LatticeLine) + 1, Reason: fmt.Sprintf("unknown lattice %q: expected square or triangular", name)}
		}
	}
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
				return nil, fault("unexpected 'O': a peg is a small o")
			default:
				return nil, fault(fmt.Sprintf("unexpected %q: expected o (peg), . (hole), # or a space (off the board), or / between rows", ch))
			}
			d.cells, d.places, d.pegs = append(d.cells, Cell{Row: row, Col: col}), append(d.places, place), append(d.pegs, ch == 'o')
			col++
		}
		row++
	}
	if len(d.cells) == 0 {
		return nil, &statespace.SyntaxError{Line: 1, Col: 1, Reason: "no cells: expected rows of o (peg) and . (hole)"}
	}
	return d, nil
}

// shape returns the shape of a drawing, without the rows and columns around it.
func (d *drawing) shape() (*Shape, error) {
	top, left := d.cells[0].Row, slices.MinFunc(d.cells, func(a, b Cell) int { return a.Col - b.Col }).Col
	cells := make([]Cell, len(d.cells))
	for i, c := range d.cells {
		if c.Row-top >= MaxSide || c.Col-left >= MaxSide {
			return nil, d.fault(i, errSide.Error())
		}
		cells[i] = Cell{Row: c.Row - top, Col: c.Col - left}
	}
	return NewShape(d.lattice, cells)
}

// Text writes a board and a position in the form that ParseBoard reads.
func (b *Board) Text(p Position) string { return b.text(b.FormatPosition(p)) }

// Drawing writes a board and its pegs, by cell, in the form that ParseShape reads.
func (s *Shape) Drawing(pegs []bool) string { return s.text(s.FormatPegs(pegs)) }

// FormatPegs writes the pegs of a board, by cell, as FormatPosition writes a position.
func (s *Shape) FormatPegs(pegs []bool) string {
	return s.format(func(cell int) byte {
		if pegs[cell] {
			return 'o'
		}
		return '.'
	})
}

// text adds a line for each row, and one for the lattice, to a position in one line.
func (s *Shape) text(position string) string {
	text := strings.ReplaceAll(position, "/", "\n") + "\n"
	if s.lattice != Square {
		text = LatticeLine + " " + s.lattice.String() + "\n" + text
	}
	return text
}
