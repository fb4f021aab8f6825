package slide

import "math/bits"

// A together lists for a cursor where sets of pieces can move together. Pieces are
// numbered in the order of their first cells.
type together struct {
	*cursor
	direction Direction
	// Of each piece that can take a step in the direction: the pieces that do it with it,
	// itself among them, and those with which it does.
	with, needs [MaxCells]uint64

	dst []uint64
	// Of the set that moves: where it is, where it comes by a step, and on the ways to try.
	set, next []uint16
	ways      [][]uint16
}

// successors appends the numbers that a move of two pieces or more leads to.
func (t *together) successors(dst []uint64) []uint64 {
	t.dst = dst
	var can [directions]uint64
	// Pieces that are pushed come first, mostly: those further to the right and below have
	// higher numbers.
	can[Up], can[Left] = t.findCan(Up, Left, 0, 1)
	can[Down], can[Right] = t.findCan(Down, Right, t.count-1, -1)
	for d, can := range can {
		t.direction = Direction(d)
		if can = t.check(can); can == 0 {
			continue
		}
		t.findWith(can)
		t.sets(0, can)
	}
	return t.dst
}

// findCan finds the pieces that may take a step in two directions. Those cannot that a
// wall stops, or a piece before that cannot.
func (t *together) findCan(d, e Direction, first, by int) (can, canToo uint64) {
	places, pieces := t.places, t.pieces[:t.count]
	var stopped, stoppedToo uint64 // cells
	for j := first; uint(j) < uint(len(pieces)); j += by {
		s := &places[pieces[j]]
		goes := uint64(zero(s.need[d&3]&stopped)) &^ uint64(s.wall>>(d&3))
		goesToo := uint64(zero(s.need[e&3]&stoppedToo)) &^ uint64(s.wall>>(e&3))
		stopped |= s.mask & (goes - 1)
		stoppedToo |= s.mask & (goesToo - 1)
		can |= goes << (j & 63)
		canToo |= goesToo << (j & 63)
	}
	return can, canToo
}

// check leaves those pieces that can take a step in the present direction, or none if it
// is not two at least.
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
			if t.places[t.pieces[bits.TrailingZeros64(m)]].need[t.direction]&stopped != 0 {
				can &^= m & -m
			}
		}
	}
	return can
}

// findWith finds which of the pieces that can take a step take others with them.
func (t *together) findWith(can uint64) {
	for m := can; m != 0; m &= m - 1 {
		t.needs[bits.TrailingZeros64(m)] = 0
	}
	for m := can; m != 0; m &= m - 1 {
		set := m & -m
		for todo := set; todo != 0; {
			j := bits.TrailingZeros64(todo) & (MaxCells - 1)
			todo &= todo - 1
			need := t.places[t.pieces[j]].need[t.direction] & t.taken
			for others := can &^ set; need != 0 && others != 0; others &= others - 1 {
				k := bits.TrailingZeros64(others) & (MaxCells - 1)
				if mask := t.places[t.pieces[k]].mask; mask&need != 0 {
					need &^= mask
					set |= 1 << k
					todo |= 1 << k
				}
			}
		}
		t.with[bits.TrailingZeros64(m)&(MaxCells-1)] = set
		for w := set; w != 0; w &= w - 1 {
			t.needs[bits.TrailingZeros64(w)] |= m & -m
		}
	}
}

// sets goes through all sets that can take a step: those that have in and some of the
// open pieces, each with those that go with it. It meets each set once.
func (t *together) sets(in, open uint64) {
	if open == 0 {
		if in&(in-1) != 0 {
			t.move(in)
		}
		return
	}
	j := bits.TrailingZeros64(open)
	with := t.with[j]
	t.sets(in|with, open&^with)
	t.sets(in, open&^t.needs[j])
}

// move appends where a set of pieces comes by a step in the present direction, which it
// can take, and goes on.
func (t *together) move(set uint64) {
	t.set, t.next = t.set[:0], t.next[:0]
	// What a next step needs.
	var need [directions]uint64
	var wall uint8
	others := t.taken
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)&(MaxCells-1)]
		s := &t.places[at]
		others &^= s.mask
		to := s.to[t.direction&3]
		t.set = append(t.set, at)
		t.next = append(t.next, to)
		if t.metric != Steps {
			s = &t.places[to]
			for d := range need {
				need[d] |= s.need[d]
			}
			wall |= s.wall
		}
	}
	t.emit(t.next)
	if t.metric == Steps {
		return
	}
	on := false
	for d, need := range need {
		if Direction(d) == t.direction || t.metric == Moves && Direction(d) != t.direction^1 {
			on = on || need&others == 0 && wall>>d&1 == 0
		}
	}
	if !on {
		return
	}
	copy(t.way(0, len(t.set)), t.set)
	switch t.metric {
	case Lines:
		copy(t.way(1, len(t.set)), t.next)
		for i := 1; t.step(t.ways[i], i+1, t.direction, others); i++ {
			t.emit(t.ways[i+1])
		}
	case Moves:
		first := t.set[0]
		kind := t.places[first].kind
		reached := uint64(1) << (first - kind)
		for head, tail := 0, 1; head < tail; head++ {
			for d := range Direction(directions) {
				to := t.places[t.ways[head][0]].to[d] - kind
				if reached>>to&1 == 1 || !t.step(t.ways[head], tail, d, others) {
					continue
				}
				reached |= 1 << to
				t.emit(t.ways[tail])
				tail++
			}
		}
	}
}

// way makes room for the places of so many pieces.
func (t *together) way(i, pieces int) []uint16 {
	if i >= len(t.ways) {
		t.ways = append(t.ways, make([]uint16, MaxCells))
	}
	t.ways[i] = t.ways[i][:pieces]
	return t.ways[i]
}

// step makes places number i those a step away from others. It reports false if a wall
// or a piece that does not move is in the way.
func (t *together) step(from []uint16, i int, d Direction, others uint64) bool {
	next := t.way(i, len(from))
	for j, at := range from {
		to := t.places[at].to[d]
		if to == at || t.places[to].mask&others != 0 {
			return false
		}
		next[j] = to
	}
	return true
}

// emit appends the number of the placement with the moving pieces at other places.
func (t *together) emit(to []uint16) {
	if t.coder != nil {
		t.coder.movedTogether(t.places, t.set, to)
		return
	}
	var first, last uint8 = MaxCells, 0
	for j, at := range t.set {
		a, b := &t.places[at], &t.places[to[j]]
		t.code[a.first] -= uint32(a.code)
		t.code[b.first] += uint32(b.code)
		first = min(first, a.first, b.first)
		last = max(last, a.last, b.last)
	}
	t.dst = append(t.dst, t.rank(first, last))
	for j, at := range t.set {
		a, b := &t.places[at], &t.places[to[j]]
		t.code[a.first] += uint32(a.code)
		t.code[b.first] -= uint32(b.code)
	}
}
