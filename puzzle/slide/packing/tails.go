package packing

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// Tails are what placements can have in the last bands. They depend only on the node before these bands, so
// many placements have the same tail, and its steps are found once for all of them. A search makes them
// when a level has many neighbouring states.
type tails struct {
	*bandTable
	band  int        // the first band of tails
	nodes []tailNode // before the band, in the order of their first fills
	count int        // of the tails of all nodes

	once  sync.Once // for the rest
	at    []uint32  // where the tails of a node begin, by its first fill from that of nodes[0] on
	tails []tail    // of a node, by the number from the node on
	steps []tailStep
}

// A tailNode is a node with the least of its numbers, and how many paths lead to it.
type tailNode struct {
	bandNode
	base, paths uint64
}

// A tail is one of them. It fits into a cache line.
type tail struct {
	taken uint64 // the cells of its pieces
	codes uint64 // of its bands, as many as fit into a word: that of the first one is lowest
	// The list has, for each band, how many numbers the node has before those that are the same up to the
	// end of the band. Then it has the steps that stay in the tail, by where they lead from the node on,
	// and the steps that also change bands before the tail, and have room in it, as places in tails.steps.
	list        [22]uint16
	stay, leave uint8 // how many steps
	long        bool  // there are too many steps: the list has none
}

// A tailStep is a step of a piece from a place in a direction.
type tailStep struct {
	above, below uint64 // the cells that must be empty before the tail, and in it
	// Delta is what the step adds to the codes from the band first on. They are the window before band row,
	// without its lowest bits as skip says, and then those of the tail, which are shifted to the left.
	delta            uint64
	first, last, row uint8 // bands
	skip, shift      uint8
}

// The limits of tails. Tests change them. Placements are at least largeSize, the tails of all nodes at most
// maxTails, and as a mean, sharedTails placements or more go through a path to the tails.
var (
	largeSize   uint64 = 1 << 24
	maxTails    uint64 = 1 << 20
	sharedTails uint64 = 64
)

// maxTailBands is the greatest number of bands of a tail.
const maxTailBands = 8

// shareSteps makes a graph of single steps share what it finds, in a large tray.
func (pk *Packing) shareSteps(g *statespace.Graph) {
	if t := pk.tails(); t != nil {
		g.Memory += t.bytes()
		g.NewExpander = func() statespace.Expander { return newBlockExpander(pk, t) }
		g.NewBlockExpander = func() statespace.BlockExpander { return newBlockExpander(pk, t) }
	}
}

// tails returns the tails of a search by steps, or nil if it is faster without.
func (pk *Packing) tails() *tails {
	t := pk.bands()
	if pk.size >= largeSize {
		t.onceTails.Do(func() { t.tails = newTails(t) })
	}
	return t.tails
}

// newTails chooses the band, the first one for which the tails are few enough.
func newTails(t *bandTable) *tails {
	r := &tails{bandTable: t, nodes: []tailNode{{bandNode: t.root, paths: 1}}}
	for {
		if r.band++; r.band == t.bands {
			return nil
		}
		r.nextNodes()
		sum, paths, most := uint64(0), uint64(0), uint64(0)
		for i := range r.nodes {
			n := &r.nodes[i]
			sum, paths, most = sum+n.completions, paths+n.paths, max(most, n.completions)
		}
		if sum > maxTails || most > 1<<16 || t.bands-r.band > maxTailBands {
			continue
		}
		if r.count = int(sum); t.pk.size/paths < sharedTails || !r.addSteps() {
			return nil
		}
		return r
	}
}

// nextNodes goes from the nodes before a band to those behind.
func (r *tails) nextNodes() {
	var next []tailNode
	at := make(map[uint32]int)
	for i := range r.nodes {
		n := &r.nodes[i]
		for _, f := range r.fillsFrom(&n.bandNode) {
			if _, ok := at[f.next]; !ok {
				at[f.next] = len(next)
				next = append(next, tailNode{bandNode: bandNode{f.completions, f.next, f.nextAt, f.index}, base: n.base + f.add})
			}
			next[at[f.next]].paths += n.paths
		}
	}
	slices.SortFunc(next, func(a, b tailNode) int { return cmp.Compare(a.first, b.first) })
	r.nodes = next
}

