package hardest

import (
	"math/bits"

	"pagoda/puzzle/slide/tray"
)

// moves makes the moves that the decision of a cell allows: those to and from places within the
// decided cells that were not possible before.
func (s *scanner) moves(p *path, cell int, void bool) {
	done := p.tails >> cell << cell & (1<<s.branch.end - 1) // the pieces that are complete now
	if void {
		s.movesInto(p, cell)
	}
	for ; done != 0; done &= done - 1 {
		id := s.tail[bits.TrailingZeros64(done)]
		if to := s.reach(&s.all[id], p.voids); to != 0 {
			s.moveAll(p, id, to)
		}
	}
}

// movesInto makes the moves of pieces that can use a cell that was just left empty. Such a piece
// stands once with its highest cell there, and comes there by a step towards higher cells.
func (s *scanner) movesInto(p *path, cell int) {
	tails := p.tails & (1<<cell - 1)
	if s.metric == tray.Steps {
		tails &= s.around(1 << cell)
	}
	for ; tails != 0; tails &= tails - 1 {
		tail := bits.TrailingZeros64(tails)
		id := s.tail[tail]
		piece := &s.all[id]
		free, by := p.voids|piece.mask, cell-tail
		if piece.mask<<by&^free != 0 || piece.mask<<(by-1)&^free != 0 && shifted(piece.mask, by-int(s.row))&^free != 0 && s.Floors == 1 {
			continue
		}
		if to := s.reach(piece, p.voids); to != 0 {
			if to &^= s.reach(piece, p.voids&^(1<<cell)); to != 0 {
				s.moveAll(p, id, to)
			}
		}
	}
}

// reach returns where a move can take a piece among empty cells, as lowest cells.
func (s *scanner) reach(piece *place, voids uint64) (to uint64) {
	from := uint64(1) << piece.first
	for d := range s.steps {
		if piece.needs[d]&^voids == 0 {
			to |= shifted(from, s.steps[d].by)
		}
	}
	if to == 0 || s.metric == tray.Steps {
		return to
	}
	f := &s.forms[piece.shape]
	fit := f.fit(piece, voids|piece.mask)
	if s.metric == tray.Moves {
		return s.flood(from|to, fit, f) &^ from
	}
	for d := range s.steps {
		for at := from; at != 0; to |= at {
			at = shifted(at&f.open[d], s.steps[d].by) & fit
		}
	}
	return to
}

// fit returns the lowest cells of all places where a piece has room among free cells.
func (f *form) fit(piece *place, free uint64) uint64 {
	fit := f.valid & free
	for rest := piece.mask & (piece.mask - 1); rest != 0; rest &= rest - 1 {
		fit &= free >> (bits.TrailingZeros64(rest) - int(piece.first))
	}
	return fit
}

// flood returns the places, as lowest cells, that a piece reaches from some through places that
// have room.
func (s *scanner) flood(from, fit uint64, f *form) uint64 {
	for {
		to := from | s.spread(from, f)&fit
		if to == from {
			return to
		}
		from = to
	}
}

// spread returns the places that are a step away from some, on an empty board.
func (s *scanner) spread(from uint64, f *form) uint64 {
	to := (from&f.open[0])>>s.row | (from&f.open[1])<<s.row | (from&f.open[2])>>1 | (from&f.open[3])<<1
	if s.Floors > 1 {
		to |= (from&f.open[4])>>s.grid.floor | (from&f.open[5])<<s.grid.floor
	}
	return to
}

// moveAll moves the branch with a piece that goes to each of some places.
func (s *scanner) moveAll(p *path, id int32, to uint64) {
	piece := &s.all[id]
	goal := p.goal == int(piece.first)
	if s.goalOnly && !goal {
		return
	}
	f := &s.forms[piece.shape]
	for set := s.branch.set; to != 0; to &= to - 1 {
		first := s.moved(p, piece, f.at(bits.TrailingZeros64(to)), goal)
		if s.branch.size > 64 {
			s.levels.addMoved(first, s.branch.first, s.branch.size)
		} else if set &^= s.closed(first, s.levels.add(first, set), s.branch.first); set == 0 {
			return
		}
	}
}

// moved returns the first number of the branch after a piece has gone from a place to another.
func (s *scanner) moved(p *path, from *place, to int32, goal bool) uint64 {
	last := max(from.last, s.all[to].last) & 63
	base := s.walk(p, from, to, goal, int(min(from.first, s.all[to].first)), int(last)+1).base
	// From the next cell on, the branch is as it was.
	if next := (p.anchors | p.voids) >> last >> 1; next != 0 {
		base += s.branch.first - s.visits[(int(last)+1+bits.TrailingZeros64(next))&63].base
	}
	return base
}

// A walked is where a path has come.
type walked struct {
	undecided, base uint64
	left            uint32
	there           int
}

// walk goes along the path after a piece has gone from a place to another, from one cell on to before another.
func (s *scanner) walk(p *path, from *place, to int32, goal bool, low, end int) walked {
	target := &s.all[to]
	at, goalCell := int(target.first), p.goal
	if goal {
		goalCell = at
	}
	v := &s.visits[low&63]
	w := walked{s.undecided[v.node], v.base, v.left, v.there}
	for anchors := (p.anchors&^(1<<(from.first&63)) | 1<<(at&63)) & (1<<(end-1)<<1 - 1<<low); anchors != 0; anchors &= anchors - 1 {
		cell := bits.TrailingZeros64(anchors)
		w.undecided &= ^uint64(0) << (cell & 63)
		id := s.anchor[cell&63]
		if cell == at {
			id = to
		}
		e := s.edge(w.undecided, id)
		w.undecided &^= s.all[id].mask
		row, _ := s.rowAt(w.there, e.node, w.left)
		if cell != goalCell {
			w.base += uint64(s.rows[row+uint64(e.edge-1)])
			w.left -= s.take[id]
		} else {
			n := &s.nodes[e.node]
			i, first := s.nodes[e.node+1].edge-n.edge, n.edge+e.edge-1
			for k := n.mark; s.mark[k] != first; k++ {
				i++
			}
			w.base += uint64(s.rows[row+uint64(i)])
			w.there = 1
		}
	}
	return w
}
