package slide

import "math/bits"

// A cursor stands at one number of a Packing and lists those that a move leads to. It
// keeps the path through the graph, so that neighbouring numbers share most of it, and so
// that a move walks again only those nodes that are different.
type cursor struct {
	pk       *Packing
	metric   Metric
	cells    uint8
	slides   []slides // by kind and anchor
	x        uint64
	taken    uint64 // cells
	steps    int    // nodes on the path, but the last
	path     [MaxCells + 1]cursorStep
	what     [MaxCells + 1]uint8  // the choice at a cell; 0 if it is empty or not the first of a piece
	nodeAt   [MaxCells + 1]uint32 // the node on the path whose first undecided cell this is
	baseAt   [MaxCells + 1]uint64 // and the sum there
	queue    [MaxCells]uint8      // of paths
	together *together            // of the metrics in which pieces move together
}

type cursorStep struct {
	node uint32
	cell uint8
	// piece is the kind and the anchor of the piece at the cell, as an index of slides,
	// or -1.
	piece int32
	end   uint64 // the first number beyond those below the node
}

// noNode is where no node of the path is.
const noNode = ^uint32(0)

// slides tells of a piece where it is and where a step leads.
type slides struct {
	mask uint64
	any  uint64             // all of need
	need [directions]uint64 // cells that are to be empty
	to   [directions]int8   // the anchor, or none
}

func newCursor(pk *Packing, m Metric) *cursor {
	p := pk.puzzle
	c := &cursor{pk: pk, metric: m, cells: uint8(len(p.cells)), slides: make([]slides, len(p.kinds)*MaxCells)}
	for k := range p.kinds {
		for at, mask := range p.kinds[k].mask {
			s := &c.slides[k*MaxCells+at]
			s.mask = mask
			for d := range s.to {
				if s.to[d] = p.kinds[k].to[d][at]; s.to[d] != none {
					s.need[d] = p.kinds[k].mask[s.to[d]] &^ mask
					s.any |= s.need[d]
				}
			}
		}
	}
	for i := range c.nodeAt {
		c.nodeAt[i] = noNode
	}
	if m.Super() {
		c.together = &together{cursor: c}
	}
	c.path[0] = cursorStep{node: 0, end: pk.size, piece: -1}
	c.descend(0)
	return c
}

// seek goes to a number below the size.
func (c *cursor) seek(x uint64) {
	// Leave the nodes that do not have it.
	for c.steps > 0 {
		s := &c.path[c.steps]
		if x < s.end && x >= c.baseAt[s.cell] {
			break
		}
		c.nodeAt[s.cell] = noNode
		c.steps--
		s = &c.path[c.steps]
		if s.piece >= 0 {
			c.taken &^= c.slides[s.piece].mask
			c.what[s.cell] = 0
			s.piece = -1
		}
	}
	c.descend(x)
}

// descend goes on from the last node of the path to a number that is below it.
func (c *cursor) descend(x uint64) {
	pk := c.pk
	c.x = x
	s := &c.path[c.steps]
	s.cell = pk.cell[s.node]
	base := c.baseAt[s.cell] // that of the first node is 0
	c.nodeAt[s.cell] = s.node
	for s.cell < c.cells {
		last := pk.starts[s.node+1]
		i := last - 1
		for base+pk.list[i].add > x {
			i--
		}
		e := &pk.list[i]
		end := s.end
		if i+1 < last {
			end = base + pk.list[i+1].add
		}
		if e.choice > 0 {
			s.piece = int32(e.choice-1)*MaxCells + int32(s.cell)
			c.taken |= c.slides[s.piece].mask
			c.what[s.cell] = e.choice
		} else {
			s.piece = -1
		}
		base += e.add
		c.steps++
		s = &c.path[c.steps]
		s.node, s.end, s.piece = e.to, end, -1
		s.cell = pk.cell[e.to]
		c.nodeAt[s.cell] = e.to
		c.baseAt[s.cell] = base
	}
}

