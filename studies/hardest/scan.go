package hardest

import (
	"context"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
)

// A scanner goes through the numbers of a level in their order, and makes their moves. It walks
// along the paths of the graph to the numbers of the level. When a piece can move within the cells
// that are decided, all numbers below the branch move along: they differ only in what comes later,
// and so do those of the branch to which the piece moves.
type scanner struct {
	*unit
	*levels
	ctx    context.Context
	free   func()
	metric tray.Metric
	row    uint     // the distance of cells below each other
	starts []bool   // by place: the goal piece may start there
	take   []uint32 // by place: what a piece takes from left

	goalOnly bool // only the goal piece moves
	found    func(from, to uint64)

	// Of the path, by cell. They are valid where the path says so.
	visits [maxBits]visit
	anchor [maxBits]int32 // the place of the piece with this lowest cell
	tail   [maxBits]int32 // the place of the piece with this highest cell

	branch branch

	tails     [2][]*tail // by whether the goal piece has come, and by node and left
	tailBytes uint64     // of tails of several words
	at        [maxBits]uint64
}

// A visit is where a path is: the node, what is left, whether the goal piece has come, and the
// first number.
type visit struct {
	node, left uint32
	there      int
	base       uint64
}

// A path is what was chosen.
type path struct {
	voids   uint64 // empty cells
	anchors uint64 // lowest cells of pieces
	tails   uint64 // highest cells of pieces
	goal    int    // the lowest cell of the goal piece, if it has come
}

// A branch is the numbers that move along.
type branch struct {
	first, size uint64
	set         uint64 // those of the level, if there are at most 64
	end         int    // the lowest cell that is not decided
}

// newScanner returns a scanner of a unit, with empty levels. free gives back its memory.
func newScanner(ctx context.Context, u *unit, metric tray.Metric) (*scanner, error) {
	levels, free, err := newLevels(ctx, u.size)
	if err != nil {
		return nil, err
	}
	s := &scanner{ctx: ctx, free: free, unit: u, levels: levels, metric: metric, row: uint(u.grid.width), starts: make([]bool, len(u.all)), take: make([]uint32, len(u.all))}
	for there := range 2 {
		s.tails[there] = mapped.Large[*tail](len(u.undecided) * int(u.lefts))
	}
	for id := range u.all {
		if class := u.classes[u.all[id].shape]; class != noPlace {
			s.take[id] = u.radix[class]
		}
	}
	return s, nil
}

// line returns the row of a visit.
func (s *scanner) line(v *visit) []uint32 { return s.unit.row(v.there, v.node, v.left) }

// expand makes the moves of all numbers of the level, or some if the context ends.
func (s *scanner) expand() {
	s.large(visit{left: s.lefts - 1}, s.size, path{goal: maxBits})
}

// largeVisit is the size from which a visit looks whether the search was stopped.
const largeVisit = 1 << 20

// large goes through the numbers of a visit, which are many.
func (s *scanner) large(v visit, size uint64, p path) {
	s.visits[s.nodes[v.node].cell] = v
	row := s.line(&v)
	for at, end := v.base, v.base+size; ; {
		at = s.levels.next(at, end)
		if at >= end || size > largeVisit && s.ctx.Err() != nil {
			return
		}
		choice := search(row, uint32(at-v.base))
		from := uint64(0)
		if choice > 0 {
			from = uint64(row[choice-1])
		}
		to := uint64(row[choice])
		s.branch = branch{first: v.base + from, size: to - from}
		if to-from <= 64 {
			s.branch.set = s.word(v.base+from, to-from)
		}
		s.choose(v, choice, p)
		at = v.base + to
	}
}

// choose makes a choice, the moves that it allows, and goes on.
func (s *scanner) choose(v visit, choice int, p path) {
	cell, b := int(s.nodes[v.node].cell), s.branch
	v.base = b.first
	s.decide(&v, choice, &p)
	s.branch.end = int(s.nodes[v.node].cell)
	s.moves(&p, cell, choice == 0)
	switch {
	case v.node == s.end():
	case b.size > 64:
		s.large(v, b.size, p)
	default:
		s.below(v, b.set, &p)
	}
}

// decide makes a choice, without moves.
func (s *scanner) decide(v *visit, choice int, p *path) {
	n := &s.nodes[v.node]
	cell := int(n.cell)
	if choice == 0 {
		p.voids |= 1 << cell
		v.node = n.empty
		return
	}
	e := n.edge + uint32(choice-1)
	next := s.nodes[v.node+1].edge
	goal := e >= next
	if goal {
		e = s.mark[e-next+n.mark]
		v.there = 1
		p.goal = cell
	}
	id := s.edges[e].place
	if !goal {
		v.left -= s.take[id]
	} else if s.starts[id] && s.found != nil {
		s.found(s.branch.first, s.branch.first+s.branch.size)
	}
	last := s.all[id].last
	p.anchors |= 1 << cell
	p.tails |= 1 << last
	s.anchor[cell], s.tail[last] = id, id
	v.node = s.edges[e].to
}

// addEnds puts the placements with the goal piece at the given places in the next level.
func (s *scanner) addEnds(ends []bool) {
	common := ^uint64(0) // cells of all of these places
	for id, end := range ends {
		if end {
			common &= s.all[id].mask
		}
	}
	s.endsFrom(visit{left: s.lefts - 1}, ends, common)
}

// endsFrom puts the ends below a visit in the next level.
func (s *scanner) endsFrom(v visit, ends []bool, common uint64) {
	if v.node == s.end() || common&^s.undecided[v.node] != 0 {
		return
	}
	n := &s.nodes[v.node]
	row := s.line(&v)
	if row[len(row)-1] > largeVisit && s.ctx.Err() != nil {
		return
	}
	edges := s.edges[n.edge:s.nodes[v.node+1].edge]
	if row[0] > 0 {
		s.endsFrom(visit{n.empty, v.left, 0, v.base}, ends, common)
	}
	for i, e := range edges {
		if row[i+1] > row[i] {
			s.endsFrom(visit{e.to, v.left - s.take[e.place], 0, v.base + uint64(row[i])}, ends, common)
		}
	}
	for i, k := len(edges), n.mark; i+1 < len(row); i, k = i+1, k+1 {
		if ends[s.edges[s.mark[k]].place] {
			s.levels.addAll(v.base+uint64(row[i]), v.base+uint64(row[i+1]))
		}
	}
}
