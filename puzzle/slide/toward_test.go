package slide

import (
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// TestToward: a run toward a position ends there, at its distance, whatever makes the moves: words of n-puzzles,
// blocks of placements, or single positions.
func TestToward(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	for _, name := range []string{"slide/n2x3", "slide/n2x4", "slide/dads", "slide/klotski"} {
		sp := mustSpace(t, name, slidetest.Lookup(t, name), tray.Steps, false)
		whole, err := run.Find(t.Context(), sp, run.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := whole.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for tried := 0; tried < 8; {
			goal := rng.Uint64N(sp.Size())
			if entry, err := all.Distances.At(goal); err != nil || entry == 0 {
				continue
			}
			tried++
			to := statespace.Toward(sp, goal)
			for _, engine := range []string{run.NumbersEngine, run.SparseEngine, run.PlainEngine} {
				found, err := run.Find(t.Context(), to, run.Options{Engine: engine, Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				if is, err := all.Distances.IsAt(goal, found.Length); err != nil || !is {
					t.Errorf("%s toward %s by %s: length %d, which is not its distance, %v", name, sp.Format(goal), engine, found.Length, err)
				}
				found.Close()
			}
		}
		if name != "slide/klotski" { // it takes long
			if err := spacetest.Check(t.Context(), statespace.Toward(sp, all.Space.Roots()[0]), 20); err != nil {
				t.Error(err)
			}
		}
		whole.Close()
	}
}
