package peg

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// lookups are how a walk reads words of the set. It collects some dozens of probes, so that the
// waits for memory overlap.
type lookups struct {
	direct  []uint64      // all words; nil: blocks are read, or words looked up
	words   []uint64      // of the block; nil: finder looks words up
	finder  bitset.Finder // nil: blocks take no time to read
	block   uint64        // which one
	looked  int           // words of this block that were looked up
	most    int           // when it has had this many, it is read
	opened  uint          // blocks
	probes  [64]probe     // of words
	waiting int           // probes
	fetched uint64        // the results of prefetch
	// What finder looks up: a batch that takes more probes, and one before it that has begun.
	batcher        bitset.Batcher // nil: the finder is none
	early          []uint64       // of the batcher
	earlyShift     uint8
	batches        [2]batch
	filling, begun *batch
}

// use makes ready to read from a set.
func (l *lookups) use(members bitset.Reader) {
	l.direct = direct(members)
	l.finder, _ = members.(bitset.Finder)
	l.most = manyWords
	if l.batcher, _ = members.(bitset.Batcher); l.batcher != nil {
		l.most = manyBatched
		l.early, l.earlyShift = l.batcher.Early()
	}
}

// reset forgets what a walk before has not read.
func (l *lookups) reset() {
	l.waiting = 0
	l.filling, l.begun = &l.batches[0], &l.batches[1]
	l.filling.N, l.begun.N = 0, 0
}

// release forgets the set.
func (l *lookups) release() {
	l.direct, l.words, l.finder, l.batcher, l.early = nil, nil, nil, nil, nil
	if l.probes[0].word != nil {
		clear(l.probes[:])
	}
}

// A probe is a word of the set that a walk fetches: 64 numbers that differ in the low
// bits only.
type probe struct {
	word     *uint64
	x        uint64 // the number with the target's low bits
	mismatch uint64
	cost     uint64
}

// maxLeafPivots bounds the leaves: there are at most 2^12.
const maxLeafPivots = 12

// leaves are the leaves that were computed.
type leaves struct {
	byMismatch []leaf
	epoch      int // of the leaves that are valid; 1 for all targets whose cells all cost 1
	epochs     int
}

