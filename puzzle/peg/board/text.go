package board

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/suggest"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// LatticeLine begins the line of a board's text that names its lattice.
const LatticeLine = "lattice:"

// ParseBoard reads a board and a start position from text, as ParseShape does. The board
// has at most MaxCells cells.
func ParseBoard(text string) (*Board, Position, error) {
	b, p, err := parseBoard(text, false)
	return b, p.Pegs, err
}

// ParseOpenBoard reads a board and a pattern from text, as ParseBoard does. A cell may also be ?,
// which leaves it open.
func ParseOpenBoard(text string) (*Board, Pattern, error) { return parseBoard(text, true) }

func parseBoard(text string, open bool) (*Board, Pattern, error) {
	d, err := readDrawing(text, open)
	if err != nil {
		return nil, Pattern{}, err
	}
	if len(d.cells) > MaxCells {
		return nil, Pattern{}, d.places[MaxCells].Errorf("%v", &SizeError{Cells: uint64(len(d.cells))})
	}
	b, err := OfShape(d.shape())
	if err != nil {
		return nil, Pattern{}, err
	}
	var p Pattern
	for i, peg := range d.pegs {
		switch {
		case peg:
			p.Pegs |= 1 << i
		case d.open[i]:
			p.Any |= 1 << i
		}
	}
	return b, p, nil
}

// ParseShape reads a board of any size and the pegs of a start, by cell, from text. Each
// line is a row, or several with / between:
//
//	o    a cell with a peg
//	.    a cell with a hole
//	#    or a space: no cell
//
// The first line may be "lattice: square", the default, "lattice: triangular" or "lattice: diagonal";
// it may also end with /. On a triangular lattice the cell in row r and column c also touches
// (r-1,c-1) and (r+1,c+1), so that a triangle is written with its left side straight. On a diagonal
// lattice it touches all eight cells around it. Empty rows and columns around the board are dropped.
// Errors are *cells.SyntaxError.
func ParseShape(text string) (*Shape, []bool, error) {
	d, err := readDrawing(text, false)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.shape()
	return s, d.pegs, err
}

// A drawing is a board as text draws it, cell by cell in row-major order.
type drawing struct {
	lattice    Lattice
	cells      []Cell
	pegs, open []bool
	places     []boardtext.Place // of the cells in the text
}

// readDrawing reads a text that has at least one cell. Open says whether cells may be open.
func readDrawing(text string, open bool) (*drawing, error) {
	d := &drawing{lattice: Square}
	lines := boardtext.Lines(text)
	if name, ok := strings.CutPrefix(lines[0].Text, LatticeLine); ok {
		name, _, _ = strings.Cut(name, "/")
		if err := d.setLattice(strings.TrimSpace(name)); err != nil {
			return nil, err
		}
		lines[0] = lines[0].From(len(LatticeLine) + len(name))
	}
	known := []string{"o (peg)", ". (hole)"}
	if open {
		known = append(known, "? (either)")
	}
	var rows []boardtext.Span
	for _, line := range lines {
		rows = append(rows, line.Rows()...)
	}
	if at, spaced := boardtext.Spaced(rows); spaced {
		return nil, at.Errorf("a space is no cell of the board, and here only spaces stand between cells: write the cells of a row without spaces, or # for places without a cell; the rows of a triangle begin at the left, below the line %s %v", LatticeLine, Triangular)
	}
	for at := range boardtext.Places(rows) {
		switch ch := at.Char; {
		case ch == ' ', ch == '#':
			continue
		case ch == 'o', ch == '.', ch == '?' && open:
		case ch == 'O':
			return nil, at.Errorf("unexpected 'O': a peg is a small o")
		default:
			return nil, at.Errorf("unexpected %q: expected %s, # or a space (off the board), or / between rows", ch, strings.Join(known, ", "))
		}
		d.cells, d.places = append(d.cells, at.Cell), append(d.places, at)
		d.pegs, d.open = append(d.pegs, at.Char == 'o'), append(d.open, at.Char == '?')
	}
	if len(d.cells) == 0 {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "no cells: expected rows of " + strings.Join(known, " and ")}
	}
	return d, nil
}

// setLattice sets the lattice by its name.
func (d *drawing) setLattice(name string) error {
	i := slices.Index(lattices, name)
	if i < 0 {
		return &cells.SyntaxError{Line: 1, Col: len(LatticeLine) + 1,
			Reason: fmt.Sprintf("unknown lattice %q: expected %s; a board has two dimensions", name, suggest.Either(lattices))}
	}
	d.lattice = Lattice(i)
	return nil
}

// shape returns the shape of a drawing, without the rows and columns around it.
func (d *drawing) shape() (*Shape, error) {
	top, left := d.cells[0].Row, slices.MinFunc(d.cells, func(a, b Cell) int { return a.Col - b.Col }).Col
	cells := make([]Cell, len(d.cells))
	for i, c := range d.cells {
		if c.Row-top >= MaxSide || c.Col-left >= MaxSide {
			return nil, d.places[i].Errorf("%v", errSide)
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
