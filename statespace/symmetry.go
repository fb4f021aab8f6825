package statespace

import (
	"math/bits"
	"slices"
)

// A Symmetric space has symmetries. They take the set of all states that can be reached to
// itself.
type Symmetric interface {
	Space
	// Symmetries returns symmetries that keep every root where it is, each once and without
	// the identity. Together with the identity they are a group.
	Symmetries() []Symmetry
}

// A Symmetry is a permutation of all numbers that takes moves to moves and keeps the layer of
// each state. Its methods may be called by several goroutines at once.
type Symmetry interface {
	// Map returns the image of a state.
	Map(x Index) Index
}

// Symmetries returns the symmetries of a Symmetric space. Other spaces have none.
func Symmetries(sp Space) []Symmetry {
	if s, ok := sp.(Symmetric); ok {
		return s.Symmetries()
	}
	return nil
}

// A Mirrored space has symmetries that only counts up to symmetry use. Engines and stores do not
// know them, so files do not depend on them. They may be slow.
type Mirrored interface {
	Space
	// Mirrors returns symmetries as Symmetric.Symmetries does, but they may take a root to another
	// one.
	Mirrors() []Symmetry
}

// Mirrors returns the symmetries of a space that is Symmetric or Mirrored. Other spaces have none.
func Mirrors(sp Space) []Symmetry {
	if m, ok := sp.(Mirrored); ok {
		return m.Mirrors()
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
	Space
	// Whole returns the whole space.
	Whole() Space
	// StandsFor returns a state of the whole space for which x stands, and how many there are; 0 if
	// the number x is no state.
	StandsFor(x Index) (member Index, states int)
	// For returns the state that stands for a state of the whole space.
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

// A wordSymmetry is a Symmetry that compares a whole word of numbers with their images at once.
type wordSymmetry interface {
	Symmetry
	// Least returns which of the 64 numbers of a word are not above their images.
	Least(word uint64) uint64
}

// Least returns the representatives among members: those that are not above any of their images. Bit i
// of members is the number first+i, and first is a multiple of 64. An orbit has one representative.
func Least(symmetries []Symmetry, first, members uint64) uint64 {
	for _, s := range symmetries {
		if members == 0 {
			break
		}
		if fast, ok := s.(wordSymmetry); ok {
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
