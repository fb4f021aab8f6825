package verify

import (
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// representatives are the blocks of a set that are read, one by one: of a folded set the
// block with the least number of each orbit, of a whole set all blocks.
type representatives struct {
	set        statespace.FoldedSet
	symmetries []statespace.WordSymmetry
	bits       int         // of a number inside a block
	words      uint64      // of a block
	chunk      uint64      // words that are worked on at once, a part of a block
	list       []uint32    // the blocks, in the order in which they are best read
	in         *bitset.Set // the same as a set
}

// newRepresentatives lists the representatives of a set of 2^dim numbers. Those in the
// order given come first, in this order. The order may list any blocks. A chunk has at
// most the given number of words.
func newRepresentatives(dim int, set statespace.FoldedSet, symmetries []statespace.WordSymmetry, order []uint32, chunk uint64) *representatives {
	r := &representatives{set: set, symmetries: symmetries, bits: set.Bits()}
	r.words = 1 << max(0, r.bits-6)
	r.chunk = min(r.words, chunk)
	n := uint64(1) << (dim - r.bits)
	r.in = bitset.New(n)
	add := func(block uint64) {
		if r.in.Has(block) {
			return
		}
		smaller := func(s statespace.WordSymmetry) bool { return s.Map(block<<r.bits)>>r.bits < block }
		if !slices.ContainsFunc(symmetries, smaller) {
			r.in.Add(block)
			r.list = append(r.list, uint32(block))
		}
	}
	for _, block := range order {
		if uint64(block) < n {
			add(uint64(block))
		}
	}
	for block := range n {
		add(block)
	}
	return r
}

// wholeSet lists the blocks of a whole set of 2^dim numbers, a chunk each.
func wholeSet(dim int, set *bitset.Set, chunk uint64) *representatives {
	return newRepresentatives(dim, whole{set, min(dim, 5+bits.Len64(chunk))}, nil, nil, chunk)
}

// has reports whether a block is a representative.
func (r *representatives) has(block uint64) bool { return r.in.Has(block) }

// Stages implements statespace.Work.
func (r *representatives) Stages() int { return 1 }

// Tasks implements statespace.Work: a task is a block.
func (r *representatives) Tasks(int) int { return len(r.list) }

// whole is a set that is not folded, as a folded one without symmetries.
type whole struct {
	*bitset.Set
	bits int
}

// Bits implements statespace.FoldedSet.
func (w whole) Bits() int { return w.bits }

// Representative implements statespace.FoldedSet.
func (w whole) Representative(block uint64) ([]uint64, error) {
	n := uint64(1) << max(0, w.bits-6)
	return w.Words()[block*n:][:n], nil
}
