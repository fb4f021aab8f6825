package trie

import (
	"context"
	"iter"
	"math/bits"
	"sync"
	"unsafe"

	"pagoda/internal/memory"
)

// A NearQuery asks which members that match a pattern are near to a target.
type NearQuery struct {
	Pattern
	// Costs tells for each term what its value 0 costs, and what its value 1. The
	// distance of a member is the sum; the sum of the larger costs of the terms must not
	// exceed MaxDistance. nil: all cost nothing.
	Costs [][2]uint64
	// Within asks for members at most so far away.
	Within uint64
	// Limit asks for the first so many; 0: all.
	Limit int
}

// A Match is a member near to a target.
type Match struct {
	State    uint64
	Distance uint64
}

// Near yields the members that a query asks for, in increasing order of their
// distances, those at the same distance by number. An error is yielded last, with no
// match; when ctx ends, it is the cause.
//
// The search goes best first. A state is a node, the parities of the wide terms that
// are open there, and the number of ones so far, if that is bounded; what the rest of
// the terms costs at least is known from a table, for all but the sets below the nodes.
// With a limit K, each state is opened at most K times, for the K cheapest ways to it:
// what is below it goes on from them in the same way, so a further one leads to no match
// among the first K. That bounds the work whatever the costs are: at most K openings of
// each state, of which there are no more than nodes * 2^wide terms * (terms + 1),
// and K matches. An opening adds at most one item of 24 bytes to the heap, and a state
// takes at most 96 bytes in the table of those opened. Without a limit nothing but the
// number of paths within the distance bounds the work.
func (t *Trie) Near(ctx context.Context, q NearQuery) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		s := searches.Get().(*search)
		s.trie, s.ctx = t, ctx
		err := s.prepare(q)
		if err == nil && s.base <= min(q.Within, MaxDistance) {
			s.within = min(q.Within, MaxDistance) - s.base
			s.findRest()
			err = s.run(yield)
		}
		if err != nil {
			yield(Match{}, err)
		}
		s.release()
	}
}

var searches = sync.Pool{New: func() any { return newSearch() }}

func newSearch() *search { return &search{opened: newTally()} }

// A search is one walk through the states of a query.
type search struct {
	plan
	trie   *Trie
	ctx    context.Context
	within uint64 // beyond base
	limit  int

	// What the rest costs at least: by number of bits left, ones so far, and parities
	// of those wide terms that are open longest, as many as the table has room for.
	rest      []uint64
	restOnes  int
	restBits  int
	restTerms uint16

	heap   []item
	opened *tally // how often states were opened
	opens  int    // states opened
}

// An item of the heap stands for the members below a node that is reached on one path.
// Least is a lower bound of their distances, and number of their numbers.
type item struct {
	least    uint64
	number   uint64
	id       uint32
	parities uint16
	ones     uint8
	at       uint8 // the level; from found on, the filling of a leaf that is a match
}

const found = 64

// The bytes of an item, with what is there while the heap grows, and of a state that was opened.
const itemBytes, openedBytes = 3 * uint64(unsafe.Sizeof(item{})) / 2, 96

func (a *item) before(b *item) bool {
	return a.least < b.least || a.least == b.least && a.number < b.number
}

// A table of the rest has at most so many entries, 1 MiB.
const maxRest = 1 << 17

func (s *search) prepare(q NearQuery) error {
	if err := s.set(s.trie, q.Pattern, q.Costs); err != nil {
		return err
	}
	s.limit, s.opens = max(0, q.Limit), 0
	s.heap = s.heap[:0]
	s.opened.clear()
	return nil
}

// findRest fills the table of the rest, from the lowest bit up.
func (s *search) findRest() {
	s.restOnes = 1
	if s.counted {
		s.restOnes = s.terms + int(s.ones) + 1
	}
	s.restBits = s.wide
	for (s.bits+1)*s.restOnes<<s.restBits > maxRest {
		s.restBits--
	}
	s.restTerms = 1<<s.restBits - 1
	size := (s.bits + 1) * s.restOnes << s.restBits
	if cap(s.rest) < size {
		s.rest = make([]uint64, size)
	}
	s.rest = s.rest[:size]
	for i := range s.rest[:s.restOnes<<s.restBits] {
		s.rest[i] = 0
		if ones := i >> s.restBits; s.counted && (ones < s.least || ones > s.most) {
			s.rest[i] = never
		}
	}
	row := s.restOnes << s.restBits
	for bit := range s.bits {
		closes := s.closing[bit] & s.restTerms
		unknown := 0 // terms that are closed, of which the table does not tell the parity
		for c := s.closing[bit] &^ s.restTerms; c != 0 && s.counted; c &= c - 1 {
			unknown++
		}
		under := s.rest[bit*row:][:row]
		over := s.rest[(bit+1)*row:][:row]
		most := 0 // ones so far
		if s.counted {
			most = min(s.restOnes-1, s.closed[bit+1]+int(s.ones))
		}
		for p := range uint16(1) << s.restBits {
			var cost [2]uint64
			var ones [2]uint8
			var next [2]uint16
			for v := range uint64(2) {
				at := p ^ s.turns[bit]&s.restTerms&-uint16(v)
				cost[v], ones[v] = s.cost[bit][v]+s.wideCost(closes, at), s.one[bit][v]
				for c := at & closes; c != 0; c &= c - 1 {
					ones[v]++
				}
				next[v] = at &^ closes
			}
			for o := 0; o <= most; o++ {
				least := uint64(never)
				for v := range 2 {
					to := o
					if s.counted {
						to += int(ones[v])
					}
					for u := to; u <= to+unknown && u < s.restOnes; u++ {
						least = min(least, cost[v]+under[u<<s.restBits|int(next[v])])
					}
				}
				over[o<<s.restBits|int(p)] = least
			}
		}
	}
}

