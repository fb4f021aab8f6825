package slide

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"pagoda/internal/progress"
	"pagoda/statespace/slide/tray"
)

// A Diameter says how far apart the positions of a puzzle are.
type Diameter struct {
	Metric tray.Metric
	States uint64
	// Exact reports whether Diameter and Radius are exact: the greatest distance between two
	// positions, and the distance of the farthest position from a central one. If not, the
	// diameter is at least Diameter and at most Most, and the radius is at most Radius.
	Exact            bool
	Diameter, Radius int
	Most             int
	// Pairs are pairs of positions at the distance Diameter, each pair once, and at most
	// MaxPairs. If Exact, PairCount is the number of all such pairs.
	Pairs     [][2]tray.Position
	PairCount uint64
	// Searches is the number of searches of all positions. Unlike everything else, it depends
	// on the number of threads.
	Searches int
}

// graphBytes is about how many bytes a position takes in a moveGraph, and probeBytes in each of
// the probes that run at a time.
const graphBytes, probeBytes = 150, 8

// FindDiameter finds the greatest distance between two positions that can be reached. If the
// graph of all moves fits into the memory, the diameter is exact. If not, a few searches bound it.
// The memory is in bytes; 0 is no bound.
//
// In the graph, a probe from a position finds its eccentricity, the distance of the farthest
// position. It also bounds the eccentricities of all other positions. Probes are made until no
// other position can change the result (F. W. Takes, W. A. Kosters, Determining the diameter of
// small world networks, 2011). Each thread makes one at a time.
func FindDiameter(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64, threads int) (*Diameter, error) {
	e, err := newExplorer(ctx, p, m, memory, threads)
	if err != nil {
		return nil, err
	}
	return e.findDiameter(ctx)
}

func (e *explorer) findDiameter(ctx context.Context) (*Diameter, error) {
	reached, err := e.search(ctx, e.start)
	if err != nil {
		return nil, err
	}
	defer reached.Close()
	d := &Diameter{Metric: e.metric, States: reached.States(), Searches: 1}
	if e.memory > 0 && d.States*(graphBytes+probeBytes*uint64(e.threads)) > e.memory || d.States >= 1<<31 {
		return d, e.boundDiameter(ctx, e.start, e.last(), len(reached.Layers)-1, d)
	}
	g, err := e.moveGraph(ctx, reached)
	if err != nil {
		return nil, err
	}
	b := newEccentricities(g)
	if d.Searches, err = b.find(ctx, e.threads); err != nil {
		return nil, err
	}
	d.Searches++ // the one that found the positions
	d.Exact, d.Diameter, d.Radius, d.Most = true, int(b.diameter), int(b.radius), int(b.diameter)
	b.eachPair(func(x, y uint32) {
		d.PairCount++
		if len(d.Pairs) < MaxPairs {
			d.Pairs = append(d.Pairs, [2]tray.Position{e.numbers.Unrank(g.numbers[x]), e.numbers.Unrank(g.numbers[y])})
		}
	})
	return d, nil
}

// boundDiameter bounds the diameter by searches, each from a farthest position of the one before.
// In the first one, the position to has the distance far from the position from.
func (e *explorer) boundDiameter(ctx context.Context, from, to uint64, far int, d *Diameter) error {
	d.Diameter, d.Radius, d.Most = far, far, 2*far
	pair := [2]uint64{from, to}
	for range 3 {
		s, err := e.search(ctx, to)
		if err != nil {
			return err
		}
		far := len(s.Layers) - 1
		s.Close()
		d.Searches++
		d.Radius = min(d.Radius, far)
		d.Most = min(d.Most, 2*far)
		if far > d.Diameter {
			d.Diameter = far
			pair = [2]uint64{to, e.last()}
		} else if d.Searches > 2 {
			break
		}
		to = e.last()
	}
	d.Pairs = [][2]tray.Position{{e.numbers.Unrank(pair[0]), e.numbers.Unrank(pair[1])}}
	d.PairCount = 1
	return nil
}

