package bfs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pagoda/statespace"
)

// ShortestBetween is FindShortest for an undirected graph whose distances nobody has kept: it
// searches half of the way from the roots and half of the way from the states, and lists what it
// finds. The memory is a bound on its lists; the error is statespace.ErrMemory if they take more.
func ShortestBetween(ctx context.Context, g statespace.Graph, to []uint64, length int, memory uint64) (*ShortestPaths, error) {
	if !g.Undirected {
		return nil, errors.New("the moves of this graph cannot be followed back")
	}
	neighbours := forward(g)
	half := length / 2
	bound := memory / 8
	near, err := ListLevels(ctx, neighbours, slices.Collect(g.Roots), half, &bound)
	if err != nil {
		return nil, err
	}
	far, err := ListLevels(ctx, neighbours, to, length-half, &bound)
	if err != nil {
		return nil, err
	}
	// What both have reached in the middle is on shortest paths, and so is what leads from there to
	// the goals.
	on := near[half]
	for i := len(far) - 1; i >= 0; i-- {
		far[i] = slices.DeleteFunc(far[i], func(x uint64) bool {
			_, found := slices.BinarySearch(on, x)
			return !found
		})
		on = nil
		for _, x := range far[i] {
			on = neighbours(on, x)
		}
		slices.Sort(on)
	}
	isAt := func(x uint64, distance int) (bool, error) {
		level, i := near, distance
		if distance > half {
			level, i = far, length-distance
		}
		_, found := slices.BinarySearch(level[i], x)
		return found, nil
	}
	return Trace(ctx, neighbours, neighbours, isAt, to, length, memory)
}

// ListLevels lists the states at each distance from some, up to a depth, in order. It takes what
// it lists from the bound.
func ListLevels(ctx context.Context, neighbours Lister, from []uint64, depth int, bound *uint64) ([][]uint64, error) {
	all := make([][]uint64, 2, depth+2) // two levels before the first, which are empty
	all = append(all, slices.Compact(slices.Sorted(slices.Values(from))))
	for range depth {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		level, before := all[len(all)-1], all[len(all)-2]
		full := fmt.Errorf("%w: the states within %d moves of the ends of the paths do not fit into it", statespace.ErrMemory, len(all)-2)
		var next []uint64
		for i, x := range level {
			next = neighbours(next, x)
			if i%1024 == 0 && uint64(len(next)) > *bound {
				return nil, full
			}
		}
		slices.Sort(next)
		next = slices.DeleteFunc(slices.Compact(next), func(x uint64) bool {
			_, last := slices.BinarySearch(level, x)
			_, one := slices.BinarySearch(before, x)
			return last || one
		})
		if uint64(len(next)) > *bound {
			return nil, full
		}
		*bound -= uint64(len(next))
		all = append(all, next)
	}
	return all[2:], nil
}
