package slide

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/sorted"
	"pagoda/statespace/bfs"
)

// A component is the positions that can be reached. They are members, from 0 in the order of their numbers.
type component struct {
	*explorer
	bits   []uint64 // a bit for each number
	before []uint32 // by beforeWords words: how many members come before
	states int
}

// beforeWords words of bits are a cache line.
const beforeWords = 8

// maxMembers bounds the members of a component.
const maxMembers = 1 << 31

// component returns the positions that a search has reached, fewer than maxMembers.
func (e *explorer) component(reached *bfs.Search) *component {
	marks := bitset.Support{Planes: reached.Marks()}
	words := bitset.Words(marks.Len())
	c := &component{explorer: e, bits: make([]uint64, words), before: make([]uint32, 0, words/beforeWords+1)}
	for w := range c.bits {
		if w%beforeWords == 0 {
			c.before = append(c.before, uint32(c.states))
		}
		c.bits[w] = marks.NotZero(uint64(w))
		c.states += bits.OnesCount64(c.bits[w])
	}
	return c
}

// componentBytes returns what a component takes.
func componentBytes(numbers uint64) uint64 { return numbers/8 + numbers/(64*beforeWords)*4 }

// beforeWord returns how many members come before a word of bits.
func (c *component) beforeWord(w int) uint32 {
	return c.before[w/beforeWords] + uint32(bitset.Count(c.bits[w&^(beforeWords-1):w]))
}

// member returns the member with a number. There must be one.
func (c *component) member(x uint64) uint32 {
	w := int(x >> 6)
	return c.beforeWord(w) + uint32(bits.OnesCount64(c.bits[w]&(1<<(x&63)-1)))
}

// number returns the number of a member.
func (c *component) number(i uint32) uint64 {
	line := sort.Search(len(c.before), func(k int) bool { return c.before[k] > i }) - 1
	w := line * beforeWords
	return uint64(w)<<6 + bitset.SelectIn(c.bits[w:], uint64(i-c.before[line]))
}

// position returns the position of a member.
func (c *component) position(i uint32) tray.Position { return c.numbers.Unrank(c.number(i)) }

// Members are worked on in parts of partMembers.
const partMembers = 1 << partBits
const partBits = 15

// parts calls a function for each part of the members, on all threads: with the first member and the numbers
// of the members.
func (c *component) parts(ctx context.Context, newDo func() func(first int, numbers []uint64)) error {
	workers := make([]func(first int, numbers []uint64), c.threads)
	for i := range workers {
		workers[i] = newDo()
	}
	return mapped.EachWith(ctx, workers, uint64(c.states+partMembers-1)/partMembers, func(do func(first int, numbers []uint64), i uint64) error {
		first := int(i) << partBits
		count := min(partMembers, c.states-first)
		numbers := make([]uint64, 0, count)
		from := c.number(uint32(first))
		word := c.bits[from>>6] &^ (1<<(from&63) - 1)
		for w := from >> 6; ; word = c.bits[w] {
			for ; word != 0 && len(numbers) < count; word &= word - 1 {
				numbers = append(numbers, w<<6+uint64(bits.TrailingZeros64(word)))
			}
			if w++; len(numbers) == count {
				break
			}
		}
		do(first, numbers)
		return nil
	})
}

// A moveGraph is the members of a component and their moves.
type moveGraph struct {
	*component
	goals []bool // by member
	edges []graphPart
}

// A graphPart has the moves of a part of the members.
type graphPart struct {
	first []uint32 // where the moves of a member begin in to; and the end
	to    []uint32 // members, in increasing order
}

// moveGraph makes the graph of a component.
func (c *component) moveGraph(ctx context.Context) (*moveGraph, error) {
	g := &moveGraph{c, make([]bool, c.states), make([]graphPart, (c.states+partMembers-1)/partMembers)}
	err := c.parts(ctx, func() func(int, []uint64) {
		expander := c.newExpander()
		var next, goal []uint64
		var to []uint32
		return func(first int, numbers []uint64) {
			part := graphPart{first: make([]uint32, 1, len(numbers)+1)}
			to = to[:0]
			for i, x := range numbers {
				goal = goal[:0]
				next = expander.Expand(next[:0], x&^63, 1<<(x&63), &goal)
				g.goals[first+i] = len(goal) > 0
				slices.Sort(next)
				for _, y := range slices.Compact(next) {
					to = append(to, c.member(y))
				}
				part.first = append(part.first, uint32(len(to)))
			}
			part.to = slices.Clone(to)
			g.edges[first>>partBits] = part
		}
	})
	return g, err
}

// moves returns the members that moves from a member lead to.
func (g *moveGraph) moves(x uint32) []uint32 {
	part, i := &g.edges[x>>partBits], x&(partMembers-1)
	return part.to[part.first[i]:part.first[i+1]]
}

// graphBytes returns about how many bytes a moveGraph takes: it makes the moves of some members.
func (c *component) graphBytes() uint64 {
	const samples = 1024
	expander := c.newExpander()
	var next []uint64
	moves, count := 0, 0
	for i := 0; i < c.states; i += 1 + c.states/samples {
		x := c.number(uint32(i))
		next = expander.Expand(next[:0], x&^63, 1<<(x&63), nil)
		moves, count = moves+len(next), count+1
	}
	return uint64(c.states) * uint64(8+5*(moves+count-1)/count) // with what the memory of parts is rounded up to
}

