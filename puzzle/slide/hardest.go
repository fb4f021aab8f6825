package slide

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/memory"
	"pagoda/puzzle/slide/tray"
)

// A Hardest has the positions that are farthest from the goals.
type Hardest struct {
	Metric tray.Metric
	// States is the number of positions that can be reached, and Goals how many of them are
	// goals.
	States, Goals uint64
	// Placements is the number of all placements, if the starts are any of them; else 0.
	Placements uint64
	// Length is the greatest distance from the nearest goal. Starts are positions at this
	// distance, at most MaxPairs, and Count is the number of all of them.
	Length int
	Starts []tray.Position
	Count  uint64
	// Exact is false if the search was stopped. Then the greatest distance is at least Length, and Count is the
	// number of Starts.
	Exact bool
	// Reason is why no goal can be reached: see Result.Reason.
	Reason string
}

// FindHardest finds the starts with the longest shortest solution, among all positions that can
// be reached. If no goal can be reached, there are none. Of the options, Memory, Threads and MaxStates count. When ctx ends,
// FindHardest stops soon and returns the cause, with a bound; that is nil before all positions and goals are found.
func FindHardest(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Hardest, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	if why := p.Barred(); why != "" {
		return &Hardest{Metric: m, Exact: true, Reason: why}, nil
	}
	e, err := newExplorer(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	return e.findHardest(ctx)
}

// FindHardestPlacement is FindHardest among all placements of the pieces, whether or not moves lead
// there from the start: it finds the hardest puzzle that can be made of the pieces. A piece can be where
// it can move to in a tray without other pieces. States is the number of placements from which a goal
// can be reached. The error is a *packing.LimitError if the placements have no numbers, and a
// statespace.ErrMemory if they do not fit into the memory, or are more than Options.MaxStates. When ctx ends, it
// returns the cause and a bound, as FindHardest does; then States is 0. Of the options, the same count.
func FindHardestPlacement(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Hardest, error) {
	e, err := explorePlacements(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	size := e.numbers.Size()
	h, err := e.fromGoals(ctx, e.goalsAmong(ctx, func(w uint64) uint64 { return ^uint64(0) >> (64 - min(64, size-w<<6)) }))
	if h != nil {
		h.Placements = size
	}
	return h, err
}

// findHardest is FindHardest among the positions that the start reaches.
func (e *explorer) findHardest(ctx context.Context) (*Hardest, error) {
	all, err := e.search(ctx, only(e.start), false)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	states := all.States()
	share := memory.For(ctx, "the goals")
	defer share.Free()
	var goals []uint64
	for x := range e.goalsAmong(ctx, all.Marks().NotZero) {
		if goals, err = memory.Append(share, goals, x); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all.Close() // its memory is for the search back
	h, err := e.fromGoals(ctx, slices.Values(goals))
	if h == nil {
		return nil, err
	}
	if h.Exact && h.Goals > 0 && h.States != states {
		return nil, fmt.Errorf("%d positions lead to a goal, %d can be reached: the moves of %v cannot be taken back", h.States, states, e.metric)
	}
	h.States = states
	return h, err
}

// goalsAmong yields the goals among some numbers until ctx ends: bit i of marked(w) is number 64 w + i.
func (e *explorer) goalsAmong(ctx context.Context, marked func(w uint64) uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		expander := e.newExpander()
		for w := range bitset.Words(e.numbers.Size()) {
			if w%4096 == 0 && ctx.Err() != nil {
				return
			}
			for word := marked(w); word != 0; word &= word - 1 {
				if x := w<<6 + uint64(bits.TrailingZeros64(word)); expander.Goal(x) && !yield(x) {
					return
				}
			}
		}
	}
}

// fromGoals finds the positions that are farthest from the goals. If it is stopped, States is 0.
func (e *explorer) fromGoals(ctx context.Context, goals iter.Seq[uint64]) (*Hardest, error) {
	h := &Hardest{Metric: e.metric, Exact: true}
	whole := false // whether all goals were found
	back, err := e.search(ctx, func(yield func(uint64) bool) {
		for x := range goals {
			if !yield(x) {
				return
			}
			h.Goals++
		}
		whole = ctx.Err() == nil
	}, false)
	if err == nil {
		defer back.Close()
	}
	switch {
	case !whole && err == nil:
		return nil, context.Cause(ctx)
	case !whole, err != nil && e.far < 0:
		return nil, err
	}
	if h.Goals == 0 {
		return h, nil
	}
	h.Exact, h.Length = err == nil, e.far
	for _, x := range e.farthest[:len(e.farthest)-1] {
		h.Starts = append(h.Starts, e.numbers.Unrank(x))
	}
	h.Count = uint64(len(h.Starts))
	if h.Exact {
		h.States, h.Count = back.States(), back.Layers[h.Length]
	}
	return h, err
}
