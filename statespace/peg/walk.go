package peg

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A walk goes through the members of a set that are near to a target, in increasing
// order of their numbers.
//
// The number of a position is the bit string of its free cells, so the numbers near
// to the target are its own number with some bits flipped. A flip costs what its
// cell costs, and it turns over the pivots whose invariants hold the cell; what they
// cost is known when all bits are decided. The walk decides the bits from the
// highest down: first those that choose a block of the set, then those of a word;
// the last six are decided at once, by masks. For every number of bits left and
// every state of the pivots, a table tells what the rest costs at least, so that
// every step leads to some number that is near enough.
type walk struct {
	class     *Class
	dim       int
	low       int        // bits that are decided at once
	varies    int        // pivots that some bit turns over
	pivots    []int      // their places among the class's, then the others'
	turns     [63]uint64 // by bit: the pivots that it turns over
	turnsUpTo [64]uint64 // by bit: the pivots that it turns over with those below it, but for the low ones
	turned    [64]uint64 // by filling of the low bits: the pivots that it turns over
	fixed     int        // pegs in the other pivots
	byPegs    []pegLeaf
	masks     *pegMasks

	// What is asked.
	ctx        context.Context
	members    bitset.Reader
	pegs       PegRange
	restricted bool // pegs is not AnyPegs
	// take is called with numbers nearer than the limit, at a distance that they
	// share: bit i of hits is set for first+i. It may lower the limit.
	take  func(first, hits, distance uint64)
	limit uint64 // only what is nearer is asked for; 0 ends the walk
	err   error

	target    *Target
	number    uint64     // the target's free cells
	start     uint64     // the distance of number, but for the pivots that vary
	mismatch  uint64     // the pivots that are not in number as they are in the target
	cost      [63]uint64 // by bit: what it costs to flip it
	pivotCost []uint64   // by pivot that varies: what a mismatch costs
	cheapest  [64]uint64 // by number of bits left: the least cost of any of them
	least     uint64     // the least cost of a cell that costs something
	uniform   bool       // those all cost the same
	unit      bool       // all cells cost 1

	rest     []uint64 // by number of bits left and mismatch: what they cost at least
	restBits int      // of a mismatch, in rest
	restMask uint64
	restUnit bool // rest is that of a target of which all cells cost 1
	// When all cells cost 1: the bits that it pays to flip, by what may be spent
	// after that, and by mismatch before it.
	worth [8][1 << maxRestBits]uint64

	leaves []leaf
	epoch  int // of leaves that hold; those of all targets of which all cells cost 1 have 1
	epochs int

	// For targets with a range of pegs.
	free       uint64 // bits that cost nothing
	freePivots int    // the number of pivots that cost nothing

	wishedPivots uint64 // the target's pegs in the pivots that vary

	words   []uint64      // of the block; nil: finder is asked for them
	finder  bitset.Finder // nil: blocks take no time to make
	block   uint64
	asked   int  // words of this block
	opened  uint // blocks
	probes  [64]probe
	wanted  []uint64   // the numbers of words that finder is to find, for probes
	single  [64]uint64 // the words
	waiting int        // probes
	fetched uint64     // what prefetch returns

	// What Near has found for a target, those of equal distance by number; and the
	// memory to sort it.
	found, sorted []statespace.Match
	counts        [1 << 12]uint32 // by distance
}

const (
	maxRestBits   = 8  // rest has at most 64 * 2^8 entries
	maxLeafPivots = 12 // there are at most 2^12 leaves
)

// A leaf tells what the fillings of the low bits cost together with the pivots.
type leaf struct {
	epoch    int
	mismatch uint64 // of the pivots before the low bits are filled
	number   uint64 // the low bits of the target
	levels   []level
}

// A level is the fillings of the low bits that cost the same, as bits of a word.
type level struct{ cost, fillings uint64 }

// A pegLeaf tells which fillings of the low bits have at most so many pegs there
// and in the pivots that vary.
type pegLeaf struct {
	made   bool
	state  uint64 // of these pivots, for the filling 0
	atMost [6 + MaxCells + 1]uint64
}