// A leaf says what the fillings of the low bits cost together with the pivots.
type leaf struct {
	epoch    int
	mismatch uint64 // of the pivots before the low bits are filled
	number   uint64 // the low bits of the target
	levels   []level
	// If all cells cost 1: by cost, the fillings that cost less; by filling, what it costs.
	below []uint64
	costs [64]uint8
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
	w.block, w.looked = i, 0
	if w.finder != nil {
		w.endProbes()
		w.words = nil
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

// How many words of a block are looked up before the whole block is read. In most stores a block takes as
// long as some hundreds of words. Where several are looked up at a time, each bit of them that is wanted
// counts, and more are worth it.
const (
	manyWords   = 256
	manyBatched = 4096
)

// A batch is probes that a finder looks up.
type batch struct {
	bitset.Batch
	probes [bitset.BatchWords]struct{ x, mismatch, cost uint64 }
}

// lookUp adds a probe to those that finder looks up. Only is that of probe.
func (w *walk) lookUp(x, mismatch, cost uint64, only bool) {
	fillings := uint64(1) << (x % 64)
	if !only {
		if l, left := w.leaf(mismatch), w.limit-cost; w.unit && left < uint64(len(l.below)) {
			fillings = l.below[left] &^ l.below[max(w.empty, cost)-cost]
		} else {
			fillings = l.nearer(left)
		}
	}
	if w.batcher != nil {
		w.looked += bits.OnesCount64(fillings)
	}
	b := w.filling
	k := b.N % bitset.BatchWords
	b.Words[k], b.Masks[k] = x/64, fillings
	p := &b.probes[k]
	p.x, p.mismatch, p.cost = x, mismatch, cost
	if w.early != nil {
		w.fetched |= prefetch(&w.early[x/64>>(w.earlyShift&63)])
	}
	if b.N = k + 1; b.N == bitset.BatchWords {
		w.begin()
	}
}

// begin begins with the batch that is filled, and ends the one before.
func (w *walk) begin() {
	if w.batcher != nil {
		if err := w.batcher.Begin(&w.filling.Batch); err != nil {
			w.filling.N = 0
			w.fail(err)
			return
		}
	}
	w.filling, w.begun = w.begun, w.filling
	w.end(w.filling)
}

// endBatches looks up what waits for it.
func (w *walk) endBatches() {
	if w.filling.N > 0 {
		w.begin()
	}
	w.end(w.begun)
}

// find does what bitset.Batcher says for End.
func (w *walk) find(b *bitset.Batch) error {
	if w.batcher != nil {
		return w.batcher.End(b)
	}
	for k, i := range b.Words[:b.N] {
		word, err := w.finder.Word(i)
		if err != nil {
			return err
		}
		b.Found[k] = word & b.Masks[k]
	}
	return nil
}

// end takes the matches in a batch.
func (w *walk) end(b *batch) {
	n := b.N
	if n == 0 {
		return
	}
	err := w.find(&b.Batch)
	b.N = 0
	if err != nil {
		w.fail(err)
		return
	}
	var some [bitset.BatchWords]uint8 // that are not empty
	matched := 0
	for k, word := range b.Found[:n] {
		some[matched%bitset.BatchWords] = uint8(k)
		if word != 0 {
			matched++
		}
	}
	for _, k := range some[:matched] {
		members, p := b.Found[k%bitset.BatchWords], &b.probes[k%bitset.BatchWords]
		if w.restricted {
			members &= w.withPegs(p.x, p.mismatch)
		}
		if members != 0 {
			w.takeNear(p.x, p.mismatch, p.cost, members)
		}
	}
}

// takeNear takes those of some members in the word of a number that are near enough.
func (w *walk) takeNear(x, mismatch, cost, members uint64) {
	levels := w.leaf(mismatch).levels
	for i := 0; i < len(levels) && members != 0; i++ {
		distance := cost + levels[i].cost
		if distance >= w.limit {
			break
		}
		if hits := members & levels[i].fillings; hits != 0 {
			w.take(x&^63, hits, distance)
			members &^= hits
		}
	}
}

// nearer returns the fillings that cost less than is left.
func (l *leaf) nearer(left uint64) (fillings uint64) {
	for _, level := range l.levels {
		if level.cost >= left {
			break
		}
		fillings |= level.fillings
	}
	return fillings
}

// probe adds the word of x. Only says that x, which has the low bits of the target, is the only number
// in it that is near enough.
func (w *walk) probe(x, mismatch, cost uint64, only bool) {
	if w.words == nil {
		if w.looked++; w.looked <= w.most {
			w.lookUp(x, mismatch, cost, only)
			return
		}
		if w.endBatches(); !w.readBlock() {
			return
		}
	}
	const wordsPerBlock = 1 << bitset.BlockBits / 64
	at := x / 64 % wordsPerBlock
	w.probes[w.waiting] = probe{&w.words[at], x, mismatch, cost}
	w.fetched |= prefetch(&w.words[at])
	if w.waiting++; w.waiting == len(w.probes) {
		w.endProbes()
	}
}

// endProbes takes the matches in the words of the probes.
func (w *walk) endProbes() {
	for i := range w.probes[:w.waiting] {
		p := &w.probes[i]
		members := *p.word
		if w.restricted {
			members &= w.withPegs(p.x, p.mismatch)
		}
		if members != 0 {
			w.takeNear(p.x, p.mismatch, p.cost, members)
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
	l := &w.byMismatch[at&uint64(len(w.byMismatch)-1)]
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
	for filling := range all { // cells.MaxDistance leaves room for the low bits
		all[filling] = all[filling]<<6 | uint64(filling)
	}
	slices.Sort(all)
	for _, v := range all {
		if k := len(l.levels); k == 0 || l.levels[k-1].cost != v>>6 {
			l.levels = append(l.levels, level{cost: v >> 6})
		}
		l.levels[len(l.levels)-1].fillings |= 1 << (v % 64)
	}
	if !w.unit {
		return
	}
	l.below = make([]uint64, 8)
	for _, level := range l.levels {
		for filling := range gf2.Elements(level.fillings) {
			l.costs[filling] = uint8(level.cost)
		}
		for cost := level.cost + 1; cost < uint64(len(l.below)); cost++ {
			l.below[cost] |= level.fillings
		}
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
