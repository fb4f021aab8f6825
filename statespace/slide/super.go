package slide

import "math/bits"

// A together lists for a cursor where sets of pieces can move together. Pieces are
// numbered in the order of their first cells.
type together struct {
	*cursor
	n      int              // pieces
	pieces [MaxCells]uint32 // choice and anchor, an index of slides
	// By direction: the pieces that can take a step, and of each of these the pieces that
	// do it with it, itself among them.
	can  [directions]uint64
	with [directions][MaxCells]uint64
	// needs[j] is the pieces whose step takes that of piece j; of the present direction.
	needs [MaxCells]uint64

	direction Direction
	dst       []uint64
	// Of the set that moves: its pieces, and where they are on the ways to try.
	set    []uint32
	places [][]uint8
}

// successors appends the numbers that a move of pieces together leads to.
func (t *together) successors(dst []uint64) []uint64 {
	t.dst = dst
	t.n = 0
	for i := range t.path[:t.steps] {
		if at := t.path[i].piece; at >= MaxCells {
			t.pieces[t.n] = at
			t.n++
		}
	}
	for d := range Direction(directions) {
		t.findWith(d)
		if t.can[d] == 0 {
			continue
		}
		t.direction = d
		for can := t.can[d]; can != 0; can &= can - 1 {
			t.needs[bits.TrailingZeros64(can)] = 0
		}
		for can := t.can[d]; can != 0; can &= can - 1 {
			j := bits.TrailingZeros64(can)
			for w := t.with[d][j]; w != 0; w &= w - 1 {
				t.needs[bits.TrailingZeros64(w)] |= 1 << j
			}
		}
		t.sets(0, t.can[d])
	}
	return t.dst
}

// findWith finds which pieces can take a step in a direction, and with which others.
func (t *together) findWith(d Direction) {
	// Those cannot that a wall stops, or a piece that cannot. Pieces that are pushed come
	// first, mostly: those further to the right and below have higher numbers.
	first, by := 0, 1
	if d == Right || d == Down {
		first, by = t.n-1, -1
	}
	var stopped, can uint64 // cells and pieces
	for i, j := 0, first; i < t.n; i, j = i+1, j+by {
		s := &t.slides[t.pieces[j]]
		stops := nonZero(s.need[d]&stopped | s.wall[d])
		stopped |= s.mask & -uint64(stops)
		can |= uint64(1-stops) << j
	}
	for before := uint64(0); before != can; {
		before = can
		for m := can; m != 0; m &= m - 1 {
			j := bits.TrailingZeros64(m) & (MaxCells - 1)
			if s := &t.slides[t.pieces[j]]; s.need[d]&stopped != 0 {
				stopped |= s.mask
				can &^= 1 << j
			}
		}
	}
	t.can[d] = can
	with := &t.with[d]
	for m := can; m != 0; m &= m - 1 {
		set := m & -m
		for todo := set; todo != 0; todo &= todo - 1 {
			need := t.slides[t.pieces[bits.TrailingZeros64(todo)&(MaxCells-1)]].need[d] & t.taken
			for others := can &^ set; need != 0 && others != 0; others &= others - 1 {
				k := bits.TrailingZeros64(others) & (MaxCells - 1)
				if mask := t.slides[t.pieces[k]].mask; mask&need != 0 {
					need &^= mask
					set |= 1 << k
					todo |= 1 << k
				}
			}
		}
		with[bits.TrailingZeros64(m)&(MaxCells-1)] = set
	}
}

// sets goes through all sets that can take a step: those that have in and some of the
// open pieces, each with those that go with it. It meets each set once.
func (t *together) sets(in, open uint64) {
	if open == 0 {
		if in != 0 {
			t.move(in)
		}
		return
	}
	j := bits.TrailingZeros64(open)
	with := t.with[t.direction][j]
	t.sets(in|with, open&^with)
	t.sets(in, open&^t.needs[j])
}