func newWalk(c *Class) *walk {
	w := &walk{class: c, dim: c.Dim(), low: min(6, c.Dim()), epochs: 1}
	var fixed []int
	for i, row := range c.rows {
		if row&^(1<<c.pivots[i]) != 0 {
			w.pivots = append(w.pivots, i)
		} else {
			fixed = append(fixed, i)
			w.fixed += int(c.odd >> i & 1)
		}
	}
	w.varies = len(w.pivots)
	w.pivots = append(w.pivots, fixed...)
	w.pivotCost = make([]uint64, w.varies)
	for bit, cell := range c.free {
		for k, i := range w.pivots[:w.varies] {
			w.turns[bit] |= c.rows[i] >> cell & 1 << k
		}
	}
	sum := uint64(0)
	for bit := w.low; bit < w.dim; bit++ {
		sum ^= w.turns[bit]
		w.turnsUpTo[bit] = sum
	}
	for filling := range uint64(1) << w.low {
		for bit := range setBits(filling) {
			w.turned[filling] ^= w.turns[bit]
		}
	}
	if w.varies <= maxRestBits { // else rest tells nothing
		w.restBits, w.restMask = w.varies, 1<<w.varies-1
	}
	w.rest = make([]uint64, (w.dim+1)<<w.restBits)
	w.leaves = make([]leaf, 1<<max(w.low+min(6, w.varies), min(maxLeafPivots, w.varies)))
	return w
}

// release lets go of what was asked. Large pieces of memory are not kept.
func (w *walk) release() {
	w.ctx, w.members, w.finder, w.take, w.target, w.words = nil, nil, nil, nil, nil, nil
	clear(w.probes[:])
	if cap(w.found) > 1<<20 {
		w.found, w.sorted = nil, nil
	}
}

// aim makes t the target.
func (w *walk) aim(t *Target) {
	c := w.class
	w.target, w.start = t, t.base
	w.number, w.mismatch, w.free, w.freePivots, w.wishedPivots = 0, 0, 0, 0, 0
	w.least, w.uniform = ^uint64(0), true
	most := uint64(0)
	cost := func(cell int) uint64 {
		extra := t.extra[cell]
		if extra > 0 {
			w.least = min(w.least, extra)
			w.uniform = w.uniform && (most == 0 || extra == most)
		}
		most = max(most, extra)
		return extra
	}
	free := false // some cell costs nothing
	w.cheapest[0] = statespace.MaxDistance + 1
	for bit, cell := range c.free {
		w.number |= t.pattern.Pegs >> cell & 1 << bit
		w.cost[bit] = cost(cell)
		w.cheapest[bit+1] = min(w.cheapest[bit], w.cost[bit])
		if w.cost[bit] == 0 {
			w.free |= 1 << bit
			free = true
		}
	}
	differs := c.Position(w.number) ^ t.pattern.Pegs
	for k, i := range w.pivots {
		cell := c.pivots[i]
		extra := cost(cell)
		if k >= w.varies {
			w.start += extra * (differs >> cell & 1)
			continue
		}
		w.pivotCost[k] = extra
		w.mismatch |= differs >> cell & 1 << k
		w.wishedPivots |= t.pattern.Pegs >> cell & 1 << k
		if extra == 0 {
			w.freePivots++
			free = true
		}
	}
	if most == 0 {
		w.least = 0
	}
	w.unit = w.uniform && most == 1 && !free
	if w.unit {
		w.epoch = 1
	} else {
		w.epochs++
		w.epoch = w.epochs
	}
	w.fillRest()
}

// fillRest computes rest, one bit after the other.
func (w *walk) fillRest() {
	if w.restUnit && w.unit {
		return
	}
	w.restUnit = w.unit
	n := uint64(1) << w.restBits
	for m := range n {
		w.rest[m] = w.pivotsCost(m)
	}
	if w.restBits < w.varies {
		return
	}
	for bit := range w.dim {
		before, after := w.rest[uint64(bit)*n:][:n], w.rest[uint64(bit+1)*n:][:n]
		cost, turn := w.cost[bit], w.turns[bit]
		for m := range after {
			after[m] = min(before[m], cost+before[uint64(m)^turn])
		}
	}
	if !w.unit {
		return
	}
	for spend := range w.worth {
		for m := range n {
			w.worth[spend][m] = 0
			for bit, turn := range w.turns[:w.dim] {
				if w.rest[uint64(bit)*n+m^turn] <= uint64(spend) {
					w.worth[spend][m] |= 1 << bit
				}
			}
		}
	}
}

