package packing

import (
	"fmt"
	"math/bits"

	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/slide/tray"
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

	sets int // that have been moved in the direction
	dst  []uint64
	// Of the set that moves: its places before and after the step, and the places along its path.
	before, after []uint16
	path          [][]uint16
}

// successors appends the numbers that moves of two or more pieces lead to.
func (t *together) successors(dst []uint64) []uint64 {
	t.dst = dst
	var can [tray.Directions]uint64
	// A piece that is pushed mostly comes before the piece that pushes it: pieces further to the
	// right, below and on higher floors have higher numbers.
	can[tray.Up], can[tray.Left] = t.findFree(tray.Up, tray.Left, 0, 1)
	can[tray.Down], can[tray.Right] = t.findFree(tray.Down, tray.Right, t.count-1, -1)
	if t.stairs != nil {
		can[tray.Sink] = t.findFreeOnStairs(tray.Sink, 0, 1)
		can[tray.Climb] = t.findFreeOnStairs(tray.Climb, t.count-1, -1)
	}
	for d, can := range can[:t.directions] {
		t.direction = tray.Direction(d)
		if can = t.check(can); can == 0 {
			continue
		}
		t.findMoves(can)
		t.sets = 0
		t.eachSet(0, can)
	}
	return t.dst
}

// findFree finds the pieces that may be able to take a step in two directions: no wall stops
// them, and no piece before them that is stopped.
func (t *together) findFree(d, e tray.Direction, first, by int) (can, canToo uint64) {
	places, pieces := t.places, t.pieces[:t.count]
	var stopped, stoppedToo uint64 // cells
	for j := first; uint(j) < uint(len(pieces)); j += by {
		s := &places[pieces[j]]
		goes := uint64(isZero(s.need[d&3]&stopped)) &^ uint64(s.wall>>(d&3))
		goesToo := uint64(isZero(s.need[e&3]&stoppedToo)) &^ uint64(s.wall>>(e&3))
		stopped |= s.mask & (goes - 1)
		stoppedToo |= s.mask & (goesToo - 1)
		can |= goes << (j & 63)
		canToo |= goesToo << (j & 63)
	}
	return can, canToo
}

// findFreeOnStairs is findFree for one direction to another floor.
func (t *together) findFreeOnStairs(d tray.Direction, first, by int) (can uint64) {
	var stopped uint64 // cells
	for j := first; j >= 0 && j < t.count; j += by {
		at := t.pieces[j]
		if s := &t.places[at]; s.wall>>d&1 == 1 || t.need(at, d)&stopped != 0 {
			stopped |= s.mask
		} else {
			can |= 1 << j
		}
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
	for m := can; m != 0; m &= m - 1 {
		t.movers[bits.TrailingZeros64(m)] = 0
	}
	for m := can; m != 0; m &= m - 1 {
		set := m & -m
		for todo := set; todo != 0; {
			j := bits.TrailingZeros64(todo) & (MaxCells - 1)
			todo &= todo - 1
			need := t.need(t.pieces[j], t.direction) & t.taken
			for others := can &^ set; need != 0 && others != 0; others &= others - 1 {
				k := bits.TrailingZeros64(others) & (MaxCells - 1)
				if mask := t.places[t.pieces[k]].mask; mask&need != 0 {
					need &^= mask
					set |= 1 << k
					todo |= 1 << k
				}
			}
		}
		t.moves[bits.TrailingZeros64(m)&(MaxCells-1)] = set
		for w := set; w != 0; w &= w - 1 {
			t.movers[bits.TrailingZeros64(w)] |= m & -m
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
	t.before, t.after = t.before[:0], t.after[:0]
	// What the next step needs.
	var need [tray.Directions]uint64
	var wall uint8
	others := t.taken
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)&(MaxCells-1)]
		s := &t.places[at]
		others &^= s.mask
		to := t.stepTo(at, t.direction)
		t.before = append(t.before, at)
		t.after = append(t.after, to)
		if t.metric != tray.Steps {
			s = &t.places[to]
			for d := range s.need {
				need[d] |= s.need[d]
			}
			if t.stairs != nil {
				for i, more := range t.stairs[to].need {
					need[tray.FlatDirections+i] |= more
				}
			}
			wall |= s.wall
		}
	}
	t.emit(t.after)
	if t.metric == tray.Steps {
		return
	}
	on := false
	for d, need := range need[:t.directions] {
		if tray.Direction(d) == t.direction || t.metric == tray.Moves && tray.Direction(d) != t.direction^1 {
			on = on || need&others == 0 && wall>>d&1 == 0
		}
	}
	if on {
		t.goOn(others)
	}
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
		t.code[a.first] -= uint32(a.code)
		t.code[b.first] += uint32(b.code)
		first = min(first, a.first, b.first)
		last = max(last, a.last, b.last)
	}
	t.dst = append(t.dst, t.rank(first, last))
	for j, at := range t.before {
		a, b := &t.places[at], &t.places[to[j]]
		t.code[a.first] += uint32(a.code)
		t.code[b.first] -= uint32(b.code)
	}
}
