package slide

import "math/bits"

// A cursor stands at one number of a Packing and lists those that a move leads to. It
// keeps the path through the graph, so that neighbouring numbers share most of it, and so
// that a move walks again only those nodes that are different. What is hard to foretell is
// computed without branches.
type cursor struct {
	pk       *Packing
	metric   Metric
	cells    uint8
	slides   []slides // by choice and anchor; all zero for an empty cell
	x        uint64
	taken    uint64 // cells
	steps    int    // nodes on the path, but the last
	path     [MaxCells + 1]cursorStep
	at       [1 << cellBits]cursorCell
	free     [MaxCells + 1]uint32
	first    [directions*MaxCells + 1]firstStep
	queue    [MaxCells + 1]uint8 // of paths
	together *together           // of the metrics in which pieces move together
	coder    *coder              // of the hash engine, which has no packing: it takes what moves make, as keys
}

type cursorStep struct {
	end   uint64 // the first number beyond those below the node
	piece uint32 // the choice and the cell, an index of slides
	cell  uint8
}

// A cursorCell tells of a cell.
type cursorCell struct {
	base uint64 // the sum at the node
	node uint32 // the node on the path whose first undecided cell this is, or noNode
	what uint32 // the choice, 0 if it is empty or not the first of a piece
}

// A firstStep is a step that can be made: from the lowest byte on, the cell from which
// and to which the anchor goes, the direction, and the choice.
type firstStep uint32

// slides tells of a piece where it is and where a step leads.
type slides struct {
	mask uint64
	any  uint64             // the cells that are to be empty for one step or another
	need [directions]uint64 // of each; the piece's own where no step leads
	wall [directions]uint64 // not 0 where no step leads
	step [directions]firstStep
	to   [directions]int8 // the anchor, or none
}

func newCursor(pk *Packing, m Metric) *cursor {
	c := newMover(pk.puzzle, m)
	c.pk = pk
	c.path[0].end = pk.size
	c.at[0].node = 0
	c.descend(0)
	return c
}

// newMover makes a cursor that does not stand anywhere.
func newMover(p *Puzzle, m Metric) *cursor {
	c := &cursor{metric: m, cells: uint8(len(p.cells)), slides: make([]slides, (1+len(p.kinds))*MaxCells)}
	for k := range p.kinds {
		for at, mask := range p.kinds[k].mask {
			s := &c.slides[(1+k)*MaxCells+at]
			s.mask = mask
			for d := range s.to {
				s.need[d], s.wall[d] = mask, 1
				if s.to[d] = p.kinds[k].to[d][at]; s.to[d] != none {
					s.need[d], s.wall[d] = p.kinds[k].mask[s.to[d]]&^mask, 0
					s.any |= s.need[d]
					s.step[d] = firstStep(1+k)<<24 | firstStep(d)<<16 | firstStep(s.to[d])<<8 | firstStep(at)
				}
			}
		}
	}
	for i := range c.at {
		c.at[i].node = noNode
	}
	if m.Super() {
		c.together = &together{cursor: c}
	}
	return c
}

// seek goes to a number below the size.
func (c *cursor) seek(x uint64) {
	// Leave the nodes that do not have it.
	for c.steps > 0 {
		s := &c.path[c.steps]
		if x < s.end && x >= c.at[s.cell].base {
			break
		}
		c.at[s.cell].node = noNode
		c.steps--
		s = &c.path[c.steps]
		c.taken &^= c.slides[s.piece].mask
		c.at[s.cell].what = 0
	}
	c.descend(x)
}

// descend goes on from the last node of the path to a number that is below it.
func (c *cursor) descend(x uint64) {
	c.x = x
	steps := c.steps
	taken := c.taken
	cell := c.path[steps].cell
	base, node := c.at[cell].base, c.at[cell].node
	for cell < c.cells {
		choice := c.pk.choose(node, x-base)
		edges := c.pk.edges(node)
		e := edges[choice]
		piece := choice*MaxCells + uint32(cell)
		taken |= c.slides[piece].mask
		c.path[steps].piece = piece
		c.at[cell].what = choice
		end := base + edges[choice+1].add()
		base += e.add()
		cell, node = e.cell(), e.node()
		steps++
		s := &c.path[steps]
		s.end = end
		s.cell = cell
		at := &c.at[cell]
		at.node, at.base = node, base
	}
	c.steps = steps
	c.taken = taken
}