// bytes returns about how much memory the tails take.
func (r *tails) bytes() uint64 {
	first, last := &r.nodes[0], &r.nodes[len(r.nodes)-1]
	return uint64(r.count)*64 + uint64(last.first-first.first)*4 + uint64(len(r.steps))*32
}

// build makes the tails, unless they are there.
func (r *tails) build() {
	r.once.Do(func() {
		first, last := &r.nodes[0], &r.nodes[len(r.nodes)-1]
		r.at = make([]uint32, last.first-first.first+1)
		r.tails = mapped.Large[tail](r.count)[:0]
		c := newCursor(r.pk, tray.Steps)
		var list []uint16
		for i := range r.nodes {
			n := &r.nodes[i]
			r.at[n.first-first.first] = uint32(len(r.tails))
			for rest := range n.completions {
				c.seek(n.base + rest)
				r.tails = append(r.tails, tail{})
				list = r.set(&r.tails[len(r.tails)-1], c, list[:0])
			}
		}
	})
}

// addSteps sets the steps. It reports false if they are too many, or if one changes more bands than a window
// has.
func (r *tails) addSteps() bool {
	if len(r.places)<<directionBits > 1<<16 {
		return false
	}
	before := uint64(1)<<r.begins[r.band] - 1 // cells
	r.steps = make([]tailStep, len(r.places)<<directionBits)
	for i := range r.places {
		for d := range r.directions {
			a, b, need := &r.places[i], &r.places[r.stepTo(uint16(i), d)], r.need(uint16(i), d)
			s := tailStep{above: need & before, below: need &^ before, first: min(a.first, b.first), last: max(a.last, b.last)}
			if s.last-s.first >= r.codes {
				return false
			}
			s.row = min(s.last+1, uint8(r.band))
			s.delta = uint64(b.code)<<((b.first-s.first)*r.codeBits&63) - uint64(a.code)<<((a.first-s.first)*r.codeBits&63)
			if s.first < s.row {
				s.skip, s.shift = (r.codes-(s.row-s.first))*r.codeBits, (s.row-s.first)*r.codeBits
			}
			r.steps[i<<directionBits+int(d)] = s
		}
	}
	return true
}

// set sets the tail of the placement of a cursor. The list is empty memory.
func (r *tails) set(l *tail, c *cursor, list []uint16) []uint16 {
	base := c.path[r.band].base
	for band := r.band; band < r.bands; band++ {
		next := &c.path[band+1]
		list = append(list, uint16(next.base-base))
		if at := band - r.band; (at+1)*int(r.codeBits) <= 64 {
			l.codes |= next.window >> ((r.codes - 1) * r.codeBits) << (at * int(r.codeBits))
		}
	}
	pieces := c.pieces[bits.OnesCount64(c.path[r.band].boards.all()):c.count]
	stay, leave := 0, 0
	for _, at := range pieces {
		l.taken |= r.places[at].mask
		for d := range r.directions {
			if int(r.steps[int(at)<<directionBits+int(d)].first) >= r.band && r.need(at, d)&c.taken == 0 {
				list = append(list, uint16(c.stepped(at, d)-base))
				stay++
			}
		}
	}
	for _, at := range pieces {
		for d := range r.directions {
			id := int(at)<<directionBits + int(d)
			if s := &r.steps[id]; int(s.first) < r.band && r.places[at].wall>>d&1 == 0 && s.below&c.taken == 0 {
				list = append(list, uint16(id))
				leave++
			}
		}
	}
	if l.long = len(list) > len(l.list); !l.long {
		l.stay, l.leave = uint8(stay), uint8(leave)
		copy(l.list[:], list)
	}
	return list
}

// A blockExpander is a cursor for tray.Steps that makes steps once for many placements. It implements
// statespace.BlockExpander.
type blockExpander struct {
	*cursor
	tails *tails
	above *cursor     // stands before the tail
	leave []*tailStep // of the pieces before the tail, with room there, that also change the tail
	read  uint64      // see stepsBelow
}

func newBlockExpander(pk *Packing, t *tails) *blockExpander {
	return &blockExpander{cursor: newCursor(pk, tray.Steps), tails: t}
}

