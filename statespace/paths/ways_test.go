package paths_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/paths"
)

// gamesPlain counts games one state at a time, by the number of the layer where they end.
func gamesPlain(sp statespace.Space) map[int]*big.Int {
	type ends map[int]*big.Int
	known := make(map[uint64]ends)
	var from func(x uint64) ends
	from = func(x uint64) ends {
		if e, ok := known[x]; ok {
			return e
		}
		all := make(ends)
		edges := sp.Successors(nil, x)
		if len(edges) == 0 {
			all[sp.Parts().Layers.Layer(x)] = big.NewInt(1)
		}
		for _, e := range edges {
			for layer, n := range from(e.To) {
				if all[layer] == nil {
					all[layer] = new(big.Int)
				}
				all[layer].Add(all[layer], n)
			}
		}
		known[x] = all
		return all
	}
	sum := make(map[int]*big.Int)
	for _, root := range sp.Roots() {
		for layer, n := range from(root) {
			if sum[layer] == nil {
				sum[layer] = new(big.Int)
			}
			sum[layer].Add(sum[layer], n)
		}
	}
	return sum
}

// question asks for all layers.
var question = statespace.WaysQuestion{Layers: true, Memory: 1 << 28, Threads: 2}

func TestCountWays(t *testing.T) {
	spaces := []statespace.Space{toys.Piles{N: 9}, toys.Countdown{Start: 54}, twoRoots{toys.Countdown{Start: 20}, 12}}
	for _, name := range []string{"peg/4x4@0,1", "peg/4x4", "peg/3x5", "peg/triangle15", "peg/2x5", "peg/1x3@0,0", "peg/triangle10"} {
		spaces = append(spaces, board(t, name))
	}
	for _, n := range []uint64{1, 31, 32, 33, 63, 64, 95, 96, 97, 300} {
		spaces = append(spaces, toys.Doubling{Countdown: toys.Countdown{Start: n}})
	}
	for _, sp := range spaces {
		set, _ := reach(t, sp)
		var to []statespace.Index
		states, dead := make(map[int]uint64), make(map[int]uint64)
		for x := range set.All() {
			if len(to) < 50 {
				to = append(to, x)
			}
			states[sp.Parts().Layers.Layer(x)]++
			if len(sp.Successors(nil, x)) == 0 {
				dead[sp.Parts().Layers.Layer(x)]++
			}
		}
		q := question
		q.To = to
		got, err := paths.CountWaysPlain(t.Context(), sp, set, q)
		if err != nil {
			t.Fatal(err)
		}
		want := gamesPlain(sp)
		if len(got.Layers) != len(states) {
			t.Fatalf("%s: states are in %d layers, want %d", sp.Name(), len(got.Layers), len(states))
		}
		for i, l := range got.Layers {
			games := want[l.Layer]
			if games == nil {
				games = new(big.Int)
			}
			if l.Games.Cmp(games) != 0 || l.DeadEnds != dead[l.Layer] || l.States != states[l.Layer] {
				t.Errorf("%s: %+v; want %v games, %d dead ends, %d states", sp.Name(), l, games, dead[l.Layer], states[l.Layer])
			}
			if i > 0 && (got.Layers[i-1].Layer > l.Layer) != sp.Parts().Layers.LayersFall() {
				t.Errorf("%s: layer %d comes after %d", sp.Name(), l.Layer, got.Layers[i-1].Layer)
			}
		}
		// The paths to a state are those that Between and Count find.
		sums := make(map[int]*big.Int)
		for i, x := range to {
			between := bitset.New(sp.Size())
			if err := paths.BetweenPlain(t.Context(), sp, paths.Keeping(sp, x), set, x, between); err != nil {
				t.Fatal(err)
			}
			c, err := paths.Count(t.Context(), sp, paths.Keeping(sp, x), between, x, 1<<28, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.To[i].Cmp(c.Total()) != 0 {
				t.Errorf("%s: %v paths to %s, want %v", sp.Name(), got.To[i], sp.Format(x), c.Total())
			}
			if sums[sp.Parts().Layers.Layer(x)] == nil {
				sums[sp.Parts().Layers.Layer(x)] = new(big.Int)
			}
			sums[sp.Parts().Layers.Layer(x)].Add(sums[sp.Parts().Layers.Layer(x)], got.To[i])
		}
		for _, l := range got.Layers {
			if uint64(len(to)) == set.Count() && l.Paths.Cmp(sums[l.Layer]) != 0 {
				t.Errorf("%s: %v paths to layer %d, want %v", sp.Name(), l.Paths, l.Layer, sums[l.Layer])
			}
		}
	}
}

// Published: 568,630 games on the triangle of 15 with a corner vacant, 29,760 of them to one peg.
func TestGamesOfTriangle(t *testing.T) {
	sp := board(t, "peg/triangle15")
	set, _ := reach(t, sp)
	for _, count := range []func(context.Context, statespace.Space, bitset.Reader, statespace.WaysQuestion) (*statespace.Ways, error){paths.CountWays, paths.CountWaysPlain} {
		ways, err := count(t.Context(), sp, set, question)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Int)
		for _, l := range ways.Layers {
			sum.Add(sum, l.Games)
		}
		if one := ways.Layers[len(ways.Layers)-1]; sum.Int64() != 568630 || one.Layer != 1 || one.Games.Int64() != 29760 {
			t.Errorf("%v games, %v of them to %d pegs", sum, one.Games, one.Layer)
		}
	}
}

