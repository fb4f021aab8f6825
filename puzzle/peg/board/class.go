package board

import (
	"fmt"
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
)

// A Class numbers the positions of one position class of a board: those that
// agree with a given position on every parity that no jump changes.
//
// A jump flips the three cells of its line. Over GF(2) the lines of a board span
// a space of flips. The vectors orthogonal to all of them are the invariants: no jump
// changes the parity of the pegs on the cells of an invariant (the Reiss classes; see
// Beasley, The Ins and Outs of Peg Solitaire, chapter 4). With k independent
// invariants, k cells, the pivots, follow from the others. The number of a position is
// the bit string of the other cells, the free cells: bit i is the cell Free()[i].
type Class struct {
	board  *Board
	free   []int    // by bit of a number: its cell
	bits   []int    // by cell: its bit, -1 for a pivot
	pivots []int    // the cells that follow
	rows   []uint64 // row i: an invariant that holds pivot i and no other pivot
	odd    uint64   // bit i: the parity of row i is odd

	position gf2.Table // of a number: the cells that differ from zero
	zero     Position  // the position of number 0
	number   gf2.Table // of a position: its syndrome << len(free) | its number
}

// Invariants returns a basis of the invariants of the board: sets of cells whose
// parity of pegs no jump changes.
func (b *Board) Invariants() []uint64 {
	return gf2.Orthogonal(lists.Map(b.lines, Line.Mask), len(b.cells))
}

// FreeCells chooses as pivots the first cells, in a given order of all cells, that can
// be pivots. It returns the other cells in this order.
func (b *Board) FreeCells(order []int) []int {
	_, pivots := gf2.Reduce(b.Invariants(), order)
	return slices.DeleteFunc(slices.Clone(order), func(c int) bool { return slices.Contains(pivots, c) })
}

// ByLines sorts a set of cells by the number of lines that they are in, the fewest
// first.
func (b *Board) ByLines(set uint64) []int {
	lines := make([]int, len(b.cells))
	for _, l := range b.lines {
		for c := range gf2.Elements(l.Mask()) {
			lines[c]++
		}
	}
	cells := gf2.List(set)
	slices.SortStableFunc(cells, func(c, d int) int { return lines[c] - lines[d] })
	return cells
}

// NewClass numbers the class of a position by the given free cells, lowest bit
// first. It fails unless all other cells follow from these.
func NewClass(b *Board, of Position, free []int) (*Class, error) {
	invariants := b.Invariants()
	seen := uint64(0)
	for _, cell := range free {
		if cell < 0 || cell >= len(b.cells) || seen>>cell&1 == 1 {
			return nil, fmt.Errorf("free cells %v: cell %d is not on the board, or is listed twice", free, cell)
		}
		seen |= 1 << cell
	}
	rows, pivots := gf2.Reduce(invariants, gf2.List(b.Full()&^seen))
	if len(pivots) != len(invariants) || len(free)+len(pivots) != len(b.cells) {
		return nil, fmt.Errorf("the board has %d cells and %d invariants: %d free cells were expected that determine the others, found %v",
			len(b.cells), len(invariants), len(b.cells)-len(invariants), free)
	}
	if len(free) > 63 {
		return nil, fmt.Errorf("the class has 2^%d positions; at most 2^63 can be numbered", len(free))
	}
	c := &Class{board: b, free: slices.Clone(free), pivots: pivots, rows: rows}
	for i, r := range rows {
		c.odd |= uint64(bits.OnesCount64(r&of)&1) << i
	}
	c.fillTables()
	return c, nil
}

