package slide

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/slide/internal/slidetest"
	"pagoda/statespace/slide/tray"
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
		r := mustSolve(t, p.From(from), m, Options{Engine: PlainEngine})
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
	n := 150
	if testing.Short() {
		n = 40
	}
	for range n {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		r := mustSolve(t, p, m, Options{Engine: PlainEngine})
		if r.States > 80 {
			continue
		}
		diameter, radius, pairs, toGoal, hardest := farthestPlain(t, p, m)
		d, err := FindDiameter(t.Context(), p, m, 0, 1+rng.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		if !d.Exact || d.Diameter != diameter || d.Radius != radius || d.PairCount != pairs {
			t.Fatalf("%s%v: %+v, want diameter %d, radius %d, %d pairs", p.Format(), m, d, diameter, radius, pairs)
		}
		h, err := FindHardest(t.Context(), p, m, 0, 1+rng.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		if h.Goals > 0 != (toGoal >= 0) || toGoal >= 0 && (h.Length != toGoal || h.Count != uint64(hardest)) {
			t.Fatalf("%s%v: %+v, want %d starts at distance %d", p.Format(), m, h, hardest, toGoal)
		}
		// The bounds are bounds.
		e, err := newExplorer(t.Context(), p, m, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		b := new(Diameter)
		if err := e.boundDiameter(t.Context(), e.start, e.start, len(r.Layers)-1, b); err != nil {
			t.Fatal(err)
		}
		if b.Exact || b.Diameter > diameter || b.Most < diameter || b.Radius < radius {
			t.Fatalf("%s%v: bounds %+v, diameter %d, radius %d", p.Format(), m, b, diameter, radius)
		}
	}
}

// TestDiameters has exact diameters that other programs found.
func TestDiameters(t *testing.T) {
	for name, want := range map[string]int{"slide/dads": 105, "slide/klotski": 145} {
		d, err := FindDiameter(t.Context(), slidetest.Lookup(t, name), tray.Moves, 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: diameter %d, radius %d, %d pairs, %d searches", name, d.Diameter, d.Radius, d.PairCount, d.Searches)
		if !d.Exact || d.Diameter != want {
			t.Errorf("%s: %+v, want %d", name, d, want)
		}
	}
}
