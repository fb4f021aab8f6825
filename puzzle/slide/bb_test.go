package slide

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/slide/trees"
	"pagoda/statespace"
)

// A plainGraph is the graph of a puzzle with all goals as one vertex, which is the last.
type plainGraph struct {
	vertices      uint32
	edges         [][2]uint32
	start         uint32
	states, goals uint64
}

// newPlainGraph makes the graph with Puzzle.Successors and a map.
func newPlainGraph(p *tray.Puzzle, m tray.Metric) (g plainGraph) {
	const goal = ^uint32(0) // until the number of vertices is known
	number := map[string]uint32{}
	var todo []string
	see := func(pos tray.Position) uint32 {
		key := p.Key(pos)
		if v, ok := number[key]; ok {
			return v
		}
		g.states++
		v := g.vertices
		if p.Solved(pos) {
			g.goals++
			v = goal
		} else {
			g.vertices++
		}
		number[key] = v
		todo = append(todo, key)
		return v
	}
	g.start = see(p.Start())
	for i := 0; i < len(todo); i++ {
		v := number[todo[i]]
		next := map[string]bool{}
		for _, s := range p.Successors(m, p.PositionOf(todo[i])) {
			key := p.Key(s.To)
			if y := see(s.To); !next[key] && v < y {
				g.edges = append(g.edges, [2]uint32{v, y})
			}
			next[key] = true
		}
	}
	for i, e := range g.edges {
		g.edges[i] = [2]uint32{e[0], min(e[1], g.vertices)}
	}
	g.start = min(g.start, g.vertices)
	g.vertices++
	return g
}

func mustBB(t *testing.T, p *tray.Puzzle, m tray.Metric, o trees.Options) *BB {
	t.Helper()
	b, err := FindBB(t.Context(), p, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBBRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	cases := 1000
	if !long.Tests {
		cases = 250
	}
	solved, enumerated := 0, 0
	for range cases {
		p := slidetest.Random(rng)
		m := tray.Metric(rng.IntN(tray.Metrics))
		r, err := solvePlain(t.Context(), p, m, Options{MaxStates: 80})
		if err != nil {
			continue // too many positions
		}
		b := mustBB(t, p, m, trees.Options{Width: 6, Samples: 200})
		if b.Reason != "" && !r.Solved {
			continue
		}
		g := newPlainGraph(p, m)
		if b.States != g.states || b.Goals != g.goals || b.Goals > 0 != r.Solved {
			t.Fatalf("%s%v: %+v, want %d positions and %d goals", p.Format(), m, b, g.states, g.goals)
		}
		if !r.Solved {
			if b.Vertices != 0 || b.Exact != nil || b.ExactValue() != nil {
				t.Fatalf("%s%v: no goal can be reached, and still %+v", p.Format(), m, b)
			}
			continue
		}
		solved++
		if b.Vertices != g.states-g.goals+1 || b.Vertices != uint64(g.vertices) {
			t.Fatalf("%s%v: %d vertices, want %d", p.Format(), m, b.Vertices, g.vertices)
		}
		if r.Length > 0 && b.Length < float64(r.Length)-1e-9 || r.Length == 0 && b.Length != 0 {
			t.Fatalf("%s%v: mean length %v, the shortest is %d", p.Format(), m, b.Length, r.Length)
		}
		if g.vertices > 9 || len(g.edges) > 14 || r.Length == 0 {
			continue
		}
		enumerated++
		mean, err := trees.New(int(g.vertices), g.edges, g.start, g.vertices-1).MeanPath(t.Context(), trees.Options{Width: trees.MaxWidth})
		if err != nil {
			t.Fatal(err)
		}
		want := mean.Exact
		if b.Exact == nil || b.Exact.Cmp(want) != 0 {
			t.Fatalf("%s%v: mean length %v, want %v", p.Format(), m, b.Exact, want)
		}
		value := new(big.Rat).Sub(big.NewRat(int64(b.Vertices)-1, 1), want)
		if f, _ := value.Float64(); b.ExactValue().Cmp(value) != 0 || b.Value != f || b.Low != f || b.High != f {
			t.Fatalf("%s%v: %+v, want the value %v", p.Format(), m, b, value)
		}
	}
	if solved < cases/10 || enumerated < cases*3/100 {
		t.Errorf("%d puzzles were solved and %d enumerated, too few", solved, enumerated)
	}
}

// TestBBDads: the values are this program's own, exact and sampled.
func TestBBDads(t *testing.T) {
	if !long.Tests {
		t.Skip("seconds of large numbers")
	}
	p := slidetest.Lookup(t, "slide/dads")
	mirrored := slidetest.Parse(t, "BBAA/CCAA/..21/FFED/GGED ..../..../..../..AA/..AA")
	for m, want := range map[tray.Metric]string{tray.Steps: "1259.313537", tray.Lines: "1275.037941"} {
		b := mustBB(t, p, m, trees.Options{Width: BBWidth})
		if b.Exact == nil || b.ExactValue().FloatString(6) != want || b.States != 1398 || b.Goals != 32 || b.Vertices != 1367 {
			t.Errorf("%v: %v of %+v, want %s", m, b.ExactValue(), b, want)
		}
		if mirror := mustBB(t, mirrored, m, trees.Options{Width: BBWidth}); mirror.Exact == nil || mirror.ExactValue().Cmp(b.ExactValue()) != 0 {
			t.Errorf("%v: %v, mirrored %v", m, b.ExactValue(), mirror.ExactValue())
		}
		s := mustBB(t, p, m, trees.Options{Samples: 2000, Seed: 7})
		if off := math.Abs(s.Value - b.Value); s.Exact != nil || s.Sampled != s.Parts || off > 5*s.Error || s.Low >= s.Value || s.Value >= s.High {
			t.Errorf("%v: sampled %+v, exactly %v", m, s, b.Value)
		}
		// Narrow parts are exact, the widest is sampled.
		some := mustBB(t, p, m, trees.Options{Width: 4, Samples: 2000, Seed: 8})
		if off := math.Abs(some.Value - b.Value); some.Sampled != 1 || some.Samples != 2000 || some.Seed != 8 || off > 5*some.Error {
			t.Errorf("%v: sampled in part %+v, exactly %v", m, some, b.Value)
		}
	}
}

func TestBBErrors(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	for _, memory := range []uint64{1 << 10, 2 << 20} { // less than the search takes, and less than the graph
		if _, err := FindBB(t.Context(), p, tray.Moves, trees.Options{Memory: memory}); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("with %d bytes: %v, want a statespace.ErrMemory", memory, err)
		}
	}
	if _, err := FindBB(t.Context(), slidetest.Parse(t, "tray: A.."), tray.Moves, trees.Options{}); !errors.Is(err, ErrNoGoal) {
		t.Errorf("without a goal: %v", err)
	}
}

// TestContract: goals that one move changes into each other are one vertex without a loop. The graph
// is a square and a triangle with a common edge, with 11 trees.
func TestContract(t *testing.T) {
	p := slidetest.Parse(t, "tray: A../...\ngoal: ..A\ngoal: .../..A")
	b := mustBB(t, p, tray.Steps, trees.Options{Width: BBWidth})
	if b.States != 6 || b.Goals != 2 || b.Vertices != 5 || b.Parts != 1 || b.Exact.RatString() != "29/11" {
		t.Errorf("%+v, mean length %v", b, b.Exact)
	}
}
