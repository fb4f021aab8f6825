package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/suggest"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// LatticeLine begins the line of a board's text that names its lattice.
const LatticeLine = "lattice:"

// ReadBoard reads a board and a start position as people draw them: see ParseShape. The board has at most MaxCells cells.
func ReadBoard(text string) (*Board, Position, error) {
	d, err := readDrawn(text)
	if err != nil {
		return nil, 0, err
	}
	b, p, err := d.board()
	return b, p.Pegs, err
}

// ParseBoard reads a board and a start position from a text that Board.Text has written: as ReadBoard does, but as it
// stands. Empty lines are rows, and a space between two cells is a place without a cell.
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
	return d.board()
}

// board returns the board of a drawing, and its pegs and open cells.
func (d *drawing) board() (*Board, Pattern, error) {
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
// lattice it touches all eight cells around it. Empty rows and columns around the board are dropped, and the spaces
// where they stand between all cells. Rows that are then shifted by half a cell are on a triangular lattice. There the
// rows of a triangle may also end at the right, or have the same middle. A problem of peg solitaire in PDDL is a board,
// too. Errors are *cells.SyntaxError.
func ParseShape(text string) (*Shape, []bool, error) {
	d, err := readDrawn(text)
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
	named      bool              // a line names the lattice
	spaced     bool              // spaces stand between all cells
	places     []boardtext.Place // of the cells in the text
}

// readDrawing reads a text that has at least one cell. Open says whether cells may be open.
func readDrawing(text string, open bool) (*drawing, error) {
	d := &drawing{lattice: Square}
	lines := boardtext.Lines(text)
	if name, ok := strings.CutPrefix(lines[0].Text, LatticeLine); ok {
		name, _, _ = strings.Cut(name, "/")
		i := slices.Index(lattices, strings.TrimSpace(name))
		if i < 0 {
			return nil, &cells.SyntaxError{Line: 1, Col: len(LatticeLine) + 1,
				Reason: fmt.Sprintf("unknown lattice %q: expected %s; a board has two dimensions", strings.TrimSpace(name), suggest.Either(lattices))}
		}
		lines[0], d.named, d.lattice = lines[0].From(len(LatticeLine)+len(name)), true, Lattice(i)
	}
	known := []string{"o (peg)", ". (hole)"}
	if open {
		known = append(known, "? (either)")
	}
	var rows []boardtext.Span
	for _, line := range lines {
		rows = append(rows, line.Rows()...)
	}
	_, d.spaced = boardtext.Spaced(rows)
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

// readDrawn reads a text as people draw boards.
func readDrawn(text string) (*drawing, error) {
	return boardtext.Read(text, func(text string) (*drawing, error) {
		if IsPDDL(text) {
			text = ofPDDL(text)
		}
		d, err := readDrawing(text, false)
		if err == nil {
			err = d.tidy(text)
		}
		return d, err
	})
}

// tidy moves the cells of a drawing to where they are meant. It is an error if that is unclear.
func (d *drawing) tidy(text string) error {
	lines := boardtext.Lines(text)
	first, last := d.places[0].Line(), d.places[len(d.places)-1].Line()
	for i, line := range lines {
		if strings.TrimSpace(line.Text) == "" && i > 0 && first < line.Line && line.Line < last {
			return line.Errorf(0, "an empty line inside a board: write # for a row without cells, or each board into a file of its own")
		}
	}
	if d.spaced && !d.close() {
		return d.places[0].Errorf("here only spaces stand between cells, which are neither below each other nor shifted by half a cell: write the cells of a row without spaces, or # for places without a cell; the rows of a triangle begin at the left, below the line %s %v", LatticeLine, Triangular)
	}
	return d.straighten(strings.Contains(text, "#"))
}

// close leaves out the spaces between cells, if these are in every second column of a row. It reports false if
// the rows do not fit together.
func (d *drawing) close() bool {
	odd := func(shift int) bool {
		return slices.ContainsFunc(d.cells, func(c Cell) bool { return (c.Col-d.cells[0].Col+shift*(c.Row-d.cells[0].Row))%2 != 0 })
	}
	shift := 0 // of each row, in columns
	if odd(0) {
		if shift = 1; odd(1) || d.named && d.lattice != Triangular {
			return false
		}
		d.lattice = Triangular
	}
	for i, c := range d.cells {
		d.cells[i].Col = (c.Col + shift*c.Row) / 2
	}
	return true
}

// straighten moves the rows of a triangle to where the triangular lattice has them, wherever they begin, unless places
// without a cell are drawn. It is an error if nothing says on which lattice the triangle is.
func (d *drawing) straighten(drawn bool) error {
	rows, down := triangle(d.cells)
	if len(rows) < leastTriangle || d.lattice == Diagonal || d.lattice == Square && d.named || d.lattice == Triangular && drawn {
		return nil
	}
	if d.lattice == Square {
		return d.places[0].Errorf("rows of 1 to %d cells may be a triangle, or a board of squares: write the line %s %v or %s %v above them", len(rows), LatticeLine, Triangular, LatticeLine, Square)
	}
	for r, row := range rows {
		first := 0
		if down {
			first = r
		}
		for k := range row {
			row[k].Col = first + k
		}
	}
	return nil
}

// leastTriangle is the least number of rows that may be meant as a triangle.
const leastTriangle = 4

// triangle returns the rows of some cells if each row has a cell more than the one above it, from 1 on, or a cell less, to
// 1, and no gap. Down reports that the first row is the longest.
func triangle(cells []Cell) (rows [][]Cell, down bool) {
	top := cells[0].Row
	n := cells[len(cells)-1].Row - top + 1
	if len(cells) != n*(n+1)/2 {
		return nil, false
	}
	down = n > 1 && cells[1].Row == top
	for r := range n {
		length := r + 1
		if down {
			length = n - r
		}
		first, last := cells[0], cells[length-1]
		if first.Row != top+r || last.Row != top+r || last.Col != first.Col+length-1 {
			return nil, down
		}
		rows, cells = append(rows, cells[:length]), cells[length:]
	}
	return rows, down
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
	rows := strings.Split(position, "/")
	for i := range rows {
		rows[i] = cmp.Or(rows[i], "#") // ReadBoard refuses an empty line
	}
	text := strings.Join(rows, "\n") + "\n"
	if rows, _ := triangle(s.cells); s.lattice != Square || len(rows) >= leastTriangle { // ReadBoard wants it
		text = LatticeLine + " " + s.lattice.String() + "\n" + text
	}
	return text
}