// pivotsCost returns what mismatches of the pivots cost.
func (w *walk) pivotsCost(mismatch uint64) (cost uint64) {
	for k := range setBits(mismatch) {
		cost += w.pivotCost[k]
	}
	return cost
}

// run walks through all members that are nearer than the limit.
func (w *walk) run(limit uint64) {
	w.limit, w.err, w.waiting, w.wanted = limit, nil, 0, w.wanted[:0]
	w.restricted = w.pegs != AnyPegs
	if w.class.Dim() > bitset.BlockBits {
		w.down(w.dim, bitset.BlockBits, w.number, w.mismatch, w.start)
	} else if w.open(0) {
		w.down(w.dim, w.low, w.number, w.mismatch, w.start)
	}
	w.look()
}

// fail ends the walk.
func (w *walk) fail(err error) { w.err, w.limit = err, 0 }

// down decides the bits below top and not below floor. The number x has the bits
// above as decided and the others as in the target; cost is what the bits above
// cost, and mismatch what they leave of the pivots.
func (w *walk) down(top, floor int, x, mismatch, cost uint64) {
	if w.restricted && !w.canHavePegs(top, x, cost) {
		return
	}
	flip := cost+w.cheapest[top] < w.limit // some bit can be flipped
	part := (uint64(1)<<top - 1) &^ (1<<floor - 1)
	if floor == w.low && part&^w.free == 0 {
		w.every(top, x, mismatch, cost)
		return
	}
	last := false // one more flip, and nothing can be spent
	if left := w.limit - cost; w.unit && w.restBits == w.varies && left-2 < uint64(len(w.worth)) {
		part &= w.worth[left-2][mismatch&w.restMask]
		last = left == 2 && floor == w.low && !w.restricted
	}
	if flip {
		// Of the bits to come, the first that is flipped decides whether the number
		// is less than x or greater.
		for ones := w.number & part; ones != 0; {
			bit := 63 - bits.LeadingZeros64(ones)
			ones ^= 1 << bit
			if m, c := mismatch^w.turns[bit], cost+w.cost[bit]; last {
				w.probe(x^1<<bit, m, c)
			} else if w.near(bit, m, c) {
				w.down(bit, floor, x^1<<bit, m, c)
			}
		}
	}
	if w.near(floor, mismatch, cost) {
		if floor == w.low {
			w.probe(x, mismatch, cost)
		} else if w.open(x >> floor) {
			w.down(floor, w.low, x, mismatch, cost)
		}
	}
	if flip {
		for zeros := ^w.number & part; zeros != 0; zeros &= zeros - 1 {
			bit := bits.TrailingZeros64(zeros)
			if m, c := mismatch^w.turns[bit], cost+w.cost[bit]; last {
				w.probe(x|1<<bit, m, c)
			} else if w.near(bit, m, c) {
				w.down(bit, floor, x|1<<bit, m, c)
			}
		}
	}
}

// every decides the bits below top, all of which are free, but for the low ones.
func (w *walk) every(top int, x, mismatch, cost uint64) {
	for end := x + 1<<top; x < end && w.limit > 0; x += 1 << w.low {
		if w.near(w.low, mismatch, cost) {
			w.probe(x, mismatch, cost)
		}
		// The next number flips the lowest bit that is 0, and those below it.
		mismatch ^= w.turnsUpTo[bits.TrailingZeros64(^x>>w.low)+w.low]
	}
}

// near reports whether a number can still be nearer than the limit, with so many
// bits left.
func (w *walk) near(left int, mismatch, cost uint64) bool {
	return cost+w.rest[uint64(left)<<w.restBits|mismatch&w.restMask] < w.limit
}

// canHavePegs reports whether a number of pegs in the range is possible, with so
// many bits left to decide.
func (w *walk) canHavePegs(top int, x, cost uint64) bool {
	decided := bits.OnesCount64(x>>top) + w.fixed
	if decided > w.pegs.Most || decided+top+w.varies < w.pegs.Least {
		return false
	}
	// If all that is left is as in the target, so many must still be changed.
	now := bits.OnesCount64(x) + w.fixed + bits.OnesCount64(w.wishedPivots)
	change := now - w.pegs.Most
	if now < w.pegs.Least {
		change = w.pegs.Least - now - w.freePivots - bits.OnesCount64(w.free&(1<<top-1))
	}
	return change <= 0 || cost+uint64(change)*w.least < w.limit
}