// rank returns the number of the placement in what, which differs from that of the
// cursor from one cell on and not beyond another.
func (c *cursor) rank(first, last uint8) uint64 {
	pk := c.pk
	node, sum := uint64(c.nodeAt[first]), c.baseAt[first]
	for {
		e := pk.edge[node*uint64(pk.choices)+uint64(c.what[pk.cell[node]])]
		sum += e >> nodeBits
		node = e & noEdge
		cell := pk.cell[node]
		if cell > last && uint64(c.nodeAt[cell]) == node { // on the path again
			return sum + c.x - c.baseAt[cell]
		}
	}
}

// moved returns the number after one piece has moved.
func (c *cursor) moved(from, to uint8) uint64 {
	choice := c.what[from]
	c.what[from] = 0
	c.what[to] = choice
	x := c.rank(min(from, to), max(from, to))
	c.what[to] = 0
	c.what[from] = choice
	return x
}

// successors appends the numbers that a move leads to. One may be there twice.
func (c *cursor) successors(dst []uint64) []uint64 {
	if c.together != nil {
		return c.together.successors(dst)
	}
	switch c.metric {
	case Steps:
		for i := range c.path[:c.steps] {
			at := c.path[i].piece
			if at < 0 {
				continue
			}
			s := &c.slides[at]
			if s.any&^c.taken == 0 {
				continue
			}
			for d, need := range s.need {
				if need&c.taken == 0 && s.to[d] != none {
					dst = append(dst, c.moved(uint8(at)%MaxCells, uint8(s.to[d])))
				}
			}
		}
	case Lines:
		for i := range c.path[:c.steps] {
			at := c.path[i].piece
			if at < 0 {
				continue
			}
			s := &c.slides[at]
			if s.any&^c.taken == 0 {
				continue
			}
			others := c.taken &^ s.mask
			for d := range s.need {
				for t := s; t.to[d] != none && t.need[d]&others == 0; t = &c.slides[int(at)&^(MaxCells-1)+int(t.to[d])] {
					dst = append(dst, c.moved(uint8(at)%MaxCells, uint8(t.to[d])))
				}
			}
		}
	case Moves:
		for i := range c.path[:c.steps] {
			at := c.path[i].piece
			if at < 0 || c.slides[at].any&^c.taken == 0 {
				continue
			}
			dst = c.paths(dst, at)
		}
	}
	return dst
}

// paths appends where a piece can move to along paths.
func (c *cursor) paths(dst []uint64, at int32) []uint64 {
	from := uint8(at) % MaxCells
	ofKind := c.slides[int(at)-int(from):][:MaxCells]
	others := c.taken &^ ofKind[from].mask
	reached := uint64(1) << from
	c.queue[0] = from
	for head, tail := 0, 1; head < tail; head++ {
		s := &ofKind[c.queue[head]]
		for d, need := range s.need {
			to := s.to[d]
			if to == none || need&others != 0 || reached>>uint8(to)&1 == 1 {
				continue
			}
			reached |= 1 << uint8(to)
			c.queue[tail] = uint8(to)
			tail++
			dst = append(dst, c.moved(from, uint8(to)))
		}
	}
	return dst
}

// goals are the choices at cells that make the goals.
func (pk *Packing) goals() [][]goalCell {
	var all [][]goalCell
	for _, g := range pk.puzzle.goals {
		var cells []goalCell
		for _, pl := range g {
			cells = append(cells, goalCell{pl.at, uint8(1 + pk.puzzle.pieces[pl.piece].kind)})
		}
		all = append(all, cells)
	}
	return all
}

type goalCell struct{ cell, choice uint8 }

// solved reports whether the cursor stands at a goal.
func (c *cursor) solved(goals [][]goalCell) bool {
next:
	for _, g := range goals {
		for _, want := range g {
			if c.what[want.cell] != want.choice {
				continue next
			}
		}
		return true
	}
	return false
}

// levelWord picks from the two planes of 64 numbers those at levels of a remainder.
func levelWord(lo, hi uint64, mark int) uint64 {
	switch mark {
	case 1:
		return lo &^ hi
	case 2:
		return hi &^ lo
	}
	return lo & hi
}

// trailing is the number of the lowest member of a word.
func trailing(w uint64) uint64 { return uint64(bits.TrailingZeros64(w)) }
