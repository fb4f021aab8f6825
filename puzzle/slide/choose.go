package slide

import (
	"context"
	"errors"

	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

const (
	// Up to cheapTables bytes of tables and cheapSearch bytes of a search, numbers are tried first.
	cheapTables, cheapSearch = 24 << 20, 1 << 30
	// fewStates is the number of positions for which dear numbers are not worth it.
	fewStates = 1 << 20
)

// choose numbers the positions of a puzzle or finds those that can be reached: the first if that is
// cheap, or if they are many and their numbers fit into the memory of the options. One of the
// results is not nil. If neither fits, the error is a *SizeError.
func choose(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options, number numberer) (numbering, *sparse.Search, error) {
	n, err := number(ctx, p, m, cheapBound(o.Memory))
	if err == nil {
		if err = checkMemory(n, m, o.Memory); err == nil && bfs.MemoryOf(n.Graph(m)) <= cheapSearch {
			return n, nil, nil
		}
	}
	if err == nil || largerTables(err, o.Memory) {
		s, few := searchSparse(ctx, p, m, o, fewStates)
		if few == nil || !tooMany(few) {
			return nil, s, few
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
	var size *SizeError
	return errors.As(err, &size) && size.Nodes > 0 && cheapBound(memory) != memory
}

// tooMany reports whether a sparse search has found more than it may.
func tooMany(err error) bool {
	var size *SizeError
	return errors.Is(err, sparse.ErrStates) || errors.As(err, &size)
}
