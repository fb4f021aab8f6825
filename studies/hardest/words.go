package hardest

import (
	"math/bits"

	"pagoda/internal/ordinals"
	"pagoda/puzzle/slide/tray"
)

// below makes the moves of the placements below a visit, which are at most 64, that its branch did not make.
// A move of a piece is the same for all of them in which it is possible: they change to placements
// of another tail, or of this one, in the same order.
func (s *scanner) below(v visit, set uint64, p *path) {
	if set&(set-1) == 0 {
		s.lone(v, uint32(bits.TrailingZeros64(set)), *p)
		return
	}
	cell := int(s.nodes[v.node].cell)
	s.visits[cell] = v
	w := word{v: v, tail: s.tailOf(v.node, v.left, v.there), p: p, cell: cell}
	free := p.voids | w.undecided
	for anchors := p.anchors; anchors != 0; anchors &= anchors - 1 {
		at := bits.TrailingZeros64(anchors)
		w.piece, w.goal, w.having = &s.all[s.anchor[at]], p.goal == at, ^uint64(0)
		n := &w.piece.needs
		if n[0]&^free != 0 && n[1]&^free != 0 && n[2]&^free != 0 && n[3]&^free != 0 && n[4]&^free != 0 && n[5]&^free != 0 {
			continue
		}
		to := s.spreadWord(&w, set)
		if to != 0 && int(w.piece.last) < cell {
			to &^= s.reach(w.piece, p.voids) // the branch has made these moves
		}
		s.moveWord(&w, to)
	}
	near := uint64(0)
	for rest := set; rest != 0; rest &= rest - 1 {
		near |= w.near[bits.TrailingZeros64(rest)]
	}
	s.levels.add(v.base, near)
	for i, having := range w.sets {
		mine := set & having
		if mine == 0 {
			continue
		}
		a, ways := w.pieces[i], &w.ways[i]
		if a.goal && s.found != nil && s.starts[a.place] {
			for rest := mine; rest != 0; rest &= rest - 1 {
				x := v.base + uint64(bits.TrailingZeros64(rest))
				s.found(x, x+1)
			}
		}
		for _, up := range ways.up {
			if up&^p.voids == 0 {
				w.piece, w.goal, w.having = &s.all[a.place], a.goal, having
				to := s.spreadWord(&w, mine)
				for _, r := range ways.reaches {
					s.at[r.cell] &^= r.set
				}
				s.moveWord(&w, to)
				break
			}
		}
	}
}

// A word is a piece of the placements below a visit.
type word struct {
	*tail
	v      visit
	p      *path
	cell   int // the lowest one of the tail
	piece  *place
	goal   bool   // it is the goal piece
	having uint64 // the placements of the tail that have it there, or all if it begins before the tail
}

// spreadWord returns where one move can take a piece in some placements, as lowest cells. By these cells,
// s.at then has the placements in which it can go there.
func (s *scanner) spreadWord(w *word, set uint64) (to uint64) {
	piece := w.piece
	free, undecided := w.p.voids|piece.mask|w.undecided, w.undecided&^piece.mask
	f := &s.forms[piece.shape]
	if s.metric == tray.Lines {
		for d := range s.steps {
			for x, now := piece, set; x.needs[d]&^free == 0 && x.needs[d] != noStep; {
				if now &= w.empty(0, x.needs[d]&undecided); now == 0 {
					break
				}
				y := (int(x.first) + s.steps[d].by) & 63
				to |= 1 << y
				s.at[y] = now
				x = &s.all[f.at(y)]
			}
		}
		return to
	}
	from := uint64(1) << (piece.first & 63)
	to = from
	s.at[piece.first&63] = set
	for todo := from; todo != 0; {
		at := bits.TrailingZeros64(todo) & 63
		x := &s.all[f.at(at)]
		todo &= todo - 1
		for d := range s.steps {
			need := x.needs[d]
			if need&^free != 0 || need == noStep { // every cell of 64 may be free
				continue
			}
			now := s.at[at]
			if need &= undecided; need != 0 {
				now &= w.empty(0, need)
			}
			y := (at + s.steps[d].by) & 63
			if to>>y&1 == 0 {
				s.at[y] = 0
			}
			if now&^s.at[y] != 0 {
				to |= 1 << y
				s.at[y] |= now
				todo |= 1 << y
			}
		}
		if s.metric == tray.Steps {
			break
		}
	}
	return to &^ from
}

