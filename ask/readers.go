package ask

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/run"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

// complement returns the numbers that are not in the file.
func (f *File) complement() (bitset.Reader, error) {
	if f.Space().Parts().Codes.Of != nil {
		return nil, Questionf("%s numbers its members only, so no other state has a number: convert it to another store", f.Path())
	}
	numbers := complement{f.Members()}
	q := f.Space().Parts().Symmetry.Quotient
	if q == nil { // every number is a state
		return numbers, nil
	}
	return picked{numbers, func() func(x uint64) (bool, error) {
		return func(x uint64) (bool, error) {
			_, n := q.StandsFor(x)
			return n > 0, nil
		}
	}}, nil
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

// atDistances returns the members at some distances.
func atDistances(members bitset.Reader, d bfs.Distances, layers cells.Range) bitset.Reader {
	return picked{members, func() func(x uint64) (bool, error) {
		return func(x uint64) (bool, error) {
			e, err := d.At(x)
			return err == nil && layers.Holds(int(e)-1), err
		}
	}}
}

// searched returns the members at some distances. A search finds them when the first one is read.
func (f *File) searched(ctx context.Context, members bitset.Reader, layers cells.Range, o run.Options) bitset.Reader {
	found := sync.OnceValues(func() (*bitset.Set, error) {
		set := bitset.New(members.Len())
		return set, f.search(ctx, o, func(level int, first, word uint64) {
			if layers.Holds(level) {
				set.Words()[first/64] |= word
			}
		})
	})
	return picked{members, func() func(x uint64) (bool, error) {
		set, err := found()
		return func(x uint64) (bool, error) { return err == nil && set.Has(x), err }
	}}
}

// A picked set is the members of another one that are kept.
type picked struct {
	bitset.Reader
	keeper func() func(x uint64) (bool, error) // one for each goroutine
}

// Has implements bitset.Finder.
func (r picked) Has(x uint64) (bool, error) {
	if is, err := bitset.Has(r.Reader, x); !is || err != nil {
		return false, err
	}
	return r.keeper()(x)
}

// Word implements bitset.Finder.
func (r picked) Word(i uint64) (uint64, error) { return bitset.WordByHas(r, i) }

// Block implements bitset.Reader.
func (r picked) Block(i uint64) ([]uint64, error) {
	words, err := r.Reader.Block(i)
	if err != nil {
		return nil, err
	}
	words = slices.Clone(words)
	keep := r.keeper()
	for w := range words {
		for left := words[w]; left != 0; left &= left - 1 {
			is, err := keep(i<<bitset.BlockBits + uint64(w)*64 + uint64(bits.TrailingZeros64(left)))
			if err != nil {
				return nil, err
			}
			if !is {
				words[w] &^= left & -left
			}
		}
	}
	return words, nil
}
