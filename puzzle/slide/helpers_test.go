package slide

import (
	"slices"
	"testing"

	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
)

// mustSolve is Solve without an error.
func mustSolve(t *testing.T, p *tray.Puzzle, m tray.Metric, o Options) *Result {
	t.Helper()
	solve := Solve
	if o.Engine == plainEngine {
		solve = solvePlain
	}
	r, err := solve(t.Context(), p, m, o)
	if err != nil {
		t.Fatalf("%s%v: %v", p.Format(), m, err)
	}
	return r
}

// mustPack numbers the placements of a puzzle.
func mustPack(t testing.TB, p *tray.Puzzle) *packing.Packing {
	t.Helper()
	pk, err := packing.New(t.Context(), p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pk
}

// mustSpace is NewSpace without an error.
func mustSpace(t *testing.T, name string, p *tray.Puzzle, m tray.Metric, toGoal bool) *Space {
	t.Helper()
	sp, err := NewSpace(t.Context(), name, p, m, toGoal, 0)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// sameAnswers reports whether two results are the same, except for the moves.
func sameAnswers(a, b *Result) bool {
	return a.Solved == b.Solved && a.Length == b.Length && a.States == b.States && a.Whole == b.Whole &&
		a.Solutions.Cmp(b.Solutions) == 0 && slices.Equal(a.Layers, b.Layers)
}

// checkMoves checks that the moves of a result are a solution of its length.
func checkMoves(t *testing.T, p *tray.Puzzle, r *Result) {
	t.Helper()
	if !r.Solved {
		return
	}
	if _, err := replay.Solution(p, r.Metric, r.Moves); err != nil || len(r.Moves) != r.Length {
		t.Fatalf("%s%v: %v are not %d moves to a goal: %v", p.Format(), r.Metric, r.Moves, r.Length, err)
	}
}

// compareEngines compares the engines with the plain search. It returns what they find.
func compareEngines(t *testing.T, p *tray.Puzzle, m tray.Metric, toGoal bool) *Result {
	t.Helper()
	o := Options{ToGoal: toGoal, Engine: plainEngine}
	want := mustSolve(t, p, m, o)
	checkMoves(t, p, want)
	for _, o.Engine = range []string{autoEngine, numbersEngine, sparseEngine, run.PlainEngine} {
		got := mustSolve(t, p, m, o)
		if got.Reason != "" {
			if want.Solved {
				t.Fatalf("%s%v: %s, and the plain search finds a solution", p.Format(), m, got.Reason)
			}
			continue
		}
		if !sameAnswers(got, want) {
			t.Fatalf("%s%v: %q finds\n%+v, the plain search\n%+v", p.Format(), m, o.Engine, got, want)
		}
		checkMoves(t, p, got)
	}
	return want
}
