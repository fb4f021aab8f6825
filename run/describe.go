package run

import (
	"cmp"
	"context"

	"pagoda/internal/lists"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Describe makes the metadata of the states of a space, given their layers.
func Describe(sp statespace.Space, counts []statespace.Layer) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Size: sp.Size(), Layer: statespace.LayerName(sp), Layers: counts}
	meta.States = lists.SumOf(counts, func(c statespace.Layer) uint64 { return c.States })
	return meta
}

// isValued reports whether files keep numbers of the states of a space besides their distances.
func isValued(sp statespace.Space) bool {
	return sp.Parts().Values.Any()
}

// getValues puts the numbers that are kept of a state into dst.
type getValues func(dst []uint64, x uint64) error

// valuesOf returns the numbers that a search has found; nil if there are none.
func valuesOf(members *bfs.Members) getValues {
	v := members.Values()
	if v == nil {
		return nil
	}
	return func(dst []uint64, x uint64) error {
		v.Get(dst, x)
		return nil
	}
}

// DescribeSearch makes the metadata of what a search has found in a space without layers.
// Values returns the numbers that are kept of a state; nil if there are none.
func DescribeSearch(ctx context.Context, sp statespace.Space, found *bfs.Result, distances bfs.Distances, values func(dst []uint64, x uint64) error, threads int) (*layers.Meta, error) {
	meta := describeLevels(sp, found)
	if figures := sp.Parts().Values.Figures; figures != nil && values != nil {
		var err error
		if meta.Figures, err = figures(ctx, threads, func(dst []uint64, x uint64) (int, error) {
			e, err := distances.At(x)
			return int(e) - 1, cmp.Or(err, values(dst, x))
		}); err != nil {
			return nil, err
		}
	}
	if len(found.Goals) > 0 {
		paths, err := bfs.FindShortest(ctx, sp, distances, found.Goals, found.Length, 0)
		if err != nil {
			return nil, err
		}
		meta.Goal = newGoal(found)
		meta.Goal.Solutions = paths.Total()
	}
	return meta, nil
}

// describeLevels makes the metadata of the levels that a search has found.
func describeLevels(sp statespace.Space, found *bfs.Result) *layers.Meta {
	var counts []statespace.Layer
	for i, n := range found.Layers {
		counts = append(counts, statespace.Layer{Layer: i, States: n})
	}
	return Describe(sp, counts)
}

// newGoal describes the nearest goals, without the number of solutions.
func newGoal(found *bfs.Result) *layers.Goal {
	n := len(found.Goals)
	return &layers.Goal{Distance: found.Length, Count: uint64(n), Nearest: found.Goals[:min(n, layers.MaxNearest)]}
}
