package paths_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

var errStop = errors.New("stopped by the test")

// checkPath checks that a path leads from a root by legal moves through members to a state.
func checkPath(t *testing.T, sp statespace.Space, set *bitset.Set, path statespace.Path, to uint64) {
	t.Helper()
	if !slices.Contains(sp.Roots(), path.From) {
		t.Errorf("a path begins in %d, which is no root", path.From)
	}
	x := path.From
	for i, step := range path.Steps {
		if !slices.Contains(sp.Successors(nil, x), statespace.Edge{To: step.State, Move: step.Move}) || !set.Has(step.State) {
			t.Errorf("step %d: no move %d from %d to a member %d", i, step.Move, x, step.State)
		}
		x = step.State
	}
	if x != to {
		t.Errorf("a path ends in %d, not in %d", x, to)
	}
}

// places returns the places between which a move of a space takes its piece.
func places(sp statespace.Space) func(move int) (from, to int) { return sweep.Of(sp).Places }

// movesOf counts the moves of a path, those of one piece in a row as one.
func movesOf(sp statespace.Space, path statespace.Path) (moves int) {
	last := -1
	for _, step := range path.Steps {
		from, to := places(sp)(step.Move)
		if from != last {
			moves++
		}
		last = to
	}
	return moves
}

// between returns the members from which a state can be reached.
func between(t *testing.T, sp statespace.Space, set *bitset.Set, to uint64) *bitset.Set {
	t.Helper()
	b := bitset.New(sp.Size())
	if err := paths.Between(t.Context(), sp, paths.Keeping(sp, to), set, to, b, 2, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// reach returns all states that can be reached, and reports whether a state is one.
func reach(t *testing.T, sp statespace.Space) (*bitset.Set, paths.Member) {
	t.Helper()
	set := bitset.New(sp.Size())
	if err := sweep.Enumerate(t.Context(), sp, set, 2, nil); err != nil {
		t.Fatal(err)
	}
	return set, func(x uint64) (bool, error) { return set.Has(x), nil }
}

// board returns a space of peg solitaire.
func board(t *testing.T, name string) statespace.Space {
	t.Helper()
	sp, err := peg.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func TestFind(t *testing.T) {
	sp := toys.Countdown{Start: 20}
	set, member := reach(t, sp)
	path, err := paths.Find(sp, member, 4)
	if err != nil {
		t.Fatal(err)
	}
	checkPath(t, sp, set, path, 4)
	if _, err := paths.Find(sp, member, 7); !errors.Is(err, statespace.ErrNoPath) {
		t.Errorf("path to 7: %v", err)
	}
	broken := errors.New("broken")
	if _, err := paths.Find(sp, func(uint64) (bool, error) { return false, broken }, 4); !errors.Is(err, broken) {
		t.Errorf("path in a set that cannot be read: %v", err)
	}
	if path, err := paths.Find(sp, member, 20); err != nil || path.From != 20 || len(path.Steps) != 0 {
		t.Errorf("path to the root: %v, %v", path, err)
	}
}

// All paths, one by one, are as many as are counted, and those with the least of their moves are what
// FewestMoves finds and counts.
func TestAll(t *testing.T) {
	rounds := 60
	if !long.Tests {
		rounds = 15
	}
	for _, name := range []string{"peg/4x4@0,1", "peg/4x4", "peg/3x5", "peg/triangle15", "peg/2x5"} {
		sp := board(t, name)
		set, member := reach(t, sp)
		rng := rand.New(rand.NewPCG(1, 2))
		members := slices.Collect(set.All())
		for i := range rounds {
			to := members[rng.IntN(len(members))]
			between := between(t, sp, set, to)
			counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), between, to, 1<<30, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			total := counts.Total().Uint64()
			if total > 20000 && i > 5 || total > 500000 {
				continue
			}
			n, fewest, best := uint64(0), 1<<30, 0
			seen := make(map[string]bool)
			for path, err := range paths.All(sp, member, to) {
				if err != nil {
					t.Fatal(err)
				}
				if n < 100 {
					checkPath(t, sp, set, path, to)
					seen[fmt.Sprint(path)] = true
				}
				n++
				if moves := movesOf(sp, path); moves < fewest {
					fewest, best = moves, 1
				} else if moves == fewest {
					best++
				}
			}
			if n != total || uint64(len(seen)) != min(n, 100) {
				t.Errorf("%s: %s: %d paths are counted, %d yielded, %d of the first 100 different", name, sp.Format(to), total, n, len(seen))
			}
			f, err := paths.FewestMoves(t.Context(), sp, places(sp), sweep.Of(sp).PlaceImage, paths.Keeping(sp, to), between, to, 1<<30, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			yielded := make(map[string]bool)
			for path := range f.All() {
				if len(yielded) < 100 {
					checkPath(t, sp, set, path, to)
				}
				if movesOf(sp, path) != fewest {
					t.Fatalf("%s: %s: a path of %d moves; the least of all paths is %d", name, sp.Format(to), movesOf(sp, path), fewest)
				}
				yielded[fmt.Sprint(path)] = true
			}
			if counted, err := f.Total(t.Context()); err != nil || f.Moves != fewest || len(yielded) != best || counted.Uint64() != uint64(best) {
				t.Errorf("%s: %s: %v paths of %d moves are counted, %v, and %d yielded; among all paths %d have %d", name, sp.Format(to), counted, f.Moves, err, len(yielded), best, fewest)
			}
			checkPath(t, sp, set, counts.Random(rng), to)
		}
	}
}

// twoRoots is a countdown with a second root, which the first one reaches.
type twoRoots struct {
	toys.Countdown
	other uint64
}

func (r twoRoots) Roots() []uint64 { return []uint64{r.Start, r.other} }

// A path can begin at a root and lead through another one.
func TestSeveralRoots(t *testing.T) {
	for _, other := range []uint64{18, 12, 11, 0} {
		sp := twoRoots{toys.Countdown{Start: 20}, other}
		set, member := reach(t, sp)
		for to := range set.All() {
			counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), between(t, sp, set, to), to, 1<<20, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			n := uint64(0)
			for path, err := range paths.All(sp, member, to) {
				if err != nil {
					t.Fatal(err)
				}
				checkPath(t, sp, set, path, to)
				n++
			}
			if n != counts.Total().Uint64() {
				t.Errorf("from 20 and %d to %d, %d paths are yielded, %v counted", other, to, n, counts.Total())
			}
			checkPath(t, sp, set, counts.Random(rand.New(rand.NewPCG(to, 1))), to)
			f, err := paths.FewestMoves(t.Context(), sp, func(move int) (int, int) { return move, move + 1 }, sweep.Of(sp).PlaceImage, paths.Keeping(sp, to), between(t, sp, set, to), to, 1<<20, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			n = 0
			for path := range f.All() {
				checkPath(t, sp, set, path, to)
				n++
			}
			if counted, err := f.Total(t.Context()); err != nil || counted.Uint64() != n || n == 0 {
				t.Errorf("from 20 and %d to %d, %v paths with the fewest moves are counted, %v, and %d yielded", other, to, counted, err, n)
			}
		}
	}
}

// With and without a kernel, the states between are the same.
func TestBetween(t *testing.T) {
	for _, sp := range []statespace.Space{board(t, "peg/4x4"), toys.Countdown{Start: 60}, toys.NewSwept(toys.Pairs{N: 4})} {
		set, _ := reach(t, sp)
		n := 0
		for to := range set.All() {
			plain := bitset.New(sp.Size())
			if err := paths.BetweenPlain(t.Context(), sp, paths.Keeping(sp, to), set, to, plain); err != nil {
				t.Fatal(err)
			}
			if got := between(t, sp, set, to); !slices.Equal(got.Words(), plain.Words()) {
				t.Errorf("%s: %d states are between the roots and %s, want %d", sp.Name(), got.Count(), sp.Format(to), plain.Count())
			}
			if n++; n == 40 {
				break
			}
		}
	}
	sp := toys.Countdown{Start: 20}
	for _, n := range [][2]uint64{{21, 20}, {20, 21}} {
		if err := paths.Between(t.Context(), sp, paths.Keeping(sp, 4), bitset.New(n[0]), 4, bitset.New(n[1]), 1, nil); err == nil {
			t.Errorf("sets of %d and %d numbers are taken for a space of 21", n[0], n[1])
		}
	}
	if err := paths.BetweenPlain(t.Context(), sp, paths.Keeping(sp, 4), unread{}, 4, bitset.New(21)); !errors.Is(err, errStop) {
		t.Errorf("a set that cannot be read became %v", err)
	}
}

// unread is a set that cannot be read.
type unread struct{}

func (unread) Len() uint64                    { return 21 }
func (unread) Block(uint64) ([]uint64, error) { return nil, errStop }

// Each path is drawn as often as any other.
func TestRandom(t *testing.T) {
	sp := board(t, "peg/4x4")
	set, _ := reach(t, sp)
	rng := rand.New(rand.NewPCG(3, 4))
	for x := range set.All() {
		counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, x), between(t, sp, set, x), x, 1<<30, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := int(counts.Total().Int64())
		if total < 20 || total > 40 {
			continue
		}
		const each = 400
		drawn := make(map[string]int)
		for range each * total {
			drawn[fmt.Sprint(counts.Random(rng))]++
		}
		for path, n := range drawn {
			if n < each-120 || n > each+120 { // 6 standard deviations
				t.Errorf("%s is drawn %d times, expected about %d", path, n, each)
			}
		}
		if len(drawn) != total {
			t.Errorf("%d paths are drawn, of %d", len(drawn), total)
		}
		return
	}
	t.Error("no position has from 20 to 40 paths")
}

func all(n uint64) *bitset.Set {
	set := bitset.New(n)
	for x := range n {
		set.Add(x)
	}
	return set
}

// Counts can have any length.
func TestManyPaths(t *testing.T) {
	for _, n := range []uint64{1, 63, 64, 127, 128, 300} {
		sp := toys.Doubling{Countdown: toys.Countdown{Start: n}}
		counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, 0), between(t, sp, all(n+1), 0), 0, 1<<20, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if total := counts.Total(); total.BitLen() != int(n)+1 || total.TrailingZeroBits() != uint(n) {
			t.Errorf("%d paths, want 2^%d", total, n)
		}
		if path := counts.Random(rand.New(rand.NewPCG(1, 1))); len(path.Steps) != int(n) {
			t.Errorf("a path of %d steps, want %d", len(path.Steps), n)
		}
	}
}

// The moves of a countdown skip layers, so a state lies on paths of different lengths.
func TestSkippedLayers(t *testing.T) {
	sp := toys.Countdown{Start: 54}
	ways := make([]uint64, 55) // paths from each number to 0
	ways[0] = 1
	for x := uint64(1); x < 55; x++ {
		for _, e := range sp.Successors(nil, x) {
			ways[x] += ways[e.To]
		}
	}
	counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, 0), between(t, sp, all(55), 0), 0, 1<<20, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range ways {
		if got := counts.From(uint64(x)); got.Uint64() != want {
			t.Errorf("%d paths from %d, want %d", got, x, want)
		}
	}
}

