package slide

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// farthestPlain searches from every position that can be reached. If no goal can be reached,
// toGoal is -1.
func farthestPlain(t *testing.T, p *tray.Puzzle, m tray.Metric) (diameter, radius int, pairs uint64, toGoal, hardest int) {
	t.Helper()
	keys := map[string]bool{p.Key(p.Start()): true}
	todo := []tray.Position{p.Start()}
	for i := 0; i < len(todo); i++ {
		for _, s := range p.Successors(m, todo[i]) {
			if !keys[p.Key(s.To)] {
				keys[p.Key(s.To)] = true
				todo = append(todo, p.PositionOf(p.Key(s.To)))
			}
		}
	}
	radius = len(todo)
	toGoal = -1
	for _, from := range todo {
		r := mustSolve(t, p.From(from), m, Options{Engine: plainEngine})
		far := len(r.Layers) - 1
		radius = min(radius, far)
		if far > diameter {
			diameter, pairs = far, 0
		}
		if far == diameter && far > 0 {
			pairs += r.Layers[far]
		}
		if r.Solved && r.Length > toGoal {
			toGoal, hardest = r.Length, 0
		}
		if r.Solved && r.Length == toGoal {
			hardest++
		}
	}
	return diameter, radius, pairs / 2, toGoal, hardest
}

func TestDiameterRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	symmetric, n := 0, 150
	if !long.Tests {
		n = 40
	}
	for range n {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		if rng.IntN(3) == 0 {
			p = allDistinct(t, p)
		}
		r := mustSolve(t, p, m, Options{Engine: plainEngine})
		if r.States > 80 {
			continue
		}
		if !p.Orbits().Trivial() {
			symmetric++
		}
		diameter, radius, pairs, toGoal, hardest := farthestPlain(t, p, m)
		d, err := FindDiameter(t.Context(), p, m, Options{Threads: 1 + rng.IntN(3)})
		if err != nil {
			t.Fatal(err)
		}
		if !d.Exact || d.Diameter != diameter || d.Radius != radius || d.PairCount != pairs {
			t.Fatalf("%s%v: %+v, want diameter %d, radius %d, %d pairs", p.Format(), m, d, diameter, radius, pairs)
		}
		h, err := FindHardest(t.Context(), p, m, Options{Threads: 1 + rng.IntN(3)})
		if err != nil {
			t.Fatal(err)
		}
		if h.Goals > 0 != (toGoal >= 0) || toGoal >= 0 && (h.Length != toGoal || h.Count != uint64(hardest)) {
			t.Fatalf("%s%v: %+v, want %d starts at distance %d", p.Format(), m, h, hardest, toGoal)
		}
		compareProbers(t, p, m, d)
		// The bounds are bounds.
		e, err := newExplorer(t.Context(), p, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.search(t.Context(), only(e.start), false)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		far := len(s.Layers) - 1
		b := &Diameter{Diameter: far, Most: 2 * far, Radius: far, Pairs: make([][2]tray.Position, 1)}
		if err := e.boundDiameter(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		checkBounds(t, p, m, b, d)
	}
	if symmetric < n/8 {
		t.Errorf("only %d puzzles have symmetries", symmetric)
	}
}

// checkBounds checks the bounds of a diameter that is not exact.
func checkBounds(t *testing.T, p *tray.Puzzle, m tray.Metric, b, exact *Diameter) {
	t.Helper()
	if b.Exact || b.Diameter > exact.Diameter || b.Most < exact.Diameter || b.Radius < exact.Radius || b.Least > exact.Radius {
		t.Fatalf("%s%v: bounds %+v, exact is %+v", p.Format(), m, b, exact)
	}
}

// compareProbers finds the diameter without symmetries and by searches, each probe alone, and checks the bounds after
// each probe.
func compareProbers(t *testing.T, p *tray.Puzzle, m tray.Metric, want *Diameter) {
	t.Helper()
	e, err := newExplorer(t.Context(), p, m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.search(t.Context(), only(e.start), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := e.component(s)
	for i := range c.states {
		if x := c.number(uint32(i)); c.member(x) != uint32(i) || s.Marks().Get(x) == 0 {
			t.Fatalf("%s: member %d has the number %d, which is that of member %d", p.Format(), i, x, c.member(x))
		}
	}
	for _, folded := range []bool{false, true} {
		b, err := newEccentricities(t.Context(), c, p, len(s.Layers)-1)
		if err != nil {
			t.Fatal(err)
		}
		if !folded { // each member has a class of its own
			n := c.states
			alone := make([]uint32, n)
			for i := range alone {
				alone[i] = uint32(i)
			}
			b.classes, b.first, b.sizes, b.probed = alone, alone, slices.Repeat([]uint32{1}, n), make([]bool, n)
			b.least, b.most = make([]uint16, n), slices.Repeat([]uint16{math.MaxUint16}, n)
		}
		for {
			// The cause ends find after one probe.
			ctx, stop := context.WithCancel(t.Context())
			err := b.find(ctx, []prober{stopAfter{searchProber{c}, stop}})
			d := &Diameter{States: uint64(c.states), Pairs: make([][2]tray.Position, 1), Exact: err == nil}
			b.enter(d, p)
			if err == nil {
				if d.Diameter != want.Diameter || d.Radius != want.Radius || d.Most != want.Diameter || d.Least != want.Radius || d.PairCount != want.PairCount ||
					!slices.EqualFunc(d.Pairs, want.Pairs, func(a, b [2]tray.Position) bool { return slices.Equal(a[0], b[0]) && slices.Equal(a[1], b[1]) }) {
					t.Fatalf("%s%v, folded %t: %+v, expected %+v", p.Format(), m, folded, d, want)
				}
				break
			}
			checkBounds(t, p, m, d, want)
		}
	}
}

// stopAfter is a prober that stops the work when it is done.
type stopAfter struct {
	prober
	stop func()
}

func (s stopAfter) probe(ctx context.Context, from uint32, f *farness) error {
	defer s.stop()
	return s.prober.probe(ctx, from, f)
}

// allDistinct returns the puzzle with all pieces distinct.
func allDistinct(t *testing.T, p *tray.Puzzle) *tray.Puzzle {
	var lines []string
	for line := range strings.Lines(p.Format()) {
		if !strings.HasPrefix(line, "distinct:") && !strings.HasPrefix(line, "alike:") {
			lines = append(lines, line)
		}
	}
	return slidetest.Parse(t, "distinct: *\n"+strings.Join(lines, ""))
}

// TestDiameterStopped: when the time is over, there are bounds, or nothing before all positions are counted.
func TestDiameterStopped(t *testing.T) {
	if !long.Tests {
		t.Skip("many searches on one thread")
	}
	p := slidetest.Lookup(t, "slide/klotski")
	over := errors.New("over")
	want, err := FindDiameter(t.Context(), p, tray.Moves, Options{})
	if err != nil {
		t.Fatal(err)
	}
	nothing, bounded := false, false
	for reads := 1; reads < 20000 && !bounded; reads *= 3 {
		d, err := FindDiameter(stoppedAfter(t, reads, over), p, tray.Moves, Options{})
		switch {
		case !errors.Is(err, over):
			t.Fatalf("stopped: %v", err)
		case d == nil:
			nothing = true
		default:
			bounded = true
			checkBounds(t, p, tray.Moves, d, want)
		}
	}
	if !nothing || !bounded {
		t.Errorf("stopped early %t, with bounds %t", nothing, bounded)
	}
}

// stoppedAfter returns a context that ends with a cause when it has been asked some times.
func stoppedAfter(t *testing.T, reads int, cause error) context.Context {
	inner, stop := context.WithCancelCause(t.Context())
	ctx := &countedContext{Context: inner, stop: func() { stop(cause) }}
	ctx.left.Store(int64(reads))
	return ctx
}

// A countedContext ends when it has been asked some times whether it has ended.
type countedContext struct {
	context.Context
	left atomic.Int64
	stop func()
}

func (c *countedContext) Err() error {
	if c.left.Add(-1) <= 0 {
		c.stop()
	}
	return c.Context.Err()
}

// TestDiameters has exact diameters that other programs found.
func TestDiameters(t *testing.T) {
	for name, want := range map[string]int{"slide/dads": 105, "slide/klotski": 145} {
		d, err := FindDiameter(t.Context(), slidetest.Lookup(t, name), tray.Moves, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: diameter %d, radius %d, %d pairs, %d searches", name, d.Diameter, d.Radius, d.PairCount, d.Searches)
		if !d.Exact || d.Diameter != want {
			t.Errorf("%s: %+v, want %d", name, d, want)
		}
	}
}
