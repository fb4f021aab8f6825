package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/memory"
	"pagoda/statespace"
	"pagoda/statespace/graph"
	"pagoda/statespace/internal/toys"
)

var whole = graph.Options{Within: -1}

func build(t *testing.T, sp statespace.Space, o graph.Options) *graph.Graph {
	t.Helper()
	g, err := graph.Build(t.Context(), sp, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A plain is a graph as it is by definition, of states, or of classes of states.
type plain struct {
	distance map[uint64]int
	size     map[uint64]int // states in a class
	goal     map[uint64]bool
	edges    map[[2]uint64]bool
}

// newPlain enumerates a space. Class returns the class of a state. It knows moves, roots and goals,
// and no order.
func newPlain(sp statespace.Space, within int, class func(x uint64) uint64) *plain {
	p := &plain{make(map[uint64]int), make(map[uint64]int), make(map[uint64]bool), make(map[[2]uint64]bool)}
	states := make(map[uint64]int)
	for _, r := range sp.Roots() {
		states[r] = 0
	}
	goalAt := -1
	for level, more := 0, true; more; level++ {
		more = false
		for x, d := range states {
			if d == level && sp.Parts().Goals.Ends && sp.Parts().Goals.Has(x) {
				goalAt = level
			}
		}
		if level == within || goalAt >= 0 {
			break
		}
		for x, d := range states {
			if d != level {
				continue
			}
			for _, e := range sp.Successors(nil, x) {
				if _, ok := states[e.To]; !ok {
					states[e.To], more = level+1, true
				}
			}
		}
	}
	for x, d := range states {
		c := class(x)
		p.distance[c] = d
		p.size[c]++
		p.goal[c] = p.goal[c] || sp.Parts().Goals.Has(x)
		for _, e := range sp.Successors(nil, x) {
			if _, ok := states[e.To]; ok && class(e.To) != c {
				from, to := c, class(e.To)
				if sp.Parts().Undirected {
					from, to = min(from, to), max(from, to)
				}
				p.edges[[2]uint64{from, to}] = true
			}
		}
	}
	return p
}

func identity(x uint64) uint64 { return x }

// compare compares a graph with a plain one.
func compare(t *testing.T, g *graph.Graph, p *plain) {
	t.Helper()
	name := g.Space.Name()
	if len(g.Vertices) != len(p.distance) || len(g.Edges) != len(p.edges) {
		t.Fatalf("%s: %d vertices, %d edges; want %d, %d", name, len(g.Vertices), len(g.Edges), len(p.distance), len(p.edges))
	}
	for i, v := range g.Vertices {
		if d, ok := p.distance[v.State]; !ok || d != v.Distance || p.size[v.State] != v.Orbit || p.goal[v.State] != v.Goal {
			t.Errorf("%s: vertex %+v, want distance %d, %d states, goal %t", name, v, d, p.size[v.State], p.goal[v.State])
		}
		if i > 0 && g.Vertices[i-1].Distance > v.Distance {
			t.Errorf("%s: vertex %d is nearer than the one before", name, i)
		}
	}
	for _, e := range g.Edges {
		from, to := g.Vertices[e.From].State, g.Vertices[e.To].State
		if !g.Directed {
			from, to = min(from, to), max(from, to)
		}
		if !p.edges[[2]uint64{from, to}] {
			t.Errorf("%s: there is no edge from %d to %d", name, from, to)
		}
		if !slices.Contains(g.Space.Successors(nil, g.Vertices[e.From].State), e.Move) {
			t.Errorf("%s: %+v is no move of its first vertex", name, e)
		}
	}
}

func TestBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	goals, moves := 0, 0
	for i := range 300 {
		g := toys.RandomGraph(rng, 1+rng.IntN(40), rng.IntN(80), i%2 == 0)
		if i%3 == 0 {
			g.EndAtGoal()
		}
		for _, within := range []int{-1, 0, 2} {
			found := build(t, g, graph.Options{Within: within})
			compare(t, found, newPlain(g, within, identity))
			moves += len(found.Edges)
			// Handshake: in an undirected graph the moves of all vertices to others are twice the edges.
			if i%2 == 0 && within < 0 && !g.Parts().Goals.Ends {
				ends := make(map[[2]uint64]bool)
				for _, v := range found.Vertices {
					for _, e := range g.Successors(nil, v.State) {
						if e.To != v.State {
							ends[[2]uint64{v.State, e.To}] = true
						}
					}
				}
				if len(ends) != 2*len(found.Edges) {
					t.Errorf("%d edges, want half of %d ends", len(found.Edges), len(ends))
				}
			}
			if path := found.Solution(); path != nil {
				goals++
				checkSolution(t, found, path)
			}
		}
	}
	if goals < 50 || moves < 1000 {
		t.Errorf("%d solutions, %d moves: nothing is compared", goals, moves)
	}
}

// checkSolution replays a path.
func checkSolution(t *testing.T, g *graph.Graph, path []int) {
	t.Helper()
	last := path[len(path)-1]
	nearest := slices.IndexFunc(g.Vertices, func(v graph.Vertex) bool { return v.Goal })
	if !g.Start(path[0]) || !g.Vertices[last].Goal || len(path)-1 != g.Vertices[nearest].Distance {
		t.Errorf("the path %v begins or ends wrong, or is longer than %d", path, g.Vertices[nearest].Distance)
	}
	for i := 1; i < len(path); i++ {
		if !slices.ContainsFunc(g.Space.Successors(nil, g.Vertices[path[i-1]].State), func(e statespace.Edge) bool { return e.To == g.Vertices[path[i]].State }) {
			t.Errorf("no move leads from %d to %d", path[i-1], path[i])
		}
	}
}

// Up to symmetry, vertices are the orbits, and edges are there where some move is.
func TestUpToSymmetry(t *testing.T) {
	for _, sp := range []statespace.Space{toys.Piles{N: 12}, toys.Pairs{N: 4}} {
		all := statespace.Symmetries(sp)
		class := func(x uint64) uint64 {
			least := x
			for _, s := range all {
				least = min(least, s.Map(x))
			}
			return least
		}
		g := build(t, sp, graph.Options{Within: -1, UpToSymmetry: true})
		compare(t, g, newPlain(sp, -1, class))
		if w := build(t, sp, whole); len(w.Vertices) <= len(g.Vertices) || len(w.Edges) <= len(g.Edges) {
			t.Errorf("%s: %d vertices are %d up to symmetry", sp.Name(), len(w.Vertices), len(g.Vertices))
		}
	}
}

func TestMember(t *testing.T) {
	odd := errors.New("odd")
	line := toys.Line(10, true)
	g := build(t, line, graph.Options{Within: -1, Member: func(x uint64) (bool, error) { return x < 4, nil }})
	if len(g.Vertices) != 4 || len(g.Edges) != 3 {
		t.Errorf("%d vertices, %d edges", len(g.Vertices), len(g.Edges))
	}
	if _, err := graph.Build(t.Context(), line, graph.Options{Within: -1, Member: func(x uint64) (bool, error) { return true, odd }}); !errors.Is(err, odd) {
		t.Error(err)
	}
}

func TestBounds(t *testing.T) {
	sp := toys.Piles{N: 12}
	all := len(build(t, sp, whole).Vertices)
	if n := len(build(t, sp, graph.Options{Within: -1, Most: all}).Vertices); n != all {
		t.Errorf("%d vertices, want %d", n, all)
	}
	for most := 1; most < all; most++ {
		_, err := graph.Build(t.Context(), sp, graph.Options{Within: -1, Most: most})
		var size *graph.SizeError
		if !errors.As(err, &size) {
			t.Fatalf("at most %d vertices of %d: %v", most, all, err)
		}
		// What it says is true, and one move more would be too many.
		if n := len(build(t, sp, graph.Options{Within: size.Depth}).Vertices); n != size.Kept || n > most {
			t.Errorf("at most %d vertices: %v; %d are within %d", most, err, n, size.Depth)
		}
		if n := len(build(t, sp, graph.Options{Within: size.Depth + 1}).Vertices); n <= most {
			t.Errorf("at most %d vertices: %v; %d are within %d", most, err, n, size.Depth+1)
		}
	}
	_, err := graph.Build(t.Context(), sp, graph.Options{Within: -1, Most: 4})
	if want := fmt.Sprintf("the graph of %s has more than 4 positions, of them 3 within distance 1", sp.Name()); err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestMemory: a graph keeps to the memory that is allowed.
func TestMemory(t *testing.T) {
	t.Cleanup(func() { memory.With(t.Context(), 1<<62) }) // so that the garbage collector has no limit
	sp := toys.Line(50_000, true)
	if _, err := graph.Build(memory.With(t.Context(), 1<<30), sp, graph.Options{Within: -1}); err != nil {
		t.Error(err)
	}
	if _, err := graph.Build(memory.With(t.Context(), 1<<20), sp, graph.Options{Within: -1}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("%v, want %v", err, statespace.ErrMemory)
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := graph.Build(ctx, toys.Line(5, true), whole); !errors.Is(err, enough) {
		t.Error(err)
	}
}
