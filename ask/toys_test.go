package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pagoda/ask"
	"pagoda/puzzle/peg"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace"
)

// A graph is a space that is a list of arcs. The state x is written as the number x. The first
// state is the root.
type graph struct {
	name string
	next [][]uint64 // by state: where its moves lead
	both bool       // every arc has one back
	goal []uint64
}

func (g *graph) Name() string           { return g.name }
func (g *graph) Size() uint64           { return uint64(len(g.next)) }
func (g *graph) Roots() []uint64        { return []uint64{0} }
func (g *graph) Format(x uint64) string { return fmt.Sprint(x) }
func (g *graph) Parts() statespace.Parts {
	p := statespace.Parts{Undirected: g.both}
	if len(g.goal) > 0 {
		p.Goals.Is = func(x uint64) bool { return slices.Contains(g.goal, x) }
	}
	return p
}

func (g *graph) FormatMove(_ uint64, m statespace.Edge) string {
	return fmt.Sprintf("%d to %d", m.Move, m.To)
}

func (g *graph) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	for i, to := range g.next[x] {
		dst = append(dst, statespace.Edge{To: to, Move: i})
	}
	return dst
}

func (g *graph) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	for from, next := range g.next {
		for i, to := range next {
			if to == x {
				dst = append(dst, statespace.Edge{To: uint64(from), Move: i})
			}
		}
	}
	return dst
}

func (g *graph) Parse(text string) (uint64, error) {
	x, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("expected a number, found %q", text)
	}
	if x >= g.Size() {
		return 0, fmt.Errorf("%w: %d should be below %d", statespace.ErrOutside, x, g.Size())
	}
	return x, nil
}

func (g *graph) Definition() statespace.Definition {
	return statespace.Definition{Family: "graphs", Name: g.name, Puzzle: json.RawMessage(fmt.Sprintf("%q", g.name)), Numbering: json.RawMessage("{}")}
}

// A slope is a graph in which every move leads to a higher layer: state x is in layer x/4.
type slope struct{ *graph }

func (s slope) Parts() statespace.Parts {
	p := s.graph.Parts()
	p.Layers = s
	return p
}

func (slope) LayerName() string  { return "steps" }
func (slope) Layer(x uint64) int { return int(x / 4) }
func (slope) LayersFall() bool   { return false }

// newSlope returns a slope of random arcs. Some states are not reached.
func newSlope() slope {
	rng := rand.New(rand.NewPCG(3, 4))
	g := &graph{name: "graphs/slope", next: make([][]uint64, 48)}
	for x := range g.next {
		for y := 4*(x/4) + 4; y < min(len(g.next), 4*(x/4)+12); y++ {
			if rng.IntN(4) == 0 {
				g.next[x] = append(g.next[x], uint64(y))
			}
		}
	}
	return slope{g}
}

// newNet returns a graph with random arcs, with their opposites if both is set. Some states are
// not reached.
func newNet(name string, both bool, goal ...uint64) *graph {
	rng := rand.New(rand.NewPCG(5, 6))
	g := &graph{name: "graphs/" + name, next: make([][]uint64, 60), both: both, goal: goal}
	for x := range uint64(50) {
		for range 2 {
			if y := rng.Uint64N(50); y != x && !slices.Contains(g.next[x], y) {
				g.next[x] = append(g.next[x], y)
				if both {
					g.next[y] = append(g.next[y], x)
				}
			}
		}
	}
	return g
}

// file enumerates a space, and opens its file.
func file(t testing.TB, sp statespace.Space, store string) *ask.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	if _, err := run.Start(t.Context(), sp, run.Options{Output: path, Store: store, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	f, err := ask.Open(t.Context(), path, func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		if d.Name != sp.Name() {
			return nil, fmt.Errorf("the file holds %s", d.Name)
		}
		return sp, nil
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func board(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := peg.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// depths returns the distance of every state from one, -1 if it is not reached.
func depths(sp statespace.Space, from uint64) []int {
	d := slices.Repeat([]int{-1}, int(sp.Size()))
	d[from] = 0
	for todo := []uint64{from}; len(todo) > 0; todo = todo[1:] {
		for _, e := range sp.Successors(nil, todo[0]) {
			if d[e.To] < 0 {
				d[e.To] = d[todo[0]] + 1
				todo = append(todo, e.To)
			}
		}
	}
	return d
}

// allPaths calls take with all paths of a space with layers, by their states and moves.
func allPaths(sp statespace.Space, from, to uint64, take func(path []statespace.Step)) {
	of := sp.Parts().Layers
	var walk func(path []statespace.Step, at uint64)
	walk = func(path []statespace.Step, at uint64) {
		if at == to {
			take(path)
			return
		}
		if of.Layer(at) == of.Layer(to) || of.Layer(at) < of.Layer(to) == of.LayersFall() {
			return // moves lead away from here
		}
		for _, e := range sp.Successors(nil, at) {
			walk(append(path, statespace.Step{Move: e.Move, State: e.To}), e.To)
		}
	}
	walk(nil, from)
}

// question fails the test unless the error is an ErrQuestion with a text.
func question(t *testing.T, err error, text string) {
	t.Helper()
	if !errors.Is(err, ask.ErrQuestion) || !contains(err.Error(), text) {
		t.Errorf("the error is %v, want an ErrQuestion with %q", err, text)
	}
}
