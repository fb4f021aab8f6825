package statespace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
)

// checkWay checks that a way leads from a root by legal moves through members to a
// state.
func checkWay(t *testing.T, sp statespace.Space, set *bitset.Set, way statespace.Way, to uint64) {
	t.Helper()
	if !slices.Contains(sp.Roots(), way.From) {
		t.Errorf("a way begins in %d, which is no root", way.From)
	}
	x := way.From
	for i, step := range way.Steps {
		if !slices.Contains(sp.Successors(nil, x), statespace.Edge{To: step.State, Move: step.Move}) || !set.Has(step.State) {
			t.Errorf("step %d: no move %d from %d to a member %d", i, step.Move, x, step.State)
		}
		x = step.State
	}
	if x != to {
		t.Errorf("a way ends in %d, not in %d", x, to)
	}
}

// movesOf counts the moves of a way, jumps of one piece in a row as one.
func movesOf(sp statespace.Mover, way statespace.Way) (moves int) {
	last := -1
	for _, step := range way.Steps {
		from, to := sp.Places(step.Move)
		if from != last {
			moves++
		}
		last = to
	}
	return moves
}

// between returns the members from which a state can be reached.
func between(t *testing.T, sp statespace.Layered, set *bitset.Set, to uint64) *bitset.Set {
	t.Helper()
	b := bitset.New(sp.Size())
	if err := statespace.Between(t.Context(), sp, set, to, b, 2, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

func reached(t *testing.T, name string) (statespace.Mover, *bitset.Set, statespace.Member) {
	t.Helper()
	sp, err := catalog.Lookup(name, nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	set := bitset.New(sp.Size())
	if err := statespace.Enumerate(t.Context(), sp, statespace.Engines(sp)[0], set, 2, nil); err != nil {
		t.Fatal(err)
	}
	return sp.(statespace.Mover), set, func(x uint64) (bool, error) { return set.Has(x), nil }
}

// All ways, one by one, are as many as were counted, and the least of their moves is
// what FewestMoves finds.
func TestWays(t *testing.T) {
	for _, name := range []string{"peg/4x4@0,1", "peg/4x4", "peg/3x5", "peg/triangle15", "peg/2x5"} {
		sp, set, member := reached(t, name)
		rng := rand.New(rand.NewPCG(1, 2))
		members := slices.Collect(set.All())
		for i := range 60 {
			to := members[rng.IntN(len(members))]
			between := between(t, sp, set, to)
			counted, err := statespace.CountWays(t.Context(), sp, between, to, 1<<30, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			total := counted.Total().Uint64()
			if total > 20000 && i > 5 || total > 500000 {
				continue
			}
			n, fewest := uint64(0), 1<<30
			seen := make(map[string]bool)
			for way, err := range statespace.Ways(sp, member, to) {
				if err != nil {
					t.Fatal(err)
				}
				if n < 100 {
					checkWay(t, sp, set, way, to)
					seen[fmt.Sprint(way)] = true
				}
				n++
				fewest = min(fewest, movesOf(sp, way))
			}
			if n != total || uint64(len(seen)) != min(n, 100) {
				t.Errorf("%s: %s: %d ways were counted, %d yielded, %d of the first 100 different", name, sp.Format(to), total, n, len(seen))
			}
			moves, way, err := statespace.FewestMoves(t.Context(), sp, between, to, 1<<30, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkWay(t, sp, set, way, to)
			if moves != fewest || movesOf(sp, way) != moves {
				t.Errorf("%s: %s: %d moves, by a way of %d; the least of all ways is %d", name, sp.Format(to), moves, movesOf(sp, way), fewest)
			}
			checkWay(t, sp, set, counted.Random(rng), to)
		}
	}
}

// Each way is drawn as often as any other.
func TestRandomWay(t *testing.T) {
	sp, set, _ := reached(t, "peg/4x4")
	rng := rand.New(rand.NewPCG(3, 4))
	for x := range set.All() {
		counted, err := statespace.CountWays(t.Context(), sp, between(t, sp, set, x), x, 1<<30, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := int(counted.Total().Int64())
		if total < 20 || total > 40 {
			continue
		}
		const each = 400
		drawn := make(map[string]int)
		for range each * total {
			drawn[fmt.Sprint(counted.Random(rng))]++
		}
		// 6 standard deviations.
		for way, n := range drawn {
			if n < each-120 || n > each+120 {
				t.Errorf("%s was drawn %d times, expected about %d", way, n, each)
			}
		}
		if len(drawn) != total {
			t.Errorf("%d ways were drawn, of %d", len(drawn), total)
		}
		return
	}
	t.Error("no position has from 20 to 40 ways")
}

// doubling is a space in which two moves lead from each state to the next, so that
// there are 2^n ways.
type doubling struct{ countdown }

func (d doubling) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x > 0 {
		dst = append(dst, statespace.Edge{To: x - 1, Move: 0}, statespace.Edge{To: x - 1, Move: 1})
	}
	return dst
}

func (d doubling) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x < d.start {
		dst = append(dst, statespace.Edge{To: x + 1, Move: 0}, statespace.Edge{To: x + 1, Move: 1})
	}
	return dst
}

func all(n uint64) *bitset.Set {
	set := bitset.New(n)
	for x := range n {
		set.Add(x)
	}
	return set
}

// Counts may be of any length.
func TestManyWays(t *testing.T) {
	for _, n := range []uint64{1, 63, 64, 127, 128, 300} {
		sp := doubling{countdown{n}}
		counted, err := statespace.CountWays(t.Context(), sp, between(t, sp, all(n+1), 0), 0, 1<<20, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if total := counted.Total(); total.BitLen() != int(n)+1 || total.TrailingZeroBits() != uint(n) {
			t.Errorf("%d ways, want 2^%d", total, n)
		}
		if way := counted.Random(rand.New(rand.NewPCG(1, 1))); len(way.Steps) != int(n) {
			t.Errorf("a way of %d steps, want %d", len(way.Steps), n)
		}
	}
}

// countdown's moves skip layers, so that a state lies on ways of different lengths.
func TestWaysThatSkipLayers(t *testing.T) {
	sp := countdown{54}
	ways := make([]uint64, 55) // from each number to 0
	ways[0] = 1
	for x := uint64(1); x < 55; x++ {
		for _, e := range sp.Successors(nil, x) {
			ways[x] += ways[e.To]
		}
	}
	counted, err := statespace.CountWays(t.Context(), sp, between(t, sp, all(55), 0), 0, 1<<20, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range ways {
		if got := counted.From(uint64(x)); got.Uint64() != want {
			t.Errorf("%d ways from %d, want %d", got, x, want)
		}
	}
}

func TestWaysLimits(t *testing.T) {
	sp, set, _ := reached(t, "peg/4x4@0,1")
	var to uint64
	for x := range set.All() {
		if sp.Layer(x) == 1 {
			to = x
		}
	}
	before := between(t, sp, set, to)
	if _, err := statespace.CountWays(t.Context(), sp, before, to, 1000, 1, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v", err)
	}
	if _, _, err := statespace.FewestMoves(t.Context(), sp, before, to, 1000, 1, nil); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := statespace.CountWays(ctx, sp, before, to, 1<<30, 2, nil); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	if err := statespace.BetweenPlain(ctx, sp, set, to, bitset.New(sp.Size())); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

// A set that is not what the roots reach, such as that of a forged file, has states
// from which no way leads on. Ways keep clear of them, or there are none.
func TestWaysOfBrokenSets(t *testing.T) {
	sp, set, _ := reached(t, "peg/4x4@0,1")
	var to uint64
	for x := range set.All() {
		if sp.Layer(x) == 2 {
			to = x
		}
	}
	rng := rand.New(rand.NewPCG(4, 5))
	none := 0
	for _, share := range []int{10, 60, 256} { // how many of 256 in layer 7 are missing
		for range 20 {
			broken := bitset.New(sp.Size())
			for x := range set.All() {
				if sp.Layer(x) != 7 || rng.IntN(256) >= share {
					broken.Add(x)
				}
			}
			before := between(t, sp, broken, to)
			counted, err := statespace.CountWays(t.Context(), sp, before, to, 1<<30, 2, nil)
			_, way, err2 := statespace.FewestMoves(t.Context(), sp, before, to, 1<<30, 2, nil)
			if errors.Is(err, statespace.ErrNoPath) && errors.Is(err2, statespace.ErrNoPath) {
				none++
				continue
			}
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			checkWay(t, sp, broken, way, to)
			checkWay(t, sp, broken, counted.Random(rng), to)
		}
	}
	if none != 20 {
		t.Errorf("%d sets have no way, want 20", none)
	}
}
