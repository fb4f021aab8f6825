package tray

import (
	"iter"
	"math/bits"
)

// A Set is a set of cells: bit i%64 of word i/64 is cell i. All cells of a tray of at most 64 cells
// are in the first word.
type Set [MaxCells / 64]uint64

// Has reports whether a cell is in the set.
func (s *Set) Has(cell int) bool { return s[uint(cell)/64%uint(len(s))]>>(uint(cell)%64)&1 == 1 }

// Add adds a cell.
func (s *Set) Add(cell int) { s[uint(cell)/64%uint(len(s))] |= 1 << (uint(cell) % 64) }

// Union returns the cells of both sets.
func (s Set) Union(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Without returns the cells of the set that are not in t.
func (s Set) Without(t Set) Set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// Meets reports whether the sets have a cell in common.
func (s *Set) Meets(t *Set) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

// IsEmpty reports whether the set has no cell.
func (s *Set) IsEmpty() bool { return *s == Set{} }

// Len returns the number of cells.
func (s *Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// First returns the lowest cell of a set that is not empty.
func (s *Set) First() int {
	for i, w := range s {
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w)
		}
	}
	return None
}

// All iterates over the cells, in increasing order.
func (s Set) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
