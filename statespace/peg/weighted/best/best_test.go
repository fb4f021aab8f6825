package best

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pagoda/statespace/peg"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/purges"
	"pagoda/statespace/peg/weighted"
	"pagoda/statespace/peg/weighted/internal/weightedtest"
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

// check replays the game of a result.
func check(t testing.TB, what string, g *weighted.Game, r *Result) {
	t.Helper()
	score, err := g.Play(r.Jumps)
	if err != nil || score.Score != r.Score || r.Bound > r.Score {
		t.Fatalf("%s: the game scores %+v, %v; the result is %+v", what, score, err, r)
	}
}

// TestOptimal: on small boards, Search finds the best score of all games, and proves it.
func TestOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	gains, negative := 0, 0
	for i := range 4000 {
		g := weightedtest.Random(rng, 14)
		want, _ := weightedtest.Plain(g)
		r, err := Search(t.Context(), g, Options{Threads: 1 + i%3, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		check(t, fmt.Sprint(i), g, r)
		if !r.Optimal() || r.Score != want.Score {
			t.Fatalf("board %d: score %d, bound %d, the best score is %d\n%s", i, r.Score, r.Bound, want.Score, g.Format())
		}
		if len(r.Jumps) > 1 {
			gains++
		}
		if want.Score < 0 {
			negative++
		}
	}
	if gains < 100 || negative < 20 {
		t.Errorf("%d games of two jumps and more, %d scores below 0: nothing is compared", gains, negative)
	}
}

// TestLevels: searches by levels of any width never bound too high, and without a limit find the best.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	narrow := 0
	for i := range 300 {
		g := weightedtest.Random(rng, 14)
		want, _ := weightedtest.Plain(g)
		f, err := newField(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{1, 3, math.MaxInt32} {
			l := newLevels(f, width, 2, uint64(i), f.total)
			for !l.done() {
				if b := l.bound(); b > want.Score {
					t.Fatalf("board %d, width %d: bound %d, the best score is %d", i, width, b, want.Score)
				}
				if err := l.advance(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if l.best < want.Score || l.bound() > want.Score || l.bound() < want.Score && width > 3 {
				t.Fatalf("board %d, width %d: score %d, bound %d, the best score is %d", i, width, l.best, l.bound(), want.Score)
			}
			if score, _ := f.score(l.game); score != l.best {
				t.Fatalf("board %d, width %d: the game scores %d, want %d", i, width, score, l.best)
			}
			if l.bound() < want.Score {
				narrow++
			}
		}
	}
	if narrow < 10 {
		t.Errorf("the width mattered %d times", narrow)
	}
}

// plainCover is the least weight of pegs that can be chosen so that all others can be removed where they
// stand. It tries all choices, from the definition.
func plainCover(f *field) int64 {
	least := int64(math.MaxInt64)
	for choice := range 1 << len(f.start) {
		var weight int64
		stands := make([]bool, len(f.start))
		for cell, k := range f.start {
			if k != 0 && choice>>cell&1 == 1 {
				weight += max(0, f.weights[k])
			} else {
				stands[cell] = k != 0
			}
		}
		for again := true; again; {
			again = false
			for _, h := range f.jumps {
				if stands[h.over] && !stands[h.from] && !stands[h.to] {
					stands[h.over], again = false, true
				}
			}
		}
		if reflect.DeepEqual(stands, make([]bool, len(stands))) {
			least = min(least, weight)
		}
	}
	return least
}

// coverOf is the cover of the start, in sets of a size.
func coverOf[S set](f *field) int64 {
	c := newCover[S](f, math.MaxInt32)
	var pegs S
	for cell, k := range f.start {
		if k != 0 {
			add(&pegs, int(c.place[cell]))
			c.weights[c.place[cell]] = max(0, f.weights[k])
		}
	}
	c.nodes = c.most
	return c.search(pegs, pegs, 0, math.MaxInt64)
}

// TestCover: the search for a cover finds the least one, in sets of all sizes.
func TestCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	more := 0
	for i := range 300 {
		f, err := newField(weightedtest.Random(rng, 12), nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.weights[len(f.weights)-1] < 0 {
			continue
		}
		want := plainCover(f)
		for _, found := range []int64{coverOf[[2]uint64](f), coverOf[[4]uint64](f), coverOf[[8]uint64](f), coverOf[[64]uint64](f)} {
			if found != want {
				t.Fatalf("board %d: %d, want %d\n%s", i, found, want, f.game.Format())
			}
		}
		if f.places() <= 64 {
			if found := coverOf[[1]uint64](f); found != want {
				t.Fatalf("board %d, one word: %d, want %d", i, found, want)
			}
		}
		if want > 0 {
			more++
		}
	}
	if more < 50 {
		t.Errorf("%d covers are not empty", more)
	}
}

// TestCoverSizes: sets of different sizes give the same cover, where rows lie across their words.
func TestCoverSizes(t *testing.T) {
	for _, name := range []string{"peg/8x8", "peg/9x9", "peg/triangle28", "peg/wiegleb"} {
		for seed := range uint64(3) {
			f, err := newField(random(t, name, seed), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := coverOf[[64]uint64](f)
			if found := coverOf[[2]uint64](f); found != want {
				t.Errorf("%s: two words %d, 64 words %d", name, found, want)
			}
			if f.places() <= 64 {
				if found := coverOf[[1]uint64](f); found != want {
					t.Errorf("%s: one word %d, 64 words %d", name, found, want)
				}
			}
		}
	}
}

// TestMagic: the score 342 on the board of the contest, from any seed, with little work.
func TestMagic(t *testing.T) {
	g := named(t, "peg/english", nil)
	enough := errors.New("enough")
	for seed := range uint64(10) {
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
		o.Work = 1 << 20
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
	if r := find(Options{Threads: 1, Seed: 1}); reflect.DeepEqual(r.Jumps, first.Jumps) {
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

// TestPlain: Search does better than the plain searches, and these play by the rules.
func TestPlain(t *testing.T) {
	g := random(t, "peg/8x8", 3)
	scores := make(map[string]int64)
	for name, width := range map[string]int{"greedy": 1, "beam": 1000} {
		jumps, err := PlainBeam(t.Context(), g, width, 2)
		if err != nil {
			t.Fatal(err)
		}
		score, err := g.Play(jumps)
		if err != nil {
			t.Fatal(err)
		}
		scores[name] = score.Score
	}
	r, err := Search(t.Context(), g, Options{Threads: 2, Work: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if r.Score >= scores["beam"] || scores["beam"] >= scores["greedy"] {
		t.Errorf("score %d, plain searches %v", r.Score, scores)
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

// placements returns the jumps of all ways to lay purges with a name on a board.
func placements(shape *board.Shape) (all [][]board.Jump) {
	for p := range purges.Placements(shape, purges.Named()) {
		all = append(all, p.Jumps)
	}
	return all
}

// TestPackages: with packages, games are still legal, and a beam plays others than without.
func TestPackages(t *testing.T) {
	for _, name := range []string{"peg/5x5", "peg/12x6"} {
		g := random(t, name, 1)
		r, err := Search(t.Context(), g, Options{Threads: 2, Work: 1 << 18, Packages: placements(g.Shape)})
		if err != nil {
			t.Fatal(err)
		}
		check(t, name, g, r)
		without, err := Search(t.Context(), g, Options{Threads: 2, Work: 1 << 18})
		if err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(r.Jumps, without.Jumps) && r.Work == without.Work {
			t.Errorf("%s: packages change nothing", name)
		}
	}
	g := random(t, "peg/4x4", 1)
	for _, wrong := range [][]board.Jump{{}, {{From: 0, Over: 1, To: 2}}, {{From: 0, Over: 1, To: 2}, {From: 0, Over: 2, To: 4}}} {
		if _, err := Search(t.Context(), g, Options{Threads: 1, Packages: [][]board.Jump{wrong}}); err == nil {
			t.Errorf("the package %v is taken", wrong)
		}
	}
}

// TestPutLeast: the least branches come first.
func TestPutLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		all := make([]branch, 1+rng.IntN(40))
		for i := range all {
			all[i] = branch{rank: rng.Int64N(5), hash: rng.Uint64N(3), before: uint32(rng.IntN(2)), play: uint32(i)}
		}
		want := slices.SortedFunc(slices.Values(all), branch.compare)
		n := rng.IntN(len(all) + 1)
		putLeast(all, n)
		slices.SortFunc(all[:n], branch.compare)
		if !slices.Equal(all[:n], want[:n]) {
			t.Fatalf("the least %d are %v, want %v", n, all[:n], want[:n])
		}
	}
}

// bestOfAll returns the best score of all games. It visits every position once for each peg that jumped
// last, and knows no bound.
func bestOfAll(g *weighted.Game) int64 {
	type position struct {
		pegs [16]int8 // by cell, the cell of the peg at the start plus 1
		last int8
	}
	var start position
	var left int64
	for cell, peg := range g.Pegs {
		if peg {
			start.pegs[cell] = int8(cell + 1)
			left += g.Weights[cell]
		}
	}
	costs := map[position]int64{start: 0}
	least := left
	for len(costs) > 0 {
		next := make(map[position]int64)
		for p, cost := range costs {
			left := int64(0)
			for _, peg := range p.pegs {
				if peg > 0 {
					left += g.Weights[peg-1]
				}
			}
			least = min(least, cost+left)
			for k := range g.Shape.Jumps() {
				j := g.Shape.Jump(k)
				peg := p.pegs[j.From]
				if peg == 0 || p.pegs[j.Over] == 0 || p.pegs[j.To] != 0 {
					continue
				}
				q, c := p, cost
				q.pegs[j.From], q.pegs[j.Over], q.pegs[j.To] = 0, 0, peg
				if peg != p.last {
					c += g.Weights[peg-1]
				}
				q.last = peg
				if known, ok := next[q]; !ok || c < known {
					next[q] = c
				}
			}
		}
		costs = next
	}
	return least
}

// TestWholeBoards: on boards with up to 15 pegs, too, Search proves the best score.
func TestWholeBoards(t *testing.T) {
	for _, name := range []string{"peg/4x4", "peg/3x5", "peg/triangle15"} {
		for seed := range uint64(5) {
			g := random(t, name, seed)
			switch seed {
			case 1: // weights below 0
				for i := range g.Weights {
					g.Weights[i] -= 20
				}
			case 2: // equal weights
				for i := range g.Weights {
					g.Weights[i] = g.Weights[i] % 3
				}
			}
			r, err := Search(t.Context(), g, Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, g, r)
			if want := bestOfAll(g); !r.Optimal() || r.Score != want {
				t.Errorf("%s, seed %d: score %d, bound %d, the best is %d", name, seed, r.Score, r.Bound, want)
			}
		}
	}
}
