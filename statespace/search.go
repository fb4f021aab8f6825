package statespace

import (
	"context"
	"fmt"
	"slices"

	"pagoda/bitset"
)

// CheckLen returns an error unless a set holds numbers of a space.
func CheckLen(sp Space, set interface{ Len() uint64 }) error {
	if n := set.Len(); n != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), n)
	}
	return nil
}

// Search adds to a set of Size numbers all states that can be reached from the roots and from
// its members. It searches breadth-first, one state at a time, on one thread, and does not end
// at goals. It is simple on purpose: tests compare the engines with it.
//
// Search calls between, if it is not nil, after each level. If between returns an error, Search
// stops and returns it. When ctx ends, Search stops soon and returns the cause. Another
// Search can continue with the set.
func Search(ctx context.Context, sp Space, set *bitset.Set, between func() error) error {
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
			if err := between(); err != nil {
				return err
			}
		}
	}
	return nil
}
