package slide

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// A Diameter tells how far apart positions that can be reached are.
type Diameter struct {
	Metric Metric
	States uint64
	// Exact reports whether Diameter and Radius are exact: the greatest distance of two
	// positions, and the distance of the farthest position from a middle one. If not, the
	// diameter is at least Diameter and at most Most, and Radius is an upper bound.
	Exact            bool
	Diameter, Radius int
	Most             int
	// Pairs are positions at the greatest distance, and if Exact all of them; each pair is
	// there once. At most MaxPairs are kept; PairCount counts them all.
	Pairs     [][2]Position
	PairCount uint64
	// Searches is how many searches of all positions it took. Unlike the rest, it depends on
	// the number of threads.
	Searches int
}

// MaxPairs bounds the pairs that a Diameter lists.
const MaxPairs = 1000

// graphBytes is about what a position takes in the graph of all moves, probeBytes what it
// takes in each of the searches that go on at a time.
const graphBytes, probeBytes = 150, 8

// FindDiameter finds the greatest distance between two positions that can be reached, exact
// if the graph of all their moves fits into so many bytes of memory, 0 for any; else it
// bounds it by a few searches. In the graph it searches from one position after the other,
// and each search bounds how far the farthest position from any other can be, until no
// other can change the result; each thread does one at a time (F. W. Takes, W. A. Kosters, Determining the diameter of
// small world networks, 2011).
func FindDiameter(ctx context.Context, p *Puzzle, m Metric, memory uint64, threads int) (*Diameter, error) {
	pk, err := newPackingIn(p, memory)
	if err != nil {
		return nil, err
	}
	l := newLevels(pk.size, nil)
	s := newSearcher(pk, m, threads)
	r := new(Result)
	start := pk.Rank(p.Start())
	if err := s.search(ctx, l, []uint64{start}, false, r); err != nil {
		return nil, err
	}
	d := &Diameter{Metric: m, States: r.States, Searches: 1}
	if memory > 0 && r.States*(graphBytes+probeBytes*uint64(len(s.workers))) > memory || r.States >= 1<<31 {
		return d, s.boundDiameter(ctx, start, s.last, len(r.Layers)-1, d)
	}
	g, err := newGraph(ctx, s.workers[0].cursor, l, r.States)
	if err != nil {
		return nil, err
	}
	return d, g.diameter(ctx, d, len(s.workers))
}

// boundDiameter searches from a farthest position a few times.
func (s *searcher) boundDiameter(ctx context.Context, from, to uint64, far int, d *Diameter) error {
	d.Diameter, d.Radius, d.Most = far, far, 2*far
	pair := [2]uint64{from, to}
	for range 3 {
		l := newLevels(s.pk.size, nil)
		r := new(Result)
		if err := s.search(ctx, l, []uint64{to}, false, r); err != nil {
			return err
		}
		d.Searches++
		far := len(r.Layers) - 1
		d.Radius = min(d.Radius, far)
		d.Most = min(d.Most, 2*far)
		if far > d.Diameter {
			d.Diameter = far
			pair = [2]uint64{to, s.last}
		} else if d.Searches > 2 {
			break
		}
		to = s.last
	}
	d.Pairs = [][2]Position{{s.pk.Unrank(pair[0]), s.pk.Unrank(pair[1])}}
	d.PairCount = 1
	return nil
}

// A graph is all positions that can be reached, numbered in order, and their moves.
type graph struct {
	pk      *Packing
	numbers []uint64 // in the packing
	first   []uint64 // where the moves of a position begin in to
	to      []uint32
}

func newGraph(ctx context.Context, c *cursor, l *levels, states uint64) (*graph, error) {
	g := &graph{pk: c.pk, numbers: make([]uint64, 0, states), first: make([]uint64, 1, states+1)}
	before := make([]uint32, len(l.closed)) // members in the words before
	for w, word := range l.closed {
		before[w] = uint32(len(g.numbers))
		for ; word != 0; word &= word - 1 {
			g.numbers = append(g.numbers, uint64(w)<<6+uint64(bits.TrailingZeros64(word)))
		}
	}
	var next []uint64
	for i, x := range g.numbers {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c.seek(x)
		next = c.successors(next[:0])
		slices.Sort(next)
		for _, y := range slices.Compact(next) {
			g.to = append(g.to, before[y>>6]+uint32(bits.OnesCount64(l.closed[y>>6]&(1<<(y&63)-1))))
		}
		g.first = append(g.first, uint64(len(g.to)))
	}
	return g, nil
}

// A probe is a search of the whole graph from one position.
type probe struct {
	from  uint32
	far   int32 // the greatest distance
	dist  []int32
	queue []uint32
}

// run finds the distances of all positions.
func (p *probe) run(g *graph) {
	for i := range p.dist {
		p.dist[i] = -1
	}
	p.dist[p.from] = 0
	p.queue = append(p.queue[:0], p.from)
	for head := 0; head < len(p.queue); head++ {
		x := p.queue[head]
		for _, y := range g.to[g.first[x]:g.first[x+1]] {
			if p.dist[y] < 0 {
				p.dist[y] = p.dist[x] + 1
				p.queue = append(p.queue, y)
			}
		}
	}
	p.far = p.dist[p.queue[len(p.queue)-1]]
}

