package slide

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/amount"
	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
)

func mustNPuzzle(t testing.TB, p *tray.Puzzle) *npuzzle.Numbering {
	t.Helper()
	n, err := npuzzle.New(p)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Format())
	}
	return n
}

// TestNPuzzles: the number of positions of n-puzzles, and the greatest distance from the position
// with the empty cell in the corner. Other programs computed these.
func TestNPuzzles(t *testing.T) {
	for _, c := range []struct {
		name   string
		states uint64
		depth  int
		layers []uint64
	}{
		{"slide/n3x3", 181440, 31, []uint64{1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2}},
		{"slide/n2x4", 20160, 36, nil},
		{"slide/n4x2", 20160, 36, nil},
		{"slide/n2x5", 1814400, 55, nil},
		{"slide/n3x4", 239500800, 53, nil},
		{"slide/n2x6", 239500800, 80, nil},
	} {
		if !long.Tests && c.states > 1e6 {
			continue
		}
		p := slidetest.Lookup(t, c.name)
		r := mustSolve(t, p, tray.Moves, Options{})
		if r.States != c.states || len(r.Layers) != c.depth+1 || !r.Whole || c.layers != nil && !slices.Equal(r.Layers, c.layers) {
			t.Errorf("%s: %d positions, depth %d, layers %v", c.name, r.States, len(r.Layers)-1, r.Layers)
		}
		if !r.Solved {
			t.Errorf("%s cannot be solved", c.name)
		}
		checkMoves(t, p, r)
		t.Log(c.name, r.Length, r.Solutions)
	}
}

// TestSolveNPuzzles compares the numbers of n-puzzles with the other engines, and with the numbers
// of all placements.
func TestSolveNPuzzles(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	less := 1
	if !long.Tests {
		less = 10
	}
	for _, c := range []struct{ rows, cols, times int }{{2, 2, 20}, {2, 3, 20}, {3, 2, 20}, {2, 4, 2}, {4, 2, 1}} {
		for range (c.times + less - 1) / less {
			p := slidetest.RandomTiles(t, rng, c.rows, c.cols)
			mustNPuzzle(t, p) // so Solve uses it
			for _, m := range []tray.Metric{tray.Steps, tray.Lines, tray.Moves} {
				compareEngines(t, p, m, false)
				if p.Goals() > 0 {
					compareEngines(t, p, m, true)
				}
			}
		}
	}
	for range (6 + less - 1) / less {
		p := slidetest.RandomTiles(t, rng, 3, 3)
		mustNPuzzle(t, p)
		o := Options{ToGoal: p.Goals() > 0}
		want, err := solvePacked(t.Context(), p, tray.Lines, o)
		if err != nil {
			t.Fatal(err)
		}
		got := mustSolve(t, p, tray.Lines, o)
		if !sameAnswers(got, want) {
			t.Fatalf("%sfound\n%+v, by the numbers of all placements\n%+v", p.Format(), got, want)
		}
		checkMoves(t, p, got)
	}
}

// TestWalledNPuzzles: an n-puzzle with thin walls does not have the numbers of one without.
func TestWalledNPuzzles(t *testing.T) {
	for text, states := range map[string]uint64{ // 0: not checked
		"walls: (0,2) below\ntray: 12./345\ngoal: .12/345":                             18,
		"walls: (1,1) right, (1,2) below\ntray: 123/456/78.\ngoal: 12./453/786":        540,
		"distinct: *\nwalls: (0,0) right\ntray: 123/45.\ngoal: .12/345":                0,
		"distinct: *\nwalls: (1,0) right, (0,1) below\ntray: 12/34/5.\ngoal: 1./23/45": 0,
	} {
		p := slidetest.Parse(t, "distinct: *\n"+strings.TrimPrefix(text, "distinct: *\n"))
		if r := compareEngines(t, p, tray.Steps, false); states != 0 && r.States != states {
			t.Errorf("%s: %d positions, want %d", text, r.States, states)
		}
	}
}

// TestNPuzzleMemory: an n-puzzle that is too large is an error, with the size.
func TestNPuzzleMemory(t *testing.T) {
	var full *statespace.MemoryError
	p := slidetest.Lookup(t, "slide/n3x4")
	if _, err := Solve(t.Context(), p, tray.Moves, Options{Engine: numbersEngine, Memory: 32 << 20}); !errors.As(err, &full) || full.Need < 57<<20 || !strings.Contains(full.Most, " 239,500,800 numbers") {
		t.Errorf("in little memory: %v", err)
	}
	for name, places := range map[string]int{"slide/n3x5": 15, "slide/n2x7": 14} {
		n := new(big.Int).MulRange(3, int64(places)).Uint64()
		if _, err := Solve(t.Context(), slidetest.Lookup(t, name), tray.Moves, Options{Engine: numbersEngine, Memory: 1 << 30}); !errors.As(err, &full) || !strings.Contains(full.Most, amount.Comma(n)) {
			t.Errorf("%s in little memory: %v, want %d positions", name, err, n)
		}
	}
}

// TestNPuzzleTooMany: an n-puzzle that has more positions than the memory has bits is searched only up to
// a goal.
func TestNPuzzleTooMany(t *testing.T) {
	var full *statespace.MemoryError
	p := slidetest.Parse(t, "1234/5678/9AB./DEFC 1234/5678/9ABC/DEF.")
	for _, e := range []string{autoEngine, sparseEngine} {
		if _, err := Solve(t.Context(), p, tray.Moves, Options{Engine: e, Memory: 1 << 40}); !errors.As(err, &full) || full.Need < 1<<40 {
			t.Errorf("%q: %v", e, err)
		}
	}
	if _, err := Solve(t.Context(), p, tray.Moves, Options{Engine: numbersEngine}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("by numbers, which it has none of: %v", err)
	}
	if _, err := FindHardest(t.Context(), p, tray.Moves, Options{Memory: 1 << 40}); !errors.As(err, &full) || full.Need < 1<<40 {
		t.Errorf("hardest: %v", err)
	}
	if r := mustSolve(t, p, tray.Moves, Options{ToGoal: true, Memory: 1 << 28}); r.Length != 1 {
		t.Errorf("up to the goal: %+v", r)
	}
}

// BenchmarkNPuzzle searches all positions by the numbers of n-puzzles, by those of all placements,
// and by the plain search.
func BenchmarkNPuzzle(b *testing.B) {
	for _, name := range []string{"slide/n3x3", "slide/n2x5", "slide/n3x4", "slide/n2x6"} {
		p := slidetest.Lookup(b, name)
		tiles := mustNPuzzle(b, p)
		for _, c := range []struct {
			by    string
			most  uint64 // positions
			count func() (uint64, error)
		}{
			{"tiles", 1e9, func() (uint64, error) { return countStates(b, tiles, p, tray.Steps, 1) }},
			{"packing", 1e9, func() (uint64, error) { return countStates(b, mustPack(b, p), p, tray.Steps, 1) }},
			{"plain", 1e6, func() (uint64, error) { return countPlain(b, p, tray.Steps) }},
		} {
			if tiles.Size() > c.most || c.by == "packing" && tiles.Size() > 1e8 && !long.Tests {
				continue // minutes
			}
			b.Run(name[len(library.Prefix):]+"/"+c.by, func(b *testing.B) {
				all := uint64(0)
				for b.Loop() {
					n, err := c.count()
					if err != nil {
						b.Fatal(err)
					}
					all += n
				}
				b.ReportMetric(float64(all)/b.Elapsed().Seconds()/1e6, "Mstates/s")
			})
		}
	}
}