// eccentricities are what is known about the eccentricities of all positions.
type eccentricities struct {
	graph            *moveGraph
	least, most      []int32 // bounds by position
	probed           []bool
	diameter, radius int32 // so far
	ends             []end // the positions with the eccentricity diameter that were probed
}

// An end is a position of pairs at the greatest distance.
type end struct {
	x   uint32
	far []uint32 // the other positions
}

func newEccentricities(g *moveGraph) *eccentricities {
	n := len(g.numbers)
	return &eccentricities{graph: g, least: make([]int32, n), most: slices.Repeat([]int32{int32(n)}, n), probed: make([]bool, n), radius: int32(n)}
}

// find finds the diameter, the radius and all ends. It returns how many probes it took.
func (b *eccentricities) find(ctx context.Context, threads int) (count int, err error) {
	n := len(b.probed)
	probes := make([]probe, min(threads, n))
	for i := range probes {
		probes[i] = probe{dist: make([]int32, n), queue: make([]uint32, 0, n)}
	}
	var probed atomic.Int64
	defer progress.Start(ctx, "probing positions", 0, "positions", func() (int64, int64) { return probed.Load(), int64(n) })()
	for {
		if ctx.Err() != nil {
			return count, context.Cause(ctx)
		}
		now := 0
		for ; now < len(probes); now++ {
			x := b.choose(count + now)
			if x < 0 {
				break
			}
			b.probed[x] = true
			probes[now].from = uint32(x)
		}
		if now == 0 {
			return count, nil
		}
		var group sync.WaitGroup
		for i := range now {
			group.Go(func() { probes[i].run(b.graph) })
		}
		group.Wait()
		for i := range now {
			b.take(&probes[i])
		}
		count += now
		probed.Store(int64(count))
	}
}

// choose returns the next position to probe, or -1 if no other position can change the result.
// By turns it is one that can have the greatest eccentricity, and one that can have the least.
func (b *eccentricities) choose(turn int) int {
	high, low := -1, -1
	for i := range b.probed {
		if b.probed[i] {
			continue
		}
		if b.most[i] >= b.diameter && (high < 0 || b.most[i] > b.most[high]) {
			high = i
		}
		if b.least[i] < b.radius && (low < 0 || b.least[i] < b.least[low]) {
			low = i
		}
	}
	if high < 0 || turn%2 == 1 && low >= 0 {
		return low
	}
	return high
}

// take takes what a probe has found.
func (b *eccentricities) take(p *probe) {
	b.radius = min(b.radius, p.far)
	if p.far > b.diameter {
		b.diameter = p.far
		b.ends = b.ends[:0]
	}
	if p.far == b.diameter {
		e := end{x: p.from}
		for y, dy := range p.dist {
			if dy == p.far && uint32(y) != p.from {
				e.far = append(e.far, uint32(y))
			}
		}
		b.ends = append(b.ends, e)
	}
	for y, dy := range p.dist {
		b.least[y] = max(b.least[y], dy, p.far-dy)
		b.most[y] = min(b.most[y], p.far+dy)
	}
}

// eachPair calls do for all pairs of positions at the greatest distance, in order.
func (b *eccentricities) eachPair(do func(x, y uint32)) {
	slices.SortFunc(b.ends, func(a, b end) int { return int(a.x) - int(b.x) })
	for _, e := range b.ends {
		for _, y := range e.far {
			if y > e.x { // else it is seen from the other end
				do(e.x, y)
			}
		}
	}
}

// A probe is a search of the whole graph from one position.
type probe struct {
	from  uint32
	far   int32 // the eccentricity
	dist  []int32
	queue []uint32
}

// run finds the distances of all positions.
func (p *probe) run(g *moveGraph) {
	for i := range p.dist {
		p.dist[i] = -1
	}
	p.dist[p.from] = 0
	p.queue = append(p.queue[:0], p.from)
	for head := 0; head < len(p.queue); head++ {
		x := p.queue[head]
		for _, y := range g.moves(x) {
			if p.dist[y] < 0 {
				p.dist[y] = p.dist[x] + 1
				p.queue = append(p.queue, y)
			}
		}
	}
	p.far = p.dist[p.queue[len(p.queue)-1]]
}