func TestLimits(t *testing.T) {
	sp := board(t, "peg/4x4@0,1")
	set, _ := reach(t, sp)
	var to uint64
	for x := range set.All() {
		if sp.Parts().Layers.Layer(x) == 1 {
			to = x
		}
	}
	before := between(t, sp, set, to)
	if _, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), before, to, 1000, 1, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v", err)
	}
	if _, err := paths.FewestMoves(t.Context(), sp, places(sp), sweep.Of(sp).PlaceImage, paths.Keeping(sp, to), before, to, 1000, 1, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v", err)
	}
	// There is memory for small counts, and not for large ones.
	many := toys.Doubling{Countdown: toys.Countdown{Start: 200}}
	if _, err := paths.Count(t.Context(), many, paths.Keeping(many, 0), between(t, many, all(201), 0), 0, 201*8*2+100, 1, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v", err)
	}
	if _, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), bitset.New(64), to, 1<<30, 1, nil); err == nil {
		t.Error("a set of another size is taken")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := paths.Count(ctx, sp, paths.Keeping(sp, to), before, to, 1<<30, 2, nil); !errors.Is(err, errStop) {
		t.Errorf("%v", err)
	}
	if err := paths.BetweenPlain(ctx, sp, paths.Keeping(sp, to), set, to, bitset.New(sp.Size())); !errors.Is(err, errStop) {
		t.Errorf("%v", err)
	}
}

