// Package bitset holds sets of numbers below a bound as one bit each, over plain
// words. It knows nothing of files: the words may be memory of the program or a
// memory map.
package bitset

import (
	"fmt"
	"iter"
	"math/bits"
)

// A Set is a set of numbers below Len, bit i%64 of word i/64 for number i. Bits
// beyond Len in the last word are zero. A Set may be read by several goroutines
// at once, and written by several if they keep to different words.
type Set struct {
	words []uint64
	n     uint64
}

// Words returns the number of 64-bit words that hold n bits.
func Words(n uint64) uint64 { return n/64 + (n%64+63)/64 }

// New returns the empty set of numbers below n.
func New(n uint64) *Set { return &Set{make([]uint64, Words(n)), n} }

// Over returns the set of numbers below n that the words hold; it shares them.
// It fails when there are not exactly Words(n) words.
func Over(words []uint64, n uint64) (*Set, error) {
	if uint64(len(words)) != Words(n) {
		return nil, fmt.Errorf("a set of %d bits takes %d words, found %d", n, Words(n), len(words))
	}
	return &Set{words, n}, nil
}

// Len returns the bound: the set holds numbers below it.
func (s *Set) Len() uint64 { return s.n }

// Words returns the words themselves, not a copy.
func (s *Set) Words() []uint64 { return s.words }

// Has reports whether i, which must be below Len, is in the set.
func (s *Set) Has(i uint64) bool { return s.words[i/64]>>(i%64)&1 == 1 }

// Add puts i, which must be below Len, into the set.
func (s *Set) Add(i uint64) { s.words[i/64] |= 1 << (i % 64) }

// Flip puts i, which must be below Len, into the set or takes it out.
func (s *Set) Flip(i uint64) { s.words[i/64] ^= 1 << (i % 64) }

// Count returns the number of members.
func (s *Set) Count() uint64 { return Count(s.words) }

// All yields the members in increasing order.
func (s *Set) All() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(uint64(i)*64 + uint64(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
