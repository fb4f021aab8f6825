package layout

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/internal/mapped"
)

const (
	maxPicked  = 14 // cells whose subsets are all tried, for the low six bits
	maxAligned = 64 // low sets that are tried, if all cost the same
	maxSteady  = 8  // low sets for which steady orders are tried
)

// A cellOrder is a numbering of the free cells.
type cellOrder struct {
	free []int
	cost int // of the layout with it
	// aligned counts the symmetries that take each word of 64 numbers of a block to one
	// word of the image block. steady counts those of them that permute the bits of all
	// words of a block alike. Such symmetries are applied by words, or by vectors.
	aligned, steady int
}

// foldedCost estimates the cost of a folded sweep. For a part of the blocks a symmetry
// must be applied, which takes much longer by numbers than by words.
func (o cellOrder) foldedCost(l *Layout) int {
	n := len(l.symmetries)
	if n == 0 {
		return o.cost
	}
	return o.cost + o.cost*(numbersCost*(n-o.aligned)+wordsCost*(o.aligned-o.steady))/(8*n)
}

// orders lists numberings of the free cells, among them one of the least cost.
//
// Pivots are taken from the group as far as possible, then from the block: then a
// condition on a pivot depends on no cell further in. Cells in few lines come first, or
// last, so that conditions on pivots are rare. If a group has several words, the cells
// that number its words are chosen so that the closing sequence makes few jumps from word
// to word.
//
// The 64 fillings of a word change the six low cells, and pivots. When these pivots are
// taken first, all of these cells are in a set with six free cells, a low set. A symmetry
// that takes this set to itself takes words to words.
func (l *Layout) orders(e *effort) []cellOrder {
	b := l.board
	invariants := b.Invariants()
	ranked := b.ByLines(b.Full())
	in := func(set uint64) (cells []int) {
		for _, c := range ranked {
			if set>>c&1 == 1 {
				cells = append(cells, c)
			}
		}
		return cells
	}
	outer := slices.Concat(in(l.Block&^l.Group), in(b.Full()&^l.Block))
	var tries [][]int
	try := func(start, cells, group []int) {
		for range 2 {
			tries = append(tries, withoutRepeats(slices.Concat(start, cells, group, outer)))
			e.spend(200 * (len(ranked) + len(invariants)))
			slices.Reverse(cells)
			slices.Reverse(group)
		}
	}
	try(nil, nil, in(l.Group))
	lows := l.lowSets(ranked, e)
	for i, low := range lows {
		if e.done() {
			break
		}
		starts := [][]int{nil}
		if low.symmetries > 1 && low.symmetries == lows[0].symmetries && i < maxSteady {
			// The order is steady if the symmetries take its first pivots to each other.
			orbits := l.orbits(low.cells)
			for _, o := range orbits {
				for _, p := range orbits {
					starts = append(starts, slices.Concat(o, p))
				}
			}
		}
		for _, start := range starts {
			try(start, in(low.cells), in(l.Group&^low.cells))
		}
	}
	all := make([]cellOrder, len(tries))
	mapped.Each(context.Background(), runtime.GOMAXPROCS(0), uint64(len(tries)), func(i uint64) error {
		// A low set may have cells outside the group. Cells of the group come first.
		slices.SortStableFunc(tries[i], func(c, d int) int { return int(l.Group>>d&1) - int(l.Group>>c&1) })
		all[i] = l.order(tries[i], invariants)
		return nil
	})
	return all
}

// orbits splits a set of cells into the orbits of the symmetries that keep it.
func (l *Layout) orbits(cells uint64) (orbits [][]int) {
	for left := cells; left != 0; {
		orbit := left & -left
		for _, s := range l.symmetries {
			if s.Image(cells) == cells {
				orbit |= s.Image(left & -left)
			}
		}
		orbits = append(orbits, gf2.List(orbit))
		left &^= orbit
	}
	return orbits
}

// A lowSet is a set of cells that holds the six low free cells, and pivots.
type lowSet struct {
	cells      uint64
	symmetries int // how many keep the set
}

// lowSets lists possible low sets; see orders. Those that more symmetries keep come
// first, and cells that rank before others are tried before them.
func (l *Layout) lowSets(ranked []int, e *effort) (lows []lowSet) {
	least, most := uint64(0), l.Group
	if l.GroupBits < 6 {
		least, most = l.Group, l.Block
	}
	invariants := l.board.Invariants()
	open := slices.DeleteFunc(slices.Clone(ranked), func(c int) bool { return (most&^least)>>c&1 == 0 })
	open = open[:min(len(open), maxPicked)]
	e.spend(40 * (1 + len(invariants)) << len(open))
	for pick := range uint64(1) << len(open) {
		low := least | gf2.Deposit(open, pick)
		if n := bits.OnesCount64(low); n < 6 || n > 6+len(invariants) || n-gf2.Rank(invariants, low) != 6 {
			continue
		}
		lows = append(lows, lowSet{low, keeping(l.symmetries, low)})
	}
	slices.SortStableFunc(lows, func(x, y lowSet) int { return y.symmetries - x.symmetries })
	if l.GroupBits <= 6 {
		lows = lows[:min(len(lows), maxAligned)] // all cost the same
	}
	return lows
}

// withoutRepeats removes cells that are in the list before.
func withoutRepeats(order []int) []int {
	var seen uint64
	return slices.DeleteFunc(order, func(c int) bool {
		again := seen>>c&1 == 1
		seen |= 1 << c
		return again
	})
}

// order numbers the free cells in a given order, in which the pivots come first.
func (l *Layout) order(cells []int, invariants []uint64) cellOrder {
	rows, pivots := gf2.Reduce(invariants, cells)
	var o cellOrder
	o.free = slices.DeleteFunc(cells, func(c int) bool { return slices.Contains(pivots, c) })
	// Of the cells outside the block, those in many lines come first. Then jumps rarely
	// change high bits of a block's number, and most lead from one representative to
	// another.
	slices.Reverse(o.free[l.BlockBits:])
	o.cost = l.Cost
	if l.GroupBits > 6 {
		o.cost += l.crossing(o.free[6:l.GroupBits]) - 64*len(l.Closing)*closingCost
	}
	var inside, low uint64
	for bit, c := range o.free[:l.BlockBits] {
		inside |= 1 << c
		if bit < 6 {
			low |= 1 << c
		}
	}
	flips := make([]uint64, l.BlockBits) // by bit of a number: the cells that it flips
	for bit, c := range o.free[:l.BlockBits] {
		flips[bit] = 1 << c
		for i, p := range pivots {
			flips[bit] |= rows[i] >> c & 1 << p
		}
	}
	for _, s := range l.symmetries {
		aligned, steady := true, true
		for bit, f := range flips {
			if image := s.Image(f) & inside; bit < 6 {
				aligned = aligned && image&^low == 0
			} else {
				steady = steady && image&low == 0
			}
		}
		if aligned {
			o.aligned++
			if steady {
				o.steady++
			}
		}
	}
	return o
}

// crossing estimates the cost of the closing sequence when the given cells number the
// words of a group. A jump that changes such cells leads from word to word; the more of
// them it changes, the fewer words it is made in.
func (l *Layout) crossing(words []int) (cost int) {
	const pullAndRuns = innerCost + 8
	for _, j := range l.Closing {
		moved := 0
		for _, c := range words {
			moved += int(j.Mask() >> c & 1)
		}
		if moved == 0 {
			cost += 64 * closingCost
		} else {
			cost += 64 * pullAndRuns >> moved
		}
	}
	return cost
}
