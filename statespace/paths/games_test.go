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
func gamesPlain(sp statespace.Layered) map[int]*big.Int {
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
			all[sp.Layer(x)] = big.NewInt(1)
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

func TestCountGames(t *testing.T) {
	spaces := []statespace.Layered{toys.Piles{N: 9}, toys.Countdown{Start: 54}, twoRoots{toys.Countdown{Start: 20}, 12}}
	for _, name := range []string{"peg/4x4@0,1", "peg/4x4", "peg/3x5", "peg/triangle15", "peg/2x5", "peg/1x3@0,0", "peg/triangle10"} {
		spaces = append(spaces, board(t, name))
	}
	for _, n := range []uint64{1, 31, 32, 33, 63, 64, 95, 96, 97, 300} {
		spaces = append(spaces, toys.Doubling{Countdown: toys.Countdown{Start: n}})
	}
	for _, sp := range spaces {
		set, _ := reach(t, sp)
		got, err := paths.CountGames(t.Context(), sp, set, 1<<28, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		dead := make(map[int]uint64)
		for x := range set.All() {
			if len(sp.Successors(nil, x)) == 0 {
				dead[sp.Layer(x)]++
			}
		}
		want := gamesPlain(sp)
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("%s: games end in %d layers, want %d", sp.Name(), len(got), len(want))
		}
		for i, g := range got {
			if want[g.Layer] == nil || g.Count.Cmp(want[g.Layer]) != 0 || g.DeadEnds != dead[g.Layer] {
				t.Errorf("%s: %v games end in %d states of layer %d; want %v, %d", sp.Name(), g.Count, g.DeadEnds, g.Layer, want[g.Layer], dead[g.Layer])
			}
			if i > 0 && (got[i-1].Layer > g.Layer) != sp.LayersFall() {
				t.Errorf("%s: layer %d comes after %d", sp.Name(), g.Layer, got[i-1].Layer)
			}
		}
	}
}

// Published: 568,630 games on the triangle of 15 with a corner vacant, 29,760 of them to one peg.
func TestGamesOfTriangle(t *testing.T) {
	sp := board(t, "peg/triangle15")
	set, _ := reach(t, sp)
	games, err := paths.CountGames(t.Context(), sp, set, 1<<28, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := new(big.Int)
	for _, g := range games {
		sum.Add(sum, g.Count)
	}
	if one := games[len(games)-1]; sum.Int64() != 568630 || one.Layer != 1 || one.Count.Int64() != 29760 {
		t.Errorf("%v games, %v of them to %d pegs", sum, one.Count, one.Layer)
	}
}

func TestCountGamesFails(t *testing.T) {
	sp := board(t, "peg/4x4")
	set, _ := reach(t, sp)
	for _, memory := range []uint64{0, 1 << 10, 1 << 17} {
		if _, err := paths.CountGames(t.Context(), sp, set, memory, 1, nil); !errors.Is(err, statespace.ErrMemory) {
			t.Errorf("with %d bytes: %v", memory, err)
		}
	}
	if _, err := paths.CountGames(t.Context(), sp, bitset.New(64), 1<<28, 1, nil); err == nil {
		t.Error("a set of another size is taken")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := paths.CountGames(ctx, sp, set, 1<<28, 2, nil); !errors.Is(err, errStop) {
		t.Errorf("%v", err)
	}
	if _, err := paths.CountGames(t.Context(), sp, unread{}, 1<<28, 1, nil); err == nil {
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
		if _, err := paths.CountGames(t.Context(), sp, broken, 1<<28, 2, nil); !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("without %s: %v", sp.Format(x), err)
		}
		break
	}
	if _, err := paths.CountGames(t.Context(), sp, all(sp.Size()), 1<<28, 2, nil); !errors.Is(err, statespace.ErrNoPath) {
		t.Errorf("with all numbers: %v", fmt.Sprint(err))
	}
}

// Of each orbit, one member is the representative.
func TestLeast(t *testing.T) {
	for _, sp := range []statespace.Layered{toys.Piles{N: 9}, board(t, "peg/4x4"), board(t, "peg/triangle15")} {
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
