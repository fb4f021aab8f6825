package find

import (
	"context"
	"math/bits"

	"pagoda/statespace/slide/tray"
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
	row    uint // the distance of cells below each other
	nodes  []node
	starts []bool   // by place: the goal piece may start there
	take   []uint32 // by place: what a piece takes from left

	goalOnly bool // only the goal piece moves
	found    func(from, to uint64)

	// Of the path, by cell. They are valid where the path says so.
	visits [maxBits]visit
	anchor [maxBits]int32 // the place of the piece with this lowest cell
	tail   [maxBits]int32 // the place of the piece with this highest cell

	branch branch
}

// A node is what a scanner needs of a node of the graph.
type node struct {
	row   [2]uint64 // by whether the goal piece has come: where the rows begin
	width [2]uint32 // of a row
	edge  uint32    // the first
	empty uint32
	mark  uint32 // the first edge among those of the goal piece
	cell  uint8
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
	s := &scanner{ctx: ctx, free: free, unit: u, levels: levels, metric: metric, row: uint(u.grid.width), nodes: make([]node, len(u.undecided)), starts: make([]bool, len(u.all)), take: make([]uint32, len(u.all))}
	for id := range u.all {
		if class := u.classes[u.all[id].shape]; class != noPlace {
			s.take[id] = u.radix[class]
		}
	}
	for n := range s.nodes {
		s.nodes[n] = node{edge: u.graph.begin[n], cell: u.cell[n], mark: u.marked[n]}
		if uint32(n) != u.end() {
			s.nodes[n].empty = u.empty[n]
			for there := range 2 {
				s.nodes[n].row[there], s.nodes[n].width[there] = u.begin[there][n], uint32(u.width(there, uint32(n)))
			}
		}
	}
	return s, nil
}

// line returns the row of a visit.
func (s *scanner) line(v *visit) []uint32 {
	n := &s.nodes[v.node]
	w := n.width[v.there]
	return s.rows[n.row[v.there]+uint64(v.left)*uint64(w):][:w]
}

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

// small goes through the numbers of a visit, which are at most 64.
func (s *scanner) small(v visit, set uint64, p path) {
	s.visits[s.nodes[v.node].cell] = v
	row := s.line(&v)
	choice, from := 0, uint32(0)
	for set != 0 {
		number := uint32(bits.TrailingZeros64(set))
		for row[choice] <= number {
			from = row[choice]
			choice++
		}
		to := row[choice]
		mine := set & (^uint64(0) >> (64 - to))
		set &^= mine
		s.branch = branch{first: v.base + uint64(from), size: uint64(to - from), set: mine >> from}
		s.choose(v, choice, p)
	}
}

// choose makes a choice, the moves that it allows, and goes on.
func (s *scanner) choose(v visit, choice int, p path) {
	n := &s.nodes[v.node]
	cell := int(n.cell)
	to, b := n.empty, s.branch
	v.base = b.first
	if choice == 0 {
		p.voids |= 1 << cell
	} else {
		e := n.edge + uint32(choice-1)
		next := s.nodes[v.node+1].edge
		goal := e >= next
		if goal {
			e = s.unit.mark[e-next+n.mark]
			v.there = 1
			p.goal = cell
		}
		id := s.edges[e].place
		to = s.edges[e].to
		if !goal {
			v.left -= s.take[id]
		} else if s.starts[id] && s.found != nil {
			s.found(b.first, b.first+b.size)
		}
		last := s.all[id].last
		p.anchors |= 1 << cell
		p.tails |= 1 << last
		s.anchor[cell], s.tail[last] = id, id
	}
	v.node = to
	s.branch.end = int(s.nodes[to].cell)
	s.moves(&p, cell, choice == 0)
	switch {
	case to == s.end():
	case b.size > 64:
		s.large(v, b.size, p)
	default:
		s.small(v, b.set, p)
	}
}

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
		if ends[s.edges[s.unit.mark[k]].place] {
			s.levels.addAll(v.base+uint64(row[i]), v.base+uint64(row[i+1]))
		}
	}
}