// ExpandBlock implements statespace.BlockExpander.
func (e *blockExpander) ExpandBlock(dst []uint64, spans []statespace.Span, first uint64, states *statespace.Block) ([]uint64, []statespace.Span) {
	if e.above == nil {
		e.tails.build()
		e.above = newCursor(e.pk, tray.Steps)
	}
	c := e.above
	for from, seen := states.Next(0), false; from < statespace.BlockSize; seen = true {
		changed := c.seekBefore(first+uint64(from), e.tails.band)
		if !seen {
			changed = 0 // the path before may be of another block
		}
		row := &c.path[e.tails.band]
		to := int(min(row.base+row.completions-first, statespace.BlockSize))
		spans = e.stepsAbove(spans, first, changed)
		dst = e.stepsBelow(dst, first, states, from, to)
		from = states.Next(to)
	}
	return dst, spans
}

// stepsAbove finds the steps of the pieces before the tail that have room there. Those that change the tail go to
// e.leave. It appends the others, without those that end before the band changed: they are there already.
func (e *blockExpander) stepsAbove(spans []statespace.Span, first uint64, changed int) []statespace.Span {
	c, t := e.above, e.tails
	e.leave = e.leave[:0]
	for _, at := range c.pieces[:bits.OnesCount64(c.boards.all())] {
		if c.places[at].any&^c.taken == 0 && c.stairs == nil {
			continue
		}
		for d := range c.directions {
			if c.need(at, d)&c.taken != 0 {
				continue
			}
			s := &t.steps[int(at)<<directionBits+int(d)]
			if int(s.last) >= t.band {
				e.leave = append(e.leave, s)
			} else if int(s.last) >= changed {
				row := &c.path[s.row]
				add := c.walked(s, row.window>>(s.skip&63)) - row.base
				begin, end := row.base, row.base+row.completions
				spans = append(spans, statespace.Span{From: int(max(begin, first) - first), To: int(min(end-first, statespace.BlockSize)), Add: int64(add)})
			}
		}
	}
	return spans
}

// walked returns the sum up to the end of the bands that a step changes. The codes are those before the step.
func (c *cursor) walked(s *tailStep, codes uint64) uint64 {
	codes += s.delta
	row := &c.path[s.first&127]
	at, sum := row.at, row.base
	to, codeBits := c.to, c.codeBits&63
	mask := uint32(1)<<(codeBits&31) - 1
	for range s.last + 1 - s.first {
		e := to[at+uint32(codes)&mask]
		sum += e.add()
		at = e.at()
		codes >>= codeBits
	}
	return sum
}

// stepsBelow appends where the other steps lead from the states of a block from a bit on and before another, which
// have the same node before the tail.
func (e *blockExpander) stepsBelow(dst []uint64, first uint64, states *statespace.Block, from, to int) []uint64 {
	c, t := e.above, e.tails
	row := &c.path[t.band]
	base, taken := row.base, c.taken
	tails := t.tails[t.at[row.first-t.nodes[0].first]:][:row.completions]
	// First read the tails, so that the waits for their memory overlap.
	for k := from >> 6; k<<6 < to; k++ {
		for word := states.Between(k, from, to); word != 0; word &= word - 1 {
			e.read += tails[first+uint64(k<<6+bits.TrailingZeros64(word))-base].codes
		}
	}
	bands := t.bands - t.band
	for k := from >> 6; k<<6 < to; k++ {
		for word := states.Between(k, from, to); word != 0; word &= word - 1 {
			x := first + uint64(k<<6+bits.TrailingZeros64(word))
			l := &tails[x-base]
			if l.long {
				dst = e.Expand(dst, x&^63, 1<<(x&63), nil)
				continue
			}
			for _, at := range l.list[bands:][:l.stay] {
				dst = append(dst, base+uint64(at))
			}
			for _, id := range l.list[bands+int(l.stay):][:l.leave] {
				if s := &t.steps[id]; s.above&taken == 0 {
					dst = append(dst, e.left(s, l, x))
				}
			}
			for _, s := range e.leave {
				if s.below&l.taken == 0 {
					dst = append(dst, e.left(s, l, x))
				}
			}
		}
	}
	return dst
}

// left returns where a step that also changes bands before the tail leads from the number x, which has the tail l.
func (e *blockExpander) left(s *tailStep, l *tail, x uint64) uint64 {
	row := &e.above.path[e.tails.band&127]
	sum := e.above.walked(s, row.window>>(s.skip&63)|l.codes<<(s.shift&63))
	return sum + x - row.base - uint64(l.list[int(s.last)-e.tails.band])
}
