package board

import (
	"fmt"
	"slices"

	"pagoda/internal/amount"
	"pagoda/statespace/cells"
)

// MaxSide bounds the rows and the columns of a board.
const MaxSide = 256

// A Lattice says in which directions a board's cells have neighbours.
type Lattice int

const (
	// Square: neighbours to the left and right, above and below.
	Square Lattice = iota
	// Triangular: as Square, and also (r-1,c-1) and (r+1,c+1). With row r
	// written from column 0 on, a triangle of n rows holds the cells (r,c)
	// with 0 <= c <= r < n.
	Triangular
	// Diagonal: as Square, and also along both diagonals.
	Diagonal
)

// lattices are the names of the lattices.
var lattices = []string{Square: "square", Triangular: "triangular", Diagonal: "diagonal"}

// directions are those of Diagonal. Square has the first two, Triangular the first three.
var directions = []Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}, {Row: 1, Col: -1}}

// Directions lists one of each pair of opposite directions, as (row, column): along the rows, down
// the columns, and then down the diagonals. The caller must not change them.
func (l Lattice) Directions() []Cell { return directions[: 2+l : 2+l] }

// Middle returns the cell between two that are two places apart in a line, and whether they are.
func (l Lattice) Middle(from, to Cell) (middle Cell, ok bool) {
	for _, d := range l.Directions() {
		for _, sign := range [2]int{1, -1} {
			r, c := sign*d.Row, sign*d.Col
			if to == (Cell{Row: from.Row + 2*r, Col: from.Col + 2*c}) {
				return Cell{Row: from.Row + r, Col: from.Col + c}, true
			}
		}
	}
	return Cell{}, false
}

func (l Lattice) String() string {
	if l < 0 || int(l) >= len(lattices) {
		return fmt.Sprintf("Lattice(%d)", int(l))
	}
	return lattices[l]
}

// A Cell is a place on the board.
type Cell = cells.Cell

// A Line is three neighbouring cells in a row, by cell number. A peg at A can
// jump over one at B into a hole at C, and vice versa.
type Line struct{ A, B, C int }

// Mask returns the set of the line's three cells.
func (l Line) Mask() uint64 { return 1<<l.A | 1<<l.B | 1<<l.C }

// A Jump takes the peg at From over the one at Over, which is removed, into the
// hole at To. The fields are cell numbers.
type Jump struct{ From, Over, To int }

// Mask returns the set of the jump's three cells.
func (j Jump) Mask() uint64 { return 1<<j.From | 1<<j.Over | 1<<j.To }

// A Shape is a set of cells on a lattice with the lines of three among them. It can be
// larger than a Board. Cells are numbered from 0 in row-major order.
type Shape struct {
	lattice Lattice
	cells   []Cell
	lines   []Line
	number  map[Cell]int
	rows    int   // one more than the greatest row
	width   []int // by row: one more than the greatest column
}

// NewShape makes a shape of the given cells, in any order. It fails when there are none
// or one twice, or when one lies beyond rows and columns 0 to MaxSide-1.
func NewShape(lattice Lattice, cells []Cell) (*Shape, error) {
	if len(cells) == 0 {
		return nil, fmt.Errorf("the board has no cells")
	}
	s := &Shape{lattice: lattice, cells: slices.Clone(cells), number: make(map[Cell]int, len(cells))}
	slices.SortFunc(s.cells, Cell.Compare)
	for i, c := range s.cells {
		if c.Row < 0 || c.Col < 0 || c.Row >= MaxSide || c.Col >= MaxSide {
			return nil, fmt.Errorf("the cell %v lies beyond rows and columns 0 to %d", c, MaxSide-1)
		}
		if _, twice := s.number[c]; twice {
			return nil, fmt.Errorf("the cell %v is given twice", c)
		}
		s.number[c] = i
	}
	s.rows = s.cells[len(s.cells)-1].Row + 1
	s.width = make([]int, s.rows)
	for _, c := range s.cells {
		s.width[c.Row] = max(s.width[c.Row], c.Col+1)
	}
	for _, d := range lattice.Directions() {
		for i, c := range s.cells {
			over, ok1 := s.number[Cell{Row: c.Row + d.Row, Col: c.Col + d.Col}]
			to, ok2 := s.number[Cell{Row: c.Row + 2*d.Row, Col: c.Col + 2*d.Col}]
			if ok1 && ok2 {
				s.lines = append(s.lines, Line{i, over, to})
			}
		}
	}
	return s, nil
}

// On returns the shape of the same cells on another lattice.
func (s *Shape) On(l Lattice) (*Shape, error) { return NewShape(l, s.cells) }

// Summary says in words what a start on the board is: "a board of pegs of 7 rows and 7 columns, 33 cells, 32 pegs".
func (s *Shape) Summary(pegs int) string {
	lattice := ""
	if s.lattice != Square {
		lattice = s.lattice.String() + " "
	}
	return fmt.Sprintf("a %sboard of pegs of %s and %s, %s, %s", lattice, amount.Of(s.Rows(), "row"), amount.Of(s.Cols(), "column"),
		amount.Of(len(s.cells), "cell"), amount.Of(pegs, "peg"))
}

// Lattice returns the lattice of the board.
func (s *Shape) Lattice() Lattice { return s.lattice }

// Rows returns the number of rows, from row 0 to the lowest one with a cell.
func (s *Shape) Rows() int { return s.rows }

// Cols returns the number of columns, from column 0 to the last one with a cell.
func (s *Shape) Cols() int { return slices.Max(s.width) }

// Cells returns the cells by number. The caller must not change them.
func (s *Shape) Cells() []Cell { return s.cells }

// Lines returns the lines of three: first those along the rows, then down the
// columns, then, unless the lattice is square, down the diagonals. The caller must not change
// them.
func (s *Shape) Lines() []Line { return s.lines }

// Number returns the number of a cell and whether the board has it.
func (s *Shape) Number(c Cell) (int, bool) {
	i, ok := s.number[c]
	return i, ok
}

// Jumps returns the number of jumps, twice the number of lines. Jump 2k goes
// from A to C of line k, jump 2k+1 from C to A.
func (s *Shape) Jumps() int { return 2 * len(s.lines) }

// Jump returns jump number k.
func (s *Shape) Jump(k int) Jump {
	l := s.lines[k/2]
	if k%2 == 0 {
		return Jump{l.A, l.B, l.C}
	}
	return Jump{l.C, l.B, l.A}
}
