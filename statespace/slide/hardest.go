package slide

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/statespace/slide/tray"
)

// A Hardest has the positions that are farthest from the goals.
type Hardest struct {
	Metric tray.Metric
	// States is the number of positions that can be reached, and Goals how many of them are
	// goals.
	States, Goals uint64
	// Length is the greatest distance from the nearest goal. Starts are positions at this
	// distance, at most MaxPairs, and Count is the number of all of them.
	Length int
	Starts []tray.Position
	Count  uint64
}

// FindHardest finds the starts with the longest shortest solution, among all positions that can
// be reached. If no goal can be reached, there are none. The memory is in bytes; 0 is no bound.
func FindHardest(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64, threads int) (*Hardest, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	e, err := newExplorer(ctx, p, m, memory, threads)
	if err != nil {
		return nil, err
	}
	return e.findHardest(ctx)
}

func (e *explorer) findHardest(ctx context.Context) (*Hardest, error) {
	all, err := e.search(ctx, e.start)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	h := &Hardest{Metric: e.metric, States: all.States()}
	var goals []uint64
	marks, expander := all.Marks(), e.newExpander()
	for w := range bitset.Words(e.numbers.Size()) {
		goals = expander.Goals(goals, w<<6, marks.NotZero(w))
	}
	if h.Goals = uint64(len(goals)); h.Goals == 0 {
		return h, nil
	}
	back, err := e.search(ctx, goals...)
	if err != nil {
		return nil, err
	}
	defer back.Close()
	if states := back.States(); states != h.States {
		return nil, fmt.Errorf("%d positions lead to a goal, %d can be reached: the moves of %v cannot be taken back", states, h.States, e.metric)
	}
	h.Length = len(back.Layers) - 1
	h.Count = back.Layers[h.Length]
	for _, x := range e.farthest[:len(e.farthest)-1] {
		h.Starts = append(h.Starts, e.numbers.Unrank(x))
	}
	return h, nil
}
