package peg

import (
	"math/bits"

	"pagoda/bitset"
	"pagoda/statespace"
)

// keptBlocks are the blocks of a set that are looked at one by one: of a folded set those
// that are kept, of any other all.
type keptBlocks struct {
	set        statespace.FoldedSet
	symmetries []statespace.Symmetry
	bits       int         // of a number inside a block
	words      uint64      // of a block
	chunk      uint64      // words that are worked on at once: a part of a block
	list       []uint32    // the blocks, as they are best read
	kept       *bitset.Set // the same as a set
}

// newKeptBlocks lists the kept blocks of a set of 2^dim numbers, those first that are in the
// order. A chunk is of so many words at most.
func newKeptBlocks(dim int, set statespace.FoldedSet, symmetries []statespace.Symmetry, order []uint32, chunk uint64) *keptBlocks {
	k := &keptBlocks{set: set, symmetries: symmetries, bits: set.Bits()}
	k.words = 1 << max(0, k.bits-6)
	k.chunk = min(k.words, chunk)
	n := uint64(1) << (dim - k.bits)
	k.kept = bitset.New(n)
	add := func(block uint64) {
		if k.kept.Has(block) {
			return
		}
		if _, by := statespace.KeptBlock(symmetries, k.bits, block); by == nil {
			k.kept.Add(block)
			k.list = append(k.list, uint32(block))
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
	return k
}

// allOf lists the blocks of a set that is not folded, each a chunk.
func (s *Space) allOf(set *bitset.Set, chunk uint64) *keptBlocks {
	whole := wholeSet{set, min(s.class.Dim(), 5+bits.Len64(chunk))}
	return newKeptBlocks(s.class.Dim(), whole, nil, nil, chunk)
}

// keeps reports whether a block is kept.
func (k *keptBlocks) keeps(block uint64) bool { return k.kept.Has(block) }

// Stages implements statespace.Work.
func (k *keptBlocks) Stages() int { return 1 }

// Tasks implements statespace.Work: a task is a block.
func (k *keptBlocks) Tasks(int) int { return len(k.list) }

// A wholeSet is a set that is not folded, as one that keeps all its blocks.
type wholeSet struct {
	*bitset.Set
	bits int
}

// Bits implements statespace.FoldedSet.
func (w wholeSet) Bits() int { return w.bits }

// Kept implements statespace.FoldedSet.
func (w wholeSet) Kept(block uint64) ([]uint64, error) {
	n := uint64(1) << max(0, w.bits-6)
	return w.Words()[block*n:][:n], nil
}