// diameter finds the exact diameter and radius and all pairs.
func (g *graph) diameter(ctx context.Context, d *Diameter, threads int) error {
	n := len(g.numbers)
	// What is known of how far the farthest position from each is.
	least, most := make([]int32, n), make([]int32, n)
	for i := range most {
		most[i] = int32(n)
	}
	probes := make([]probe, min(threads, n))
	for i := range probes {
		probes[i] = probe{dist: make([]int32, n), queue: make([]uint32, 0, n)}
	}
	diameter, radius := int32(0), int32(n)
	searched := make([]bool, n)
	// next chooses among those that may be an end, or a middle, the one that may change
	// most; by turns for the diameter and for the radius.
	next := func(turn int) int {
		high, low := -1, -1
		for i := range n {
			if searched[i] {
				continue
			}
			if most[i] >= diameter && (high < 0 || most[i] > most[high]) {
				high = i
			}
			if least[i] < radius && (low < 0 || least[i] < least[low]) {
				low = i
			}
		}
		if high < 0 || turn%2 == 1 && low >= 0 {
			return low
		}
		return high
	}
	type end struct {
		x   uint32
		far []uint32
	}
	var ends []end
	for turn := 0; ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		now := probes[:0]
		for len(now) < len(probes) {
			x := next(turn)
			if x < 0 {
				break
			}
			turn++
			searched[x] = true
			now = probes[:len(now)+1]
			now[len(now)-1].from = uint32(x)
		}
		if len(now) == 0 {
			break
		}
		var group sync.WaitGroup
		for i := range now {
			group.Go(func() { now[i].run(g) })
		}
		group.Wait()
		for _, p := range now {
			d.Searches++
			radius = min(radius, p.far)
			if p.far > diameter {
				diameter = p.far
				ends = ends[:0]
			}
			if p.far == diameter {
				e := end{x: p.from}
				for y, dy := range p.dist {
					if dy == p.far && uint32(y) != p.from {
						e.far = append(e.far, uint32(y))
					}
				}
				ends = append(ends, e)
			}
			for y, dy := range p.dist {
				least[y] = max(least[y], dy, p.far-dy)
				most[y] = min(most[y], p.far+dy)
			}
		}
	}
	d.Exact, d.Diameter, d.Radius, d.Most = true, int(diameter), int(radius), int(diameter)
	slices.SortFunc(ends, func(a, b end) int { return int(a.x) - int(b.x) })
	for _, e := range ends {
		for _, y := range e.far {
			if y < e.x { // seen from the other end
				continue
			}
			d.PairCount++
			if len(d.Pairs) < MaxPairs {
				d.Pairs = append(d.Pairs, [2]Position{g.pk.Unrank(g.numbers[e.x]), g.pk.Unrank(g.numbers[y])})
			}
		}
	}
	return nil
}

// A Hardest tells which positions are farthest from the goals.
type Hardest struct {
	Metric Metric
	// States is the number of positions that can be reached, Goals how many of them are
	// goals, and Length the greatest distance to the nearest goal; Starts are all positions
	// at that distance, of which at most MaxPairs are kept, and Count counts them.
	States, Goals uint64
	Length        int
	Starts        []Position
	Count         uint64
}

// FindHardest finds the starts from which the shortest way to a goal is longest, among all
// positions that can be reached. If no goal can be, there are none.
func FindHardest(ctx context.Context, p *Puzzle, m Metric, memory uint64, threads int) (*Hardest, error) {
	if len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	pk, err := newPackingIn(p, memory)
	if err != nil {
		return nil, err
	}
	s := newSearcher(pk, m, threads)
	all, r := newLevels(pk.size, nil), new(Result)
	if err := s.search(ctx, all, []uint64{pk.Rank(p.Start())}, false, r); err != nil {
		return nil, err
	}
	h := &Hardest{Metric: m, States: r.States}
	c := s.workers[0].cursor
	goals := c.goals()
	var starts []uint64
	for w, word := range all.closed {
		for ; word != 0; word &= word - 1 {
			x := uint64(w)<<6 + uint64(bits.TrailingZeros64(word))
			if c.seek(x); c.solved(goals) {
				starts = append(starts, x)
			}
		}
	}
	if h.Goals = uint64(len(starts)); h.Goals == 0 {
		return h, nil
	}
	back := newLevels(pk.size, nil)
	r = new(Result)
	if err := s.search(ctx, back, starts, false, r); err != nil {
		return nil, err
	}
	if r.States != h.States {
		return nil, fmt.Errorf("%d positions lead to a goal, %d can be reached: the moves of %v cannot be taken back", r.States, h.States, m)
	}
	h.Length = len(r.Layers) - 1
	h.Count = r.Layers[h.Length]
	for _, x := range s.lastLevel {
		h.Starts = append(h.Starts, pk.Unrank(x))
	}
	return h, nil
}
