package slide

import "slices"

// A Move moves one piece or several together along a path.
type Move struct {
	Pieces string `json:"pieces"` // names, in the order of the tray
	Path   string `json:"path"`   // a letter for each cell: U, D, L or R
}

// String tells the move as "A RRD".
func (m Move) String() string { return m.Pieces + " " + m.Path }

// successor is what can become of a position by one move.
type successor struct {
	pieces uint64 // a bit for each piece that moves
	path   []Direction
	pos    Position
}

// successors lists what can become of a position by one move. A position may be there
// several times, by different moves; that the same pieces take to the same places is
// there once, by a path of the fewest cells. This is the plain way, kept simple on
// purpose; the fast ones are held against it.
func (p *Puzzle) successors(m Metric, pos Position) []successor {
	var all []successor
	for _, set := range p.movable(m, pos) {
		switch m.reach() {
		case Steps:
			for d := range Direction(directions) {
				if next, ok := p.shifted(pos, set, d); ok {
					all = append(all, successor{set, []Direction{d}, next})
				}
			}
		case Lines:
			for d := range Direction(directions) {
				var path []Direction
				for next, ok := p.shifted(pos, set, d); ok; next, ok = p.shifted(next, set, d) {
					path = append(slices.Clone(path), d)
					all = append(all, successor{set, path, next})
				}
			}
		case Moves:
			all = p.paths(all, pos, set)
		}
	}
	return all
}

// paths appends where a set of pieces can move together.
func (p *Puzzle) paths(all []successor, pos Position, set uint64) []successor {
	first := anchor(set) // one of them tells where they all are
	seen := map[uint8]bool{pos[first]: true}
	for todo := []successor{{set, nil, pos}}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for d := range Direction(directions) {
			next, ok := p.shifted(at.pos, set, d)
			if ok && !seen[next[first]] {
				seen[next[first]] = true
				s := successor{set, append(slices.Clone(at.path), d), next}
				todo = append(todo, s)
				all = append(all, s)
			}
		}
	}
	return all
}

// shifted moves a set of pieces by one cell, all at once. It reports false if one of
// them cannot go there, or another piece is in the way.
func (p *Puzzle) shifted(pos Position, set uint64, d Direction) (Position, bool) {
	next := slices.Clone(pos)
	var others, moved uint64
	for i := range pos {
		if set>>i&1 == 0 {
			others |= p.mask(pos, i)
			continue
		}
		to := p.kindOf(i).to[d][pos[i]]
		if to == none {
			return nil, false
		}
		next[i] = uint8(to)
		moved |= p.mask(next, i)
	}
	return next, moved&others == 0
}

// movable lists the sets of pieces to try in a metric: each piece alone, or all sets
// that can take a step together.
func (p *Puzzle) movable(m Metric, pos Position) []uint64 {
	var sets []uint64
	if !m.Super() {
		for i := range pos {
			sets = append(sets, 1<<i)
		}
		return sets
	}
	known := make(map[uint64]bool)
	for d := range Direction(directions) {
		// A set can take a step if it has with each piece all those that this one
		// pushes. So it is a union of such sets, and any union of them is one.
		family := map[uint64]bool{0: true}
		list := []uint64{0}
		for i := range pos {
			pushed, ok := p.pushed(pos, i, d)
			if !ok {
				continue
			}
			for _, s := range list {
				if s |= pushed; !family[s] {
					family[s] = true
					list = append(list, s)
				}
			}
		}
		for _, s := range list[1:] {
			if !known[s] {
				known[s] = true
				sets = append(sets, s)
			}
		}
	}
	return sets
}

// pushed returns the pieces that move when piece i takes a step, i among them. It
// reports false if one of them cannot.
func (p *Puzzle) pushed(pos Position, i int, d Direction) (uint64, bool) {
	set := uint64(1) << i
	for todo := []int{i}; len(todo) > 0; {
		j := todo[0]
		todo = todo[1:]
		to := p.kindOf(j).to[d][pos[j]]
		if to == none {
			return 0, false
		}
		for k := range pos {
			if set>>k&1 == 0 && p.mask(pos, k)&p.kindOf(j).mask[to] != 0 {
				set |= 1 << k
				todo = append(todo, k)
			}
		}
	}
	return set, true
}

// move names a successor's move.
func (p *Puzzle) move(s successor) Move {
	var m Move
	for i := range p.pieces {
		if s.pieces>>i&1 == 1 {
			m.Pieces += string(p.pieces[i].name)
		}
	}
	for _, d := range s.path {
		m.Path += d.String()
	}
	return m
}
