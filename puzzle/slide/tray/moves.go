package tray

import (
	"math/bits"
	"slices"
)

// A Move moves one piece, or several together, along a path.
type Move struct {
	Pieces string `json:"pieces"` // their names, in the order of Puzzle.Pieces
	Path   string `json:"path"`   // a letter for each cell: U, D, L, R, or between floors C or S
}

// String returns the move in the form "A RRD".
func (m Move) String() string { return m.Pieces + " " + m.Path }

// A Successor is a position that one move leads to.
type Successor struct {
	Pieces uint64 // a bit for each piece that moves
	Path   []Direction
	To     Position
}

// Move returns the move that leads to a successor.
func (p *Puzzle) Move(s Successor) Move {
	var m Move
	for i := range p.pieces {
		if s.Pieces>>i&1 == 1 {
			m.Pieces += string(p.pieces[i].name)
		}
	}
	for _, d := range s.Path {
		m.Path += d.String()
	}
	return m
}

// Successors lists the positions that one move leads to. A position is there several times if
// different sets of pieces can make it. If the same pieces can take several paths to the same
// places, only one of the shortest is there. Successors is simple on purpose: tests compare the
// fast moves with it.
func (p *Puzzle) Successors(m Metric, pos Position) []Successor {
	var all []Successor
	for _, set := range p.movable(m, pos) {
		others := p.others(pos, set)
		switch m.Single() {
		case Steps:
			for d := range p.Directions() {
				if next, ok := p.stepped(pos, set, d, &others); ok {
					all = append(all, Successor{set, []Direction{d}, next})
				}
			}
		case Lines:
			for d := range p.Directions() {
				var path []Direction
				for next, ok := p.stepped(pos, set, d, &others); ok; next, ok = p.stepped(next, set, d, &others) {
					path = append(slices.Clone(path), d)
					all = append(all, Successor{set, path, next})
				}
			}
		case Moves:
			all = p.alongPaths(all, pos, set, &others)
		}
	}
	return all
}

// alongPaths appends the positions that a set of pieces can make along any path.
func (p *Puzzle) alongPaths(all []Successor, pos Position, set uint64, others *Set) []Successor {
	first := bits.TrailingZeros64(set) // the place of one piece says where all of them are
	seen := map[uint8]bool{pos[first]: true}
	for todo := []Successor{{set, nil, pos}}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for d := range p.Directions() {
			next, ok := p.stepped(at.To, set, d, others)
			if ok && !seen[next[first]] {
				seen[next[first]] = true
				s := Successor{set, append(slices.Clone(at.Path), d), next}
				todo = append(todo, s)
				all = append(all, s)
			}
		}
	}
	return all
}

// others returns the cells of the pieces that are not in a set.
func (p *Puzzle) others(pos Position, set uint64) (cells Set) {
	for i := range pos {
		if set>>i&1 == 0 {
			cells = cells.Union(p.Mask(pos, i))
		}
	}
	return cells
}

// stepped moves a set of pieces by one cell, all at once. It reports false if one of them
// cannot go there, or if one of the others is in its way.
func (p *Puzzle) stepped(pos Position, set uint64, d Direction, others *Set) (Position, bool) {
	for m := set; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		k := p.kindOf(i)
		if to := k.Next[d][pos[i]]; to == None || k.Mask[to].Meets(others) {
			return nil, false
		}
	}
	next := slices.Clone(pos)
	for m := set; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		next[i] = uint8(p.kindOf(i).Next[d][pos[i]])
	}
	return next, true
}

// movable lists the sets of pieces that may move in a metric: each single piece, or each set
// that can take a step together.
func (p *Puzzle) movable(m Metric, pos Position) []uint64 {
	var sets []uint64
	if !m.Super() {
		for i := range pos {
			sets = append(sets, 1<<i)
		}
		return sets
	}
	listed := make(map[uint64]bool)
	for d := range p.Directions() {
		// A set can take a step if it has with each piece all pieces that this one pushes. So
		// it is a union of sets that one piece pushes, and each such union can take a step.
		known := map[uint64]bool{0: true}
		unions := []uint64{0}
		for i := range pos {
			pushed, ok := p.pushed(pos, i, d)
			if !ok {
				continue
			}
			for _, s := range unions {
				if s |= pushed; !known[s] {
					known[s] = true
					unions = append(unions, s)
				}
			}
		}
		for _, s := range unions[1:] {
			if !listed[s] {
				listed[s] = true
				sets = append(sets, s)
			}
		}
	}
	return sets
}

// pushed returns the pieces that must move when piece i takes a step, i among them. It reports
// false if one of them cannot.
func (p *Puzzle) pushed(pos Position, i int, d Direction) (uint64, bool) {
	set := uint64(1) << i
	for todo := []int{i}; len(todo) > 0; {
		j := todo[0]
		todo = todo[1:]
		to := p.kindOf(j).Next[d][pos[j]]
		if to == None {
			return 0, false
		}
		for k := range pos {
			if set>>k&1 == 0 && p.kindOf(k).Mask[pos[k]].Meets(&p.kindOf(j).Mask[to]) {
				set |= 1 << k
				todo = append(todo, k)
			}
		}
	}
	return set, true
}
