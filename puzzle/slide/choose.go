package slide

import (
	"context"
	"errors"

	"pagoda/internal/progress"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// cheapTables is up to how many bytes of tables numbers are tried first. For larger tables, and for a dear
// search, a list of the positions is better if few can be reached: see sparse.Few.
const cheapTables = 24 << 20

// choose numbers the positions of a puzzle or finds those that can be reached: the first if that is
// cheap, or if they are many and their numbers fit into the memory of the options. One of the
// results is not nil. If neither fits, the error is a *SizeError.
func choose(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options, number numberer) (numbering, *sparse.Search, error) {
	n, err := number(ctx, p, m, cheapBound(o.Memory))
	if err == nil {
		if err = checkMemory(n, m, o.Memory); err == nil && bfs.MemoryOf(n.Graph(m)) <= sparse.DearBytes {
			return n, nil, nil
		}
	}
	if err == nil || largerTables(err, o.Memory) {
		if s, failed := searchFew(ctx, p, m, o); s != nil || failed != nil {
			return nil, s, failed
		}
		if err != nil {
			if n, err = number(ctx, p, m, o.Memory); err == nil {
				err = checkMemory(n, m, o.Memory)
			}
		}
		if err == nil {
			return n, nil, nil
		}
	}
	n = nil // its memory is needed
	s, found := searchSparse(ctx, p, m, o, 0)
	var numbered, sparsely *SizeError
	if errors.As(err, &numbered) && errors.As(found, &sparsely) {
		numbered.Found, numbered.Depth, numbered.Cause = sparsely.Found, sparsely.Depth, sparsely.Cause
		numbered.Memory = o.Memory
		found = numbered
	}
	return nil, s, found
}

// cheapBound returns the bound of cheap tables; 0 bytes of memory is no bound.
func cheapBound(memory uint64) uint64 {
	if memory == 0 {
		return cheapTables
	}
	return min(memory, cheapTables)
}

// largerTables reports whether numbers failed for the tables, which may be larger in so much
// memory.
func largerTables(err error, memory uint64) bool {
	size, ok := errors.AsType[*SizeError](err)
	return ok && size.Nodes > 0 && cheapBound(memory) != memory
}

// searchFew finds the positions that can be reached, or returns nil if they are not few.
func searchFew(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*sparse.Search, error) {
	var done statespace.Progress
	defer progress.Start(ctx, "searching", 0, "positions", done.Read)()
	g := keyGraph(p, m)
	s, err := sparse.Few(ctx, g, o.sparsely(g, 0), &done)
	if errors.Is(err, statespace.ErrSuccessors) {
		err = nil
	}
	return s, err
}
