package packing

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A cursor stands at a number of a Packing, and lists the numbers that moves lead to. It keeps
// its path through the band table, because neighbouring numbers share most of it. Conditions
// that a processor cannot predict are computed without branches.
type cursor struct {
	*bandTable
	metric tray.Metric // Steps, Lines or Moves
	x      uint64
	taken  uint64       // cells
	boards boards       // of all pieces; without meaning if moves make keys
	path   [128]pathRow // by band, and the end; the length is more than MaxCells, and a power of 2
	pieces [MaxCells + maxWidth]uint16

	code     [MaxCells]uint32                   // scratch of walk
	onLanes  bool                               // steps are found by lanes
	found    found                              // scratch of byLanes
	free     [MaxCells]uint16                   // scratch of byPieces
	steps    [tray.Directions*MaxCells + 1]step // scratch of byPieces
	queue    [MaxCells + 1]uint16               // scratch of paths
	together *together                          // nil if pieces move one at a time
	keys     *Keys                              // if not nil, moves make keys instead of numbers
}

// A pathRow is the state of the path before the fill of a band.
type pathRow struct {
	base        uint64 // the sum so far, the least number from here on
	completions uint64 // how many numbers there are from it on
	taken       uint64
	window      uint64 // the codes of the last bands: that of the very last one is highest
	boards      boards
	first       uint32 // see bandNode
	at          uint32
	index       uint32
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
	c := &cursor{bandTable: t, onLanes: t.finder.table != nil}
	c.setMetric(m)
	c.path[0] = pathRow{completions: t.root.completions, first: t.root.first, at: t.root.at, index: t.root.index}
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
func (c *cursor) seek(x uint64) { c.seekBefore(x, c.bands) }

// seekBefore is seek without the bands from one on, which must be the same in all calls for a cursor. It returns
// the first band that may have another fill than before.
func (c *cursor) seekBefore(x uint64, bands int) (changed int) {
	// The first part of the path, up to the last node that has the number, stays.
	band := 0
	for i := 1; i < bands; i++ {
		band += within(x, &c.path[i&127])
	}
	changed = band
	c.x = x
	row := &c.path[band&127]
	base, taken, window, boards := row.base, row.taken, row.window, row.boards
	first, index := row.first, row.index
	pieces := uint(bits.OnesCount64(boards.all()))
	t := c.bandTable
	fills, contents := t.fills, t.contents
	codeBits := t.codeBits & 63
	for ; band < bands; band++ {
		// Find the last fill that adds at most rest.
		rest := x - base
		var f *fill
		if index < noIndex {
			f = &fills[first+uint32(t.index[index+uint32(rest)])]
		} else {
			fills := fills[first:][:index-noIndex]
			at := 0
			for size := len(fills); size > 1; {
				half := size >> 1
				_, beyond := bits.Sub64(rest, fills[at+half].add, 0)
				at += half &^ -int(beyond)
				size -= half
			}
			f = &fills[at]
		}
		content := &contents[f.content]
		*(*[maxWidth]uint16)(c.pieces[pieces:]) = content.pieces
		pieces += uint(content.count)
		base += f.add
		taken |= content.mask
		window = window>>(codeBits&63) | content.window
		boards = boards.union(content.boards)
		first, index = f.next, f.index
		row := &c.path[(band+1)&127]
		row.base, row.completions, row.taken, row.window = base, f.completions, taken, window
		row.boards = boards
		row.first, row.at, row.index = first, f.nextAt, index
	}
	c.taken, c.boards = taken, boards
	return changed
}

// within returns 1 if a number is one of those from a node on, else 0.
func within(x uint64, row *pathRow) int {
	_, less := bits.Sub64(x-row.base, row.completions, 0)
	return int(less)
}

// shifted returns the number of the placement after a shift, which has a walk. Behind its bands the
// path is the same again.
func (c *cursor) shifted(s *shift) uint64 {
	w := (c.path[s.row&127].window + s.delta) >> (s.skip & 63)
	row := &c.path[s.first&127]
	at, sum := row.at, row.base
	to, codeBits := c.to, c.codeBits&63
	mask := uint32(1)<<(codeBits&31) - 1
	for range s.walk {
		e := to[at+uint32(w)&mask]
		sum += e.add()
		at = e.at()
		w >>= codeBits & 63
	}
	return sum + c.x - c.path[(s.first+s.walk)&127].base
}

// walk returns the number of the placement with other codes in the bands from first to last. The
// pieces from leave their places, and others take the places to.
func (c *cursor) walk(first, last uint8, from, to []uint16) uint64 {
	for band := first; band <= last; band++ {
		c.code[band] = uint32(c.path[band+1].window >> ((c.codes - 1) * c.codeBits))
	}
	for i := range from {
		c.code[c.places[from[i]].first] -= uint32(c.places[from[i]].code)
		c.code[c.places[to[i]].first] += uint32(c.places[to[i]].code)
	}
	at, sum := c.path[first].at, c.path[first].base
	for _, code := range c.code[first : last+1] {
		e := c.to[at+code]
		sum += e.add()
		at = e.at()
	}
	return sum + c.x - c.path[last+1].base
}

// stepped returns the number of the placement after a step of a piece.
func (c *cursor) stepped(at uint16, d tray.Direction) uint64 {
	if c.keys == nil {
		if s := &c.shifts[int(at)<<directionBits+int(d)]; s.walk > 0 {
			return c.shifted(s)
		}
	}
	return c.moved(at, c.stepTo(at, d))
}

// moved returns the number of the placement with a piece at another place.
func (c *cursor) moved(from, to uint16) uint64 {
	a, b := &c.places[from], &c.places[to]
	if c.keys != nil {
		c.keys.moved(a, b)
		return 0
	}
	if c.pairs != nil {
		if s := &c.pairs[int(c.pairsAt[from])+int(to)]; s.walk > 0 {
			return c.shifted(s)
		}
	} else if s := c.newShift(a, b); s.walk > 0 {
		return c.shifted(&s)
	}
	return c.walk(min(a.first, b.first), max(a.last, b.last), []uint16{from}, []uint16{to})
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
	if hasVectors && c.onLanes {
		return c.byLanes(dst)
	}
	return c.byPieces(dst)
}

// byLanes is singles with steps that are found by lanes.
func (c *cursor) byLanes(dst []uint64) []uint64 {
	f := &c.found
	t := c.finder
	t.find(f, c.metric, c.taken, c.boards)
	all := c.boards.all()
	for lanes := f.lanes; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros64(lanes)
		d := tray.Direction(lane & (1<<(t.shift&7) - 1))
		for m := f.from[lane]; m != 0; m &= m - 1 {
			at := c.pieces[bits.OnesCount64(all&(m&-m-1))]
			if s := &c.shifts[int(at)<<directionBits+int(d)]; s.walk > 0 {
				dst = append(dst, c.shifted(s))
			} else {
				dst = append(dst, c.moved(at, c.stepTo(at, d)))
			}
		}
	}
	far := uint64(0)
	for lanes := f.lanesOn; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros64(lanes)
		far |= f.on[lane]
		if c.metric == tray.Lines {
			d := tray.Direction(lane & (1<<(t.shift&7) - 1))
			for m := f.on[lane]; m != 0; m &= m - 1 {
				at := c.pieces[bits.OnesCount64(all&(m&-m-1))]
				dst = c.line(dst, at, c.stepTo(at, d), d)
			}
		}
	}
	if c.metric == tray.Moves {
		for ; far != 0; far &= far - 1 {
			dst = c.farther(dst, c.pieces[bits.OnesCount64(all&(far&-far-1))])
		}
	}
	return dst
}

