package layers

import (
	"context"
	"runtime"
	"sort"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// foldedRanks are tables for ranks in a folded set. A block has as many members as its images,
// so only the blocks of the file are counted.
type foldedRanks struct {
	counts []uint64 // by place: the members of a block
	before []uint64 // by group of blocks: the members before it; last, all members
}

// rankGroup is how many blocks are counted together.
const rankGroup = 64

// count makes the tables.
func (r *foldedReader) count() (*foldedRanks, error) {
	ctx, threads := context.Background(), runtime.GOMAXPROCS(0)
	if err := r.set.blocks.checkAll(ctx, threads); err != nil {
		return nil, err
	}
	k := &foldedRanks{counts: make([]uint64, r.set.n)}
	err := mapped.Parts(ctx, threads, r.set.n, 64, func(first, end uint64) error {
		for place := first; place < end; place++ {
			k.counts[place] = bitset.Count(r.set.at(place + 1))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	groups := (r.set.all() + rankGroup - 1) / rankGroup
	k.before = make([]uint64, groups+1)
	err = mapped.Parts(ctx, threads, r.set.all(), rankGroup, func(first, end uint64) error {
		for block := first; block < end; block++ {
			n, err := r.inBlock(k, block)
			if err != nil {
				return err
			}
			k.before[first/rankGroup+1] += n
		}
		return nil
	})
	for i := range groups {
		k.before[i+1] += k.before[i]
	}
	return k, err
}

// inBlock returns how many members a block has.
func (r *foldedReader) inBlock(k *foldedRanks, block uint64) (uint64, error) {
	place, err := r.place(block)
	if err == nil && place > 0 {
		return k.counts[place-1], nil
	}
	return 0, err
}

// words returns the words of a block, or nil.
func (r *foldedReader) words(block uint64) ([]uint64, error) {
	return r.Words(block, make([]uint64, r.set.bytes/8))
}

// Rank implements bitset.Ranker.
func (r *foldedReader) Rank(x uint64) (n uint64, err error) {
	k, err := r.ranks()
	if err != nil {
		return 0, err
	}
	if x >= r.Len() {
		return k.before[len(k.before)-1], nil
	}
	last := x >> r.set.bits
	n = k.before[last/rankGroup]
	for block := last / rankGroup * rankGroup; block < last; block++ {
		more, err := r.inBlock(k, block)
		if err != nil {
			return 0, err
		}
		n += more
	}
	words, err := r.words(last)
	if words == nil || err != nil {
		return n, err
	}
	return n + bitset.CountBelow(words, x&(1<<r.set.bits-1)), nil
}

// Select implements bitset.Ranker.
func (r *foldedReader) Select(i uint64) (uint64, error) {
	k, err := r.ranks()
	if err != nil {
		return 0, err
	}
	groups := len(k.before) - 1
	if i >= k.before[groups] {
		return 0, bitset.NoRank(k.before[groups], i)
	}
	group := sort.Search(groups, func(g int) bool { return k.before[g+1] > i })
	rest, block := i-k.before[group], uint64(group)*rankGroup
	for ; ; block++ {
		n, err := r.inBlock(k, block)
		if err != nil {
			return 0, err
		}
		if rest < n {
			break
		}
		rest -= n
	}
	words, err := r.words(block)
	if err != nil {
		return 0, err
	}
	return block<<r.set.bits | bitset.SelectIn(words, rest), nil
}
