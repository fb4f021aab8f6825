package run

import (
	"context"
	"errors"
	"fmt"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// levelsOnly reports whether the search of a graph keeps no marks.
func (j *job) levelsOnly(g statespace.Graph) bool {
	if j.from != nil {
		var state searchState
		return j.from.State(&state) == nil && state.Search.Unmarked
	}
	return j.Output == "" && !j.inMemory && !isLayered(j.sp) && 8*g.LevelWords >= leastLevels && !j.wholeDistances()
}

// leastLevels is from how many bytes of levels on a search keeps no marks. For less, the marks are
// cheaper than to count the shortest solutions without them. Tests change it.
var leastLevels uint64 = 8 << 20

// finishLevels is finish for a search without marks. The shortest solutions are not counted if that takes too much memory:
// the levels are worth more.
func (r *searchRun) finishLevels(ctx context.Context, result *Result) error {
	found := &r.search.Result
	meta := describeLevels(r.sp, found)
	if len(found.Goals) > 0 {
		meta.Goal = newGoal(found)
		need, _ := r.job.need()
		limit := MemoryLimit(r.Memory)
		paths, err := bfs.ShortestBetween(ctx, r.graph(), found.Goals, found.Length, limit-min(limit, need))
		switch {
		case err == nil:
			meta.Goal.Solutions = paths.Total()
		case errors.Is(err, statespace.ErrMemory):
			r.Warn(fmt.Errorf("the shortest solutions are not counted: %w", err))
		default:
			return err
		}
	}
	result.describe(r.sp, meta)
	return nil
}
