package hardest

import (
	"math/bits"

	"pagoda/puzzle/slide/tray"
)

// moves makes the moves that the decision of a cell allows: those to and from places within the
// decided cells that were not possible before.
func (s *scanner) moves(p *path, cell int, void bool) {
	done := p.tails >> cell << cell & (1<<s.branch.end - 1) // the pieces that are complete now
	switch s.metric {
	case tray.Steps:
		if void {
			s.stepsInto(p, cell)
		}
		for ; done != 0; done &= done - 1 {
			s.stepsBack(p, s.tail[bits.TrailingZeros64(done)])
		}
	case tray.Lines:
		if void {
			s.linesInto(p, cell)
		}
		for ; done != 0; done &= done - 1 {
			s.linesBack(p, s.tail[bits.TrailingZeros64(done)])
		}
	default:
		if void {
			s.floodsInto(p, cell)
		}
		for ; done != 0; done &= done - 1 {
			s.floodBack(p, s.tail[bits.TrailingZeros64(done)])
		}
	}
}

// stepsInto makes the steps by which a piece comes to stand with its highest cell at a cell that
// was just left empty.
func (s *scanner) stepsInto(p *path, cell int) {
	for d := 1; d < len(s.steps); d += 2 {
		if from := cell - s.steps[d].by; from >= 0 && p.tails>>from&1 != 0 {
			id := s.tail[from]
			piece := &s.all[id]
			if to := s.beside(p, piece, int(piece.first), d); to != noPlace {
				s.moveTo(p, id, to)
			}
		}
	}
}

// stepsBack makes the steps of a piece towards lower cells.
func (s *scanner) stepsBack(p *path, id int32) {
	piece := &s.all[id]
	for d := 0; d < len(s.steps); d += 2 {
		if to := s.beside(p, piece, int(piece.first), d); to != noPlace {
			s.moveTo(p, id, to)
		}
	}
}

// beside returns where a piece comes with a step from where it has its lowest cell, or noPlace.
func (s *scanner) beside(p *path, piece *place, at, d int) int {
	by := s.steps[d].by
	if s.forms[piece.shape].open[d]>>at&1 == 0 || shifted(piece.mask, at+by-int(piece.first))&^(p.voids|piece.mask) != 0 {
		return noPlace
	}
	return at + by
}

// linesInto is stepsInto for several steps in one direction.
func (s *scanner) linesInto(p *path, cell int) {
	for d := 1; d < len(s.steps); d += 2 {
		by := s.steps[d].by
		from := cell - by
		for from >= 0 && p.voids>>from&1 != 0 {
			from -= by
		}
		if from < 0 || p.tails>>from&1 == 0 {
			continue
		}
		id := s.tail[from]
		piece := &s.all[id]
		to := int(piece.first)
		for ; from < cell && to != noPlace; from += by {
			to = s.beside(p, piece, to, d)
		}
		if to != noPlace {
			s.moveTo(p, id, to)
		}
	}
}

// linesBack is stepsBack for several steps in one direction.
func (s *scanner) linesBack(p *path, id int32) {
	piece := &s.all[id]
	for d := 0; d < len(s.steps); d += 2 {
		for to := s.beside(p, piece, int(piece.first), d); to != noPlace; to = s.beside(p, piece, to, d) {
			s.moveTo(p, id, to)
		}
	}
}

// floodsInto makes the moves of pieces that can use a cell that was just left empty. Such a piece
// stands once with its highest cell there, and comes there by a step towards higher cells.
func (s *scanner) floodsInto(p *path, cell int) {
	for tails := p.tails & (1<<cell - 1); tails != 0; tails &= tails - 1 {
		tail := bits.TrailingZeros64(tails)
		id := s.tail[tail]
		piece := &s.all[id]
		free, by := p.voids|piece.mask, cell-tail
		if piece.mask<<by&^free != 0 || piece.mask<<(by-1)&^free != 0 && shifted(piece.mask, by-int(s.row))&^free != 0 && s.Floors == 1 {
			continue
		}
		f := &s.forms[piece.shape]
		fit := f.fit(piece, free)
		target := uint64(1) << (int(piece.first) + by)
		before := s.flood(1<<piece.first, fit&^target, f)
		if s.spread(before, f)&target == 0 {
			continue
		}
		s.moveAll(p, id, s.flood(before|target, fit, f)&^before)
	}
}

// floodBack makes all moves of a piece that is complete.
func (s *scanner) floodBack(p *path, id int32) {
	piece := &s.all[id]
	f := &s.forms[piece.shape]
	free := p.voids | piece.mask
	for d, step := range s.steps {
		if f.open[d]>>piece.first&1 != 0 && shifted(piece.mask, step.by)&^free == 0 { // it can move
			from := uint64(1) << piece.first
			s.moveAll(p, id, s.flood(from, f.fit(piece, free), f)&^from)
			return
		}
	}
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
	for ; to != 0; to &= to - 1 {
		s.moveTo(p, id, bits.TrailingZeros64(to))
	}
}

// moveTo moves the branch with a piece whose lowest cell comes to a cell.
func (s *scanner) moveTo(p *path, id int32, target int) {
	piece := &s.all[id]
	goal := p.goal == int(piece.first)
	if s.goalOnly && !goal {
		return
	}
	first := s.moved(p, int(piece.first), target, s.forms[piece.shape].at(target), goal)
	if s.branch.size > 64 {
		s.levels.addMoved(first, s.branch.first, s.branch.size)
	} else {
		s.levels.add(first, s.branch.set)
	}
}

// moved returns the first number of the branch after a piece has gone from a lowest cell to a
// target, to a place.
func (s *scanner) moved(p *path, at, target int, place int32, goal bool) uint64 {
	goalCell := p.goal
	if goal {
		goalCell = target
	}
	v := s.visits[min(at, target)]
	anchors := p.anchors&^(1<<at) | 1<<target
	for {
		n := &s.nodes[v.node]
		cell := int(n.cell)
		switch {
		case cell >= s.branch.end:
			return v.base
		case anchors>>cell&1 == 0:
			v.node = n.empty
			continue
		}
		id := s.anchor[cell]
		if cell == target {
			id = place
		}
		e := s.edge(v.node, id)
		row := n.row[v.there] + uint64(v.left)*uint64(n.width[v.there])
		if cell != goalCell {
			v.base += uint64(s.rows[row+uint64(e.edge-1-n.edge)])
			v.left -= s.take[id]
		} else {
			i := s.nodes[v.node+1].edge - n.edge
			for k := n.mark; s.unit.mark[k] != e.edge-1; k++ {
				i++
			}
			v.base += uint64(s.rows[row+uint64(i)])
			v.there = 1
		}
		v.node = e.to
	}
}
