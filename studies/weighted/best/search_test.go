package best

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/studies/weighted"
)

// named returns a board with weights.
func named(t testing.TB, name string, weight func(cell int) int64) *weighted.Game {
	t.Helper()
	shape, pegs, err := peg.LookupShape(name)
	if err != nil {
		t.Fatal(err)
	}
	g := &weighted.Game{Shape: shape, Pegs: pegs, Weights: weighted.MagicWeights(shape)}
	if weight != nil {
		for i := range g.Weights {
			g.Weights[i] = weight(i)
		}
	}
	return g
}

// random returns a board with weights from 1 to 100.
func random(t testing.TB, name string, seed uint64) *weighted.Game {
	rng := rand.New(rand.NewPCG(seed, 1))
	return named(t, name, func(int) int64 { return 1 + rng.Int64N(100) })
}

// shorter returns the size of a test, or that without -tags long.
func shorter(size, short int) int {
	if !long.Tests {
		return short
	}
	return size
}

// check replays the game of a result.
func check(t testing.TB, what string, g *weighted.Game, r *Result) {
	t.Helper()
	score, err := g.Play(r.Jumps)
	if err != nil || score.Score != r.Score || r.Bound > r.Score {
		t.Fatalf("%s: the game scores %+v, %v; the result is %+v", what, score, err, r)
	}
}

// TestMagic: the score 342 on the board of the contest, from any seed, with little work.
func TestMagic(t *testing.T) {
	g := named(t, "peg/english", nil)
	enough := errors.New("enough")
	for seed := range uint64(shorter(10, 1)) {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := Search(ctx, g, Options{Threads: 2, Seed: seed, Work: 1 << 22, Better: func(r *Result) {
			if r.Score <= 342 {
				cancel(enough)
			}
		}})
		cancel(nil)
		if err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
		check(t, "magic", g, r)
		if r.Score != 342 || r.Bound < 300 {
			t.Errorf("seed %d: score %d, bound %d", seed, r.Score, r.Bound)
		}
	}
}

// TestSame: threads do not change what is found, seeds do.
func TestSame(t *testing.T) {
	g := random(t, "peg/6x6", 1)
	find := func(o Options) *Result {
		o.Work = uint64(shorter(1<<19, 1<<16))
		r, err := Search(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "6x6", g, r)
		r.Time = 0
		return r
	}
	first := find(Options{Threads: 1})
	for _, threads := range []int{2, 5} {
		if r := find(Options{Threads: threads}); !reflect.DeepEqual(r, first) {
			t.Errorf("%d threads: %+v, one: %+v", threads, r, first)
		}
	}
	large := random(t, "peg/9x9", 1)
	var games [2]*Result
	for seed := range games {
		var err error
		if games[seed], err = Search(t.Context(), large, Options{Threads: 2, Work: 1 << 14, Seed: uint64(seed)}); err != nil {
			t.Fatal(err)
		}
	}
	if reflect.DeepEqual(games[0].Jumps, games[1].Jumps) {
		t.Error("another seed gives the same game")
	}
}

// TestTime: Search ends soon after the time is over, with a game.
func TestTime(t *testing.T) {
	for _, name := range []string{"peg/english", "peg/9x9", "peg/20x20"} {
		g := random(t, name, 2)
		r, err := Search(t.Context(), g, Options{Threads: 2, Time: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		check(t, name, g, r)
	}
}

func TestErrors(t *testing.T) {
	large := named(t, "peg/65x64", nil)
	if _, err := Search(t.Context(), large, Options{Threads: 1}); err == nil {
		t.Error("a board of 65 x 64 is taken")
	}
	g := named(t, "peg/4x4", nil)
	g.Weights[0] = math.MaxInt64
	if _, err := Search(t.Context(), g, Options{Threads: 1}); err == nil {
		t.Error("a weight of 2^63-1 is taken")
	}
}

// TestStop: when ctx ends, the result is what was found, and the error is the cause.
func TestStop(t *testing.T) {
	enough := errors.New("enough")
	g := random(t, "peg/10x10", 1)
	r, err := stopAt(t, g, enough)
	if !errors.Is(err, enough) || r == nil || r.Score >= 5000 {
		t.Fatalf("%+v, %v", r, err)
	}
	check(t, "10x10", g, r)
}

// stopAt stops a search at its third better game.
func stopAt(t *testing.T, g *weighted.Game, cause error) (*Result, error) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	seen := 0
	return Search(ctx, g, Options{Threads: 2, Better: func(*Result) {
		if seen++; seen == 3 {
			cancel(cause)
		}
	}})
}

// TestMemory: levels that do not fit into the memory are not made, and the bound is lower.
func TestMemory(t *testing.T) {
	g := random(t, "peg/english", 4)
	before := int64(math.MinInt64)
	for _, memory := range []uint64{1, 1 << 30} {
		r, err := Search(t.Context(), g, Options{Threads: 2, Work: uint64(shorter(1<<19, 1<<17)), Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		check(t, "english", g, r)
		if r.Bound <= before {
			t.Errorf("with %d bytes the bound is %d, with less it is %d", memory, r.Bound, before)
		}
		before = r.Bound
	}
}
