package hardest

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A tail is the placements below a visit, if they are few. Many visits share a tail: it depends only on the node, on what
// is left, and on whether the goal piece has been placed. A set of its placements has a bit for each of them.
type tail struct {
	undecided uint64
	words     int      // of a set; 0 if there are more than maxTail placements, and no sets
	void      []uint64 // by cell of undecided, in order: the placements in which it is empty
	places    []tailPlace
	near      []uint64 // of a tail of one word, by placement: those to which moves within the cells lead
}

// A tailPlace is a piece that a tail can have.
type tailPlace struct {
	place int32
	goal  bool
	set   []uint64 // the placements that have it
	// Of a tail of one word:
	up      []uint64 // sets of cells before the tail: if all of one set are empty, the piece may come to stand there
	reaches []reaches
}

// reaches are the placements in which a move within the tail takes a piece to a lowest cell.
type reaches struct {
	cell uint8
	set  uint64
}

// The limits of tails: the placements of one, and the bytes of all that have more than a word. Tests change them.
var (
	maxTail      uint32 = 1 << 10
	maxTailBytes uint64 = 1 << 26
)

// tailOf returns the tail of a node.
func (s *scanner) tailOf(node, left uint32, there int) *tail {
	at := &s.tails[there][uint64(node)*uint64(s.lefts)+uint64(left)]
	if *at == nil {
		*at = s.newTail(visit{node: node, left: left, there: there})
	}
	return *at
}

func (s *scanner) newTail(v visit) *tail {
	t, size := &tail{undecided: s.undecided[v.node]}, uint32(1)
	if v.node != s.end() {
		row := s.line(&v)
		size = row[len(row)-1]
	}
	if size > maxTail || size > 64 && s.tailBytes > maxTailBytes {
		return t
	}
	t.words = int(size+63) / 64
	t.void = make([]uint64, bits.OnesCount64(t.undecided)*t.words)
	t.fill(s, v)
	if t.words > 1 {
		s.tailBytes += uint64(len(t.void)+len(t.places)*(t.words+16)) * 8
		return t
	}
	t.near = make([]uint64, size)
	for i := range t.places {
		s.setMoves(t, &t.places[i], int(s.nodes[v.node].cell))
	}
	return t
}

// fill adds the placements below a visit.
func (t *tail) fill(s *scanner, v visit) {
	if v.node == s.end() {
		return
	}
	n, row, from := &s.nodes[v.node], s.line(&v), uint32(0)
	edges := s.edges[n.edge:s.nodes[v.node+1].edge]
	for i, to := range row {
		if to == from {
			continue
		}
		next := visit{n.empty, v.left, v.there, v.base + uint64(from)}
		var set []uint64
		if i == 0 {
			set = t.void[bits.OnesCount64(t.undecided&(1<<n.cell-1))*t.words:][:t.words]
		} else {
			goal := i > len(edges)
			var e edge
			if goal {
				e = s.edges[s.mark[n.mark+uint32(i-1-len(edges))]]
				next.there = 1
			} else {
				e = edges[i-1]
				next.left -= s.take[e.place]
			}
			next.node = e.to
			if set = t.having(e.place, goal); set == nil {
				set = make([]uint64, t.words)
				t.places = append(t.places, tailPlace{place: e.place, goal: goal, set: set})
			}
		}
		for x := next.base; x < v.base+uint64(to); x++ {
			set[x>>6] |= 1 << (x & 63)
		}
		t.fill(s, next)
		from = to
	}
}

// setMoves sets where a piece of a tail of one word can go within the tail, which begins at a cell, and out of it.
func (s *scanner) setMoves(t *tail, a *tailPlace, cell int) {
	piece := &s.all[a.place]
	f := &s.forms[piece.shape]
	for set := a.set[0]; set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		voids := uint64(0)
		for i, rest := 0, t.undecided; rest != 0; i, rest = i+1, rest&(rest-1) {
			voids |= rest & -rest * (t.void[i] >> n & 1)
		}
		for to := s.reach(piece, voids); to != 0; to &= to - 1 {
			y := bits.TrailingZeros64(to)
			b := &s.all[f.at(y)]
			from := a.set[0] & t.empty(0, b.mask&^piece.mask)
			t.near[n] |= carry(1<<n, from, t.having(f.at(y), a.goal)[0]&t.empty(0, piece.mask&^b.mask))
			at := slices.IndexFunc(a.reaches, func(r reaches) bool { return int(r.cell) == y })
			if at < 0 {
				at = len(a.reaches)
				a.reaches = append(a.reaches, reaches{cell: uint8(y)})
			}
			a.reaches[at].set |= 1 << n
		}
	}
	within := uint64(1) << piece.first
	if s.metric != tray.Steps {
		within = s.flood(within, f.fit(piece, t.undecided), f)
	}
	for ; within != 0; within &= within - 1 {
		for _, need := range s.all[f.at(bits.TrailingZeros64(within))].needs {
			if up := need &^ t.undecided; up != 0 && up>>cell == 0 && !slices.Contains(a.up, up) {
				a.up = append(a.up, up)
			}
		}
	}
}

// having returns the placements that have a piece, or nil if there are none.
func (t *tail) having(place int32, goal bool) []uint64 {
	for i := range t.places {
		if p := &t.places[i]; p.place == place && p.goal == goal {
			return p.set
		}
	}
	return nil
}

// empty returns those placements of a word in which some cells are empty, and more bits if there are no such
// cells.
func (t *tail) empty(word int, cells uint64) uint64 {
	all := ^uint64(0)
	for ; cells != 0; cells &= cells - 1 {
		all &= t.void[bits.OnesCount64(t.undecided&(cells&-cells-1))*t.words+word]
	}
	return all
}

// carry takes bits of the set from to those of the set to that have the same rank there.
func carry(set, from, to uint64) (out uint64) {
	for ; set != 0; to &= to - 1 {
		low := from & -from
		if set&low != 0 {
			out |= to & -to
			set &^= low
		}
		from &^= low
	}
	return out
}