// rank returns the number of the placement that at tells of, which differs from that of
// the cursor from one cell on and not beyond another.
func (c *cursor) rank(first, last uint8) uint64 {
	edges, shift := c.pk.edge, c.pk.shift
	at := &c.at[first&(1<<cellBits-1)]
	node, sum := at.node, at.base
	for {
		e := edges[node<<(shift&31)+at.what]
		sum += e.add()
		node = e.node()
		cell := e.cell()
		at = &c.at[cell]
		if cell > last && at.node == node { // on the path again
			return sum + c.x - at.base
		}
	}
}

// moved returns the number after one piece has moved.
func (c *cursor) moved(from, to uint8) uint64 {
	a, b := &c.at[from&(1<<cellBits-1)], &c.at[to&(1<<cellBits-1)]
	choice := a.what
	if c.coder != nil {
		c.coder.moved(choice, from, to)
		return 0
	}
	a.what = 0
	b.what = choice
	x := c.rank(min(from, to), max(from, to))
	b.what = 0
	a.what = choice
	return x
}

// successors appends the numbers that a move leads to. One may be there twice.
func (c *cursor) successors(dst []uint64) []uint64 {
	if c.together != nil {
		return c.together.successors(dst)
	}
	// The pieces that may be free to move.
	n := 0
	for i := range c.path[:c.steps] {
		at := c.path[i].piece
		c.free[n] = at
		n += nonZero(c.slides[at].any &^ c.taken)
	}
	if c.metric == Moves {
		for _, at := range c.free[:n] {
			dst = c.paths(dst, at)
		}
		return dst
	}
	// Their steps.
	first := 0
	for _, at := range c.free[:n] {
		s := &c.slides[at]
		for d := range s.need {
			c.first[first] = s.step[d]
			first += 1 - nonZero(s.need[d]&c.taken)
		}
	}
	for _, f := range c.first[:first] {
		from, to := uint8(f), uint8(f>>8)
		dst = append(dst, c.moved(from, to))
		if c.metric == Lines {
			ofKind := c.slides[f>>24*MaxCells:][:MaxCells]
			others := c.taken &^ ofKind[from].mask
			d := f >> 16 % directions
			for t := &ofKind[to]; t.to[d] != none && t.need[d]&others == 0; t = &ofKind[t.to[d]] {
				dst = append(dst, c.moved(from, uint8(t.to[d])))
			}
		}
	}
	return dst
}

// nonZero is 1 if x is not 0.
func nonZero(x uint64) int { return int((x | -x) >> 63) }

// paths appends where a piece can move to along paths.
func (c *cursor) paths(dst []uint64, at uint32) []uint64 {
	from := uint8(at % MaxCells)
	ofKind := c.slides[at-uint32(from):][:MaxCells]
	others := c.taken &^ ofKind[from].mask
	reached := uint64(1) << from
	tail := 0
	s := &ofKind[from]
	for d, need := range s.need {
		to := uint8(s.to[d]) % MaxCells // of no account where there is none
		can := 1 - nonZero(need&c.taken)
		c.queue[tail] = to
		reached |= uint64(can) << to
		tail += can
	}
	for head := 0; head < tail; head++ {
		s := &ofKind[c.queue[head]%MaxCells]
		for d, need := range s.need {
			to := uint8(s.to[d]) % MaxCells
			can := (1 - nonZero(need&others|s.wall[d])) &^ int(reached>>to)
			c.queue[tail] = to
			reached |= uint64(can) << to
			tail += can
		}
	}
	for _, to := range c.queue[:tail] {
		dst = append(dst, c.moved(from, to))
	}
	return dst
}

// goals are the choices at cells that make the goals.
func (pk *Packing) goals() [][]goalCell { return pk.puzzle.goalCells() }

func (p *Puzzle) goalCells() [][]goalCell {
	var all [][]goalCell
	for _, g := range p.goals {
		var cells []goalCell
		for _, pl := range g {
			cells = append(cells, goalCell{pl.at, uint32(1 + p.pieces[pl.piece].kind)})
		}
		all = append(all, cells)
	}
	return all
}

type goalCell struct {
	cell   uint8
	choice uint32
}

// solved reports whether the cursor stands at a goal.
func (c *cursor) solved(goals [][]goalCell) bool {
next:
	for _, g := range goals {
		for _, want := range g {
			if c.at[want.cell].what != want.choice {
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
