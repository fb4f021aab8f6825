package trie

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/ordinals"
	"pagoda/internal/progress"
)

// A Builder makes a trie in one pass over the words of a set, whatever its size: it
// keeps the nodes found so far and no more than 64 KiB of words.
//
// Nodes are numbered in the order in which they are first met, level by level, so equal
// sets give equal words.
type Builder struct {
	n      uint64
	order  Order
	words  uint64 // that are still to come
	states uint64
	levels []level
	err    error

	batch   []uint64 // words, then keys of the level above
	ids     []uint32
	filled  int      // words of the batch
	pending []uint32 // by level from that of a batch on: the node for a bit 0 that waits for its fellow
	waits   []bool
}

// batchBits gives the most words that are looked up together, a block of a
// bitset.Reader.
const batchBits = bitset.BlockBits - 6

// A level holds the different nodes of one level, and finds them.
type level struct{ *ordinals.Table[uint64] }

// NewBuilder returns a builder of sets of numbers below n, with their bits in an order;
// nil is that in which they are. It fails when the order is none of such numbers.
func NewBuilder(n uint64, order Order) (*Builder, error) {
	h := height(n)
	if order == nil {
		order = bitset.PlainOrder(6 + h)
	}
	if err := checkOrder(order, n); err != nil {
		return nil, err
	}
	b := &Builder{n: n, order: slices.Clone(order), words: bitset.Words(n), levels: make([]level, h+1)}
	for k := range b.levels {
		keyOfFull := uint64(1<<32 | 1)
		if k == 0 {
			keyOfFull = ^uint64(0)
		}
		l := level{ordinals.New(ordinals.Hash)}
		l.Number(0, ordinals.Hash(0))
		l.Number(keyOfFull, ordinals.Hash(keyOfFull))
		b.levels[k] = l
	}
	b.batch = make([]uint64, 1<<min(h, batchBits))
	b.ids = make([]uint32, len(b.batch))
	b.pending, b.waits = make([]uint32, h+1), make([]bool, h+1)
	return b, nil
}

// ErrTooLarge says that a trie would have more nodes on a level than there are
// numbers for them.
var ErrTooLarge = errors.New("the trie has too many nodes")

// Add takes the next words of the set, as a bitset.Set has them; any number at a time.
// In another order, they are those of the set of paths, see Order.
// After an error all calls return it.
func (b *Builder) Add(words []uint64) error {
	if b.err == nil && uint64(len(words)) > b.words {
		b.err = fmt.Errorf("a set of numbers below %d takes %d words, found more", b.n, bitset.Words(b.n))
	}
	for len(words) > 0 && b.err == nil {
		n := copy(b.batch[b.filled:], words)
		for _, w := range words[:n] {
			b.states += uint64(bits.OnesCount64(w))
		}
		b.words -= uint64(n)
		if last := words[n-1]; b.words == 0 && b.n%64 != 0 && last>>(b.n%64) != 0 {
			b.err = fmt.Errorf("the set has numbers that are not below %d", b.n)
			return b.err
		}
		words = words[n:]
		if b.filled += n; b.filled == len(b.batch) {
			b.flush()
		}
	}
	return b.err
}

// flush looks up the words of a batch, then pairs of them, and so on: the waits for
// the memory of those of a level overlap.
func (b *Builder) flush() {
	clear(b.batch[b.filled:])
	b.filled = 0
	n, k := len(b.batch), 0
	for ; ; k++ {
		keys, ids := b.batch[:n], b.ids[:n]
		if b.err = b.levels[k].find(ids, keys); b.err != nil {
			return
		}
		if n == 1 {
			break
		}
		n /= 2
		for i := range n {
			keys[i] = uint64(ids[2*i]) | uint64(ids[2*i+1])<<32
		}
	}
	b.push(k, b.ids[0])
}

