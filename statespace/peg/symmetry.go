package peg

import (
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
)

// turn turns a cell about the cell (0,0) to the next place that looks the same: by a
// quarter on the square lattice, by a sixth on the triangular one.
func (l Lattice) turn(c Cell) Cell {
	if l == Triangular {
		return Cell{c.Col, c.Col - c.Row}
	}
	return Cell{c.Col, -c.Row}
}

// turns returns how many turns go full circle.
func (l Lattice) turns() int {
	if l == Triangular {
		return 6
	}
	return 4
}

// Symmetries returns the symmetries of the board: the turns and reflections of the
// lattice, moved to where they take its cells to its cells. Each is the list of the
// cells that the cells are taken to, by number; the first is the identity. They take
// lines to lines. Symmetries of the lines alone are not looked for.
func (b *Board) Symmetries() (all [][]int) {
	cells := slices.Clone(b.cells)
	for range 2 {
		for range b.lattice.turns() {
			for i, c := range cells {
				cells[i] = b.lattice.turn(c)
			}
			if s, ok := b.place(cells); ok && !slices.ContainsFunc(all, func(t []int) bool { return slices.Equal(s, t) }) {
				all = append(all, s)
			}
		}
		for i, c := range cells {
			cells[i] = Cell{c.Col, c.Row} // a reflection of both lattices
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// stabilizer returns the symmetries of the board that leave a position as it is, the
// identity first.
func (b *Board) stabilizer(p Position) [][]int {
	return slices.DeleteFunc(b.Symmetries(), func(s []int) bool { return permute(s, p) != p })
}

// place moves the cells so that they cover the board, and returns their numbers there;
// false if they are of another shape.
func (b *Board) place(cells []Cell) (numbers []int, ok bool) {
	corner := func(cells []Cell) Cell {
		c := cells[0]
		for _, d := range cells {
			c = Cell{min(c.Row, d.Row), min(c.Col, d.Col)}
		}
		return c
	}
	from, to := corner(cells), corner(b.cells)
	for _, c := range cells {
		n, ok := b.number[Cell{c.Row - from.Row + to.Row, c.Col - from.Col + to.Col}]
		if !ok {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// permute takes a position along with its cells.
func permute(symmetry []int, p Position) (q Position) {
	for cell := range setBits(p) {
		q |= 1 << symmetry[cell]
	}
	return q
}

// Symmetries implements statespace.Symmetric: those of the board that leave the start
// as it is.
func (s *Space) Symmetries() (all []statespace.Symmetry) {
	for _, sy := range s.symmetries() {
		all = append(all, sy)
	}
	return all
}

// newSymmetries finds the symmetries of the class that leave the start as it is. Those
// of the board that take all numbers to the same ones count once.
func newSymmetries(c *Class, start Position) (all []*symmetry) {
	for _, cells := range c.board.stabilizer(start) {
		// The class is kept with the start, for lines are taken to lines.
		image := func(x uint64) uint64 {
			y, _ := c.Number(permute(cells, c.Position(x)))
			return y
		}
		zero := image(0)
		columns := make([]uint64, c.Dim())
		identity := zero == 0
		for i := range columns {
			columns[i] = image(1<<i) ^ zero
			identity = identity && columns[i] == 1<<i
		}
		again := func(s *symmetry) bool { return s.zero == zero && slices.Equal(s.columns, columns) }
		if !identity && !slices.ContainsFunc(all, again) {
			s := newSymmetry(columns, zero)
			s.cells = cells
			all = append(all, s)
		}
	}
	return all
}

// A symmetry is a symmetry as it is on numbers. It is an affine map over GF(2): cells
// are affine in the bits of a number, and each bit of the image is the cell that some
// cell is taken to. So in a word of 64 numbers the images are that of the first, with
// what the low six bits flip.
type symmetry struct {
	cells   []int          // what the cells are taken to
	columns []uint64       // what each bit of a number flips in the image
	linear  [8][256]uint64 // the same by byte of a number
	zero    uint64         // the image of 0

	valid  uint64     // those of 64 numbers that there are
	differ [64]uint64 // by bit: the numbers of a word in which number ^ image is not as in the first
	varies uint64     // the bits in which there are such
	gathering
	blocks sync.Map // by the bits of a block: *blockGathering
}

func newSymmetry(columns []uint64, zero uint64) *symmetry {
	s := &symmetry{columns: columns, zero: zero, valid: ^uint64(0) >> (64 - 1<<min(6, len(columns)))}
	spread(&s.linear, len(columns), func(bit int) uint64 { return columns[bit] })
	for i, column := range columns[:min(6, len(columns))] {
		for bit := range setBits(column ^ 1<<i) {
			s.differ[bit] ^= lowBit[i]
		}
	}
	for bit, d := range s.differ {
		if d != 0 {
			s.varies |= 1 << bit
		}
	}
	low := [6]uint64{1, 2, 4, 8, 16, 32} // where there are fewer bits, the rest stays as it is
	copy(low[:], columns)
	s.gathering = newGathering(low)
	return s
}

// Map implements statespace.Symmetry.
func (s *symmetry) Map(x statespace.Index) statespace.Index { return s.zero ^ apply(&s.linear, x) }

// Least implements statespace.Symmetry. The highest bit in which a number differs from
// its image tells which of them is below; for most words one bit tells it for all.
func (s *symmetry) Least(word uint64) uint64 {
	first := word << 6
	differs := first ^ s.Map(first)
	least, open := s.valid, s.valid
	for left := differs | s.varies; left != 0 && open != 0; {
		bit := bits.Len64(left) - 1
		left ^= 1 << bit
		above := -(first >> bit & 1) // the numbers that have the bit
		if bit < 6 {
			above = lowBit[bit]
		}
		decided := open & (s.differ[bit] ^ -(differs >> bit & 1))
		least &^= decided & above
		open &^= decided
	}
	return least
}

// TakesBlocks implements statespace.Symmetry.
func (s *symmetry) TakesBlocks(bits int) bool {
	for _, column := range s.columns[:min(bits, len(s.columns))] {
		if column>>bits != 0 {
			return false
		}
	}
	return true
}
