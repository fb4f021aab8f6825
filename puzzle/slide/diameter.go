package slide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/progress"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
)

// A Diameter says how far apart the positions of a puzzle are.
type Diameter struct {
	Metric tray.Metric
	States uint64
	// Diameter is the greatest distance between two positions, or at least Diameter and at most Most.
	// Radius is the distance of the farthest position from a central one, or at least Least and at most
	// Radius.
	Diameter, Most int
	Least, Radius  int
	// Exact reports whether all is known: the diameter, the radius and PairCount.
	Exact bool
	// Pairs are pairs of positions at the distance Diameter, each pair once, and at most MaxPairs. If
	// Exact, PairCount is the number of all such pairs, and Pairs are the first of them in the order of the
	// numbers of the positions.
	Pairs     [][2]tray.Position
	PairCount uint64
	// Searches is the number of searches of all positions. What is found in the end does not depend
	// on the number of threads, but Searches does, and so do bounds.
	Searches int
}

// errFar is the error of distances that are not counted.
var errFar = fmt.Errorf("some positions are more than %d moves apart", mostFar)

// FindDiameter finds the greatest distance between two positions that can be reached. If not even what is known of
// each position fits into the memory, a few searches bound the diameter. Of the options, Memory and Threads count.
//
// A probe from a position finds its eccentricity, the distance of the farthest position. As moves can be
// taken back, it also bounds those of all others: if position y is d moves from x, whose eccentricity is e, then
// that of y is at least d, at least e - d and at most e + d. Probes are made until no other position can change
// the result (F. W. Takes, W. A. Kosters, Determining the diameter of small world networks, 2011). Each
// thread makes one at a time. Positions of one orbit (tray.Orbits) have the same eccentricity, so what bounds one
// of them bounds all: with all pieces distinct, the 23,425,920 positions of Century are in 20,335 orbits, and about
// thirty probes are enough. A probe goes through the graph of all moves if that fits into the memory, else it makes them.
//
// When ctx ends, FindDiameter stops soon and returns the cause, with what is known by then. That is nil before all
// positions are counted.
func FindDiameter(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Diameter, error) {
	e, err := newExplorer(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	return e.findDiameter(ctx, p)
}

func (e *explorer) findDiameter(ctx context.Context, p *tray.Puzzle) (*Diameter, error) {
	reached, err := e.search(ctx, only(e.start), false)
	if err != nil {
		return nil, err
	}
	return e.diameterOf(ctx, p, reached)
}

// diameterOf is findDiameter of what the last search has reached from the start. It closes the search.
func (e *explorer) diameterOf(ctx context.Context, p *tray.Puzzle, reached *bfs.Search) (*Diameter, error) {
	far := len(reached.Layers) - 1
	d := &Diameter{Metric: e.metric, States: reached.States(), Searches: 1,
		Diameter: far, Most: 2 * far, Radius: far, Least: (far + 1) / 2, Pairs: [][2]tray.Position{{e.numbers.Unrank(e.start), e.numbers.Unrank(e.last())}}, PairCount: 1}
	if d.States >= maxMembers || e.memory > 0 && componentBytes(e.numbers.Size())+bfs.MemoryOf(e.numbers.Graph(e.metric)) > e.memory {
		reached.Close()
		return d, e.boundDiameter(ctx, d)
	}
	c := e.component(reached)
	reached.Close()
	newProbers := c.probers(p)
	if newProbers == nil {
		return d, e.boundDiameter(ctx, d)
	}
	b, err := newEccentricities(ctx, c, p, far)
	if err != nil {
		return d, err
	}
	probers, err := newProbers(ctx) // now that the memory for finding classes is free
	if err == nil {
		err = b.find(ctx, probers)
	}
	d.Exact = err == nil
	b.enter(d, p)
	return d, err
}

// boundDiameter bounds the diameter by searches, each from a farthest position of the one before. That one was from
// the start of the explorer.
func (e *explorer) boundDiameter(ctx context.Context, d *Diameter) error {
	to := e.last()
	for range 3 {
		s, err := e.search(ctx, only(to), false)
		if err != nil {
			return err
		}
		far := len(s.Layers) - 1
		s.Close()
		d.Searches++
		d.Radius, d.Least = min(d.Radius, far), max(d.Least, (far+1)/2)
		d.Most = min(d.Most, 2*far)
		if far > d.Diameter {
			d.Diameter = far
			d.Pairs[0] = [2]tray.Position{e.numbers.Unrank(to), e.numbers.Unrank(e.last())}
		} else if d.Searches > 2 {
			break
		}
		to = e.last()
	}
	return nil
}

// probers returns a function that makes a prober for each thread, or for fewer threads in little memory. It is nil if
// not even one fits.
func (c *component) probers(p *tray.Puzzle) func(ctx context.Context) ([]prober, error) {
	n := uint64(c.states)
	const known, each = 13, 9 // bytes of a member: in eccentricities, and in a prober with its farness
	fixed := componentBytes(c.numbers.Size()) + c.classBytes(p) + known*n
	tables := c.numbers.Graph(c.metric).Memory
	// count returns how many probers fit that take some bytes, besides what all share.
	count := func(shared, one uint64) int {
		if c.memory == 0 {
			return c.threads
		}
		if shared > c.memory {
			return 0
		}
		return int(min(uint64(c.threads), (c.memory-shared)/one))
	}
	if k := count(fixed+tables+c.graphBytes(), each*n); k > 0 {
		return func(ctx context.Context) ([]prober, error) {
			g, err := c.moveGraph(ctx)
			if err != nil {
				return nil, err
			}
			all := make([]prober, k)
			for i := range all {
				all[i] = newGraphProber(g)
			}
			return all, nil
		}
	}
	if k := count(fixed+tables, bfs.MemoryOf(c.numbers.Graph(c.metric))-tables+each*n); k > 0 {
		return func(context.Context) ([]prober, error) { return slices.Repeat([]prober{searchProber{c}}, k), nil }
	}
	return nil
}

// eccentricities are what is known about the eccentricities of all members of a component, by class.
type eccentricities struct {
	*component
	classes          []uint32 // see component.classes
	first            []uint32 // the first member of each class
	sizes            []uint32 // how many members each class has
	least, most      []uint16 // bounds
	probed           []bool
	count            int // of probes
	diameter, radius int // the greatest and the least eccentricity so far
	ends             []end
}

// An end is a class whose members have the eccentricity diameter.
type end struct {
	class uint32
	from  uint32   // its first member
	far   []uint32 // the members that are farthest from it
}

// newEccentricities begins with the eccentricity of one member.
func newEccentricities(ctx context.Context, c *component, p *tray.Puzzle, far int) (*eccentricities, error) {
	if far > mostFar {
		return nil, errFar
	}
	stop := progress.Start(ctx, "finding symmetries", 0, "", nil)
	classes, n, err := c.classes(ctx, p)
	stop()
	if err != nil {
		return nil, err
	}
	b := &eccentricities{component: c, classes: classes, first: make([]uint32, n), sizes: make([]uint32, n), probed: make([]bool, n), diameter: far, radius: far,
		least: slices.Repeat([]uint16{uint16((far + 1) / 2)}, n), most: slices.Repeat([]uint16{uint16(2 * far)}, n)}
	for i := len(classes) - 1; i >= 0; i-- {
		b.first[classes[i]] = uint32(i)
		b.sizes[classes[i]]++
	}
	return b, nil
}

// find makes probes until no other class can change the result.
func (b *eccentricities) find(ctx context.Context, probers []prober) error {
	n := len(b.probed)
	probes := make([]struct {
		end
		farness
		err error
	}, min(len(probers), n))
	for i := range probes {
		probes[i].farness = farness{classes: b.classes, least: make([]uint16, n), most: make([]uint16, n)}
	}
	quiet := progress.With(ctx, nil)
	for {
		stop := progress.Start(ctx, b.String(), 0, "", nil)
		now := 0
		for ; now < len(probes) && (b.searches == 0 || b.count+now < b.searches); now++ {
			class := b.choose(b.count + now)
			if class < 0 {
				break
			}
			b.probed[class] = true
			probes[now].end = end{class: uint32(class), from: b.first[class]}
		}
		var group sync.WaitGroup
		for i := range probes[:now] {
			p := &probes[i]
			group.Go(func() { p.err = probers[i].probe(quiet, p.from, &p.farness) })
		}
		group.Wait()
		stop()
		if now == 0 {
			return nil
		}
		var failed error
		for i := range probes[:now] {
			if p := &probes[i]; p.err == nil {
				b.take(p.end, &p.farness)
				b.count++
			} else {
				b.probed[p.class] = false
				failed = errors.Join(failed, p.err)
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if failed != nil {
			return failed
		}
	}
}

// farFirst is the number of probes after which the diameter is probably found, and only to be proved.
const farFirst = 32

// choose returns the next class to probe, or -1 if no other class can change the result. By turns it is
// one that can have the greatest eccentricity, and one that can have the least. Of those that can have the greatest,
// it is the farthest one from others, which may have it. If the diameter is only to be proved, it is the nearest one:
// what it has less, it takes from the bounds of others around it.
func (b *eccentricities) choose(turn int) int {
	high, low := -1, -1
	needed := b.diameter // an eccentricity that matters
	if b.pairless {
		needed++
	}
	far := !b.pairless || turn < farFirst
	for i, probed := range b.probed {
		if probed {
			continue
		}
		least, most := b.least[i], b.most[i]
		if int(most) >= needed && (high < 0 || most > b.most[high] || most == b.most[high] && least != b.least[high] && least > b.least[high] == far) {
			high = i
		}
		if int(least) < b.radius && (low < 0 || least < b.least[low] || least == b.least[low] && most < b.most[low]) {
			low = i
		}
	}
	if high < 0 || turn%2 == 1 && low >= 0 {
		return low
	}
	return high
}

// take takes what a probe has found. The bounds hold for each member of a class, and so for all.
func (b *eccentricities) take(e end, f *farness) {
	far := f.level
	b.radius = min(b.radius, far)
	if far > b.diameter {
		b.diameter, b.ends = far, nil
	}
	if far == b.diameter && far > 0 {
		e.far = slices.Clone(f.last)
		b.ends = append(b.ends, e)
	}
	for i, least := range f.least {
		if least == math.MaxUint16 {
			continue
		}
		b.least[i] = max(b.least[i], f.most[i], uint16(far)-least)
		b.most[i] = min(b.most[i], uint16(far)+least)
	}
}

// bounds returns the most that the diameter, and the least that the radius can be.
func (b *eccentricities) bounds() (most, least int) {
	most, least = b.diameter, b.radius
	for i, probed := range b.probed {
		if !probed {
			most, least = max(most, int(b.most[i])), min(least, int(b.least[i]))
		}
	}
	return most, least
}

// String writes the bounds in the form "diameter 152 to 160, radius 80 to 84, searches 37".
func (b *eccentricities) String() string {
	most, least := b.bounds()
	between := func(least, most int) string {
		if least == most {
			return fmt.Sprint(least)
		}
		return fmt.Sprintf("%d to %d", least, most)
	}
	return fmt.Sprintf("diameter %s, radius %s, searches %d", between(b.diameter, most), between(least, b.radius), b.count)
}

// enter enters what is known into the result.
func (b *eccentricities) enter(d *Diameter, p *tray.Puzzle) {
	d.Searches += b.count
	d.Diameter, d.Radius = b.diameter, b.radius
	d.Most, d.Least = b.bounds()
	if b.pairless {
		d.Pairs, d.PairCount = nil, 0
		d.Exact = d.Exact && d.Most == d.Diameter && d.Least == d.Radius // else there may be no more searches
		return
	}
	if !d.Exact {
		if len(b.ends) > 0 { // else the pair of the first search is as far apart
			e := b.ends[0]
			d.Pairs[0] = [2]tray.Position{b.position(e.from), b.position(e.far[0])}
		}
		return
	}
	// The members of a class have as many members at the greatest distance as its first one. A pair is seen from
	// both of its ends.
	d.Pairs = nil
	d.PairCount = lists.SumOf(b.ends, func(e end) uint64 { return uint64(b.sizes[e.class]) * uint64(len(e.far)) }) / 2
	b.firstPairs(d, p)
}

// firstPairs enters the first MaxPairs pairs, in order.
func (b *eccentricities) firstPairs(d *Diameter, p *tray.Puzzle) {
	byClass := make(map[uint32]end)
	for _, e := range b.ends {
		byClass[e.class] = e
	}
	orbits := p.Orbits()
	isEnd := bitset.New(uint64(len(b.probed)))
	for class := range byClass {
		isEnd.Add(uint64(class))
	}
	for x, class := range b.classes {
		if len(d.Pairs) == MaxPairs {
			return
		}
		if !isEnd.Has(uint64(class)) {
			continue
		}
		// A symmetry takes the first member of the class to x, and the members that are farthest from it to those that
		// are farthest from x.
		e := byClass[class]
		s := orbits.Between(b.position(e.from), b.position(uint32(x)))
		far := make([]uint32, len(e.far))
		for i, y := range e.far {
			far[i] = b.member(rank(b.numbers, s.Position(b.position(y))))
		}
		b.pairsOf(d, uint32(x), far)
	}
}

// pairsOf enters the pairs of a member with members that come after it, in order.
func (b *eccentricities) pairsOf(d *Diameter, x uint32, far []uint32) {
	slices.Sort(far)
	for _, y := range far {
		if y > x && len(d.Pairs) < MaxPairs {
			d.Pairs = append(d.Pairs, [2]tray.Position{b.position(x), b.position(y)})
		}
	}
}