// classes returns the class of each member, and how many classes there are. The members of a class are the
// members of an orbit, so they have the same eccentricity.
func (c *component) classes(ctx context.Context, p *tray.Puzzle) (classes []uint32, count int, err error) {
	orbits := p.Orbits()
	classes = make([]uint32, c.states)
	if orbits.Trivial() { // every member is alone in its class
		for i := range classes {
			classes[i] = uint32(i)
		}
		return classes, c.states, nil
	}
	keys := packing.NewKeys(p, tray.Steps)
	w := keys.Words()
	codes := make([]uint64, w*c.states) // of the least position of the orbit
	var mu sync.Mutex
	var all []uint64
	err = c.parts(ctx, func() func(int, []uint64) {
		return func(first int, numbers []uint64) {
			for i, x := range numbers {
				copy(codes[w*(first+i):], keys.Of(orbits.Least(c.numbers.Unrank(x))))
			}
			own := sorted.Distinct(slices.Clone(codes[w*first:w*(first+len(numbers))]), w)
			mu.Lock()
			defer mu.Unlock()
			if all = append(all, own...); len(all) > w<<20 && len(all) > cap(all)/2 {
				all = sorted.Distinct(all, w)
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	all = sorted.Distinct(all, w)
	err = c.parts(ctx, func() func(int, []uint64) {
		return func(first int, numbers []uint64) {
			for i := first; i < first+len(numbers); i++ {
				classes[i] = uint32(sorted.Search(all, codes[w*i:w*i+w]) / w)
			}
		}
	})
	return classes, len(all) / w, err
}

// classBytes returns about how many bytes classes take while they are made.
func (c *component) classBytes(p *tray.Puzzle) uint64 {
	each := 4
	if !p.Orbits().Trivial() {
		each += 24 * packing.NewKeys(p, tray.Steps).Words()
	}
	return uint64(c.states) * uint64(each)
}

// farness is how far the members are from one of them.
type farness struct {
	classes []uint32 // see component.classes
	// By class, least and most are the distances of the nearest and of the farthest member of a class.
	least, most []uint16
	level       int
	last        []uint32 // the members at the distance level
}

// mostFar is the greatest distance that farness counts.
const mostFar = math.MaxUint16/2 - 1

// clear forgets all.
func (f *farness) clear() {
	for i := range f.least {
		f.least[i] = math.MaxUint16
	}
	f.level, f.last = 0, f.last[:0]
}

// see notes the distance of a member. Distances come in increasing order.
func (f *farness) see(x uint32, level int) {
	if level != f.level {
		f.level, f.last = level, f.last[:0]
	}
	f.last = append(f.last, x)
	class := f.classes[x]
	f.most[class] = uint16(level)
	if f.least[class] == math.MaxUint16 {
		f.least[class] = uint16(level)
	}
}

// A prober finds how far all members of a component are from one. One goroutine uses it.
type prober interface {
	probe(ctx context.Context, from uint32, f *farness) error
}

// A graphProber searches a moveGraph. The frontier is a bit for each member, so that memory is read in order.
type graphProber struct {
	graph     *moveGraph
	seen      []uint64
	now, next frontierBits
}

// frontierBits has a bit for each member, and a bit for each 64 members if one of them is there.
type frontierBits struct{ bits, groups []uint64 }

func newGraphProber(g *moveGraph) *graphProber {
	words := int(bitset.Words(uint64(g.states)))
	newBits := func() frontierBits { return frontierBits{make([]uint64, words), make([]uint64, words/64+1)} }
	return &graphProber{g, make([]uint64, words), newBits(), newBits()}
}

// probe implements prober.
func (p *graphProber) probe(ctx context.Context, from uint32, f *farness) error {
	clear(p.seen)
	clear(p.now.bits) // a probe may have been stopped
	clear(p.now.groups)
	clear(p.next.bits)
	clear(p.next.groups)
	f.clear()
	p.next.add(p.seen, from)
	for level, more := 0, true; more; level++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if level > mostFar {
			return errFar
		}
		p.now, p.next = p.next, p.now
		more = p.step(level, f)
	}
	return nil
}

// step makes the moves of a level. It reports whether there is another one.
func (p *graphProber) step(level int, f *farness) (more bool) {
	for at, groups := range p.now.groups {
		p.now.groups[at] = 0
		for ; groups != 0; groups &= groups - 1 {
			group := at<<6 + bits.TrailingZeros64(groups)
			word := p.now.bits[group]
			p.now.bits[group] = 0
			for ; word != 0; word &= word - 1 {
				x := uint32(group<<6 + bits.TrailingZeros64(word))
				f.see(x, level)
				for _, y := range p.graph.moves(x) {
					if p.seen[y>>6]>>(y&63)&1 == 0 {
						p.next.add(p.seen, y)
						more = true
					}
				}
			}
		}
	}
	return more
}

// add adds a member, and marks it as seen.
func (b *frontierBits) add(seen []uint64, x uint32) {
	bit := uint64(1) << (x & 63)
	seen[x>>6] |= bit
	b.bits[x>>6] |= bit
	b.groups[x>>12] |= 1 << (x >> 6 & 63)
}

// A searchProber searches by numbers. It takes far less memory than a graph, and more time.
type searchProber struct{ component *component }

// probe implements prober.
func (p searchProber) probe(ctx context.Context, from uint32, f *farness) error {
	c := p.component
	f.clear()
	s, err := search(ctx, c.numbers.Graph(c.metric), only(c.number(from)), bfs.Options{Visit: func(_, level int, first, word uint64) {
		if level > mostFar {
			return
		}
		w := int(first >> 6)
		before, all := c.beforeWord(w), c.bits[w]
		for ; word != 0; word &= word - 1 {
			f.see(before+uint32(bits.OnesCount64(all&(word&-word-1))), level)
		}
	}})
	if err != nil {
		return err
	}
	defer s.Close()
	if len(s.Layers)-1 > mostFar {
		return errFar
	}
	return nil
}
