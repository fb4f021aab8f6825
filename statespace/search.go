package statespace

import (
	"context"

	"pagoda/bitset"
)

// Search finds all states that can be reached from the roots and adds them to the
// empty set: breadth-first, one state at a time, on one thread. It is the plain
// way, kept simple on purpose; the fast engines are held against it.
func Search(ctx context.Context, sp Space, set *bitset.Set) error {
	var frontier, next []Index
	for _, r := range sp.Roots() {
		if !set.Has(r) {
			set.Add(r)
			frontier = append(frontier, r)
		}
	}
	var edges []Edge
	for len(frontier) > 0 {
		for i, x := range frontier {
			if i%(1<<16) == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			edges = sp.Successors(edges[:0], x)
			for _, e := range edges {
				if !set.Has(e.To) {
					set.Add(e.To)
					next = append(next, e.To)
				}
			}
		}
		frontier, next = next, frontier[:0]
	}
	return nil
}
