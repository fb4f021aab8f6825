package board

import (
	"fmt"
	"slices"

	"pagoda/statespace/cells"
)

// MaxCells is the largest number of cells of a board: a position is one 64-bit word
// with a bit per cell.
const MaxCells = 64

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
)

// directions lists one of each pair of opposite directions, as (row, column).
func (l Lattice) directions() []Cell {
	if l == Triangular {
		return []Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}}
	}
	return []Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}}
}

func (l Lattice) String() string {
	switch l {
	case Square:
		return "square"
	case Triangular:
		return "triangular"
	}
	return fmt.Sprintf("Lattice(%d)", int(l))
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

// A Position is a set of pegs: bit i is set when cell i of the board has a peg.
type Position = uint64

// A Board is a set of cells on a lattice with the lines of three among them.
// Cells are numbered from 0 in row-major order.
type Board struct {
	lattice Lattice
	cells   []Cell
	lines   []Line
	number  map[Cell]int
	rows    int   // one more than the greatest row
	width   []int // by row: one more than the greatest column
	beside  []uint64
}

// NewBoard makes a board of the given cells, in any order. It fails when there
// are none, more than MaxCells, or one twice, or when one lies beyond rows and
// columns 0 to MaxSide-1.
func NewBoard(lattice Lattice, cells []Cell) (*Board, error) {
	if len(cells) == 0 {
		return nil, fmt.Errorf("the board has no cells")
	}
	if len(cells) > MaxCells {
		return nil, &SizeError{Cells: uint64(len(cells))}
	}
	b := &Board{lattice: lattice, cells: slices.Clone(cells), number: make(map[Cell]int)}
	slices.SortFunc(b.cells, func(p, q Cell) int {
		if p.Row != q.Row {
			return p.Row - q.Row
		}
		return p.Col - q.Col
	})
	for i, c := range b.cells {
		if c.Row < 0 || c.Col < 0 || c.Row >= MaxSide || c.Col >= MaxSide {
			return nil, fmt.Errorf("the cell %v lies beyond rows and columns 0 to %d", c, MaxSide-1)
		}
		if _, twice := b.number[c]; twice {
			return nil, fmt.Errorf("the cell %v is given twice", c)
		}
		b.number[c] = i
	}
	b.rows = b.cells[len(b.cells)-1].Row + 1
	b.width = make([]int, b.rows)
	for _, c := range b.cells {
		b.width[c.Row] = max(b.width[c.Row], c.Col+1)
	}
	b.beside = make([]uint64, len(b.cells))
	for _, d := range lattice.directions() {
		for i, c := range b.cells {
			over, ok1 := b.number[Cell{Row: c.Row + d.Row, Col: c.Col + d.Col}]
			if ok1 {
				b.beside[i] |= 1 << over
				b.beside[over] |= 1 << i
			}
			to, ok2 := b.number[Cell{Row: c.Row + 2*d.Row, Col: c.Col + 2*d.Col}]
			if ok1 && ok2 {
				b.lines = append(b.lines, Line{i, over, to})
			}
		}
	}
	return b, nil
}

// A SizeError says that a board has more cells than a position can hold.
type SizeError struct{ Cells uint64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the board has %d cells; a position holds at most %d, one bit each", e.Cells, MaxCells)
}

// Lattice returns the lattice of the board.
func (b *Board) Lattice() Lattice { return b.lattice }

// Rows returns the number of rows, from row 0 to the lowest one with a cell.
func (b *Board) Rows() int { return b.rows }

// Cells returns the cells by number. The caller must not change them.
func (b *Board) Cells() []Cell { return b.cells }

// Lines returns the lines of three: first those along the rows, then down the
// columns, then, on a triangular lattice, down the diagonals. The caller must
// not change them.
func (b *Board) Lines() []Line { return b.lines }

// LinesIn returns the lines that lie wholly within a set of cells.
func (b *Board) LinesIn(cells uint64) (lines []Line) {
	for _, l := range b.lines {
		if l.Mask()&^cells == 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// Number returns the number of a cell and whether the board has it.
func (b *Board) Number(c Cell) (int, bool) {
	i, ok := b.number[c]
	return i, ok
}

// Neighbours returns the set of the cells beside a cell.
func (b *Board) Neighbours(cell int) uint64 { return b.beside[cell] }

// Full is the position with a peg in every cell.
func (b *Board) Full() Position { return ^uint64(0) >> (64 - len(b.cells)) }

// Jumps returns the number of jumps, twice the number of lines. Jump 2k goes
// from A to C of line k, jump 2k+1 from C to A.
func (b *Board) Jumps() int { return 2 * len(b.lines) }

// Jump returns jump number k.
func (b *Board) Jump(k int) Jump {
	l := b.lines[k/2]
	if k%2 == 0 {
		return Jump{l.A, l.B, l.C}
	}
	return Jump{l.C, l.B, l.A}
}