// byPieces is singles, one piece after the other.
func (c *cursor) byPieces(dst []uint64) []uint64 {
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
		dst = append(dst, c.stepped(f.from(), f.direction()))
		if c.metric == tray.Lines {
			dst = c.line(dst, f.from(), f.to(), f.direction())
		}
	}
	return dst
}

// line appends the numbers with a piece further in a direction, from the place after the first step.
func (c *cursor) line(dst []uint64, from, at uint16, d tray.Direction) []uint64 {
	others := c.taken &^ c.places[from].mask
	for c.need(at, d)&others == 0 && c.places[at].wall>>d&1 == 0 {
		at = c.stepTo(at, d)
		dst = append(dst, c.moved(from, at))
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
		at := c.queue[head]
		for d := range c.directions {
			to := c.stepTo(at, d)
			bit := (to - from.kind) & 63
			can := isZero(c.need(at, d)&others) &^ int(reached>>bit)
			c.queue[tail] = to
			reached |= uint64(can) << bit
			tail += can
		}
	}
	for _, to := range c.queue[1:tail] {
		dst = append(dst, c.moved(at, to))
	}
	return dst
}

// farther appends the numbers with a piece where paths of two or more steps lead it.
func (c *cursor) farther(dst []uint64, at uint16) []uint64 {
	class, s := c.finder.of[at], &c.places[at]
	if !c.finder.closed[class-1] {
		return c.paths(dst, at)
	}
	number := c.number[int(s.choice)*MaxCells:][:MaxCells]
	for cells := c.finder.farther(class, s.mask&-s.mask, c.taken&^s.mask); cells != 0; cells &= cells - 1 {
		dst = append(dst, c.moved(at, number[bits.TrailingZeros64(cells)]))
	}
	return dst
}

// solved reports whether the cursor stands at a goal.
func (c *cursor) solved() bool {
next:
	for _, g := range c.goals {
		for _, want := range g {
			if !c.has(want) {
				continue next
			}
		}
		return true
	}
	return false
}

// has reports whether some piece is at a place.
func (c *cursor) has(place uint16) bool {
	if c.keys != nil {
		return slices.Contains(c.pieces[:c.count], place)
	}
	mask, all := c.places[place].mask, c.boards.all()
	first := mask & -mask
	return all&first != 0 && c.pieces[bits.OnesCount64(all&(first-1))] == place
}
