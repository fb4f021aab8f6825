package packing

import (
	"math/bits"
	"slices"

	"pagoda/statespace/slide/tray"
)

// A cursor stands at a number of a Packing, and lists the numbers that moves lead to. It keeps
// its path through the band table, because neighbouring numbers share most of it. Conditions
// that a processor cannot predict are computed without branches.
type cursor struct {
	*bandTable
	metric tray.Metric // Steps, Lines or Moves
	x      uint64
	taken  uint64                // cells
	path   [MaxCells + 1]pathRow // by band, and the end
	code   [MaxCells + 1]uint32  // by band: the code of the fill
	begin  [MaxCells + 1]uint32  // by band: where its pieces begin, and the end
	pieces [MaxCells + maxWidth]uint16

	free     [MaxCells]uint16                   // scratch of singles
	steps    [tray.Directions*MaxCells + 1]step // scratch of singles
	queue    [MaxCells + 1]uint16               // scratch of paths
	together *together                          // nil if pieces move one at a time
	keys     *Keys                              // if not nil, moves make keys instead of numbers
}

// A pathRow is the state of the path before the fill of a band.
type pathRow struct {
	base        uint64 // the sum so far, the least number from here on
	completions uint64 // how many numbers there are from it on
	taken       uint64
	node        uint32
	at          uint32 // the place of the node
}

// A step is the step of a piece: from the lowest bits on, the place before, the place after, and
// the direction.
type step uint32

func newStep(from, to uint16, d tray.Direction) step {
	return step(d)<<(2*placeBits) | step(to)<<placeBits | step(from)
}

func (s step) from() uint16              { return uint16(s % (1 << placeBits)) }
func (s step) to() uint16                { return uint16(s >> placeBits % (1 << placeBits)) }
func (s step) direction() tray.Direction { return tray.Direction(s >> (2 * placeBits)) }

const placeBits = 12 // at most 62 kinds, each with at most 64 places

func newCursor(pk *Packing, m tray.Metric) *cursor {
	t := pk.bands()
	c := &cursor{bandTable: t}
	c.setMetric(m)
	c.path[0] = pathRow{completions: pk.size, at: t.nodes[0].at}
	c.seek(0)
	return c
}

func (c *cursor) setMetric(m tray.Metric) {
	c.metric = m.Single()
	if m.Super() {
		c.together = &together{cursor: c}
	}
}

// seek goes to a number below the size.
func (c *cursor) seek(x uint64) {
	// The first part of the path, up to the last node that has the number, stays.
	band := 0
	for i := 1; i < c.bands; i++ {
		band += within(x, &c.path[i])
	}
	c.x = x
	row := &c.path[band]
	base, node, taken, pieces := row.base, &c.nodes[row.node], row.taken, c.begin[band]
	for ; band < c.bands; band++ {
		// Find the last fill that adds at most rest.
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
		content := &c.contents[f.content]
		c.code[band] = content.code
		*(*[maxWidth]uint16)(c.pieces[pieces:]) = content.pieces
		base += f.add
		taken |= content.mask
		pieces += content.count
		node = &c.nodes[f.node]
		c.path[band+1] = pathRow{base: base, completions: node.completions, taken: taken, node: f.node, at: node.at}
		c.begin[band+1] = pieces
	}
	c.taken = taken
}

// within returns 1 if a number is one of those from a node on, else 0.
func within(x uint64, row *pathRow) int {
	_, less := bits.Sub64(x-row.base, row.completions, 0)
	return int(less)
}

// rank returns the number of the placement with the codes. In some bands, from first to last,
// these are not the codes of the cursor's own number. Behind them the path is the same again.
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

// moved returns the number of the placement with a piece at another place.
func (c *cursor) moved(from, to *piecePlace) uint64 {
	if c.keys != nil {
		c.keys.moved(from, to)
		return 0
	}
	// To restore the codes is faster than to add and subtract again.
	a, b := &c.code[from.first], &c.code[to.first]
	codeA, codeB := *a, *b
	*a -= uint32(from.code)
	*b += uint32(to.code)
	x := c.rank(min(from.first, to.first), max(from.last, to.last))
	*b = codeB
	*a = codeA
	return x
}