// restOf returns what the rest costs at least.
func (s *search) restOf(level int, parities uint16, ones uint8) uint64 {
	i := (6+level)*s.restOnes + int(ones)
	return s.rest[i<<s.restBits|int(parities&s.restTerms)]
}

// release gives the search back, without memory that few need.
func (s *search) release() {
	s.trie, s.ctx = nil, nil
	if cap(s.heap) > 1<<16 {
		s.heap = nil
	}
	if cap(s.opened.counts) > 1<<15 {
		s.opened = newTally()
	}
	searches.Put(s)
}

// run yields the matches. It returns an error that is still to be told.
func (s *search) run(yield func(Match, error) bool) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	t := s.trie
	cur := item{number: 0, id: t.root, parities: s.start, ones: s.onesSoFar(s.ones), at: uint8(t.height())}
	if cur.least = s.restOf(t.height(), cur.parities, cur.ones); cur.id == empty || cur.least > s.within {
		return nil
	}
	share := memory.For(s.ctx, "the search")
	defer share.Free()
	yielded := 0
	for steps := 1; ; steps++ {
		if steps%4096 == 0 {
			if s.ctx.Err() != nil {
				return context.Cause(s.ctx)
			}
			if err := share.Set(itemBytes*uint64(cap(s.heap)) + openedBytes*uint64(len(s.opened.counts))); err != nil {
				return err
			}
		}
		var next [2]item
		n := 0
		switch {
		case cur.at >= found:
			if !yield(Match{cur.number, s.base + cur.least}, nil) {
				return nil
			}
			if yielded++; yielded == s.limit {
				return nil
			}
			n = s.nextMatch(&next[0], &cur)
		case s.limit > 0 && !s.open(&cur):
		case cur.at == 0:
			s.opens++
			if uint64(cur.id) >= first+uint64(len(t.leaves)) {
				return t.badNode(0, cur.id)
			}
			n = s.nextMatch(&next[0], &cur)
		default:
			s.opens++
			level := int(cur.at)
			lo, hi, err := t.children(level, cur.id)
			if err != nil {
				return err
			}
			spent := cur.least - s.restOf(level, cur.parities, cur.ones)
			for v, id := range [2]uint32{lo, hi} {
				if id == empty {
					continue
				}
				cost, ones, parities := s.step(5+level, uint64(v), cur.parities)
				ones = s.onesSoFar(ones + cur.ones)
				least := spent + cost + s.restOf(level-1, parities, ones)
				if least > s.within {
					continue
				}
				next[n] = item{least, cur.number | s.numbers[5+level]*uint64(v), id, parities, ones, cur.at - 1}
				n++
			}
		}
		// The better child is often the best of all.
		switch n {
		case 0:
			if len(s.heap) == 0 {
				return nil
			}
			cur = s.pop()
		case 1:
			cur = s.exchange(next[0])
		case 2:
			if next[1].before(&next[0]) {
				next[0], next[1] = next[1], next[0]
			}
			cur = s.exchange(next[0])
			s.push(next[1])
		}
	}
}

// nextMatch finds the best match in a leaf, or the best after one.
func (s *search) nextMatch(next, cur *item) (n int) {
	word, _ := s.trie.leaf(cur.id)
	l := s.leaf(cur.parities, cur.ones)
	*next = *cur
	var spent, prefix uint64
	after := int(cur.at) - found
	if after < 0 {
		spent, prefix = cur.least-s.restOf(0, cur.parities, cur.ones), cur.number
	} else {
		spent, prefix = cur.least-l.cost[after], cur.number^s.lowNumber[after]
	}
	best := -1
	for word &= l.asked; word != 0; word &= word - 1 {
		f := bits.TrailingZeros64(word)
		if after >= 0 && !s.nearer(l, after, f) {
			continue
		}
		if best < 0 || s.nearer(l, f, best) {
			best = f
		}
	}
	if best < 0 || spent+l.cost[best] > s.within {
		return 0
	}
	next.least, next.number, next.at = spent+l.cost[best], prefix|s.lowNumber[best], uint8(found+best)
	return 1
}

// nearer orders the fillings of a leaf.
func (s *search) nearer(l *leaf, f, g int) bool {
	return l.cost[f] < l.cost[g] || l.cost[f] == l.cost[g] && s.lowNumber[f] < s.lowNumber[g]
}

// push adds an item to the heap.
func (s *search) push(x item) {
	s.heap = append(s.heap, x)
	h := s.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
}

// pop takes the best item out of the heap.
func (s *search) pop() item {
	last := len(s.heap) - 1
	x := s.heap[last]
	s.heap = s.heap[:last]
	return s.exchange(x)
}

// exchange returns the best of the item and those in the heap, and leaves the others
// there.
func (s *search) exchange(x item) item {
	h := s.heap
	if len(h) == 0 || x.before(&h[0]) {
		return x
	}
	top := h[0]
	i := 0
	for {
		down := 4*i + 1
		if down >= len(h) {
			break
		}
		best := down
		for j := down + 1; j < min(down+4, len(h)); j++ {
			if h[j].before(&h[best]) {
				best = j
			}
		}
		if !h[best].before(&x) {
			break
		}
		h[i] = h[best]
		i = best
	}
	h[i] = x
	return top
}

// open reports whether the state of an item was opened fewer times than the limit, and
// counts it.
func (s *search) open(x *item) bool {
	times := s.opened.at(uint64(x.id) | uint64(x.parities)<<32 | uint64(x.at)<<48 | uint64(x.ones)<<54)
	if *times >= uint64(s.limit) {
		return false
	}
	*times++
	return true
}
