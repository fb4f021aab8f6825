package slide

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
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
	// Searches is how many searches of all positions it took.
	Searches int
}

// MaxPairs bounds the pairs that a Diameter lists.
const MaxPairs = 1000

// graphBytes is about what a position takes in the graph of all moves.
const graphBytes = 150

// FindDiameter finds the greatest distance between two positions that can be reached, exact
// if the graph of all their moves fits into so many bytes of memory, 0 for any; else it
// bounds it by a few searches. In the graph it searches from one position after the other,
// and each search bounds how far the farthest position from any other can be, until no
// other can change the result (F. W. Takes, W. A. Kosters, Determining the diameter of
// small world networks, 2011).
func FindDiameter(ctx context.Context, p *Puzzle, m Metric, memory uint64) (*Diameter, error) {
	pk, err := newPackingIn(p, memory)
	if err != nil {
		return nil, err
	}
	l := newLevels(pk.size)
	c := newCursor(pk, m)
	r := new(Result)
	start := pk.Rank(p.Start())
	if _, err := pk.search(ctx, c, l, []uint64{start}, false, r); err != nil {
		return nil, err
	}
	d := &Diameter{Metric: m, States: r.States, Searches: 1}
	if memory > 0 && r.States*graphBytes > memory || r.States >= 1<<31 {
		return d, pk.boundDiameter(ctx, c, start, l.last, len(r.Layers)-1, d)
	}
	g, err := newGraph(ctx, c, l, r.States)
	if err != nil {
		return nil, err
	}
	return d, g.diameter(ctx, d)
}

// boundDiameter searches from a farthest position a few times.
func (pk *Packing) boundDiameter(ctx context.Context, c *cursor, from, to uint64, far int, d *Diameter) error {
	d.Diameter, d.Radius, d.Most = far, far, 2*far
	pair := [2]uint64{from, to}
	for range 3 {
		l := newLevels(pk.size)
		r := new(Result)
		if _, err := pk.search(ctx, c, l, []uint64{to}, false, r); err != nil {
			return err
		}
		d.Searches++
		far := len(r.Layers) - 1
		d.Radius = min(d.Radius, far)
		d.Most = min(d.Most, 2*far)
		if far > d.Diameter {
			d.Diameter = far
			pair = [2]uint64{to, l.last}
		} else if d.Searches > 2 {
			break
		}
		to = l.last
	}
	d.Pairs = [][2]Position{{pk.Unrank(pair[0]), pk.Unrank(pair[1])}}
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
			g.numbers = append(g.numbers, uint64(w)<<6+trailing(word))
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

// distances fills the distances of all positions from one, and returns the greatest. The
// queue is scratch memory.
func (g *graph) distances(from uint32, dist []int32, queue []uint32) int32 {
	for i := range dist {
		dist[i] = -1
	}
	dist[from] = 0
	queue = append(queue[:0], from)
	for head := 0; head < len(queue); head++ {
		x := queue[head]
		for _, y := range g.to[g.first[x]:g.first[x+1]] {
			if dist[y] < 0 {
				dist[y] = dist[x] + 1
				queue = append(queue, y)
			}
		}
	}
	return dist[queue[len(queue)-1]]
}

// diameter finds the exact diameter and radius and all pairs.
func (g *graph) diameter(ctx context.Context, d *Diameter) error {
	n := len(g.numbers)
	// What is known of how far the farthest position from each is.
	least, most := make([]int32, n), make([]int32, n)
	for i := range most {
		most[i] = int32(n)
	}
	dist, queue := make([]int32, n), make([]uint32, 0, n)
	diameter, radius := int32(0), int32(n)
	searched := make([]bool, n)
	type end struct {
		x   uint32
		far []uint32
	}
	var ends []end
	for turn := 0; ; turn++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// Those that may be an end, or a middle; of these take the one that may change
		// most, by turns for the diameter and for the radius.
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
		x := high
		if high < 0 || turn%2 == 1 && low >= 0 {
			x = low
		}
		if x < 0 {
			break
		}
		far := g.distances(uint32(x), dist, queue)
		d.Searches++
		searched[x] = true
		radius = min(radius, far)
		if far > diameter {
			diameter = far
			ends = ends[:0]
		}
		if far == diameter {
			e := end{x: uint32(x)}
			for y, dy := range dist {
				if dy == far && y != x {
					e.far = append(e.far, uint32(y))
				}
			}
			ends = append(ends, e)
		}
		for y, dy := range dist {
			least[y] = max(least[y], dy, far-dy)
			most[y] = min(most[y], far+dy)
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
func FindHardest(ctx context.Context, p *Puzzle, m Metric, memory uint64) (*Hardest, error) {
	if len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	pk, err := newPackingIn(p, memory)
	if err != nil {
		return nil, err
	}
	c := newCursor(pk, m)
	all, r := newLevels(pk.size), new(Result)
	if _, err := pk.search(ctx, c, all, []uint64{pk.Rank(p.Start())}, false, r); err != nil {
		return nil, err
	}
	h := &Hardest{Metric: m, States: r.States}
	goals := pk.goals()
	var starts []uint64
	for w, word := range all.closed {
		for ; word != 0; word &= word - 1 {
			x := uint64(w)<<6 + trailing(word)
			if c.seek(x); c.solved(goals) {
				starts = append(starts, x)
			}
		}
	}
	if h.Goals = uint64(len(starts)); h.Goals == 0 {
		return h, nil
	}
	back := newLevels(pk.size)
	r = new(Result)
	if _, err := pk.search(ctx, c, back, starts, false, r); err != nil {
		return nil, err
	}
	if r.States != h.States {
		return nil, fmt.Errorf("%d positions lead to a goal, %d can be reached: the moves of %v cannot be taken back", r.States, h.States, m)
	}
	h.Length = len(r.Layers) - 1
	h.Count = r.Layers[h.Length]
	for _, x := range back.lastLevel {
		h.Starts = append(h.Starts, pk.Unrank(x))
	}
	return h, nil
}
