package slide

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// sameResult holds the fast searches against the plain one.
func sameResult(t *testing.T, p *Puzzle, m Metric, toGoal bool) {
	t.Helper()
	o := Options{ToGoal: toGoal}
	want, err := SolvePlain(t.Context(), p, m, o)
	if err != nil {
		t.Fatal(err)
	}
	for o.Engine = range Engine(Engines) {
		got := want
		if o.Engine != PlainEngine {
			if got, err = Solve(t.Context(), p, m, o); err != nil {
				t.Fatal(err)
			}
		}
		if got.Solved != want.Solved || got.Length != want.Length || got.States != want.States || got.Whole != want.Whole ||
			got.Solutions.Cmp(want.Solutions) != 0 || !slices.Equal(got.Layers, want.Layers) {
			t.Fatalf("%s%v: %v finds\n%+v, plainly\n%+v", p.Format(), m, o.Engine, got, want)
		}
		if got.Solved {
			if _, err := p.CheckSolution(m, got.Moves); err != nil || len(got.Moves) != got.Length {
				t.Fatalf("%s%v: %v: %v: %v", p.Format(), m, o.Engine, got.Moves, err)
			}
		}
	}
}

func TestSolveRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	n := 400
	if testing.Short() {
		n = 60
	}
	for range n {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if pk.Size() > 20000 {
			continue
		}
		for m := range Metric(Metrics) {
			sameResult(t, p, m, false)
			sameResult(t, p, m, true)
		}
	}
}

func TestSolveErrors(t *testing.T) {
	p, err := ParsePuzzle("A..")
	if err != nil {
		t.Fatal(err)
	}
	for e := range Engine(Engines) {
		if _, err := Solve(t.Context(), p, Steps, Options{Engine: e, ToGoal: true}); !errors.Is(err, ErrNoGoal) {
			t.Errorf("without a goal: %v", err)
		}
		r, err := Solve(t.Context(), p, Steps, Options{Engine: e})
		if err != nil || r.Solved || r.States != 3 || !r.Whole {
			t.Errorf("without a goal, all: %+v, %v", r, err)
		}
		stopped, stop := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		stop(cause)
		if _, err := Solve(stopped, p, Steps, Options{Engine: e}); !errors.Is(err, cause) {
			t.Errorf("stopped: %v", err)
		}
		var size *SizeError
		k, err := Lookup("slide/klotski")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Solve(t.Context(), k, Steps, Options{Engine: e, Memory: 1 << 16}); !errors.As(err, &size) {
			t.Errorf("in little memory: %v", err)
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, name := range []string{"slide/klotski", "slide/century"} {
		p, err := Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		pk, err := NewPacking(p, 0)
		if err != nil {
			b.Fatal(err)
		}
		for m := range Metric(Metrics) {
			b.Run(name[len(Prefix):]+"/"+m.String(), func(b *testing.B) {
				states := uint64(0)
				for b.Loop() {
					l := newLevels(pk.size)
					r := new(Result)
					if _, err := pk.search(b.Context(), newCursor(pk, m), l, []uint64{pk.Rank(p.Start())}, false, r); err != nil {
						b.Fatal(err)
					}
					states += r.States
				}
				b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
			})
		}
	}
}