// successors appends the numbers that moves lead to. A number can come twice.
func (c *cursor) successors(dst []uint64) []uint64 {
	dst = c.singles(dst)
	if c.together != nil {
		dst = c.together.successors(dst)
	}
	return dst
}

// singles appends the numbers that moves of one piece lead to.
func (c *cursor) singles(dst []uint64) []uint64 {
	places, taken := c.places, c.taken
	// The pieces that have an empty cell where some step needs one.
	n := 0
	for _, at := range c.pieces[:c.count] {
		c.free[n] = at
		n += 1 - isZero(places[at].any&^taken)
	}
	// Their steps.
	count := 0
	for _, at := range c.free[:n] {
		s := &places[at]
		c.steps[count] = newStep(at, s.to[tray.Up], tray.Up)
		count += isZero(s.need[tray.Up] & taken)
		c.steps[count] = newStep(at, s.to[tray.Down], tray.Down)
		count += isZero(s.need[tray.Down] & taken)
		c.steps[count] = newStep(at, s.to[tray.Left], tray.Left)
		count += isZero(s.need[tray.Left] & taken)
		c.steps[count] = newStep(at, s.to[tray.Right], tray.Right)
		count += isZero(s.need[tray.Right] & taken)
		if c.stairs != nil {
			count = c.climbs(count, at)
		}
	}
	for i := 0; i < count; i++ {
		f := c.steps[i]
		from, to := &places[f.from()], &places[f.to()]
		if c.metric == tray.Moves && to.any&^taken&^from.mask != 0 {
			// The piece can perhaps go on: from the place after the step, another step needs a cell
			// that is empty now, and is not one that the piece has just left.
			dst = c.paths(dst, f.from())
			for i+1 < count && c.steps[i+1].from() == f.from() {
				i++
			}
			continue
		}
		dst = append(dst, c.moved(from, to))
		if c.metric == tray.Lines {
			others := taken &^ from.mask
			d := f.direction()
			if d >= tray.FlatDirections {
				dst = c.stairway(dst, f, others)
				continue
			}
			for to.need[d]&others == 0 && to.wall>>d&1 == 0 {
				to = &places[to.to[d]]
				dst = append(dst, c.moved(from, to))
			}
		}
	}
	return dst
}

// climbs appends the steps of a piece to other floors to the steps that are there, and returns how many
// there are then.
func (c *cursor) climbs(count int, at uint16) int {
	s := &c.stairs[at]
	for i, need := range s.need {
		c.steps[count] = newStep(at, s.to[i], tray.FlatDirections+tray.Direction(i))
		count += isZero(need & c.taken)
	}
	return count
}

// stairway appends the numbers with a piece further in the direction of a step between floors. The
// others are the cells of the other pieces.
func (c *cursor) stairway(dst []uint64, s step, others uint64) []uint64 {
	at, d := s.to(), s.direction()
	for c.need(at, d)&others == 0 && c.places[at].wall>>d&1 == 0 {
		at = c.stepTo(at, d)
		dst = append(dst, c.moved(&c.places[s.from()], &c.places[at]))
	}
	return dst
}

// isZero returns 1 if x is 0, else 0.
func isZero(x uint64) int { return int((x - 1) &^ x >> 63) }

// paths appends the numbers with a piece where any path leads it.
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
			can := isZero(need&others) &^ int(reached>>bit)
			c.queue[tail] = to
			reached |= uint64(can) << bit
			tail += can
		}
		if c.stairs == nil {
			continue
		}
		stairs := &c.stairs[c.queue[head]]
		for i, need := range stairs.need {
			to := stairs.to[i]
			bit := (to - s.kind) & 63
			can := isZero(need&others) &^ int(reached>>bit)
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

// solved reports whether the cursor stands at a goal.
func (c *cursor) solved() bool {
next:
	for _, g := range c.goals {
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