// A set that is not what the roots reach, such as that of a forged file, has states from which no
// path leads on. Paths keep clear of them, or there are none.
func TestBrokenSets(t *testing.T) {
	sp := board(t, "peg/4x4@0,1")
	set, _ := reach(t, sp)
	var to uint64
	for x := range set.All() {
		if sp.Parts().Layers.Layer(x) == 2 {
			to = x
		}
	}
	rng := rand.New(rand.NewPCG(4, 5))
	none := 0
	for _, share := range []int{10, 60, 256} { // how many of 256 in layer 7 are missing
		for range 20 {
			broken := bitset.New(sp.Size())
			for x := range set.All() {
				if sp.Parts().Layers.Layer(x) != 7 || rng.IntN(256) >= share {
					broken.Add(x)
				}
			}
			before := between(t, sp, broken, to)
			counts, err := paths.Count(t.Context(), sp, paths.Keeping(sp, to), before, to, 1<<30, 2, nil)
			f, err2 := paths.FewestMoves(t.Context(), sp, places(sp), sweep.Of(sp).PlaceImage, paths.Keeping(sp, to), before, to, 1<<30, 2, nil)
			if errors.Is(err, statespace.ErrNoPath) && errors.Is(err2, statespace.ErrNoPath) {
				none++
				continue
			}
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for path := range f.All() {
				checkPath(t, sp, broken, path, to)
				break
			}
			checkPath(t, sp, broken, counts.Random(rng), to)
		}
	}
	if none != 20 {
		t.Errorf("%d sets have no path, want 20", none)
	}
}