func (c *Class) fillTables() {
	for i, cell := range c.pivots {
		c.zero |= c.odd >> i & 1 << cell
	}
	c.position.Fill(len(c.free), func(bit int) uint64 {
		cell := c.free[bit]
		flips := uint64(1) << cell
		for i, p := range c.pivots {
			flips |= c.rows[i] >> cell & 1 << p
		}
		return flips
	})
	c.bits = make([]int, len(c.board.cells))
	for cell := range c.bits {
		c.bits[cell] = slices.Index(c.free, cell)
	}
	c.number.Fill(len(c.board.cells), func(cell int) uint64 {
		var v uint64
		for i, r := range c.rows {
			v |= r >> cell & 1 << (len(c.free) + i)
		}
		if bit := c.bits[cell]; bit >= 0 {
			v |= 1 << bit
		}
		return v
	})
}

// Board returns the board.
func (c *Class) Board() *Board { return c.board }

// Dim returns the number of free cells; the class has 2^Dim positions.
func (c *Class) Dim() int { return len(c.free) }

// Free returns the free cells, lowest bit of the number first. The caller must
// not change it.
func (c *Class) Free() []int { return c.free }

// Bits returns the bit of each cell in a number, -1 for a pivot. The caller must not
// change it.
func (c *Class) Bits() []int { return c.bits }

// Pivots returns the cells that follow from the free ones. The caller must not
// change it.
func (c *Class) Pivots() []int { return c.pivots }

// Invariants returns, by pivot, the invariant that holds this pivot and no other. The
// caller must not change it.
func (c *Class) Invariants() []uint64 { return c.rows }

// Position returns the position of a number below 2^Dim.
func (c *Class) Position(x uint64) Position { return c.zero ^ c.position.Apply(x) }

// Flips returns the cells that change with a bit of the number: its free cell, and the
// pivots that depend on that.
func (c *Class) Flips(bit int) uint64 { return c.position.Apply(1 << bit) }

// Number returns the number of a position, and false when the position lies in
// another class.
func (c *Class) Number(p Position) (x uint64, ok bool) {
	x, syndrome := c.Syndrome(p)
	return x, syndrome == 0
}

// Syndrome returns the number that the free cells of a position make, and its syndrome:
// bit i is set when the position breaks the invariant of pivot i. The position is in the
// class when the syndrome is 0.
func (c *Class) Syndrome(p Position) (x, syndrome uint64) {
	v := c.number.Apply(p)
	return v & (1<<len(c.free) - 1), v>>len(c.free) ^ c.odd
}

// Broken returns a set of cells on which p has an odd number of pegs and the
// positions of the class an even one, or vice versa, though no jump changes that. It is
// empty just when Number reports ok. Of several such sets it is one of the smallest, unless
// there are very many.
func (c *Class) Broken(p Position) (cells uint64) {
	broken := func(v uint64, odd uint64) bool { return uint64(bits.OnesCount64(v&p))&1 != odd }
	smaller := func(v uint64) bool { return cells == 0 || bits.OnesCount64(v) < bits.OnesCount64(cells) }
	for i, r := range c.rows {
		if broken(r, c.odd>>i&1) && smaller(r) {
			cells = r
		}
	}
	// The sums of invariants are invariants too.
	if len(c.rows) <= 12 {
		for pick := range 1 << len(c.rows) {
			var v, odd uint64
			for i, r := range c.rows {
				if pick>>i&1 == 1 {
					v, odd = v^r, odd^c.odd>>i&1
				}
			}
			if broken(v, odd) && smaller(v) {
				cells = v
			}
		}
	}
	return cells
}

// Flip returns how a jump changes the number of a position: the bits that it flips.
func (c *Class) Flip(j Jump) (f uint64) {
	for _, cell := range [3]int{j.From, j.Over, j.To} {
		if bit := c.bits[cell]; bit >= 0 {
			f |= 1 << bit
		}
	}
	return f
}

// Turn returns by how many places a jump moves positions in a word of 64 numbers: a
// rotation to the left, from 0 to 63.
func (c *Class) Turn(j Jump) (left int) {
	for i, cell := range [3]int{j.From, j.Over, j.To} {
		if bit := c.bits[cell]; bit >= 0 && bit < 6 {
			left += [3]int{-1, -1, 1}[i] << bit
		}
	}
	return left & 63
}