// moveWord moves a piece to each of some places, in the placements that s.at has for them.
func (s *scanner) moveWord(w *word, to uint64) {
	if s.goalOnly && !w.goal {
		return
	}
	f, done := &s.forms[w.piece.shape], uint64(0)
	for ; to != 0; to &= to - 1 {
		y := bits.TrailingZeros64(to)
		if set := s.at[y] &^ done; set != 0 {
			done |= s.carryTo(w, f.at(y), set)
		}
	}
}

// carryTo moves a piece to a place, in some placements. It returns the placements in which the piece needs no other
// move: see closed.
func (s *scanner) carryTo(w *word, to int32, set uint64) (done uint64) {
	from, target := w.piece, &s.all[to]
	after, base := w.tail, w.v.base
	at := int(target.first)
	if low := min(int(from.first), at); low < w.cell {
		k := s.walk(w.p, from, to, w.goal, low, w.cell)
		base = k.base
		undecided := k.undecided & (^uint64(0) << w.cell)
		after = s.tailOf(s.numberOf[s.known.Find(undecided, ordinals.Hash(undecided))], k.left, k.there)
	}
	if after.words == 0 {
		s.moveEach(w, to, set)
		return 0
	}
	old := w.having & w.empty(0, target.mask&^from.mask&w.undecided)
	left := from.mask &^ target.mask & after.undecided
	var having []uint64
	if at >= w.cell {
		having = after.having(tailPiece{to, w.goal})
	}
	for i := 0; set != 0; i++ {
		in := after.empty(i, left)
		if having != nil {
			in &= having[i]
		}
		mine := old // the lowest, as many as in has
		if i+1 < after.words {
			mine = carry(1<<bits.OnesCount64(in)-1, ^uint64(0), old)
			old &^= mine
		}
		at := base + uint64(i)*64
		if seen := s.closed(at, s.levels.add(at, carry(set&mine, mine, in)), w.v.base); seen != 0 {
			done |= carry(seen, in, mine)
		}
		set &^= mine
	}
	return done
}

// closed looks at numbers that were seen before a move of a piece led to them. It returns those that make the other
// moves of the piece unnecessary. In the metric of moves, a piece that can go from A to B and from A to C can also go
// from B to C. So if B is of an earlier level, it has already led to C. If several are of this level, the lowest
// leads to the others. The bits of seen are numbers from at on. The moves start at from, or at one of the 63 numbers behind it.
func (s *scanner) closed(at, seen, from uint64) uint64 {
	switch {
	case s.metric != tray.Moves:
		return 0
	case seen != 0 && at+64 > from:
		seen &^= s.levels.word(at, 64)
	}
	return seen
}

// moveEach is carryTo for a tail without sets: one placement after the other.
func (s *scanner) moveEach(w *word, to int32, set uint64) {
	b, found := s.branch, s.found
	s.found = nil
	for ; set != 0; set &= set - 1 {
		number, p := uint32(bits.TrailingZeros64(set)), *w.p
		s.branch = branch{first: w.v.base + uint64(number), size: 1}
		s.follow(w.v, number, &p)
		s.levels.add(s.moved(&p, w.piece, to, w.goal), 1)
	}
	s.branch, s.found = b, found
}

// lone makes the moves of a placement that is the only one of the level below a visit.
func (s *scanner) lone(v visit, number uint32, p path) {
	before, done := p.voids, p.tails&(1<<s.nodes[v.node].cell-1) // the branch has made the moves of these pieces among these cells
	s.branch = branch{first: v.base + uint64(number), size: 1, set: 1, end: maxBits}
	s.follow(v, number, &p)
	for tails := p.tails; tails != 0; tails &= tails - 1 {
		tail := bits.TrailingZeros64(tails)
		id := s.tail[tail]
		to := s.reach(&s.all[id], p.voids)
		if to != 0 && done>>tail&1 != 0 {
			to &^= s.reach(&s.all[id], before)
		}
		if to != 0 {
			s.moveAll(&p, id, to)
		}
	}
}

// follow makes the choices of a number below a visit.
func (s *scanner) follow(v visit, number uint32, p *path) {
	for v.node != s.end() {
		s.visits[s.nodes[v.node].cell] = v
		row := s.line(&v)
		choice := 0
		for row[choice] <= number {
			choice++
		}
		if choice > 0 {
			v.base += uint64(row[choice-1])
			number -= row[choice-1]
		}
		s.decide(&v, choice, p)
	}
}
