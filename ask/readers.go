package ask

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

// complement returns the numbers that are not in the file.
func (f *File) complement() (bitset.Reader, error) {
	if f.Space().Parts().Codes.Of != nil {
		return nil, Questionf("%s numbers its members only, so no other state has a number: convert it to another store", f.Path())
	}
	q := f.Space().Parts().Symmetry.Quotient
	return complement{f.Members(), q}, nil
}

// countComplement counts the numbers that are states and not in the file.
func (f *File) countComplement(ctx context.Context, of bitset.Reader) (n uint64, err error) {
	if f.Space().Parts().Symmetry.Quotient == nil {
		return f.Meta().Size - f.Meta().States, nil
	}
	err = patterns.EachWord(ctx, of, func(_, word uint64) bool {
		n += uint64(bits.OnesCount64(word))
		return true
	})
	return n, err
}

// A complement is the numbers that are not in a set.
type complement struct {
	bitset.Reader
	quotient statespace.Quotient // or nil: every number is a state
}

// Block implements bitset.Reader.
func (c complement) Block(i uint64) ([]uint64, error) {
	words, err := c.Reader.Block(i)
	if err != nil {
		return nil, err
	}
	words = slices.Clone(words)
	for w := range words {
		words[w] = ^words[w]
	}
	if n := c.Len() % 64; n != 0 && i == bitset.Blocks(c)-1 {
		words[len(words)-1] &= 1<<n - 1
	}
	for w := range words {
		for left := words[w]; c.quotient != nil && left != 0; left &= left - 1 {
			if _, n := c.quotient.StandsFor(i<<bitset.BlockBits + uint64(w)*64 + uint64(bits.TrailingZeros64(left))); n == 0 {
				words[w] &^= left & -left
			}
		}
	}
	return words, nil
}

// distanceRange is the members at some distances.
type distanceRange struct {
	bitset.Reader
	distances bfs.Distances
	layers    cells.Range
}

// Has implements bitset.Finder.
func (r distanceRange) Has(x uint64) (bool, error) {
	if is, err := has(r.Reader, x); !is || err != nil {
		return false, err
	}
	e, err := r.distances.At(x)
	return err == nil && r.layers.Holds(int(e)-1), err
}

// Word implements bitset.Finder.
func (r distanceRange) Word(i uint64) (uint64, error) { return findWord(r, i) }

// Block implements bitset.Reader.
func (r distanceRange) Block(i uint64) ([]uint64, error) {
	words, err := r.Reader.Block(i)
	if err != nil {
		return nil, err
	}
	words = slices.Clone(words)
	for w := range words {
		for left := words[w]; left != 0; left &= left - 1 {
			bit := left & -left
			e, err := r.distances.At(i<<bitset.BlockBits + uint64(w)*64 + uint64(bits.TrailingZeros64(bit)))
			if err != nil {
				return nil, err
			}
			if !r.layers.Holds(int(e) - 1) {
				words[w] &^= bit
			}
		}
	}
	return words, nil
}

// findWord returns a word of a set, number by number.
func findWord(r bitset.Finder, i uint64) (word uint64, err error) {
	for x := 64 * i; x < min(64*i+64, r.Len()); x++ {
		is, err := r.Has(x)
		if err != nil {
			return 0, err
		}
		if is {
			word |= 1 << (x - 64*i)
		}
	}
	return word, nil
}
