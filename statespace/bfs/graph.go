package bfs

import (
	"math/bits"

	"pagoda/statespace"
)

// Of returns the graph of a space.
func Of(sp statespace.Space) statespace.Graph {
	if graph := sp.Parts().Graph; graph != nil {
		return graph()
	}
	return Plain(sp)
}

// Plain returns the graph of a space in which moves are made one state at a time, by
// Successors.
func Plain(sp statespace.Space) statespace.Graph {
	p := sp.Parts()
	return statespace.Graph{Size: sp.Size(), Roots: statespace.EachRoot(sp), Undirected: p.Undirected, HasGoals: p.Goals.Any(),
		NewExpander: func() statespace.Expander { return &plainExpander{sp: sp, goals: p.Goals} }}
}

// A plainExpander makes moves one state at a time.
type plainExpander struct {
	sp    statespace.Space
	goals statespace.Goals
	edges []statespace.Edge
}

// Expand implements statespace.Expander.
func (e *plainExpander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		if goals != nil && e.goals.Has(x) {
			*goals = append(*goals, x)
		}
		e.edges = e.sp.Successors(e.edges[:0], x)
		for _, move := range e.edges {
			dst = append(dst, move.To)
		}
	}
	return dst
}
