package statespace

import (
	"math/bits"
	"slices"
)

// Symmetric is how a space is symmetric. All parts of it are optional.
type Symmetric struct {
	// Fixed returns symmetries that take the set of all states that can be reached to itself, and keep
	// every root where it is, each once and without the identity. Together with the identity they are
	// a group. Engines and stores use them to keep one state of each orbit.
	Fixed func() []Symmetry
	// Words returns the symmetries of Fixed, in the same order, with kernels for words. Without it,
	// engines map one number at a time.
	Words func() []WordSymmetry
	// Mirrors returns symmetries as Fixed does, but they may take a root to another one. Only counts
	// up to symmetry use them. Engines and stores do not know them, so files do not depend on them.
	// They may be slow. Without Mirrors, those of Fixed count.
	Mirrors func() []Symmetry
	// Quotient is not nil if each state of the space stands for all states of another one that
	// symmetries take to each other.
	Quotient Quotient
}

// A Symmetry is a permutation of all numbers that takes moves to moves and keeps the layer of
// each state. Its methods may be called by several goroutines at once.
type Symmetry interface {
	// Map returns the image of a state.
	Map(x Index) Index
}

// A WordSymmetry is a symmetry that also works on the words of a set. Word i has the numbers from
// 64*i on. Bits beyond the size of the space are 0.
type WordSymmetry interface {
	Symmetry
	// Least returns which numbers of a word are not above their images.
	Least(word uint64) uint64
	// Gather returns which numbers of a word have their images in a set. Read returns the
	// words of the set.
	Gather(word uint64, read func(word uint64) uint64) uint64
	// TakesBlocks reports whether the symmetry takes every block of 2^bits numbers to a
	// block.
	TakesBlocks(bits int) bool
	// GatherBlock fills dst with the numbers of a block whose images are in a set. Words are
	// those of the set in the block to which the symmetry takes this one. If Gather is just
	// as fast, GatherBlock does nothing and returns false.
	GatherBlock(dst, words []uint64, block uint64) bool
	// Columns has an entry for each bit of the numbers if the symmetry maps them by exclusive or: bit
	// i of a number flips Columns()[i] in its image. It is nil for other symmetries. The caller must
	// not change the columns.
	Columns() []uint64
}

// Symmetries returns the symmetries of a space that keep its roots: see Symmetric.Fixed.
func Symmetries(sp Space) []Symmetry {
	if fixed := sp.Parts().Symmetry.Fixed; fixed != nil {
		return fixed()
	}
	return nil
}

// Mirrors returns the symmetries of a space that may move its roots: see Symmetric.Mirrors.
func Mirrors(sp Space) []Symmetry {
	if mirrors := sp.Parts().Symmetry.Mirrors; mirrors != nil {
		return mirrors()
	}
	return Symmetries(sp)
}

// A Quotient is a space in which each state stands for all states of another space, the whole one,
// that symmetries take to each other. Its moves are those of the whole space: one leads from a state
// to another if one leads from what the first stands for to what the second stands for. Parse takes
// any of these states. The roots of the whole space are all those that roots stand for. A Quotient has
// no goals.
//
// A number of a Quotient may be no state at all: then it is no root, has no moves, and no move leads
// to it. Parse never returns it. Format writes some text for it on one line.
type Quotient interface {
	// Whole returns the whole space.
	Whole() Space
	// StandsFor returns a state of the whole space for which x stands, and how many there are; 0 if
	// the number x is no state.
	StandsFor(x Index) (member Index, states int)
	// For returns the state that stands for a state of the whole space, or Size if that has no number.
	For(member Index) Index
}

// Orbit returns how many different states a state and its images are.
func Orbit(symmetries []Symmetry, x Index) int {
	images := []Index{x}
	for _, s := range symmetries {
		if y := s.Map(x); !slices.Contains(images, y) {
			images = append(images, y)
		}
	}
	return len(images)
}

// Least returns the representatives among members: those that are not above any of their images. Bit i
// of members is the number first+i, and first is a multiple of 64. An orbit has one representative.
func Least(symmetries []Symmetry, first, members uint64) uint64 {
	for _, s := range symmetries {
		if members == 0 {
			break
		}
		if fast, ok := s.(WordSymmetry); ok {
			members &= fast.Least(first / 64)
			continue
		}
		for left := members; left != 0; left &= left - 1 {
			if x := first + uint64(bits.TrailingZeros64(left)); s.Map(x) < x {
				members &^= left & -left
			}
		}
	}
	return members
}

// Representative returns the representative of the orbit of x: the least of its images and itself.
func Representative(symmetries []Symmetry, x Index) Index {
	least := x
	for _, s := range symmetries {
		least = min(least, s.Map(x))
	}
	return least
}
