package best

import (
	"context"
	"maps"
	"math"
	"slices"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
)

// The bytes of a position besides its pegs, with its place in the table, of a step and of a child.
const (
	stateBytes = 32 + 12 + 40
	stepBytes  = 12
	childBytes = 40
)

// levelBytes returns about the most memory that levels of a width take: two levels, one of them in the
// making, the children of a wave and the steps of all levels. A position has a jump for two pegs, say. The
// collector of garbage lets memory grow to twice of that.
func levelBytes(f *field, width uint64) uint64 {
	each := uint64(len(f.start))*2 + stateBytes
	children := min(width, spanSize*waveSize) * uint64(f.pegs/2+1)
	return 2 * (children*(childBytes+each) + (levelSlack+1)*width*each + uint64(f.pegs)*width*stepBytes)
}

// Levels searches a game level by level: level n has the positions after n jumps. Two positions are the
// same if pegs of the same weight stand in the same cells and the same peg can jump on for nothing; the
// cheaper one is kept. A position is dropped if no game through it can be better than the best one known.
// If more than width are left, those of the greatest bounds are dropped, too. The least bound of a
// position that was dropped for the width bounds all games that were not seen.
type levels struct {
	f       *field
	threads int
	width   int
	salt    uint64    // orders positions of equal bounds
	bounds  []bounder // by bucket
	work    uint64    // jumps that were looked at

	best    int64 // what games must be better than
	game    []uint32
	dropped int64

	now   []*bucket
	steps [][]*[]step // by depth and bucket, how positions were reached
}

// buckets is the number of buckets of a level. The hash of a position says in which it is.
const buckets = 64

func bucketOf(hash uint64) int { return int(hash >> 58) }

// A bucket is positions of a level whose hashes begin alike. Position i has the kinds from i*cells on.
type bucket struct {
	kinds  []kind
	states []state
	steps  []step
	table  map[uint64]int32 // by hash, the last position with it
}

// A state is what a position has besides its pegs.
type state struct {
	hash        uint64
	cost, bound int64 // no game through it scores less than the bound
	last        int32 // the cell of the peg that can jump on for nothing, or -1
	next        int32 // another position with the same hash, or -1
}

// A step is how a position was reached: the position before, and the jump.
type step struct{ bucket, index, jump uint32 }

// A child is a position that was seen and may be known.
type child struct {
	hash uint64
	cost int64
	last int32
	step
}

// newLevels begins a search for games that score less than best, which is at most the score of the start.
func newLevels(f *field, width, threads int, salt uint64, best int64) *levels {
	l := &levels{f: f, threads: threads, width: width, salt: salt, best: best, dropped: math.MaxInt64, now: newBuckets()}
	for range buckets {
		l.bounds = append(l.bounds, newBounder(f, nodesOf(f.places()), nil))
	}
	l.now[0].kinds = slices.Clone(f.start)
	l.now[0].states = []state{{bound: l.bounds[0].bound(f.start, -1, f.total+1), last: -1, next: -1}}
	l.now[0].steps = []step{{}}
	return l
}

func newBuckets() []*bucket {
	s := make([]*bucket, buckets)
	for i := range s {
		s[i] = &bucket{table: make(map[uint64]int32)}
	}
	return s
}

// kindsOf returns the pegs of a position.
func (l *levels) kindsOf(s *bucket, i int) []kind {
	n := len(l.f.start)
	return s.kinds[i*n : (i+1)*n]
}

// bound returns a lower bound of the scores of all games.
func (l *levels) bound() int64 {
	least := min(l.best, l.dropped)
	for _, s := range l.now {
		for _, st := range s.states {
			least = min(least, st.bound)
		}
	}
	return least
}

// done reports whether no position is left.
func (l *levels) done() bool {
	return !slices.ContainsFunc(l.now, func(s *bucket) bool { return len(s.states) > 0 })
}

// A span is positions of a bucket that are expanded together.
type span struct{ bucket, from, to int }

const (
	spanSize   = 512 // positions
	waveSize   = 128 // spans
	levelSlack = 4   // times the width, in a level in the making
)

