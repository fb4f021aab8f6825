package packing

import (
	"fmt"
	"math/bits"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// maxSets is the greatest number of sets of pieces of a position that can take a step together in one
// direction; tests have a smaller one. Of n pieces that stand free there are 2^n.
var maxSets = 1 << 20

// throwSets throws an error of a position with more than maxSets, which says what to do.
func throwSets() {
	mapped.Throw(fmt.Errorf("%w: in a position more than %d sets of pieces can move together; choose a metric in which one piece moves", statespace.ErrSuccessors, maxSets))
}

// A together makes the moves of a cursor in which two or more pieces move together. Pieces have
// the numbers of cursor.pieces, in the order of their first cells.
type together struct {
	*cursor
	direction tray.Direction
	// For each piece that can take a step in the direction: the pieces that move when it does,
	// with itself, and the pieces that make it move.
	moves, movers [MaxCells]uint64
	// The cells of each such piece, and the taken cells that its step needs.
	masks, needs [MaxCells]uint64

	sets int // that have been moved in the direction
	dst  []uint64
	// Of the set that moves: its places before and after the step, and the places along its path.
	before, after []uint16
	path          [][]uint16
}

// successors appends the numbers that moves of two or more pieces lead to.
func (t *together) successors(dst []uint64) []uint64 {
	t.dst = dst
	var can [8]uint64
	if hasVectors && t.onLanes {
		t.finder.movable(&can, t.boards)
	} else {
		t.movable(&can)
	}
	for d, can := range can[:t.directions] {
		if can&(can-1) == 0 {
			continue
		}
		t.direction = tray.Direction(d)
		t.findMoves(can)
		t.sets = 0
		t.eachSet(0, can)
	}
	return t.dst
}

// movable finds the pieces that can take a step in each direction when they push others, one after the
// other.
func (t *together) movable(can *[8]uint64) {
	for d := range t.directions {
		t.direction = d
		can[d] = t.check(t.findFree())
	}
}

// findFree finds the pieces that may be able to take a step in the direction: no wall stops them, and no piece before
// them that is stopped. A piece that is pushed mostly comes before the piece that pushes it: pieces further to the
// right, below and on higher floors have higher numbers.
func (t *together) findFree() (can uint64) {
	d, first, by := t.direction, 0, 1
	if d == tray.Down || d == tray.Right || d == tray.Climb {
		first, by = t.count-1, -1
	}
	var stopped uint64 // cells
	for j := first; uint(j) < uint(t.count); j += by {
		at := t.pieces[j]
		s := &t.places[at]
		goes := uint64(isZero(t.need(at, d)&stopped)) &^ uint64(s.wall>>(d&7))
		stopped |= s.mask & (goes - 1)
		can |= goes << (j & 63)
	}
	return can
}

// check returns the pieces that can really take a step in the direction, or none if there are
// fewer than two.
func (t *together) check(can uint64) uint64 {
	for before := uint64(0); before != can; {
		if can&(can-1) == 0 {
			return 0
		}
		before = can
		stopped := t.taken
		for m := can; m != 0; m &= m - 1 {
			stopped &^= t.places[t.pieces[bits.TrailingZeros64(m)]].mask
		}
		for m := can; m != 0; m &= m - 1 {
			if t.need(t.pieces[bits.TrailingZeros64(m)], t.direction)&stopped != 0 {
				can &^= m & -m
			}
		}
	}
	return can
}

// findMoves finds which pieces each of the pieces pushes.
func (t *together) findMoves(can uint64) {
	pushers := uint64(0)
	for m := can; m != 0; m &= m - 1 {
		j := bits.TrailingZeros64(m) & (MaxCells - 1)
		at := t.pieces[j]
		need := t.need(at, t.direction) & t.taken
		t.masks[j], t.needs[j] = t.places[at].mask, need
		t.moves[j], t.movers[j] = m&-m, m&-m
		pushers |= uint64(1-isZero(need)) << j
	}
	// First the pieces that they push themselves, then those that these push.
	for m := pushers; m != 0; m &= m - 1 {
		j := bits.TrailingZeros64(m) & (MaxCells - 1)
		need := t.needs[j]
		for others := can &^ (m & -m); need != 0 && others != 0; others &= others - 1 {
			k := bits.TrailingZeros64(others) & (MaxCells - 1)
			if mask := t.masks[k]; mask&need != 0 {
				need &^= mask
				t.moves[j] |= others & -others
			}
		}
	}
	for again := pushers&(pushers-1) != 0; again; {
		again = false
		for m := pushers; m != 0; m &= m - 1 {
			j := bits.TrailingZeros64(m) & (MaxCells - 1)
			set := t.moves[j]
			for w := set & pushers &^ (m & -m); w != 0; w &= w - 1 {
				set |= t.moves[bits.TrailingZeros64(w)&(MaxCells-1)]
			}
			again = again || set != t.moves[j]
			t.moves[j] = set
		}
	}
	for m := pushers; m != 0; m &= m - 1 {
		for w := t.moves[bits.TrailingZeros64(m)&(MaxCells-1)]; w != 0; w &= w - 1 {
			t.movers[bits.TrailingZeros64(w)&(MaxCells-1)] |= m & -m
		}
	}
}

// eachSet moves each set of pieces that can take a step, once. The sets have the pieces in, and
// some of the open pieces, each with those that it pushes.
func (t *together) eachSet(in, open uint64) {
	if open == 0 {
		if in&(in-1) != 0 {
			if t.sets++; t.sets > maxSets {
				throwSets()
			}
			t.move(in)
		}
		return
	}
	j := bits.TrailingZeros64(open)
	moves := t.moves[j]
	t.eachSet(in|moves, open&^moves)
	t.eachSet(in, open&^t.movers[j])
}

// move appends the numbers with a set of pieces where a step in the direction leads it, which it
// can take, and where its path can go on.
func (t *together) move(set uint64) {
	if t.keys == nil && t.bands <= int(t.codes) {
		t.dst = append(t.dst, t.steppedTogether(set))
	} else {
		t.setPieces(set)
		t.emit(t.after)
	}
	if t.metric == tray.Steps {
		return
	}
	if others, on := t.canGoOn(set); on {
		t.setPieces(set)
		t.goOn(others)
	}
}

// setPieces sets before and after.
func (t *together) setPieces(set uint64) {
	t.before, t.after = t.before[:0], t.after[:0]
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)&(MaxCells-1)]
		t.before = append(t.before, at)
		t.after = append(t.after, t.stepTo(at, t.direction))
	}
}

