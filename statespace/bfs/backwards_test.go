package bfs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
)

func backwards(t *testing.T, sp statespace.Space) statespace.Space {
	t.Helper()
	b, err := bfs.Backwards(t.Context(), sp, 2)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// toGoals returns the distance of every state to the nearest goal, by searching from each state.
func toGoals(sp statespace.Space) map[uint64]int {
	all := make(map[uint64]int)
	for x := range sp.Size() {
		if k := find(from{sp, x}, true); len(k.goals) > 0 {
			all[x] = k.length
		}
	}
	return all
}

// from is a space with another root.
type from struct {
	statespace.Space
	root uint64
}

func (f from) Roots() []uint64 { return []uint64{f.root} }

func TestBackwards(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	spaces := []statespace.Space{
		toys.Ring{N: 300, Add: 7, From: []uint64{3}, Goals: []uint64{1, 200}}, toys.NewHanoi(4), toys.NewLights(2, 3, 3),
		falling{toys.Countdown{Start: 50}},
	}
	for range 40 {
		n := 1 + rng.IntN(100)
		if sp := toys.RandomGraph(rng, n, rng.IntN(3*n), rng.IntN(2) == 0); sp.Parts().Goals.Any() {
			spaces = append(spaces, sp)
		}
	}
	for _, sp := range spaces {
		b := backwards(t, sp)
		want := toGoals(sp)
		for _, threads := range []int{1, 3} {
			s := run(t, bfs.Of(b), bfs.Options{Threads: threads, Whole: true})
			for x := range sp.Size() {
				entry := uint16(0)
				if n, ok := want[x]; ok {
					entry = uint16(n) + 1
				}
				if got, err := s.Distances().At(x); got != entry || err != nil {
					t.Fatalf("%s: number %d has the entry %d, want %d", b.Name(), x, got, entry)
				}
			}
		}
		spacetest.Test(t, b, 30)
	}
}

// falling is a space with layers and goals.
type falling struct{ toys.Countdown }

func (f falling) Parts() statespace.Parts {
	return statespace.Parts{Layers: f, Goals: statespace.Goals{Is: func(x uint64) bool { return x%10 == 7 }}}
}

// What holds of a space holds of it backwards too.
func TestBackwardsKeeps(t *testing.T) {
	countdown := falling{toys.Countdown{Start: 50}}
	down := backwards(t, countdown)
	if l := down.Parts().Layers; l == nil || l.LayersFall() || l.Layer(33) != 33 || l.LayerName() != "values" || down.Parts().Undirected {
		t.Errorf("layers of a countdown backwards: %v", l)
	}
	if text := down.FormatMove(10, statespace.Edge{To: 12, Move: 0}); text != "undo take two" {
		t.Errorf("a move is described by %q", text)
	}
	if d := down.Definition(); d.Family != bfs.BackwardsFamily || d.Name != "countdown/50 backwards" || string(d.Puzzle) != `{"family":"toys","puzzle":{"Start":50}}` {
		t.Errorf("its definition is %s %s %s", d.Family, d.Name, d.Puzzle)
	}
	hanoi := backwards(t, toys.NewHanoi(4))
	if hanoi.Parts().Layers != nil || !hanoi.Parts().Undirected {
		t.Error("a tower backwards has layers, or is directed")
	}
	if !hanoi.Parts().Goals.Has(0) || hanoi.Parts().Goals.Has(80) || !slices.Equal(hanoi.Roots(), []uint64{80}) || hanoi.Parts().Goals.Ends {
		t.Errorf("a tower backwards has the roots %v", hanoi.Roots())
	}
	again := backwards(t, hanoi)
	if !slices.Equal(again.Roots(), []uint64{0}) || !slices.Equal(again.Successors(nil, 5), toys.NewHanoi(4).Successors(nil, 5)) {
		t.Error("a tower backwards and backwards again is another one")
	}
	// The exchange of the piles keeps the goal 11, but not the goal 12.
	for goal, n := range map[uint64]int{11: 1, 12: 0} {
		b := backwards(t, goaledPiles{toys.Piles{N: 10}, goal})
		if got := len(statespace.Symmetries(b)); got != n {
			t.Errorf("with the goal %d, there are %d symmetries, want %d", goal, got, n)
		}
		spacetest.Test(t, b, 20)
	}
}

type goaledPiles struct {
	toys.Piles
	goal uint64
}

func (g goaledPiles) Parts() statespace.Parts {
	p := g.Piles.Parts()
	p.Goals.Is = func(x uint64) bool { return x == g.goal }
	return p
}

// If every move can be taken back, the expander of the Levels is used, with other goals.
func TestBackwardsFast(t *testing.T) {
	sp := &counted{Hanoi: toys.NewHanoi(5)}
	b := backwards(t, sp)
	s := run(t, bfs.Of(b), bfs.Options{})
	if find(b, false).check(t, &s.Result, s.Members()); sp.calls.Load() == 0 {
		t.Error("the expander of the space is not used")
	}
	if !slices.Equal(s.Goals, []uint64{0}) || s.Length != 31 {
		t.Errorf("the goals are %v at distance %d, want 0 at 31", s.Goals, s.Length)
	}
	spacetest.Test(t, b, 20)
}

// counted counts the calls of its expanders.
type counted struct {
	toys.Hanoi
	calls atomic.Int64
}

func (c *counted) Parts() statespace.Parts {
	p := c.Hanoi.Parts()
	p.Levels = c
	return p
}

func (c *counted) Graph() statespace.Graph {
	g := bfs.Plain(c.Hanoi)
	plain := g.NewExpander
	g.NewExpander = func() statespace.Expander { return countedExpander{plain(), &c.calls} }
	return g
}

type countedExpander struct {
	statespace.Expander
	calls *atomic.Int64
}

func (c countedExpander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	c.calls.Add(1)
	return c.Expander.Expand(dst, first, word, goals)
}

func TestBackwardsErrors(t *testing.T) {
	for _, sp := range []statespace.Space{toys.Ring{N: 10, Add: 1, From: []uint64{0}}, toys.Countdown{Start: 5}, goaledPiles{toys.Piles{N: 3}, 100}} {
		if _, err := bfs.Backwards(t.Context(), sp, 1); err == nil || !strings.Contains(err.Error(), "no goal") {
			t.Errorf("%s has no goal: %v", sp.Name(), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := bfs.Backwards(ctx, toys.NewHanoi(3), 1); !errors.Is(err, errStop) {
		t.Errorf("it goes on after the end of its context: %v", err)
	}
	if _, err := bfs.Backwards(t.Context(), undefined{toys.NewHanoi(3)}, 1); err == nil || !strings.Contains(err.Error(), "definition of hanoi/3") {
		t.Errorf("a definition that is not JSON: %v", err)
	}
}

// undefined has a definition that is not JSON.
type undefined struct{ toys.Hanoi }

func (undefined) Definition() statespace.Definition {
	return statespace.Definition{Family: "toys", Puzzle: json.RawMessage("{")}
}

// Moves of a ring double a number or add 7, modulo 100, and cannot be taken back. A search from
// the goal says how many moves it is away from every number.
func ExampleBackwards() {
	ctx := context.Background()
	ring := toys.Ring{N: 100, Add: 7, From: []uint64{1}, Goals: []uint64{0}}
	b, err := bfs.Backwards(ctx, ring, 1)
	if err != nil {
		panic(err)
	}
	s, err := bfs.New(ctx, bfs.Of(b), bfs.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if err := s.Run(ctx, nil, nil); err != nil {
		panic(err)
	}
	depths := s.Members().Depths()
	for _, x := range []uint64{0, 50, 93, 1} {
		fmt.Println(x, "is", depths.Entry(x)-1, "moves from the goal")
	}
	fmt.Println("the farthest numbers are", len(s.Layers)-1, "moves from it")
	// Output:
	// 0 is 0 moves from the goal
	// 50 is 1 moves from the goal
	// 93 is 1 moves from the goal
	// 1 is 6 moves from the goal
	// the farthest numbers are 8 moves from it
}

// Backwards, a space has all parts but those that are about paths from its roots.
func TestBackwardsKeepsParts(t *testing.T) {
	all := spacetest.Everything(toys.Countdown{Start: 20})
	const begins = "it begins at the roots of the other space"
	spacetest.Keeps(t, all, backwards(t, all), map[string]string{
		"Reversed": "it goes against the moves itself", "EachRoot": "there is a list of them", "StartAt": begins,
		"Goals.Ends":     "the goals are the roots of the other space",
		"Symmetry.Words": "some of them do not keep the goals", "Symmetry.Mirrors": "likewise", "Symmetry.Quotient": "a quotient has no goals",
		"Values.Value": begins, "Values.Best": begins, "Values.DistanceName": begins, "Values.Columns": begins, "Values.Figures": begins, "Values.NewValuer": begins,
		"Codes.Graph": begins, "Codes.Numbered": begins, "Codes.Of": "its files are of no list", "Codes.Number": "likewise",
		"Sweep": begins, "Chance": begins,
		"Texts.Narrate": "it describes moves of the other direction", "Texts.WhyNot": begins, "Texts.Plan": begins,
	})
}
