package ask

import (
	"slices"

	"pagoda/statespace"
)

// notOver is a space with layers without the moves that pass over a layer.
type notOver struct {
	statespace.Space
	of    statespace.Layers
	layer int
}

// Successors implements statespace.Space.
func (s notOver) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.keep(len(dst), s.Space.Successors(dst, x), x)
}

// Predecessors implements statespace.Space.
func (s notOver) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.keep(len(dst), s.Space.Predecessors(dst, x), x)
}

// Parts implements statespace.Space. What makes moves in another way falls away.
func (s notOver) Parts() statespace.Parts {
	p := s.Space.Parts()
	p.StartAt, p.Graph, p.Chance = nil, nil, nil
	p.Codes.Graph, p.Codes.Numbered = nil, nil
	p.Values = statespace.Values{}
	p.Symmetry = statespace.Symmetric{}
	if sweep := p.Sweep; sweep != nil {
		p.Sweep = &statespace.Sweep{Places: sweep.Places}
	}
	return p
}

// keep removes moves of state x from a list, from the nth on.
func (s notOver) keep(n int, list []statespace.Edge, x statespace.Index) []statespace.Edge {
	from := s.of.Layer(x)
	kept := slices.DeleteFunc(list[n:], func(e statespace.Edge) bool {
		to := s.of.Layer(e.To)
		return from != s.layer && to != s.layer && (from < s.layer) != (to < s.layer)
	})
	return list[:n+len(kept)]
}
