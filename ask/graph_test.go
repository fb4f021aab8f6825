package ask_test

import (
	"context"
	"errors"
	"testing"

	"pagoda/ask"
	"pagoda/layers"
	"pagoda/statespace"
	graphs "pagoda/statespace/graph"
)

// The graph of a file is that of its space, in every store with its own distances.
func TestGraph(t *testing.T) {
	for _, tt := range []struct {
		sp    statespace.Space
		store string
	}{{board(t, "peg/4x4"), ""}, {board(t, "peg/4x4"), "trie"}, {newNet("both", true, 7), "mod3"}, {newNet("both", true, 7), "distance"}, {newNet("directed", false), "distance"}} {
		for _, o := range []graphs.Options{{Within: -1}, {Within: 3}, {Within: -1, UpToSymmetry: true}} {
			f := file(t, tt.sp, tt.store)
			got, err := f.Graph(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := graphs.Build(t.Context(), tt.sp, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Vertices) != len(want.Vertices) || len(got.Edges) != len(want.Edges) || len(got.Edges) < 5 {
				t.Errorf("%s in %q: %d vertices, %d edges; want %d, %d", tt.sp.Name(), tt.store, len(got.Vertices), len(got.Edges), len(want.Vertices), len(want.Edges))
			}
			if orbits := f.Layers().Orbits(); o.UpToSymmetry && orbits > 0 && len(got.Vertices) != int(orbits) {
				t.Errorf("%s: %d vertices up to symmetry, the file counts %d", tt.sp.Name(), len(got.Vertices), orbits)
			}
		}
	}
}

// other is a graph with other moves than the one in the file, under its name.
func TestGraphDamaged(t *testing.T) {
	for _, tt := range []struct {
		store  string
		change func(g *graph)
	}{
		{"mod3", func(g *graph) { g.next[0] = nil }},                                                           // the members are out of reach
		{"distance", func(g *graph) { g.next[0] = append(g.next[0], 40); g.next[40] = append(g.next[40], 0) }}, // one is nearer
	} {
		sp := newNet("both", true)
		path := file(t, sp, tt.store).Path()
		tt.change(sp)
		f, err := ask.Open(t.Context(), path, func(context.Context, statespace.Definition, uint64) (statespace.Space, error) { return sp, nil }, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Graph(t.Context(), graphs.Options{Within: -1}); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s: %v", tt.store, err)
		}
	}
}