// canStep reports whether a set of pieces can take a step in a direction.
func (t *together) canStep(set uint64, d Direction) bool {
	if set&^t.can[d] != 0 {
		return false
	}
	for m := set; m != 0; m &= m - 1 {
		if t.with[d][bits.TrailingZeros64(m)]&^set != 0 {
			return false
		}
	}
	return true
}

// move appends where a set of pieces can go together, which can take a step in the
// present direction.
func (t *together) move(set uint64) {
	reach := t.metric.reach()
	if reach == Moves {
		for d := range t.direction {
			if t.canStep(set, d) {
				return // it was tried with that direction
			}
		}
	}
	if set&(set-1) == 0 {
		t.single(t.pieces[bits.TrailingZeros64(set)])
		return
	}
	t.set = t.set[:0]
	others := t.taken
	first := t.place(0, bits.OnesCount64(set))
	for m := set; m != 0; m &= m - 1 {
		at := t.pieces[bits.TrailingZeros64(m)]
		first[len(t.set)] = uint8(at) % MaxCells
		t.set = append(t.set, at)
		others &^= t.slides[at].mask
	}
	switch reach {
	case Steps, Lines:
		// The first step can be made.
		for i := 0; t.step(t.places[i], i+1, t.direction, others); i++ {
			t.emit(t.places[i+1])
			if reach == Steps {
				return
			}
		}
	case Moves:
		reached := uint64(1) << first[0]
		for head, tail := 0, 1; head < tail; head++ {
			for d := range Direction(directions) {
				to := t.slides[int(t.set[0])&^(MaxCells-1)+int(t.places[head][0])].to[d]
				if to == none || reached>>uint8(to)&1 == 1 || !t.step(t.places[head], tail, d, others) {
					continue
				}
				reached |= 1 << uint8(to)
				t.emit(t.places[tail])
				tail++
			}
		}
	}
}

// single is move of one piece.
func (t *together) single(at uint32) {
	reach, d := t.metric.reach(), t.direction
	if reach == Moves {
		t.dst = t.paths(t.dst, at)
		return
	}
	from := uint8(at % MaxCells)
	ofKind := t.slides[at-uint32(from):][:MaxCells]
	others := t.taken &^ ofKind[from].mask
	for s := &ofKind[from]; s.to[d] != none && s.need[d]&others == 0; s = &ofKind[s.to[d]] {
		t.dst = append(t.dst, t.moved(from, uint8(s.to[d])))
		if reach == Steps {
			return
		}
	}
}

// place makes room for the places of so many pieces.
func (t *together) place(i, pieces int) []uint8 {
	if i >= len(t.places) {
		t.places = append(t.places, make([]uint8, MaxCells))
	}
	t.places[i] = t.places[i][:pieces]
	return t.places[i]
}

// step makes places number i those a step away from others. It reports false if a wall
// or a piece that does not move is in the way.
func (t *together) step(from []uint8, i int, d Direction, others uint64) bool {
	next := t.place(i, len(from))
	for j, at := range t.set {
		ofKind := int(at) &^ (MaxCells - 1)
		to := t.slides[ofKind+int(from[j])].to[d]
		if to == none || t.slides[ofKind+int(to)].mask&others != 0 {
			return false
		}
		next[j] = uint8(to)
	}
	return true
}

// emit appends the number of the placement with the moving pieces at other places.
func (t *together) emit(to []uint8) {
	if t.coder != nil {
		t.coder.movedTogether(t.set, to)
		return
	}
	var first, last uint8 = MaxCells, 0
	for j, at := range t.set {
		from := uint8(at) % MaxCells
		t.at[from].what = 0
		first = min(first, from, to[j])
		last = max(last, from, to[j])
	}
	for j, at := range t.set {
		t.at[to[j]].what = at / MaxCells
	}
	t.dst = append(t.dst, t.rank(first, last))
	for _, at := range to {
		t.at[at].what = 0
	}
	for _, at := range t.set {
		t.at[at%MaxCells].what = at / MaxCells
	}
}
