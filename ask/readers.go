package ask

import (
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
	"pagoda/statespace/sparse"
)

// complement returns the numbers that are not in the file.
func (f *File) complement() (bitset.Reader, error) {
	if _, ok := f.Space().(sparse.Listed); ok {
		return nil, Questionf("%s numbers its members only, so no other state has a number: convert it to another store", f.Path())
	}
	return complement{f.Members()}, nil
}

// A complement is the numbers that are not in a set.
type complement struct{ bitset.Reader }

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
	return words, nil
}

// distanceRange is the members at some distances.
type distanceRange struct {
	bitset.Reader
	distances bfs.Distances
	layers    cells.Range
}

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
