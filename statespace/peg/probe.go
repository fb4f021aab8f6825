package peg

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace/peg/board"
)

// A probe is a word of the set that a walk fetches: 64 numbers that differ in the low
// bits only. The walk collects some dozens of probes, so that the waits for memory overlap.
type probe struct {
	word     *uint64
	x        uint64 // the number with the target's low bits
	mismatch uint64
	cost     uint64
}

// maxLeafPivots bounds the leaves: there are at most 2^12.
const maxLeafPivots = 12

// A leaf says what the fillings of the low bits cost together with the pivots.
type leaf struct {
	epoch    int
	mismatch uint64 // of the pivots before the low bits are filled
	number   uint64 // the low bits of the target
	levels   []level
}

// A level is the fillings of the low bits that cost the same, as bits of a word.
type level struct{ cost, fillings uint64 }

// A pegLeaf says which fillings of the low bits have at most n pegs there and in the
// pivots that vary, for each n.
type pegLeaf struct {
	made   bool
	state  uint64 // of these pivots, for the filling 0
	atMost [6 + board.MaxCells + 1]uint64
}

// open begins with block i of the reader. It reports whether to go on.
func (w *walk) open(i uint64) bool {
	if w.opened++; w.opened%16 == 0 && w.ctx.Err() != nil {
		w.fail(context.Cause(w.ctx))
		return false
	}
	if w.block, w.lookups, w.words = i, 0, nil; w.finder != nil {
		return true
	}
	return w.readBlock()
}

// readBlock reads the block. It reports whether to go on.
func (w *walk) readBlock() bool {
	words, err := w.members.Block(w.block)
	if err != nil {
		w.fail(err)
		return false
	}
	w.words = words
	return true
}

// How many words of a block are looked up before the whole block is read. In most stores a block
// takes as long as some hundreds of words. Where several are looked up at a time, each bit of them that
// is wanted counts, and more are worth it.
const (
	manyWords   = 256
	manyBatched = 4096
)

// many counts the words that are looked up in a block. When they are many, it reads the
// block and reports true.
func (w *walk) many() bool {
	w.lookups++
	if w.lookups <= manyWords || w.lookups <= manyBatched && w.batcher != nil {
		return false
	}
	return w.readBlock()
}

// want returns where lookUp puts a word of the set, or what of it is near enough.
func (w *walk) want(x, mismatch, cost uint64) *uint64 {
	k := len(w.wanted)
	w.wanted = append(w.wanted, x/64)
	w.wantedBits[k] = w.nearer(mismatch, cost)
	if w.batcher != nil {
		w.lookups += bits.OnesCount64(w.wantedBits[k])
	}
	return &w.single[k]
}

// nearer returns the fillings of the low bits that are nearer than the limit.
func (w *walk) nearer(mismatch, cost uint64) (fillings uint64) {
	for _, level := range w.leaf(mismatch).levels {
		if cost+level.cost >= w.limit {
			break
		}
		fillings |= level.fillings
	}
	return fillings
}

// lookUp looks up the wanted words. It reports whether to go on.
func (w *walk) lookUp() bool {
	wanted := w.wanted
	w.wanted = w.wanted[:0]
	if w.batcher != nil && len(wanted) > 0 {
		if err := w.batcher.FindWords(w.single[:len(wanted)], wanted, w.wantedBits[:len(wanted)]); err != nil {
			w.fail(err)
			return false
		}
		return true
	}
	for k, i := range wanted {
		word, err := w.finder.Word(i)
		if err != nil {
			w.fail(err)
			return false
		}
		w.single[k] = word
	}
	return true
}

// probe adds the word of x.
func (w *walk) probe(x, mismatch, cost uint64) {
	const wordsPerBlock = 1 << bitset.BlockBits / 64
	at := x / 64 % wordsPerBlock
	if w.words != nil || w.many() {
		w.probes[w.waiting] = probe{&w.words[at], x, mismatch, cost}
		w.fetched |= prefetch(&w.words[at])
	} else {
		w.probes[w.waiting] = probe{w.want(x, mismatch, cost), x, mismatch, cost}
	}
	if w.waiting++; w.waiting == len(w.probes) {
		w.look()
	}
}