// push takes the next node of a level, and puts two together that are fellows.
func (b *Builder) push(k int, id uint32) {
	for b.waits[k] {
		key := [1]uint64{uint64(b.pending[k]) | uint64(id)<<32}
		var ids [1]uint32
		b.waits[k] = false
		k++
		if b.err = b.levels[k].find(ids[:], key[:]); b.err != nil {
			return
		}
		id = ids[0]
	}
	b.pending[k], b.waits[k] = id, true
}

// Build returns the trie. It fails unless exactly bitset.Words(n) words have come. The
// builder cannot be used again.
func (b *Builder) Build() (*Trie, error) {
	if b.err == nil && b.words > 0 {
		b.err = fmt.Errorf("a set of numbers below %d takes %d words, %d of them are missing", b.n, bitset.Words(b.n), b.words)
	}
	if b.err == nil && b.filled > 0 {
		b.flush()
	}
	// What is beyond Len is empty.
	h := len(b.levels) - 1
	for k := 0; k < h && b.err == nil; k++ {
		if b.waits[k] {
			b.push(k, empty)
		}
	}
	if b.err != nil {
		return nil, b.err
	}
	size := headWords + h
	for k := range b.levels {
		size += len(b.levels[k].Keys) - first
	}
	words := append(make([]uint64, 0, size), b.n, b.states, uint64(b.pending[h]))
	words = words[:headLeaves]
	for i, bit := range b.order {
		words[headOrder+i/8] |= uint64(bit) << (i % 8 * 8)
	}
	for k := range b.levels {
		words = append(words, uint64(len(b.levels[k].Keys)-first))
	}
	for k := range b.levels {
		words = append(words, b.levels[k].Keys[first:]...)
		b.levels[k] = level{}
	}
	b.err = errors.New("the trie is built already")
	return Over(words)
}

// Build makes the trie of a set, with the bits of its numbers in an order; nil is that
// in which they are. Another order takes memory for the whole set; the set is put into
// that order by several threads, and made a trie of by one. When ctx ends, Build stops
// soon and returns the cause.
func Build(ctx context.Context, r bitset.Reader, order Order, threads int) (*Trie, error) {
	b, err := NewBuilder(r.Len(), order)
	if err != nil {
		return nil, err
	}
	var all []uint64
	if set, ok := r.(*bitset.Set); ok && !b.order.Plain() {
		all = set.Words()
	} else if !b.order.Plain() {
		all = make([]uint64, 0, bitset.Words(b.n))
	}
	var done atomic.Int64
	total := int64(b.words)
	defer progress.Start(ctx, "building the trie", b.n, "numbers", func() (int64, int64) { return done.Load(), total })()
	for i, rest := uint64(0), b.words-uint64(len(all)); rest > 0; i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		words, err := r.Block(i)
		if err == nil && (len(words) == 0 || uint64(len(words)) > rest) {
			err = fmt.Errorf("block %d of a set of %d numbers has %d words, %d are left", i, r.Len(), len(words), rest)
		}
		if err != nil {
			return nil, err
		}
		rest -= uint64(len(words))
		if all != nil {
			all = append(all, words...)
		} else if err := b.Add(words); err != nil {
			return nil, err
		}
		done.Store(total - int64(b.words))
	}
	if all != nil {
		paths := make([]uint64, len(all))
		if err := permute(ctx, b.order, paths, all, threads); err != nil {
			return nil, err
		}
		all = paths
	}
	for len(all) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n := min(len(all), 1<<batchBits)
		if err := b.Add(all[:n]); err != nil {
			return nil, err
		}
		all = all[n:]
		done.Store(total - int64(b.words))
	}
	return b.Build()
}

// find sets ids to the numbers of the nodes with the keys, and adds those that are new.
func (l level) find(ids []uint32, keys []uint64) error {
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
			return fmt.Errorf("%w: more than %d on a level", ErrTooLarge, maxNodes)
		}
		ids[i], known = id, l.Keys
	}
	return nil
}
