package statespace

import (
	"context"
	"slices"

	"pagoda/bitset"
)

// Search finds all states that can be reached from the roots and adds them to the
// empty set: breadth-first, one state at a time, on one thread. It is the plain
// way, kept simple on purpose; the fast engines are held against it.
func Search(ctx context.Context, sp Space, set *bitset.Set) error { return search(ctx, sp, set, nil) }

// search is Search from the roots and all members that the set has already. Between
// is called, with 0, after each layer.
func search(ctx context.Context, sp Space, set *bitset.Set, between func(done int) error) error {
	for _, r := range sp.Roots() {
		set.Add(r)
	}
	frontier := slices.Collect(set.All())
	var next []Index
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
		if between != nil {
			if err := between(0); err != nil {
				return err
			}
		}
	}
	return nil
}
