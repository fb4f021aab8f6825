package slide

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"pagoda/internal/progress"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// The sparse engine keeps only the positions that it finds, so the number of placements does not
// matter. A position is known by its key: see packing.Keys.

// keyGraph returns the graph of the keys of positions.
func keyGraph(p *tray.Puzzle, m tray.Metric) statespace.CodeGraph {
	keys := packing.NewKeys(p, m)
	return statespace.CodeGraph{Words: keys.Words(), Roots: [][]uint64{keys.Of(p.Start())}, Back: 1, Valid: keys.Valid,
		NewExpander: func() statespace.CodeExpander { return packing.NewKeys(p, m) }}
}

// sparsely returns the options of a search of keys.
func (o Options) sparsely(g statespace.CodeGraph, most uint64) sparse.Options {
	threads := o.Threads
	if o.Memory > 0 { // each thread takes some
		const each = 16 << 20
		threads = int(min(uint64(threads), o.Memory/each/uint64(g.Words)))
	}
	return sparse.Options{Memory: o.Memory, Threads: threads, ToGoal: o.ToGoal, MaxStates: most}
}

// searchSparse finds the positions that can be reached. If there are more than most, the error is
// sparse.ErrStates; 0 is no bound. If they do not fit into the memory, it is a *SizeError. The
// result must be closed.
func searchSparse(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options, most uint64) (*sparse.Search, error) {
	g := keyGraph(p, m)
	s, err := sparse.New(g, o.sparsely(g, most))
	if err != nil {
		return nil, &SizeError{Memory: o.Memory, Cause: err}
	}
	var done statespace.Progress
	defer progress.Start(ctx, "searching", 0, "positions", done.Read)()
	if err = s.Run(ctx, nil, &done); err == nil {
		return s, nil
	}
	switch {
	case errors.Is(err, statespace.ErrSuccessors):
		err = &SizeError{Memory: o.Memory, Cause: err}
	case errors.Is(err, statespace.ErrMemory):
		found := s.Result()
		err = &SizeError{Found: found.States, Depth: len(found.Levels) - 1, Memory: o.Memory}
	}
	return nil, errors.Join(err, s.Close())
}

// solveSparse is Solve by a search that has found the positions.
func solveSparse(ctx context.Context, p *tray.Puzzle, m tray.Metric, s *sparse.Search) (*Result, error) {
	found := s.Result()
	r := &Result{Metric: m, Solved: found.GoalLevel >= 0, Solutions: new(big.Int), States: found.States, Layers: found.Levels, Whole: found.Whole}
	if !r.Solved {
		return r, nil
	}
	r.Length = found.GoalLevel
	onPaths, err := onShortest(ctx, s, keyGraph(p, m))
	if err != nil {
		return nil, err
	}
	// Among the positions on shortest solutions, the shortest solutions are the same.
	again, err := solveNumbered(ctx, p, newRanks(p, onPaths), m, Options{ToGoal: true})
	if err != nil {
		return nil, err
	}
	r.Solutions, r.Moves = again.Solutions, again.Moves
	return r, nil
}

// onShortest returns the codes on all shortest paths from the roots to the goals that a search has
// found. Moves can be taken back.
func onShortest(ctx context.Context, s *sparse.Search, g statespace.CodeGraph) (*sparse.Codes, error) {
	found, e := s.Result(), g.NewExpander()
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
	return sparse.CodesOf(g.Words, sorted.Distinct(all, g.Words)), nil
}

// tableOf returns the codes of all positions that a search has found, and closes it. The error is a
// *SizeError if they do not fit into the memory, in bytes; 0 is no bound.
func tableOf(ctx context.Context, s *sparse.Search, words int, memory uint64) (_ *sparse.Codes, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	states := s.Result().States
	need := 8 * uint64(words) * states
	for i := range s.Result().Levels {
		list, err := s.List(i)
		if err != nil {
			return nil, err
		}
		need += list.Size()
	}
	if memory > 0 && need > memory/4*3 { // the search has the rest for successors
		return nil, &SizeError{Found: states, Memory: memory}
	}
	codes := make([]uint64, 0, uint64(words)*states)
	for state, err := range s.All(ctx) {
		if err != nil {
			return nil, err
		}
		codes = append(codes, state.Code...)
	}
	return sparse.CodesOf(words, codes), nil
}
