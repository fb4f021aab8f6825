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
	pieces    []tailPiece
	sets      []uint64 // by piece: the placements that have it
	// Of a tail of one word:
	near []uint64 // by placement: those to which moves within the cells lead
	ways []ways   // by piece
}

// A tailPiece is a piece that a tail can have.
type tailPiece struct {
	place int32
	goal  bool
}

// ways are how a piece of a tail can move.
type ways struct {
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
		s.tailBytes += uint64(len(t.void)+len(t.pieces)*(t.words+16)) * 8
		return t
	}
	t.near = make([]uint64, size)
	t.ways = make([]ways, len(t.pieces))
	for i := range t.pieces {
		s.setMoves(t, i, int(s.nodes[v.node].cell))
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
			if set = t.having(tailPiece{e.place, goal}); set == nil {
				t.pieces = append(t.pieces, tailPiece{e.place, goal})
				t.sets = append(t.sets, make([]uint64, t.words)...)
				set = t.sets[len(t.sets)-t.words:]
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
func (s *scanner) setMoves(t *tail, i, cell int) {
	a, having := &t.ways[i], t.sets[i]
	piece := &s.all[t.pieces[i].place]
	f := &s.forms[piece.shape]
	for set := having; set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		voids := uint64(0)
		for k, rest := 0, t.undecided; rest != 0; k, rest = k+1, rest&(rest-1) {
			voids |= rest & -rest * (t.void[k] >> n & 1)
		}
		for to := s.reach(piece, voids); to != 0; to &= to - 1 {
			y := bits.TrailingZeros64(to)
			b := &s.all[f.at(y)]
			from := having & t.empty(0, b.mask&^piece.mask)
			t.near[n] |= carry(1<<n, from, t.having(tailPiece{f.at(y), t.pieces[i].goal})[0]&t.empty(0, piece.mask&^b.mask))
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
func (t *tail) having(piece tailPiece) []uint64 {
	for i, p := range t.pieces {
		if p == piece {
			return t.sets[i*t.words:][:t.words]
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

// carryPlain takes bits of the set from to those of the set to that have the same rank there.
func carryPlain(set, from, to uint64) (out uint64) {
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
