package peg

import (
	"context"
	"math/bits"

	"pagoda/bitset"
	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// A walk goes through the members of a set that are near to a target, in increasing
// order of their numbers.
//
// The number of a position is the bit string of its free cells, so the numbers near to
// the target are its own number with some bits flipped. A flip costs what its cell
// costs, and it flips the pivots whose invariants hold the cell; what these cost is known
// when all bits are decided. The walk decides the bits from the highest down: first
// those that number a block of the reader, 2^bitset.BlockBits numbers, then those that
// number a word. The low six bits are decided at once, by masks (probe.go). For every
// number of bits left and every state of the pivots, a table has the least cost of the
// rest, so that every step leads to some number that is near enough.
type walk struct {
	query
	classTables
	targetTables
	lookups
	matches
	asked near // of Near
}

// A query is what a walk is asked for.
type query struct {
	ctx        context.Context
	members    bitset.Reader
	pegs       cells.Range
	restricted bool // pegs is not cells.AllLayers
	// take is called with numbers nearer than the limit, at a distance that they
	// share: bit i of hits is set for first+i. It may lower the limit.
	take  func(first, hits, distance uint64)
	limit uint64 // matches are nearer; 0 ends the walk
	empty uint64 // no member is nearer, as a walk before has shown
	err   error  // why the walk has ended early
}

// classTables are what all walks through a class share.
type classTables struct {
	class       *board.Class
	dim         int
	low         int        // bits that are decided at once
	group       int        // bits above them, which number the words of a group
	varies      int        // pivots that some bit flips
	pivots      []int      // their places among the class's, then the others'
	turns       [63]uint64 // by bit: the pivots that it flips
	turnsUpTo   [64]uint64 // by bit: the pivots that it flips together with those below it, without the low ones
	turned      [64]uint64 // by filling of the low bits: the pivots that it flips
	groupTurned [64]uint64 // by filling of the bits of a group: the pivots that it flips
	fixed       int        // pegs in the other pivots
	masks       *board.PegMasks
	byPegs      []pegLeaf
	shells      // the same for all walks
}

// targetTables are a target in the terms of the class: what it costs to differ from it.
type targetTables struct {
	target    *target    // the one whose matches are looked for
	number    uint64     // the target's free cells
	start     uint64     // the distance of number, without the pivots that vary
	mismatch  uint64     // the pivots that differ between number and the target
	cost      [63]uint64 // by bit: what it costs to flip it
	pivotCost []uint64   // by pivot that varies: what a mismatch costs
	cheapest  [64]uint64 // by number of bits left: the least cost of any of them
	least     uint64     // the least cost of a cell that costs something
	uniform   bool       // those all cost the same
	unit      bool       // all cells cost 1
	costless
	leastCosts
	leaves
	aimed target // the target of Near
}

// costless is what costs nothing, for questions with a range of pegs.
type costless struct {
	free         uint64 // bits that cost nothing
	freePivots   int    // the number of pivots that cost nothing
	targetPivots uint64 // the target's pegs in the pivots that vary
}

// leastCosts are bounds of what is still to be paid.
type leastCosts struct {
	rest     []uint64 // by number of bits left and mismatch: the least that they cost
	restBits int      // of a mismatch, in rest
	restMask uint64
	restUnit bool // rest is that of a target whose cells all cost 1
	// When all cells cost 1: the bits that it pays to flip, by what may be spent
	// after that, and by mismatch before it.
	worth [8][1 << maxRestBits]uint64
	// Then also the words of a group, as differences, that lead to some number, by what may be spent and mismatch.
	reach [mostFlips + 1][1 << maxRestBits]uint64
}

// maxRestBits bounds the pivots in rest, which then has at most 64 * 2^8 entries.
const maxRestBits = 8

func newWalk(c *board.Class) *walk {
	w := new(walk)
	w.class, w.dim, w.low, w.epochs = c, c.Dim(), min(6, c.Dim()), 1
	var fixed []int
	for i, row := range c.Invariants() {
		if pivot := uint64(1) << c.Pivots()[i]; row != pivot {
			w.pivots = append(w.pivots, i)
		} else {
			fixed = append(fixed, i)
			w.fixed += bits.OnesCount64(c.Position(0) & pivot)
		}
	}
	w.varies = len(w.pivots)
	w.pivots = append(w.pivots, fixed...)
	w.pivotCost = make([]uint64, w.varies)
	for bit := range c.Dim() {
		for k, i := range w.pivots[:w.varies] {
			w.turns[bit] |= c.Flips(bit) >> c.Pivots()[i] & 1 << k
		}
	}
	sum := uint64(0)
	for bit := w.low; bit < w.dim; bit++ {
		sum ^= w.turns[bit]
		w.turnsUpTo[bit] = sum
	}
	for filling := range uint64(1) << w.low {
		for bit := range gf2.Elements(filling) {
			w.turned[filling] ^= w.turns[bit]
		}
	}
	w.group = min(6, w.dim-w.low)
	for filling := range uint64(1) << w.group {
		for bit := range gf2.Elements(filling) {
			w.groupTurned[filling] ^= w.turns[w.low+bit]
		}
	}
	if w.varies <= maxRestBits { // otherwise rest is all 0
		w.restBits, w.restMask = w.varies, 1<<w.varies-1
	}
	w.rest = make([]uint64, (w.dim+1)<<w.restBits)
	w.byMismatch = make([]leaf, 1<<max(w.low+min(6, w.varies), min(maxLeafPivots, w.varies)))
	return w
}

// release forgets the query. Large pieces of memory are not kept.
func (w *walk) release() {
	w.query = query{}
	w.target = nil
	w.asked = near{}
	w.lookups.release()
	if cap(w.found)+w.numbersFound() > 1<<20 {
		w.matches = matches{}
	}
}

// aim makes t the target.
func (w *walk) aim(t *target) {
	c := w.class
	w.target, w.start, w.empty = t, t.base, 0
	w.mismatch, w.costless = 0, costless{}
	number, differs := c.Syndrome(t.pattern.Pegs)
	w.number = number
	for k, i := range w.pivots {
		cell := c.Pivots()[i]
		if k >= w.varies {
			w.start += t.extra[cell] * (differs >> i & 1)
			continue
		}
		w.mismatch |= differs >> i & 1 << k
		w.targetPivots |= t.pattern.Pegs >> cell & 1 << k
	}
	if t.unit && w.unit { // the costs are those of the target before
		return
	}
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
	w.cheapest[0] = cells.MaxDistance + 1
	for bit, cell := range c.Free() {
		w.cost[bit] = cost(cell)
		w.cheapest[bit+1] = min(w.cheapest[bit], w.cost[bit])
		if w.cost[bit] == 0 {
			w.free |= 1 << bit
			free = true
		}
	}
	for k, i := range w.pivots {
		extra := cost(c.Pivots()[i])
		if k >= w.varies {
			continue
		}
		if w.pivotCost[k] = extra; extra == 0 {
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
	w.reach = [len(w.reach)][1 << maxRestBits]uint64{}
	for flip, turn := range w.groupTurned[:1<<w.group] {
		for m := range n {
			for spend := int(w.rest[uint64(w.low)*n+m^turn]) + bits.OnesCount(uint(flip)); spend < len(w.reach); spend++ {
				w.reach[spend][m] |= 1 << flip
			}
		}
	}
}

// pivotsCost returns what mismatches of the pivots cost.
func (w *walk) pivotsCost(mismatch uint64) (cost uint64) {
	for k := range gf2.Elements(mismatch) {
		cost += w.pivotCost[k]
	}
	return cost
}

// run walks through all members that are nearer than the limit.
func (w *walk) run(limit uint64) {
	w.limit, w.err = limit, nil
	w.lookups.reset()
	if w.class.Dim() > bitset.BlockBits {
		w.down(w.dim, bitset.BlockBits, w.number, w.mismatch, w.start)
	} else if w.open(0) {
		w.down(w.dim, w.low, w.number, w.mismatch, w.start)
	}
	w.endProbes()
	w.endBatches()
}

// fail ends the walk.
func (w *walk) fail(err error) { w.err, w.limit = err, 0 }

// down decides the bits below top and not below floor. The number x has the bits
// above as decided and the others as in the target; cost is what the bits above
// cost, and mismatch says which pivots they leave wrong.
func (w *walk) down(top, floor int, x, mismatch, cost uint64) {
	if w.restricted && !w.canHavePegs(top, x, cost) {
		return
	}
	flip := cost+w.cheapest[top] < w.limit // some bit can be flipped
	undecided := (uint64(1)<<top - 1) &^ (1<<floor - 1)
	if floor == w.low && undecided&^w.free == 0 {
		w.every(top, x, mismatch, cost)
		return
	}
	last := false // after one more flip, nothing can be spent
	if left := w.limit - cost; w.unit && w.restBits == w.varies && left-2 < uint64(len(w.worth)) {
		undecided &= w.worth[left-2][mismatch&w.restMask]
		last = left == 2 && floor == w.low && !w.restricted
	}
	if flip {
		// The first of the remaining bits that is flipped decides whether the number
		// is less than x or greater.
		for ones := w.number & undecided; ones != 0; {
			bit := 63 - bits.LeadingZeros64(ones)
			ones ^= 1 << bit
			if m, c := mismatch^w.turns[bit], cost+w.cost[bit]; last {
				w.probe(x^1<<bit, m, c, true)
			} else if w.near(bit, m, c) {
				w.down(bit, floor, x^1<<bit, m, c)
			}
		}
	}
	if w.near(floor, mismatch, cost) {
		if floor == w.low {
			w.probe(x, mismatch, cost, false)
		} else if w.open(x >> floor) {
			w.down(floor, w.low, x, mismatch, cost)
		}
	}
	if flip {
		for zeros := ^w.number & undecided; zeros != 0; zeros &= zeros - 1 {
			bit := bits.TrailingZeros64(zeros)
			if m, c := mismatch^w.turns[bit], cost+w.cost[bit]; last {
				w.probe(x|1<<bit, m, c, true)
			} else if w.near(bit, m, c) {
				w.down(bit, floor, x|1<<bit, m, c)
			}
		}
	}
}

// every decides the bits below top, which cost nothing, apart from the low ones.
func (w *walk) every(top int, x, mismatch, cost uint64) {
	for end := x + 1<<top; x < end && w.limit > 0; x += 1 << w.low {
		if w.near(w.low, mismatch, cost) {
			w.probe(x, mismatch, cost, false)
		}
		// The next number flips the lowest bit that is 0, and those below it.
		mismatch ^= w.turnsUpTo[bits.TrailingZeros64(^x>>w.low)+w.low]
	}
}

// near reports whether a number can still be nearer than the limit, with this many
// bits left.
func (w *walk) near(left int, mismatch, cost uint64) bool {
	return cost+w.rest[uint64(left)<<w.restBits|mismatch&w.restMask] < w.limit
}

// canHavePegs reports whether a number of pegs in the range is possible, with the bits
// below top left to decide.
func (w *walk) canHavePegs(top int, x, cost uint64) bool {
	decided := bits.OnesCount64(x>>top) + w.fixed
	if decided > w.pegs.Most || decided+top+w.varies < w.pegs.Least {
		return false
	}
	// With all that is left as in the target, this many cells must still change.
	now := bits.OnesCount64(x) + w.fixed + bits.OnesCount64(w.targetPivots)
	change := now - w.pegs.Most
	if now < w.pegs.Least {
		change = w.pegs.Least - now - w.freePivots - bits.OnesCount64(w.free&(1<<top-1))
	}
	return change <= 0 || cost+uint64(change)*w.least < w.limit
}
