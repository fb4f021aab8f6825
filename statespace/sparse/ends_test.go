package sparse

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pagoda/sorted"
	"pagoda/statespace"
)

// Both ends meet at the length of a search from one end, and have the same states on shortest paths, with little memory too.
func TestEnds(t *testing.T) {
	for n := pancakes(3); n <= 8; n++ {
		g := n.graph()
		whole := start(t, g, Options{}, "")
		if err := whole.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		levels := whole.Result().Levels
		for level := range levels {
			list, err := whole.List(level)
			if err != nil {
				t.Fatal(err)
			}
			goal, err := list.At(nil, list.Len()/2)
			if err != nil {
				t.Fatal(err)
			}
			one := start(t, pancakesTo{n, goal[0]}.graph(), Options{ToGoal: true}, "")
			if err := one.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			want, err := one.OnShortest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{}, {Threads: 3}, {Memory: 2*Least(1, 2) + 1<<20, Threads: 2}} {
				e, err := NewEnds(g, [][]uint64{goal}, o)
				if err != nil {
					t.Fatal(err)
				}
				if err := e.Run(t.Context(), nil); err != nil || !e.Met || e.AtLeast != level {
					t.Fatalf("%d pancakes: met %t, at least %d moves, want %d, %v", n, e.Met, e.AtLeast, level, err)
				}
				got, err := e.OnShortest(t.Context())
				if err != nil || !slices.Equal(got.codes, want.codes) {
					t.Errorf("%d pancakes, %d moves: %d states on shortest paths, want %d, %v", n, level, got.Len(), want.Len(), err)
				}
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// pancakesTo has another goal.
type pancakesTo struct {
	pancakes
	goal uint64
}

func (p pancakesTo) Goal(code []uint64) bool { return code[0] == p.goal }

func (p pancakesTo) graph() statespace.CodeGraph {
	g := p.pancakes.graph()
	g.NewExpander = func() statespace.CodeExpander { return p }
	return g
}

// A search that is stopped says what it has proved, and goes on.
func TestEndsStopped(t *testing.T) {
	n := pancakes(7)
	whole := start(t, n.graph(), Options{}, "")
	if err := whole.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	last := whole.Result()
	list, err := whole.List(len(last.Levels) - 1)
	if err != nil {
		t.Fatal(err)
	}
	goal, err := list.At(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEnds(n.graph(), [][]uint64{goal}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var progress statespace.Progress
	cancel()
	if err := e.Run(ctx, &progress); !errors.Is(err, context.Canceled) || e.Met || e.AtLeast > len(last.Levels)-1 {
		t.Fatalf("met %t, at least %d moves, %v", e.Met, e.AtLeast, err)
	}
	if err := e.Run(t.Context(), nil); err != nil || !e.Met || e.AtLeast != len(last.Levels)-1 || e.States() >= last.States {
		t.Errorf("met %t, %d moves, %d states, %v", e.Met, e.AtLeast, e.States(), err)
	}
	if _, err := NewEnds(n.graph(), [][]uint64{goal}, Options{Memory: 2 * Least(sorted.MaxWords, 1) / 100}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with a hundredth of the memory: %v", err)
	}
}
