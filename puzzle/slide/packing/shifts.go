package packing

// A shift is what a move of a piece changes in the path of a cursor.
type shift struct {
	// Delta is added to the window of a row of the path. Then, without its lowest bits, the window has the
	// codes of the bands that the walk takes, from the first on.
	delta       uint64
	row, skip   uint8
	first, walk uint8 // walk is 0 if the bands do not fit into a window
}

// newShift returns the shift of a piece from one place to another.
func (t *bandTable) newShift(from, to *piecePlace) shift {
	s := t.window(min(from.first, to.first), max(from.last, to.last))
	if s.walk > 0 {
		s.delta = t.inWindow(&s, to) - t.inWindow(&s, from)
	}
	return s
}

// window returns a shift of some bands that changes nothing.
func (t *bandTable) window(first, last uint8) (s shift) {
	if walk := last - first + 1; walk <= t.codes {
		s = shift{first: first, walk: walk, row: min(first+t.codes, uint8(t.bands))}
		s.skip = (t.codes - (s.row - first)) * t.codeBits
	}
	return s
}

// inWindow returns what a piece adds to the window of a shift.
func (t *bandTable) inWindow(s *shift, at *piecePlace) uint64 {
	return uint64(at.code) << ((t.codes - (s.row - at.first)) * t.codeBits & 63)
}

// addShifts makes the shifts of all steps. All walk as many bands, because a processor can then predict where
// the walk ends.
func (t *bandTable) addShifts() {
	t.shifts = make([]shift, len(t.places)<<directionBits)
	most := uint8(0)
	for at := range t.places {
		for d := range t.directions {
			from, to := &t.places[at], &t.places[t.stepTo(uint16(at), d)]
			most = max(most, max(from.last, to.last)-min(from.first, to.first)+1)
		}
	}
	for at := range t.places {
		for d := range t.directions {
			from, to := &t.places[at], &t.places[t.stepTo(uint16(at), d)]
			s := &t.shifts[at<<directionBits+int(d)]
			if most > 3 {
				*s = t.newShift(from, to)
				continue
			}
			first := min(from.first, to.first, uint8(t.bands)-most)
			*s = t.window(first, first+most-1)
			s.delta = t.inWindow(s, to) - t.inWindow(s, from)
		}
	}
}

const directionBits = 3

// maxPairs is the greatest number of pairs of places for which shifts are made in advance.
const maxPairs = 1 << 14

// addPairs makes the shifts from each place to each other one of its kind, if they are few.
func (t *bandTable) addPairs() {
	pairs, last := 0, 0
	t.pairsAt = make([]int32, len(t.places))
	for at := range t.places {
		kind := int(t.places[at].kind)
		if last <= at {
			for last = at; last < len(t.places) && int(t.places[last].kind) == kind; {
				last++
			}
		}
		t.pairsAt[at] = int32(pairs - kind)
		pairs += last - kind
	}
	if pairs > maxPairs {
		return
	}
	t.pairs = make([]shift, 0, pairs)
	for at := range t.places {
		from := &t.places[at]
		for to := int(from.kind); to < len(t.places) && t.places[to].kind == from.kind; to++ {
			t.pairs = append(t.pairs, t.newShift(from, &t.places[to]))
		}
	}
}
