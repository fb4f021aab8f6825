package sparse

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"pagoda/internal/lists"
	"pagoda/sorted"
)

// A Result is what a search has found so far.
type Result struct {
	// Levels is the number of states at each distance from the roots.
	Levels []uint64
	States uint64
	// Whole reports whether these are all that can be reached.
	Whole bool
	// GoalLevel is the distance of the nearest goals, or -1 if none is found, and Goals has
	// their codes in increasing order. They are kept in memory, whatever its bound.
	GoalLevel int
	Goals     [][]uint64
}

// Result returns what is found in complete levels.
func (s *Search) Result() Result {
	r := Result{States: s.states, Whole: s.whole, GoalLevel: s.goalLevel}
	for _, l := range s.levels {
		r.Levels = append(r.Levels, l.States)
	}
	r.Goals = slices.Collect(slices.Chunk(slices.Clone(s.goals), s.graph.Words))
	return r
}

// Bytes returns what the lists of complete levels take.
func (s *Search) Bytes() uint64 {
	return lists.SumOf(s.levels, func(l *store) uint64 { return l.Bytes })
}

// List returns the states at a distance. It is valid until the search is closed.
func (s *Search) List(level int) (*sorted.List, error) {
	if s.closed {
		return nil, errClosed
	}
	if level < 0 || level >= len(s.levels) {
		return nil, fmt.Errorf("no states at distance %d: there are distances 0 to %d", level, len(s.levels)-1)
	}
	return s.levels[level].List, nil
}

// Has reports whether a state is found at a distance.
func (s *Search) Has(code []uint64, level int) (bool, error) {
	list, err := s.List(level)
	if err != nil {
		return false, err
	}
	_, found, err := list.Rank(code)
	return found, err
}

// Table makes the list of all states in increasing order of their codes. It calls visit, which
// may be nil, for each with its rank in the list and its level. The list is valid until the
// search is closed, or until the next call.
func (s *Search) Table(ctx context.Context, visit func(rank uint64, level int)) (_ *sorted.List, err error) {
	if s.table != nil {
		if err := s.table.remove(&s.pool); err != nil {
			return nil, err
		}
		s.table = nil
	}
	if s.closed {
		return nil, errClosed
	}
	m, rank := mix{s: s, stores: s.levels}, uint64(0)
	s.table, err = m.write(ctx, filepath.Join(s.o.Dir, tableName), anyNumber, func(levels []uint32) {
		for _, level := range levels {
			if visit != nil {
				visit(rank, int(level))
			}
			rank++
		}
	})
	if err != nil {
		return nil, s.refused(err)
	}
	return s.table.List, nil
}

// OnShortest returns the codes on all shortest paths from the roots to the goals that the search has
// found. Every move can be taken back.
func (s *Search) OnShortest(ctx context.Context) (*Codes, error) {
	found, g, e := s.Result(), s.graph, s.graph.NewExpander()
	level := slices.Concat(found.Goals...)
	all := slices.Clone(level)
	for distance := found.GoalLevel - 1; distance >= 0; distance-- {
		var before []uint64
		// A batch bounds the codes that moves lead to. Most are in other levels.
		const batch = 1 << 14
		for codes := range slices.Chunk(level, batch*g.Words) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			var next []uint64
			for code := range slices.Chunk(codes, g.Words) {
				next = e.Expand(next, code)
			}
			list, err := s.List(distance)
			if err != nil {
				return nil, err
			}
			cursor := list.Cursor(1 << 14)
			for code := range slices.Chunk(sorted.Distinct(next, g.Words), g.Words) {
				is, err := cursor.Has(code)
				if err != nil {
					return nil, err
				}
				if is {
					before = append(before, code...)
				}
			}
		}
		level = sorted.Distinct(before, g.Words)
		all = append(all, level...)
	}
	return CodesOf(g.Words, sorted.Distinct(all, g.Words)), nil
}
