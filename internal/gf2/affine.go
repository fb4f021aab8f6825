package gf2

import (
	"math/bits"
	"slices"
	"sync"
)

// An Affine map takes the numbers of n bits one to one to themselves: the image of x is
// the image of 0 plus a column for each bit of x.
//
// Each bit of an image is affine in the bits of the number. So within a word of 64
// numbers, the images differ from the image of the first number by what the low six
// bits flip. Methods may be called by several goroutines at once.
type Affine struct {
	columns []uint64 // by bit of a number: what it flips in the image
	linear  Table    // the same, tabulated
	zero    uint64   // the image of 0

	valid  uint64     // the places in a word that are numbers
	differ [64]uint64 // by bit: the places where number ^ image differs from that of the first number
	varies uint64     // the bits for which differ is not empty
	gathering
	blocks sync.Map // by the bits of a number in a block: *blockGathering
}

// NewAffine returns the map that takes 0 to zero and in which bit i of a number flips
// columns[i]. The columns must be independent.
func NewAffine(columns []uint64, zero uint64) *Affine {
	a := &Affine{columns: columns, zero: zero, valid: ^uint64(0) >> (64 - 1<<min(6, len(columns)))}
	a.linear.Fill(len(columns), func(bit int) uint64 { return columns[bit] })
	for i, column := range columns[:min(6, len(columns))] {
		for bit := range Elements(column ^ 1<<i) {
			a.differ[bit] ^= Axes[i]
		}
	}
	for bit, d := range a.differ {
		if d != 0 {
			a.varies |= 1 << bit
		}
	}
	low := [6]uint64{1, 2, 4, 8, 16, 32} // missing bits map to themselves
	copy(low[:], columns)
	a.gathering = newGathering(low)
	return a
}

// Columns returns what each bit of a number flips in the image. The caller must not
// change them.
func (a *Affine) Columns() []uint64 { return a.columns }

// Map returns the image of a number.
func (a *Affine) Map(x uint64) uint64 { return a.zero ^ a.linear.Apply(x) }

// Least returns which numbers of a word are not above their images. The highest bit in
// which a number differs from its image decides; in most words one bit decides for all
// numbers.
func (a *Affine) Least(word uint64) uint64 {
	first := word << 6
	differs := first ^ a.Map(first)
	least, open := a.valid, a.valid
	for left := differs | a.varies; left != 0 && open != 0; {
		bit := bits.Len64(left) - 1
		left ^= 1 << bit
		above := -(first >> bit & 1) // the numbers with the bit
		if bit < 6 {
			above = Axes[bit]
		}
		decided := open & (a.differ[bit] ^ -(differs >> bit & 1))
		least &^= decided & above
		open &^= decided
	}
	return least
}

// TakesBlocks reports whether numbers that differ in their lowest bits only, this many
// of them, have images that differ in these bits only.
func (a *Affine) TakesBlocks(bits int) bool {
	return !slices.ContainsFunc(a.columns[:min(bits, len(a.columns))], func(column uint64) bool { return column>>bits != 0 })
}