// advance makes the next level. If ctx ends before, it changes nothing but the work, and returns the cause.
// The result depends neither on the number of threads nor on anything but the level before.
func (l *levels) advance(ctx context.Context) error {
	var spans []span
	for k, s := range l.now {
		for from := 0; from < len(s.states); from += spanSize {
			spans = append(spans, span{k, from, min(from+spanSize, len(s.states))})
		}
	}
	n := &nextLevel{levels: l, to: newBuckets(), least: l.best, dropped: l.dropped}
	for wave := range slices.Chunk(spans, waveSize) {
		if err := n.add(ctx, wave); err != nil {
			return err
		}
	}
	steps := make([]*[]step, buckets)
	for k, s := range l.now {
		steps[k] = &s.steps
	}
	l.steps = append(l.steps, steps)
	if n.game != nil {
		l.best, l.game = n.least, l.path(*n.game)
	}
	l.now = n.to
	l.dropped = n.narrow(l.width)
	for _, s := range l.now { // what is kept needs less room than the level in the making
		s.table, s.kinds, s.states, s.steps = nil, slices.Clone(s.kinds), slices.Clone(s.states), slices.Clone(s.steps)
	}
	return nil
}

// A nextLevel is a level in the making.
type nextLevel struct {
	*levels
	to      []*bucket
	least   int64 // the least score
	game    *step // its last jump
	dropped int64
}

