package ask

import (
	"context"
	"fmt"
	"slices"

	"pagoda/statespace"
)

// startAt returns a space that begins in a state. A space that is not Startable does so in the
// plain way, without its other capabilities.
func startAt(ctx context.Context, sp statespace.Space, text string) (statespace.Space, error) {
	if s, ok := sp.(Startable); ok {
		return s.StartAt(ctx, text)
	}
	x, err := sp.Parse(text)
	if err != nil {
		return nil, err
	}
	if l, ok := sp.(statespace.Layered); ok {
		return layeredFrom{from{sp, x}, l}, nil
	}
	return from{sp, x}, nil
}

// from is a space with another root.
type from struct {
	statespace.Space
	root statespace.Index
}

func (f from) Roots() []statespace.Index { return []statespace.Index{f.root} }

// Undirected implements statespace.Undirected.
func (f from) Undirected() bool { return statespace.IsUndirected(f.Space) }

// Goal implements statespace.Goaled.
func (f from) Goal(x statespace.Index) bool { return statespace.IsGoal(f.Space, x) }

// HasGoal implements statespace.Ending.
func (f from) HasGoal() bool { return statespace.HasGoals(f.Space) }

// EndsAtGoal implements statespace.Ending.
func (f from) EndsAtGoal() bool { return statespace.EndsAtGoal(f.Space) }

// Narrate implements statespace.Narrator.
func (f from) Narrate(path statespace.Path) ([]fmt.Stringer, []string, error) {
	return statespace.Narrate(f.Space, path)
}

// layeredFrom is a Layered space with another root.
type layeredFrom struct {
	from
	layers statespace.Layered
}

func (f layeredFrom) LayerName() string            { return f.layers.LayerName() }
func (f layeredFrom) Layer(x statespace.Index) int { return f.layers.Layer(x) }
func (f layeredFrom) LayersFall() bool             { return f.layers.LayersFall() }

// notOver is a Layered space without the moves that pass over a layer.
type notOver struct {
	statespace.Layered
	layer int
}

// Successors implements statespace.Space.
func (s notOver) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.keep(len(dst), s.Layered.Successors(dst, x), x)
}

// Predecessors implements statespace.Space.
func (s notOver) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.keep(len(dst), s.Layered.Predecessors(dst, x), x)
}

// keep removes moves of state x from a list, from the nth on.
func (s notOver) keep(n int, list []statespace.Edge, x statespace.Index) []statespace.Edge {
	from := s.Layer(x)
	kept := slices.DeleteFunc(list[n:], func(e statespace.Edge) bool {
		to := s.Layer(e.To)
		return from != s.layer && to != s.layer && (from < s.layer) != (to < s.layer)
	})
	return list[:n+len(kept)]
}
