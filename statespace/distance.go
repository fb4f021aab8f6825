package statespace

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A Reversible space is one in which every move can be taken back: Predecessors lists the
// states that Successors lists. What is known of a state is its distance from the roots,
// modulo 3: as moves change the distance by one at most, that tells which of them lead
// back.
type Reversible interface {
	Space
	// Goal reports whether x is a state that solves the puzzle.
	Goal(x Index) bool
	// HasGoal reports whether the puzzle has any goal, to be reached or not.
	HasGoal() bool
	// ToGoal reports whether states that are farther from the roots than the nearest
	// goal do not count as reached.
	ToGoal() bool
	// Engines lists the ways of the space to find distances, best first.
	Engines() []string
	// Memory returns about how many bytes an engine takes besides the distances.
	Memory(engine string) uint64
	// Distances does what FindDistances does by one of the engines, but for Solutions.
	Distances(ctx context.Context, engine string, distances *bitset.Planes, threads int, progress *Progress) (*Reached, error)
	// Neighbours returns a function, for one goroutine, that appends to dst the states one
	// move away from x, in any order; a state may come several times.
	Neighbours() func(dst []Index, x Index) []Index
}

// DistanceBits is the width of the entries that FindDistances makes.
const DistanceBits = 2

// DistanceMark is the entry of a state at a distance from the roots: 1, 2 or 3. States
// that were not reached have 0.
func DistanceMark(distance int) uint8 { return uint8(distance%3) + 1 }

// markBefore is the entry of the states one move nearer to the roots.
func markBefore(mark uint8) uint8 { return (mark+1)%3 + 1 }

// Reached tells what a search from the roots of a Reversible space has found.
type Reached struct {
	// Layers counts the states at each distance.
	Layers []uint64
	// Goals are the nearest goals, in order; their distance is Length, and Solutions is
	// the number of shortest ways to them. Two ways differ if they differ in a state.
	Goals     []Index
	Length    int
	Solutions *big.Int
}

// States returns how many states were reached.
func (r *Reached) States() (n uint64) {
	for _, layer := range r.Layers {
		n += layer
	}
	return n
}

// FindDistances finds all states that can be reached from the roots, and fills their
// entries, which are 0 so far, with DistanceMark. The engine is one of Engines. The
// result does not depend on the engine or on the number of threads. When ctx ends, it
// stops soon and returns the cause.
func FindDistances(ctx context.Context, sp Reversible, engine string, distances *bitset.Planes, threads int, progress *Progress) (*Reached, error) {
	if err := CheckEngine(sp, engine); err != nil {
		return nil, err
	}
	if distances.Len() != sp.Size() || distances.Width() != DistanceBits {
		return nil, fmt.Errorf("%s has %d numbers and distances of %d bits, found %d of %d bits",
			sp.Name(), sp.Size(), DistanceBits, distances.Len(), distances.Width())
	}
	if progress == nil {
		progress = new(Progress)
	}
	find, back := sp.Distances, sp.Neighbours()
	if engine == PlainEngine {
		find, back = plainDistances(sp), plainNeighbours(sp)
	}
	r, err := find(ctx, engine, distances, threads, progress)
	if err != nil {
		return nil, err
	}
	r.Solutions = new(big.Int)
	if len(r.Goals) > 0 {
		ways, err := findShortest(ctx, sp, back, Known(distances), r.Goals, r.Length, 0)
		if err != nil {
			return nil, err
		}
		r.Solutions = ways.Total()
	}
	return r, nil
}

// plainNeighbours lists neighbours by Predecessors.
func plainNeighbours(sp Space) func(dst []Index, x Index) []Index {
	var edges []Edge
	return func(dst []Index, x Index) []Index {
		edges = sp.Predecessors(edges[:0], x)
		for _, e := range edges {
			dst = append(dst, e.To)
		}
		return dst
	}
}