// add adds the positions after those of some spans.
func (n *nextLevel) add(ctx context.Context, wave []span) error {
	seen := make([][buckets][]child, len(wave))
	err := mapped.Each(ctx, n.threads, uint64(len(wave)), func(i uint64) error {
		n.expand(wave[i], &seen[i])
		return nil
	})
	if err != nil {
		return err
	}
	found := make([]child, buckets) // by bucket, the best game
	err = mapped.Each(ctx, n.threads, buckets, func(k uint64) error {
		found[k].cost = n.least
		for i := range seen {
			for j, c := range seen[i][k] {
				if j%64 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				n.insert(n.to[k], c, n.bounds[k], n.least, &found[k])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range seen {
		for k := range buckets {
			n.work += uint64(len(seen[i][k]))
		}
	}
	for k, c := range found {
		n.work += n.bounds[k].effort()
		if c.cost < n.least {
			n.least, n.game = c.cost, &step{c.bucket, c.index, c.jump}
		}
	}
	count := lists.SumOf(n.to, func(s *bucket) int { return len(s.states) })
	if count > levelSlack*n.width {
		n.dropped = n.narrow(n.width)
	}
	return nil
}

// expand lists the positions after one jump from those of a span.
func (l *levels) expand(p span, to *[buckets][]child) {
	f, s := l.f, l.now[p.bucket]
	at := make([]kind, len(f.start))
	for i := p.from; i < p.to; i++ {
		st := &s.states[i]
		copy(at, l.kindsOf(s, i))
		hash := f.hashOf(at, -1)
		for j, h := range f.jumps {
			if !h.can(at) {
				continue
			}
			peg, over := at[h.from], at[h.over]
			c := child{cost: st.cost, last: -1, step: step{uint32(p.bucket), uint32(i), uint32(j)}}
			if h.from != st.last {
				c.cost += f.weights[peg]
			}
			c.hash = hash ^ f.hash(h.from, peg) ^ f.hash(h.over, over) ^ f.hash(h.to, peg)
			at[h.from], at[h.over], at[h.to] = 0, 0, peg
			if f.canGoOn(at, h.to) {
				c.last = h.to
			}
			at[h.from], at[h.over], at[h.to] = peg, over, 0
			c.hash ^= f.lastHash(c.last)
			k := bucketOf(c.hash)
			to[k] = append(to[k], c)
		}
	}
}

// insert adds a position to the next level, unless it is known or cannot lead to a score below most. If
// the game that stops in it is better than best, it becomes best, with its score as the cost.
func (l *levels) insert(s *bucket, c child, b bounder, most int64, best *child) {
	f := l.f
	n := len(f.start)
	length := len(s.kinds)
	s.kinds = append(s.kinds, l.kindsOf(l.now[c.bucket], int(c.index))...)
	at := s.kinds[length:]
	f.jumps[c.jump].make(at)
	first, ok := s.table[c.hash]
	if !ok {
		first = -1
	}
	before := l.now[c.bucket].states[c.index].bound
	for i := first; i >= 0; i = s.states[i].next {
		st := &s.states[i]
		if st.last == c.last && slices.Equal(s.kinds[int(i)*n:int(i+1)*n], at) {
			if c.cost < st.cost {
				st.bound = max(before, st.bound-st.cost+c.cost)
				st.cost, s.steps[i] = c.cost, c.step
				l.stopHere(c, at, best)
			}
			s.kinds = s.kinds[:length]
			return
		}
	}
	l.stopHere(c, at, best)
	bound := before
	if bound < most {
		bound = max(bound, c.cost+b.bound(at, c.last, most-c.cost))
	}
	if bound >= most {
		s.kinds = s.kinds[:length]
		return
	}
	s.states = append(s.states, state{hash: c.hash, cost: c.cost, bound: bound, last: c.last})
	s.steps = append(s.steps, c.step)
	s.enter(len(s.states) - 1)
}

// stopHere notes the game that stops in a position.
func (l *levels) stopHere(c child, at []kind, best *child) {
	if score := c.cost + l.f.left(at); score < best.cost {
		*best = c
		best.cost = score
	}
}

// path returns the jumps that lead to a position of the level before the next, and the jump of the step.
func (l *levels) path(s step) (jumps []uint32) {
	jumps = append(jumps, s.jump)
	for d := len(l.steps) - 1; d > 0; d-- {
		s = (*l.steps[d][s.bucket])[s.index]
		jumps = append(jumps, s.jump)
	}
	slices.Reverse(jumps)
	return jumps
}

// narrow drops the positions that cannot lead to a score below the least, and those of the greatest bounds
// if there are more than width. It returns the least bound of these, or what was dropped before.
func (n *nextLevel) narrow(width int) (dropped int64) {
	count := make(map[int64]int)
	for _, s := range n.to {
		for _, st := range s.states {
			if st.bound < n.least {
				count[st.bound]++
			}
		}
	}
	// Positions below the limit are kept, and room of those at it.
	limit, room, dropped := n.least, width, n.dropped
	for _, b := range slices.Sorted(maps.Keys(count)) {
		if count[b] > room {
			limit, dropped = b, min(dropped, b)
			break
		}
		room -= count[b]
	}
	edge := uint64(0) // of the positions at the limit, those below the edge are kept
	if limit < n.least {
		var at []uint64
		for _, s := range n.to {
			for _, st := range s.states {
				if st.bound == limit {
					at = append(at, scramble(st.hash^n.salt))
				}
			}
		}
		slices.Sort(at)
		edge = at[room]
	}
	for _, s := range n.to {
		s.keep(len(n.f.start), func(st *state) bool {
			return st.bound < limit || st.bound == limit && scramble(st.hash^n.salt) < edge
		})
	}
	return dropped
}

// keep drops the positions that are not wanted.
func (s *bucket) keep(cells int, wanted func(*state) bool) {
	n := 0
	clear(s.table)
	for i := range s.states {
		if !wanted(&s.states[i]) {
			continue
		}
		s.states[n], s.steps[n] = s.states[i], s.steps[i]
		copy(s.kinds[n*cells:(n+1)*cells], s.kinds[i*cells:(i+1)*cells])
		s.enter(n)
		n++
	}
	s.states, s.steps, s.kinds = s.states[:n], s.steps[:n], s.kinds[:n*cells]
}

// enter enters a position into the table.
func (s *bucket) enter(i int) {
	st := &s.states[i]
	st.next = -1
	if before, ok := s.table[st.hash]; ok {
		st.next = before
	}
	s.table[st.hash] = int32(i)
}
