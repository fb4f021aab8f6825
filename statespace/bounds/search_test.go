package bounds

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sparse"
)

// A towards is a graph with one goal.
type towards struct {
	statespace.Space
	goal uint64
}

func (s towards) Parts() statespace.Parts {
	p := s.Space.Parts()
	p.Goals = statespace.Goals{Is: func(x uint64) bool { return x == s.goal }}
	return p
}

// Lengths, and the states on all shortest paths, are those of an enumeration; with bounds or without, on any number of
// threads.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 60 {
		n := 40 + rng.IntN(200)
		sp := towards{toys.RandomGraph(rng, n, n+rng.IntN(n), round%2 == 0), rng.Uint64N(uint64(n))}
		g := sparse.Of(sp).Graph()
		if len(g.Roots) != 1 {
			g.Roots = g.Roots[:1]
		}
		root := g.Roots[0][0]
		from, to := distances(sp, root, sp.Successors), distances(sp, sp.goal, sp.Predecessors)
		length, reachable := from[sp.goal]
		if !reachable {
			continue
		}
		for _, of := range []func([]uint64) int{nil, func(code []uint64) int {
			if d, ok := to[code[0]]; ok {
				return d - d/3*int(code[0]%2)
			}
			return 0
		}} {
			var first [][]uint64
			for threads := 1; threads <= 3; threads++ {
				s, err := New(Plain(g, of), g.Roots[0], Options{Threads: threads, All: true})
				if err == nil {
					err = s.Run(t.Context(), nil, nil)
				}
				if err != nil {
					t.Fatal(err)
				}
				if !s.Proved || s.AtLeast != length || len(s.Path) != length+1 || s.Path[length][0] != sp.goal {
					t.Fatalf("round %d: a path of %d moves, proved %t, want %d", round, len(s.Path)-1, s.Proved, length)
				}
				if first == nil {
					first = s.Path
				}
				if !reflect.DeepEqual(first, s.Path) {
					t.Fatalf("on %d threads another path is found", threads)
				}
				var on []uint64
				for x, d := range from {
					if back, ok := to[x]; ok && d+back == length {
						on = append(on, x)
					}
				}
				slices.Sort(on)
				if got := slices.Concat(s.All...); !slices.Equal(got, on) {
					t.Fatalf("the states on shortest paths are %v, want %v", got, on)
				}
			}
		}
	}
}

// distances returns how far states are from one.
func distances(sp statespace.Space, from uint64, moves func([]statespace.Edge, uint64) []statespace.Edge) map[uint64]int {
	dist := map[uint64]int{from: 0}
	for todo := []uint64{from}; len(todo) > 0; todo = todo[1:] {
		for _, e := range moves(nil, todo[0]) {
			if _, ok := dist[e.To]; !ok {
				dist[e.To] = dist[todo[0]] + 1
				todo = append(todo, e.To)
			}
		}
	}
	return dist
}

// far returns a graph whose goal is farther from its root than the tasks of a search.
func far(t *testing.T) towards {
	rng := rand.New(rand.NewPCG(6, 6))
	for {
		sp := towards{toys.RandomGraph(rng, 20000, 30000, true), 0}
		if roots := sp.Roots(); len(roots) == 1 {
			from := distances(sp, roots[0], sp.Successors)
			for x, d := range from {
				if sp.goal = x; d == 12 {
					return sp
				}
			}
		}
	}
}

// A search that is stopped and saved again and again finds the same path, and what it saves is checked.
func TestRestore(t *testing.T) {
	sp := far(t)
	g := sparse.Of(sp).Graph()
	to := distances(sp, sp.goal, sp.Predecessors)
	walks := Plain(g, func(code []uint64) int { return to[code[0]] / 2 })
	newSearch := func() *Search {
		s, err := New(walks, g.Roots[0], Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := newSearch()
	if err := want.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	errStop, s, stops := errors.New("stop"), newSearch(), 0
	for {
		left := 40
		err := s.Run(t.Context(), func() error {
			if left--; left == 0 {
				return errStop
			}
			return nil
		}, nil)
		if err == nil {
			break
		}
		stops++
		state, nodes := s.Save()
		if s = newSearch(); s.Restore(state, nodes) != nil {
			t.Fatal(s.Restore(state, nodes))
		}
		for _, damage := range []func(*State){
			func(st *State) { st.Limit = 0 }, func(st *State) { st.Over = st.Limit }, func(st *State) { st.Words = 1 },
			func(st *State) { st.Weight = 9 }, func(st *State) { st.Best = []uint16{77} }, func(st *State) { st.Best = []uint16{0} },
		} {
			bad := state
			if damage(&bad); newSearch().Restore(bad, nodes) == nil {
				t.Fatalf("%+v is restored", bad)
			}
		}
		if newSearch().Restore(state, nodes[1:]) == nil {
			t.Fatal("a search is restored with other tasks")
		}
	}
	if stops == 0 || !reflect.DeepEqual(s.Result, want.Result) {
		t.Fatalf("after %d stops it finds %+v, want %+v", stops, s.Result, want.Result)
	}
}

// When the context ends, the result says what is known.
func TestEnded(t *testing.T) {
	sp := far(t)
	g := sparse.Of(sp).Graph()
	s, err := New(Plain(g, nil), g.Roots[0], Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	errStop := errors.New("stop")
	ctx, stop := context.WithCancelCause(t.Context())
	err = s.Run(ctx, func() error { stop(errStop); return nil }, nil)
	if !errors.Is(err, errStop) || s.Proved || s.Path != nil || s.AtLeast > 12 {
		t.Errorf("%v: found %+v", err, s.Result)
	}
}