// open makes block i the one that is walked through. It reports whether to go on.
func (w *walk) open(i uint64) bool {
	if w.opened++; w.opened%16 == 0 && w.ctx.Err() != nil {
		w.fail(context.Cause(w.ctx))
		return false
	}
	if w.block, w.asked, w.words = i, 0, nil; w.finder != nil {
		return true
	}
	return w.makeBlock()
}

func (w *walk) makeBlock() bool {
	words, err := w.members.Block(w.block)
	if err != nil {
		w.fail(err)
		return false
	}
	w.words = words
	return true
}

// manyWords is for how many words of a block it is made, where single ones can be found: in
// most stores a block is as dear as some hundreds of words.
const manyWords = 256

// many counts the words of a block that was not made, and makes it when they are many.
func (w *walk) many() bool {
	w.asked++
	return w.asked > manyWords && w.makeBlock()
}

// want asks for a single word, which look looks up.
func (w *walk) want(i uint64) *uint64 {
	found := &w.single[len(w.wanted)]
	w.wanted = append(w.wanted, i)
	return found
}

// lookUp finds the words that are wanted. It reports whether to go on.
func (w *walk) lookUp() bool {
	wanted := w.wanted
	w.wanted = w.wanted[:0]
	if many, ok := w.finder.(bitset.Batcher); ok && len(wanted) > 1 {
		if err := many.FindWords(w.single[:len(wanted)], wanted); err != nil {
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

// A probe is a word of the set that is being fetched: 64 numbers that differ in the
// low bits only. Looking at some dozens of them at a time lets the machine wait for
// them all at once.
type probe struct {
	word     *uint64
	x        uint64 // the one with the target's low bits
	mismatch uint64
	cost     uint64
}

func (w *walk) probe(x, mismatch, cost uint64) {
	const wordsPerBlock = 1 << bitset.BlockBits / 64
	at := x / 64 % wordsPerBlock
	if w.words != nil || w.many() {
		w.probes[w.waiting] = probe{&w.words[at], x, mismatch, cost}
		w.fetched |= prefetch(w.words[at : at+1])
	} else {
		w.probes[w.waiting] = probe{w.want(x / 64), x, mismatch, cost}
	}
	if w.waiting++; w.waiting == len(w.probes) {
		w.look()
	}
}

// look looks at the words that were fetched.
func (w *walk) look() {
	if !w.lookUp() {
		w.waiting = 0
		return
	}
	number := w.number & (1<<w.low - 1)
	for i := range w.probes[:w.waiting] {
		p := &w.probes[i]
		members := *p.word
		if w.restricted {
			members &= w.withPegs(p.x, p.mismatch)
		}
		if members == 0 {
			continue
		}
		at := p.mismatch
		if w.varies <= 6 {
			at = at<<w.low | number
		}
		l := &w.leaves[at&uint64(len(w.leaves)-1)]
		if l.epoch != w.epoch || l.mismatch != p.mismatch || l.number != number {
			w.fillLeaf(l, p.mismatch)
		}
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
		i, ok := slices.BinarySearchFunc(l.levels, cost, func(l level, cost uint64) int {
			if l.cost < cost {
				return -1
			}
			if l.cost > cost {
				return 1
			}
			return 0
		})
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
		w.masks = newPegMasks(w.class)
	}
	// The pivots at the filling 0 tell all that the bits above do to those below.
	state := w.wishedPivots ^ mismatch ^ w.turned[x&(1<<w.low-1)]
	l := &w.byPegs[state&uint64(len(w.byPegs)-1)]
	if !l.made || l.state != state {
		l.made, l.state = true, state
		var first Position // without what is not counted here
		for k, i := range w.pivots[:w.varies] {
			first |= state >> k & 1 << w.class.pivots[i]
		}
		more, common := w.masks.more(first), w.masks.common(first)
		sum := uint64(0)
		for n := range l.atMost {
			if n >= common {
				sum |= w.masks.equal(&more, n-common)
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