// plainDistances is the engine PlainEngine: layer by layer, one state at a time.
func plainDistances(sp Reversible) func(context.Context, string, *bitset.Planes, int, *Progress) (*Reached, error) {
	return func(ctx context.Context, _ string, distances *bitset.Planes, threads int, progress *Progress) (*Reached, error) {
		r := new(Reached)
		words := distances.Words()
		// claim enters a state that was not reached before, and reports whether it was this
		// call that did.
		claim := func(x Index, mark uint8) bool {
			bit := uint64(1) << (x % 64)
			low, high := &words[x/64*2], &words[x/64*2+1]
			if (atomic.LoadUint64(low)|atomic.LoadUint64(high))&bit != 0 {
				return false
			}
			first, second := low, high
			if mark == 2 {
				first, second = high, low
			}
			if atomic.OrUint64(first, bit)&bit != 0 {
				return false
			}
			if mark == 3 {
				atomic.OrUint64(second, bit)
			}
			return true
		}
		var frontier []Index
		for _, x := range sp.Roots() {
			if claim(x, DistanceMark(0)) {
				frontier = append(frontier, x)
			}
		}
		for level := 0; len(frontier) > 0; level++ {
			r.Layers = append(r.Layers, uint64(len(frontier)))
			progress.Add(int64(len(frontier)))
			if len(r.Goals) == 0 {
				for _, x := range frontier {
					if sp.Goal(x) {
						r.Goals, r.Length = append(r.Goals, x), level
					}
				}
				slices.Sort(r.Goals)
			}
			if sp.ToGoal() && len(r.Goals) > 0 {
				return r, nil
			}
			parts := slices.Collect(slices.Chunk(frontier, max(1024, len(frontier)/(8*threads))))
			next := make([][]Index, len(parts))
			group, ctx := errgroup.WithContext(ctx)
			group.SetLimit(threads)
			for i, part := range parts {
				group.Go(func() error {
					var edges []Edge
					for k, x := range part {
						if k%1024 == 0 && ctx.Err() != nil {
							return context.Cause(ctx)
						}
						edges = sp.Successors(edges[:0], x)
						for _, e := range edges {
							if claim(e.To, DistanceMark(level+1)) {
								next[i] = append(next[i], e.To)
							}
						}
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				return nil, err
			}
			frontier = slices.Concat(next...)
		}
		return r, nil
	}
}

// A Distance gives the entry of a number: 0, or the DistanceMark of a state that was
// reached. The error says that it could not be read.
type Distance func(x Index) (uint8, error)

// Known is the Distance of entries in memory.
func Known(distances *bitset.Planes) Distance {
	return func(x Index) (uint8, error) { return distances.Get(x), nil }
}

// ShortestPath returns a shortest way from a root to a state that was reached, when no
// state is farther away than most. It is ErrNoPath if the distances do not lead to a root.
func ShortestPath(sp Reversible, distance Distance, to Index, most int) (way Way, err error) {
	err = mapped.Guard(func() error {
		roots, back := sp.Roots(), sp.Neighbours()
		var near []Index
		x := to
		mark, err := distance(x)
		for ; err == nil && !slices.Contains(roots, x); mark = markBefore(mark) {
			if len(way.Steps) >= most || mark == 0 {
				return fmt.Errorf("%s: %w", sp.Format(to), ErrNoPath)
			}
			way.Steps = append(way.Steps, Step{State: x})
			near = back(near[:0], x)
			slices.Sort(near) // the way does not depend on their order
			var found bool
			for _, y := range near {
				var m uint8
				if m, err = distance(y); err != nil {
					return err
				}
				if found = m == markBefore(mark); found {
					x = y
					break
				}
			}
			if !found {
				return fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
			}
		}
		if err == nil && mark != DistanceMark(0) {
			err = fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
		}
		way.From = x
		slices.Reverse(way.Steps)
		return err
	})
	return way, err
}

// A Shortest is the shortest ways from the roots to some states that are all at one
// distance.
type Shortest struct {
	neighbours func(dst []Index, x Index) []Index
	// layers are the states on these ways by distance from the roots, in order, each with
	// the number of ways on from there.
	layers [][]onWay
}

type onWay struct {
	x Index
	n *big.Int
}

// onWayBytes is about what a state on a shortest way takes.
const onWayBytes = 120

// FindShortest finds the shortest ways to different states, all of them reached at the
// same distance. It keeps all states on these ways in memory, so many bytes at most, else
// the error is ErrMemory; 0 is no bound. It is ErrNoPath if the distances do not lead to
// a root.
func FindShortest(ctx context.Context, sp Reversible, distance Distance, to []Index, length int, memory uint64) (s *Shortest, err error) {
	err = mapped.Guard(func() error {
		s, err = findShortest(ctx, sp, sp.Neighbours(), distance, to, length, memory)
		return err
	})
	return s, err
}

func findShortest(ctx context.Context, sp Reversible, neighbours func([]Index, Index) []Index, distance Distance, to []Index, length int, memory uint64) (*Shortest, error) {
	for _, x := range to {
		if mark, err := distance(x); err != nil {
			return nil, err
		} else if mark != DistanceMark(length) {
			return nil, fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
		}
	}
	s, err := TraceShortest(ctx, neighbours, func(x Index, d int) (bool, error) {
		mark, err := distance(x)
		return mark == DistanceMark(d), err
	}, to, length, memory)
	if err != nil {
		return nil, err
	}
	roots := sp.Roots()
	if len(s.layers[0]) == 0 || slices.ContainsFunc(s.layers[0], func(o onWay) bool { return !slices.Contains(roots, o.x) }) {
		return nil, fmt.Errorf("%s: %w", sp.Format(to[0]), ErrNoPath)
	}
	return s, nil
}

// TraceShortest is FindShortest for states that a search has found in its own way. The
// neighbours of a state are those that Reversible.Neighbours lists; isAt reports whether
// one of them is at the distance before that of the state.
func TraceShortest(ctx context.Context, neighbours func(dst []Index, x Index) []Index, isAt func(x Index, distance int) (bool, error), to []Index, length int, memory uint64) (*Shortest, error) {
	s := &Shortest{neighbours, make([][]onWay, length+1)}
	one := big.NewInt(1)
	for _, x := range slices.Sorted(slices.Values(to)) {
		s.layers[length] = append(s.layers[length], onWay{x, one})
	}
	states := uint64(len(to))
	var near []Index
	for level := length - 1; level >= 0; level-- {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var before []onWay
		for _, from := range s.layers[level+1] {
			near = neighbours(near[:0], from.x)
			slices.Sort(near)
			for _, y := range slices.Compact(near) {
				is, err := isAt(y, level)
				if err != nil {
					return nil, err
				}
				if is {
					before = append(before, onWay{y, from.n})
				}
			}
		}
		slices.SortFunc(before, compareOnWay)
		var layer []onWay
		for i := 0; i < len(before); {
			sum := onWay{before[i].x, new(big.Int)}
			for ; i < len(before) && before[i].x == sum.x; i++ {
				sum.n.Add(sum.n, before[i].n)
			}
			layer = append(layer, sum)
		}
		if states += uint64(len(layer)); memory > 0 && states*onWayBytes > memory {
			return nil, fmt.Errorf("%w: more than %d, with some %d bytes each; %d bytes are allowed", ErrMemory, states, onWayBytes, memory)
		}
		s.layers[level] = layer
	}
	return s, nil
}

func compareOnWay(a, b onWay) int { return cmp.Compare(a.x, b.x) }

// Has reports whether a state lies on one of the ways, at a distance up to theirs.
func (s *Shortest) Has(x Index, distance int) bool {
	_, ok := slices.BinarySearchFunc(s.layers[distance], onWay{x: x}, compareOnWay)
	return ok
}

// Total returns how many ways there are.
func (s *Shortest) Total() *big.Int {
	n := new(big.Int)
	for _, root := range s.layers[0] {
		n.Add(n, root.n)
	}
	return n
}

// on returns the states of a layer that are one move away from x.
func (s *Shortest) on(x Index, layer int) (next []onWay) {
	near := s.neighbours(nil, x)
	slices.Sort(near)
	for _, y := range slices.Compact(near) {
		if i, ok := slices.BinarySearchFunc(s.layers[layer], onWay{x: y}, compareOnWay); ok {
			next = append(next, s.layers[layer][i])
		}
	}
	return next
}

// All yields the ways one after the other. A Shortest is for one goroutine.
func (s *Shortest) All() iter.Seq[Way] {
	return func(yield func(Way) bool) {
		var steps []Step
		var walk func(from, x Index, layer int) bool
		walk = func(from, x Index, layer int) bool {
			if layer == len(s.layers) {
				return yield(Way{from, slices.Clone(steps)})
			}
			for _, next := range s.on(x, layer) {
				steps = append(steps, Step{State: next.x})
				more := walk(from, next.x, layer+1)
				steps = steps[:len(steps)-1]
				if !more {
					return false
				}
			}
			return true
		}
		for _, root := range s.layers[0] {
			if !walk(root.x, root.x, 1) {
				return
			}
		}
	}
}

// Random draws one of the ways; each is as likely as any other.
func (s *Shortest) Random(rng *rand.Rand) Way {
	draw := func(from []onWay) Index {
		sum := new(big.Int)
		for _, o := range from {
			sum.Add(sum, o.n)
		}
		at := randBelow(rng, sum)
		for _, o := range from {
			if at.Cmp(o.n) < 0 {
				return o.x
			}
			at.Sub(at, o.n)
		}
		panic("statespace: a number below the sum lies beyond it")
	}
	way := Way{From: draw(s.layers[0])}
	x := way.From
	for layer := 1; layer < len(s.layers); layer++ {
		x = draw(s.on(x, layer))
		way.Steps = append(way.Steps, Step{State: x})
	}
	return way
}
