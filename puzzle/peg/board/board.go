package board

import "fmt"

// MaxCells is the largest number of cells of a board: a position is one 64-bit word
// with a bit per cell.
const MaxCells = 64

// A Position is a set of pegs: bit i is set when cell i of the board has a peg.
type Position = uint64

// A Board is a shape of at most MaxCells cells, so that a position is one word.
type Board struct {
	Shape
	beside []uint64
}

// NewBoard makes a board of the given cells, in any order. It fails when there
// are none, more than MaxCells, or one twice, or when one lies beyond rows and
// columns 0 to MaxSide-1.
func NewBoard(lattice Lattice, cells []Cell) (*Board, error) {
	return OfShape(NewShape(lattice, cells))
}

// Of returns the board of a shape. It fails if the shape has more than MaxCells cells.
func Of(s *Shape) (*Board, error) {
	if len(s.cells) > MaxCells {
		return nil, &SizeError{Cells: uint64(len(s.cells))}
	}
	b := &Board{Shape: *s, beside: make([]uint64, len(s.cells))}
	for _, d := range s.lattice.Directions() {
		for i, c := range s.cells {
			if j, ok := s.number[Cell{Row: c.Row + d.Row, Col: c.Col + d.Col}]; ok {
				b.beside[i] |= 1 << j
				b.beside[j] |= 1 << i
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

// LinesIn returns the lines that lie wholly within a set of cells.
func (b *Board) LinesIn(cells uint64) (lines []Line) {
	for _, l := range b.lines {
		if l.Mask()&^cells == 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// Neighbours returns the set of the cells beside a cell.
func (b *Board) Neighbours(cell int) uint64 { return b.beside[cell] }

// Full is the position with a peg in every cell.
func (b *Board) Full() Position { return ^uint64(0) >> (64 - len(b.cells)) }
