package slide

import (
	"math/bits"
	"slices"
)

// A cursor stands at one number of a Packing and lists those that a move leads to. It
// keeps the path through the table, so that neighbouring numbers share most of it, and so
// that a move walks again only those bands that are different. What is hard to foretell is
// computed without branches.
type cursor struct {
	*bandTable
	metric   Metric
	x        uint64
	taken    uint64                // cells
	path     [MaxCells + 1]pathRow // by band, and the end
	code     [MaxCells + 1]uint32  // of fills by band
	begin    [MaxCells + 1]uint32  // of the pieces of fills by band
	pieces   [MaxCells + maxWidth]uint16
	count    int // pieces
	free     [MaxCells]uint16
	first    [directions*MaxCells + 1]step
	queue    [MaxCells + 1]uint16 // of paths
	together *together            // of the metrics in which pieces move together
	coder    *coder               // of the hash engine, which has no bands: it takes what moves make, as keys
}

// A pathRow tells of a band what holds before its fill.
type pathRow struct {
	base  uint64 // the sum, and how many numbers there are from it on
	ways  uint64
	taken uint64
	node  uint32
	at    uint32 // the place of the node
}

// A step is a piece's step: from the lowest bits on the place from which and to which, and
// the direction.
type step uint32

func newStep(from, to uint16, d Direction) step {
	return step(d)<<(2*placeBits) | step(to)<<placeBits | step(from)
}

func (s step) from() uint16         { return uint16(s % (1 << placeBits)) }
func (s step) to() uint16           { return uint16(s >> placeBits % (1 << placeBits)) }
func (s step) direction() Direction { return Direction(s >> (2 * placeBits) % directions) }

const placeBits = 12 // there are less than 62 kinds, each with at most 64 places

func newCursor(pk *Packing, m Metric) *cursor {
	t := pk.bands()
	c := &cursor{bandTable: t}
	c.setMetric(m)
	c.path[0] = pathRow{ways: pk.size, at: t.nodes[0].at}
	c.seek(0)
	return c
}

// newMover makes a cursor that does not stand anywhere, and has no bands.
func newMover(p *Puzzle, m Metric) *cursor {
	c := &cursor{bandTable: &bandTable{placeList: newPlaceList(p)}}
	c.setMetric(m)
	c.begin[1] = uint32(c.count)
	return c
}

func (c *cursor) setMetric(m Metric) {
	c.metric = m.reach()
	c.count = len(c.puzzle.pieces)
	if m.Super() {
		c.together = &together{cursor: c}
	}
}

// seek goes to a number below the size.
func (c *cursor) seek(x uint64) {
	// The first nodes that have the number stay.
	band := 0
	for i := 1; i < c.bands; i++ {
		band += within(x, &c.path[i])
	}
	c.x = x
	row := &c.path[band]
	base, node, taken, pieces := row.base, &c.nodes[row.node], row.taken, c.begin[band]
	for ; band < c.bands; band++ {
		// The last fill that adds no more than rest.
		rest := x - base
		fills := c.fills[node.first:][:node.fills]
		at := 0
		if node.index != noIndex {
			at = int(c.index[node.index+uint32(rest)])
		} else {
			for size := len(fills); size > 1; {
				half := size >> 1
				_, beyond := bits.Sub64(rest, fills[at+half].add, 0)
				at += half &^ -int(beyond)
				size -= half
			}
		}
		f := &fills[at]
		fill := &c.content[f.content]
		c.code[band] = fill.code
		*(*[maxWidth]uint16)(c.pieces[pieces:]) = fill.pieces
		base += f.add
		taken |= fill.mask
		pieces += fill.count
		node = &c.nodes[f.node]
		c.path[band+1] = pathRow{base: base, ways: node.ways, taken: taken, node: f.node, at: node.at}
		c.begin[band+1] = pieces
	}
	c.taken = taken
}

// within is 1 if a number is below a node, else 0.
func within(x uint64, row *pathRow) int {
	_, less := bits.Sub64(x-row.base, row.ways, 0)
	return int(less)
}

// rank returns the number of the placement with the codes, which are not those of the
// cursor's own number in some bands. What is decided after the last of these is the same.
func (c *cursor) rank(first, last uint8) uint64 {
	at, sum := c.path[first].at, c.path[first].base
	to := c.to
	for _, code := range c.code[first : last+1] {
		e := to[at+code]
		sum += e.add()
		at = e.at()
	}
	return sum + c.x - c.path[last+1].base
}