func TestCountWaysFails(t *testing.T) {
	sp := board(t, "peg/4x4")
	set, _ := reach(t, sp)
	for _, memory := range []uint64{0, 1 << 10, 1 << 17} {
		if _, err := paths.CountWaysPlain(t.Context(), sp, set, statespace.WaysQuestion{Memory: memory, Threads: 1}); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("with %d bytes: %v", memory, err)
		}
	}
	if _, err := paths.CountWaysPlain(t.Context(), sp, bitset.New(64), question); err == nil {
		t.Error("a set of another size is taken")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := paths.CountWaysPlain(ctx, sp, set, question); !errors.Is(err, errStop) {
		t.Errorf("%v", err)
	}
	if _, err := paths.CountWaysPlain(t.Context(), sp, unread{}, question); err == nil {
		t.Error("a set that cannot be read is taken")
	}
	// A set that lacks a state, or has one too many, is noticed.
	for x := range set.All() {
		if len(sp.Predecessors(nil, x)) == 0 || x%7 != 0 {
			continue
		}
		broken := bitset.New(sp.Size())
		for y := range set.All() {
			if y != x && statespace.Representative(statespace.Symmetries(sp), y) != statespace.Representative(statespace.Symmetries(sp), x) {
				broken.Add(y)
			}
		}
		if _, err := paths.CountWaysPlain(t.Context(), sp, broken, question); !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("without %s: %v", sp.Format(x), err)
		}
		break
	}
	if _, err := paths.CountWaysPlain(t.Context(), sp, all(sp.Size()), question); !errors.Is(err, statespace.ErrNoPath) {
		t.Errorf("with all numbers: %v", fmt.Sprint(err))
	}
}

// Of each orbit, one member is the representative.
func TestLeast(t *testing.T) {
	for _, sp := range []statespace.Space{toys.Piles{N: 9}, board(t, "peg/4x4"), board(t, "peg/triangle15")} {
		symmetries := statespace.Symmetries(sp)
		for first := uint64(0); first < sp.Size(); first += 64 {
			members := ^uint64(0)
			if left := sp.Size() - first; left < 64 {
				members = 1<<left - 1
			}
			least := statespace.Least(symmetries, first, members)
			for i := range min(64, sp.Size()-first) {
				if x := first + i; least>>i&1 == 1 != (statespace.Representative(symmetries, x) == x) {
					t.Fatalf("%s: %s is a representative: %t", sp.Name(), sp.Format(x), least>>i&1 == 1)
				}
			}
		}
	}
}
