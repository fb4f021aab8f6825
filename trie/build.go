package trie

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/ordinals"
	"pagoda/internal/progress"
)

// Build makes the trie of a set, with the bits of its numbers in an order; nil is that
// in which they are. It fails when the order is none of such numbers. Another order takes
// memory for the whole set, which is put into that order by several threads. The trie is made
// by one, in one pass over the words. When ctx ends, Build stops soon and returns the cause.
//
// Nodes are numbered in the order in which they are first met, level by level, so equal
// sets give equal words.
func Build(ctx context.Context, set *bitset.Set, order Order, threads int) (*Trie, error) {
	n, h, words := set.Len(), height(set.Len()), set.Words()
	if order == nil {
		order = bitset.PlainOrder(6 + h)
	}
	if err := checkOrder(order, n); err != nil {
		return nil, err
	}
	if n%64 != 0 && words[len(words)-1]>>(n%64) != 0 {
		return nil, fmt.Errorf("the set has numbers that are not below %d", n)
	}
	var done atomic.Int64
	total := int64(len(words))
	defer progress.Start(ctx, "building the trie", n, "numbers", func() (int64, int64) { return done.Load(), total })()
	if !order.Plain() {
		paths := make([]uint64, len(words))
		if err := permute(ctx, order, paths, words, threads); err != nil {
			return nil, err
		}
		words = paths
	}
	b, states := newBuilder(h), uint64(0)
	for part := range slices.Chunk(words, len(b.batch)) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		states += bitset.Count(part)
		if err := b.add(part); err != nil {
			return nil, err
		}
		done.Add(int64(len(part)))
	}
	root, err := b.root()
	if err != nil {
		return nil, err
	}
	size := headWords + h + lists.SumOf(b.levels, func(l *ordinals.Table[uint64]) int { return len(l.Keys) - first })
	all := append(make([]uint64, 0, size), n, states, uint64(root))
	all = all[:headLeaves]
	for i, bit := range order {
		all[headOrder+i/8] |= uint64(bit) << (i % 8 * 8)
	}
	for _, l := range b.levels {
		all = append(all, uint64(len(l.Keys)-first))
	}
	for k, l := range b.levels {
		all = append(all, l.Keys[first:]...)
		b.levels[k] = nil
	}
	return Over(all)
}

// A builder finds the different nodes of a trie: it keeps those found so far and one batch of words.
type builder struct {
	levels  []*ordinals.Table[uint64] // the nodes of each level
	batch   []uint64                  // words, then keys of the level above
	ids     []uint32
	pending []uint32 // by level from that of a batch on: the node for a bit 0 that waits for its fellow
	waits   []bool
}

// batchBits gives the most words that are looked up together, a block of a
// bitset.Reader.
const batchBits = bitset.BlockBits - 6

// newBuilder returns a builder for some levels above the leaves.
func newBuilder(height int) *builder {
	b := &builder{batch: make([]uint64, 1<<min(height, batchBits)), pending: make([]uint32, height+1), waits: make([]bool, height+1)}
	b.ids = make([]uint32, len(b.batch))
	for k := range height + 1 {
		keyOfFull := uint64(1<<32 | 1)
		if k == 0 {
			keyOfFull = ^uint64(0)
		}
		l := ordinals.New(ordinals.Hash)
		l.Number(0, ordinals.Hash(0))
		l.Number(keyOfFull, ordinals.Hash(keyOfFull))
		b.levels = append(b.levels, l)
	}
	return b
}

// add looks up the next words, which fill a batch unless they are the last, then pairs of them, and
// so on: the waits for the memory of those of a level overlap.
func (b *builder) add(words []uint64) error {
	clear(b.batch[copy(b.batch, words):])
	n, k := len(b.batch), 0
	for ; ; k++ {
		keys, ids := b.batch[:n], b.ids[:n]
		if err := b.find(k, ids, keys); err != nil {
			return err
		}
		if n == 1 {
			break
		}
		n /= 2
		for i := range n {
			keys[i] = uint64(ids[2*i]) | uint64(ids[2*i+1])<<32
		}
	}
	return b.push(k, b.ids[0])
}

// push takes the next node of a level, and puts two together that are fellows.
func (b *builder) push(k int, id uint32) error {
	for ; b.waits[k]; k++ {
		key := [1]uint64{uint64(b.pending[k]) | uint64(id)<<32}
		var ids [1]uint32
		b.waits[k] = false
		if err := b.find(k+1, ids[:], key[:]); err != nil {
			return err
		}
		id = ids[0]
	}
	b.pending[k], b.waits[k] = id, true
	return nil
}

// root returns the node of all words that have come. What is beyond them is empty.
func (b *builder) root() (uint32, error) {
	top := len(b.levels) - 1
	for k := range top {
		if b.waits[k] {
			if err := b.push(k, empty); err != nil {
				return 0, err
			}
		}
	}
	return b.pending[top], nil
}

// find sets ids to the numbers of the nodes of a level with the keys, and adds those that are new.
func (b *builder) find(level int, ids []uint32, keys []uint64) error {
	l := b.levels[level]
	ids = ids[:len(keys)]
	for i, key := range keys {
		ids[i] = l.Guess(ordinals.Hash(key))
	}
	known := l.Keys
	for i, key := range keys {
		if id := ids[i]; int(id) < len(known) && known[id] == key {
			continue
		}
		id, fresh := l.Number(key, ordinals.Hash(key))
		if fresh && len(l.Keys) > first+maxNodes {
			return fmt.Errorf("the trie has too many nodes: more than %d on level %d", maxNodes, level)
		}
		ids[i], known = id, l.Keys
	}
	return nil
}