// steppedTogether returns the number after a step of a set, if a window has all bands: then what the pieces
// add to it can be added up.
func (t *together) steppedTogether(set uint64) uint64 {
	s := shift{row: uint8(t.bands), first: uint8(t.bands)}
	last := uint8(0)
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)&(MaxCells-1)]
		one := &t.shifts[int(at)<<directionBits+int(t.direction)]
		s.delta += one.delta
		s.first = min(s.first, one.first)
		last = max(last, one.first+one.walk)
	}
	s.walk = last - s.first
	s.skip = (t.codes - (s.row - s.first)) * t.codeBits
	return t.shifted(&s)
}

// canGoOn reports whether a set can perhaps take another step after a step in the direction, and returns the
// cells of the other pieces.
func (t *together) canGoOn(set uint64) (others uint64, on bool) {
	var up, down, left, right, climb, sink uint64 // what the next step needs
	var wall uint8
	others = t.taken
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)&(MaxCells-1)]
		others &^= t.places[at].mask
		to := t.stepTo(at, t.direction)
		s := &t.places[to]
		up, down = up|s.need[tray.Up], down|s.need[tray.Down]
		left, right = left|s.need[tray.Left], right|s.need[tray.Right]
		if t.stairs != nil {
			climb, sink = climb|t.stairs[to].need[0], sink|t.stairs[to].need[1]
		}
		wall |= s.wall
	}
	stopped := uint(wall)
	for d, need := range [...]uint64{up, down, left, right, climb, sink} {
		stopped |= uint(1-isZero(need&others)) << d
	}
	ways := uint(1) << t.direction
	if t.metric == tray.Moves {
		ways = (1<<t.directions - 1) &^ (1 << (t.direction ^ 1))
	}
	return others, ways&^stopped != 0
}

// goOn appends the numbers with the set further along its path. The others are the cells of the
// other pieces.
func (t *together) goOn(others uint64) {
	copy(t.pathPlaces(0, len(t.before)), t.before)
	switch t.metric {
	case tray.Lines:
		copy(t.pathPlaces(1, len(t.before)), t.after)
		for i := 1; t.step(t.path[i], i+1, t.direction, others); i++ {
			t.emit(t.path[i+1])
		}
	case tray.Moves:
		first := t.before[0]
		kind := t.places[first].kind
		reached := uint64(1) << (first - kind)
		for head, tail := 0, 1; head < tail; head++ {
			for d := range t.directions {
				to := t.stepTo(t.path[head][0], d) - kind
				if reached>>to&1 == 1 || !t.step(t.path[head], tail, d, others) {
					continue
				}
				reached |= 1 << to
				t.emit(t.path[tail])
				tail++
			}
		}
	}
}

// pathPlaces makes room for the places of some pieces at a point of the path.
func (t *together) pathPlaces(i, pieces int) []uint16 {
	if i >= len(t.path) {
		t.path = append(t.path, make([]uint16, MaxCells))
	}
	t.path[i] = t.path[i][:pieces]
	return t.path[i]
}

// step sets the places at point i of the path, one step from the given ones. It reports false if
// a wall or another piece is in the way.
func (t *together) step(from []uint16, i int, d tray.Direction, others uint64) bool {
	next := t.pathPlaces(i, len(from))
	for j, at := range from {
		to := t.stepTo(at, d)
		if to == at || t.places[to].mask&others != 0 {
			return false
		}
		next[j] = to
	}
	return true
}

// emit appends the number with the moving pieces at other places.
func (t *together) emit(to []uint16) {
	if t.keys != nil {
		t.keys.movedTogether(t.places, t.before, to)
		return
	}
	var first, last uint8 = MaxCells, 0
	for j, at := range t.before {
		a, b := &t.places[at], &t.places[to[j]]
		first = min(first, a.first, b.first)
		last = max(last, a.last, b.last)
	}
	s := t.window(first, last)
	if s.walk == 0 {
		t.dst = append(t.dst, t.walk(first, last, t.before, to))
		return
	}
	for j, at := range t.before {
		s.delta += t.inWindow(&s, &t.places[to[j]]) - t.inWindow(&s, &t.places[at])
	}
	t.dst = append(t.dst, t.shifted(&s))
}