// moved returns the number after one piece has moved.
func (c *cursor) moved(from, to *piecePlace) uint64 {
	if c.coder != nil {
		c.coder.moved(from, to)
		return 0
	}
	// The codes are put back as they were, not counted back, which would take longer.
	a, b := &c.code[from.first], &c.code[to.first]
	codeA, codeB := *a, *b
	*a -= uint32(from.code)
	*b += uint32(to.code)
	x := c.rank(min(from.first, to.first), max(from.last, to.last))
	*b = codeB
	*a = codeA
	return x
}

// successors appends the numbers that a move leads to. One may be there twice.
func (c *cursor) successors(dst []uint64) []uint64 {
	dst = c.singles(dst)
	if c.together != nil {
		dst = c.together.successors(dst)
	}
	return dst
}

// singles appends the numbers that a move of one piece leads to.
func (c *cursor) singles(dst []uint64) []uint64 {
	places, taken := c.places, c.taken
	// The pieces that may be free to move.
	n := 0
	for _, at := range c.pieces[:c.count] {
		c.free[n] = at
		n += 1 - zero(places[at].any&^taken)
	}
	// Their steps.
	first := 0
	for _, at := range c.free[:n] {
		s := &places[at]
		c.first[first] = newStep(at, s.to[Up], Up)
		first += zero(s.need[Up] & taken)
		c.first[first] = newStep(at, s.to[Down], Down)
		first += zero(s.need[Down] & taken)
		c.first[first] = newStep(at, s.to[Left], Left)
		first += zero(s.need[Left] & taken)
		c.first[first] = newStep(at, s.to[Right], Right)
		first += zero(s.need[Right] & taken)
	}
	for i := 0; i < first; i++ {
		f := c.first[i]
		from, to := &places[f.from()], &places[f.to()]
		if c.metric == Moves && to.any&^taken&^from.mask != 0 {
			// The piece may go on: it would have a cell, at the far end in the direction of the
			// next step, that is in neither of the places before.
			dst = c.paths(dst, f.from())
			for i+1 < first && c.first[i+1].from() == f.from() {
				i++
			}
			continue
		}
		dst = append(dst, c.moved(from, to))
		if c.metric == Lines {
			others := taken &^ from.mask
			d := f.direction()
			for to.need[d]&others == 0 && to.wall>>d&1 == 0 {
				to = &places[to.to[d]]
				dst = append(dst, c.moved(from, to))
			}
		}
	}
	return dst
}

// zero is 1 if x is 0, else 0.
func zero(x uint64) int { return int((x - 1) &^ x >> 63) }

// paths appends where a piece can move to along paths.
func (c *cursor) paths(dst []uint64, at uint16) []uint64 {
	from := &c.places[at]
	others := c.taken &^ from.mask
	reached := uint64(1) << (at - from.kind)
	c.queue[0] = at
	tail := 1
	for head := 0; head < tail; head++ {
		s := &c.places[c.queue[head]]
		for d, need := range s.need {
			to := s.to[d]
			bit := (to - s.kind) & 63
			can := zero(need&others) &^ int(reached>>bit)
			c.queue[tail] = to
			reached |= uint64(can) << bit
			tail += can
		}
	}
	for _, to := range c.queue[1:tail] {
		dst = append(dst, c.moved(from, &c.places[to]))
	}
	return dst
}

// goals are the places of pieces that make the goals. Goals where a piece cannot come
// are left out.
func (c *cursor) goals() [][]uint16 {
	var all [][]uint16
	p := c.puzzle
next:
	for _, g := range p.goals {
		var places []uint16
		for _, pl := range g {
			if p.kindOf(pl.piece).mask[pl.at] == 0 {
				continue next
			}
			places = append(places, c.number[(1+p.pieces[pl.piece].kind)*MaxCells+int(pl.at)])
		}
		all = append(all, places)
	}
	return all
}

// solved reports whether the cursor stands at a goal.
func (c *cursor) solved(goals [][]uint16) bool {
next:
	for _, g := range goals {
		for _, want := range g {
			band := c.places[want].first
			if !slices.Contains(c.pieces[c.begin[band]:c.begin[band+1]], want) {
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