// look takes the matches in the words of the probes.
func (w *walk) look() {
	if !w.lookUp() {
		w.waiting = 0
		return
	}
	for i := range w.probes[:w.waiting] {
		p := &w.probes[i]
		members := *p.word
		if w.restricted {
			members &= w.withPegs(p.x, p.mismatch)
		}
		if members == 0 {
			continue
		}
		l := w.leaf(p.mismatch)
		for i := range l.levels {
			distance := p.cost + l.levels[i].cost
			if distance >= w.limit {
				break
			}
			if hits := members & l.levels[i].fillings; hits != 0 {
				w.take(p.x&^63, hits, distance)
			}
		}
	}
	w.waiting = 0
}

// leaf returns the leaf of a mismatch of the pivots.
func (w *walk) leaf(mismatch uint64) *leaf {
	number := w.number & (1<<w.low - 1)
	at := mismatch
	if w.varies <= 6 {
		at = at<<w.low | number
	}
	l := &w.leaves[at&uint64(len(w.leaves)-1)]
	if l.epoch != w.epoch || l.mismatch != mismatch || l.number != number {
		w.fillLeaf(l, mismatch)
	}
	return l
}

// fillLeaf computes the leaf of a mismatch of the pivots.
func (w *walk) fillLeaf(l *leaf, mismatch uint64) {
	l.epoch, l.mismatch, l.number = w.epoch, mismatch, w.number&(1<<w.low-1)
	l.levels = l.levels[:0]
	var costs [64]uint64 // of the fillings
	all := costs[:1<<w.low]
	var flips [64]uint64 // by flipped bits: what they cost
	for f := range all {
		if f > 0 {
			flips[f] = flips[f&(f-1)] + w.cost[bits.TrailingZeros(uint(f))]
		}
		all[uint64(f)^l.number] = flips[f] + w.pivotsCost(mismatch^w.turned[f])
	}
	for filling, cost := range all {
		i, ok := slices.BinarySearchFunc(l.levels, cost, func(l level, cost uint64) int { return cmp.Compare(l.cost, cost) })
		if !ok {
			l.levels = slices.Insert(l.levels, i, level{cost: cost})
		}
		l.levels[i].fillings |= 1 << filling
	}
}

// withPegs returns the fillings of the low bits of x with which the number of pegs
// is in the range.
func (w *walk) withPegs(x, mismatch uint64) uint64 {
	if w.byPegs == nil {
		w.byPegs = make([]pegLeaf, 1<<min(maxLeafPivots, w.varies))
		w.masks = board.NewPegMasks(w.class)
	}
	// The bits above affect those below only through the pivots at the filling 0.
	state := w.targetPivots ^ mismatch ^ w.turned[x&(1<<w.low-1)]
	l := &w.byPegs[state&uint64(len(w.byPegs)-1)]
	if !l.made || l.state != state {
		l.made, l.state = true, state
		var first board.Position // with the pivots that vary only
		for k, i := range w.pivots[:w.varies] {
			first |= state >> k & 1 << w.class.Pivots()[i]
		}
		more, common := w.masks.More(first), w.masks.Common(first)
		sum := uint64(0)
		for n := range l.atMost {
			if n >= common {
				sum |= w.masks.Equal(&more, n-common)
			}
			l.atMost[n] = sum
		}
	}
	above := bits.OnesCount64(x>>w.low) + w.fixed
	fillings := uint64(0)
	if most := w.pegs.Most - above; most >= 0 {
		fillings = l.atMost[min(most, len(l.atMost)-1)]
	}
	if least := w.pegs.Least - above; least > 0 {
		fillings &^= l.atMost[min(least, len(l.atMost))-1]
	}
	return fillings
}
