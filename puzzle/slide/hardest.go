package slide

import (
	"context"
	"errors"
	"fmt"

	"pagoda/bitset"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
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
	// Exact is false if the search was stopped. Then the greatest distance is at least Length, and Count is the
	// number of Starts.
	Exact bool
	// Reason is why no goal can be reached: see Result.Reason.
	Reason string
}

// FindHardest finds the starts with the longest shortest solution, among all positions that can
// be reached. If no goal can be reached, there are none. The memory is in bytes; 0 is no bound. When ctx ends,
// FindHardest stops soon and returns the cause, with a bound; that is nil before all positions and goals are found.
func FindHardest(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64, threads int) (*Hardest, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	if why := p.Barred(); why != "" {
		return &Hardest{Metric: m, Exact: true, Reason: why}, nil
	}
	e, err := newExplorer(ctx, p, m, memory, threads)
	if err != nil {
		return nil, err
	}
	return e.findHardest(ctx)
}

// FindHardestPlacement is FindHardest among all placements of the pieces, whether or not moves lead
// there from the start: it finds the hardest puzzle that can be made of the pieces. A piece can be where
// it can move to in a tray without other pieces. States is the number of placements from which a goal
// can be reached. The error is a *SizeError if the placements have no numbers, do not fit into the
// memory, or are more than most; 0 is no bound. Of the options, Memory and Threads count.
func FindHardestPlacement(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options, most uint64) (*Hardest, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	n, err := fitting(ctx, p, m, o)
	if err != nil {
		return nil, err
	}
	if most > 0 && n.Size() > most {
		return nil, &SizeError{Placements: n.Size(), Need: bfs.MemoryOf(n.Graph(m)), Memory: o.Memory}
	}
	e := &explorer{numbers: n, metric: m, memory: o.Memory, threads: max(1, o.Threads)}
	var goals []uint64
	expander := e.newExpander()
	for w := range bitset.Words(n.Size()) {
		goals = expander.Goals(goals, w<<6, ^uint64(0)>>(64-min(64, n.Size()-w<<6)))
	}
	h := &Hardest{Metric: m, Goals: uint64(len(goals)), Exact: true}
	if h.Goals == 0 {
		return h, nil
	}
	back, err := e.search(ctx, goals...)
	if err != nil {
		return nil, err
	}
	defer back.Close()
	e.setFarthest(h, back)
	return h, nil
}

// FindHardestUpTo is FindHardest if at most some number of positions can be reached. If there are more,
// it has searched about as many, and the error is a *SizeError. Of the options, Memory and Threads
// count.
func FindHardestUpTo(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options, most uint64) (*Hardest, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	s, err := searchSparse(ctx, p, m, o, most)
	if errors.Is(err, sparse.ErrStates) {
		err = &SizeError{Found: most, Memory: o.Memory, Cause: err}
	}
	if err != nil {
		return nil, err
	}
	e, err := exploreFound(ctx, p, m, s, o.Memory, o.Threads)
	if err != nil {
		return nil, err
	}
	return e.findHardest(ctx)
}

// setFarthest sets what a search from all goals has found.
func (e *explorer) setFarthest(h *Hardest, back *bfs.Search) {
	h.States = back.States()
	h.Length = len(back.Layers) - 1
	h.Count = back.Layers[h.Length]
	e.enterStarts(h)
}

// enterStarts enters the farthest positions.
func (e *explorer) enterStarts(h *Hardest) {
	for _, x := range e.farthest[:len(e.farthest)-1] {
		h.Starts = append(h.Starts, e.numbers.Unrank(x))
	}
}

func (e *explorer) findHardest(ctx context.Context) (*Hardest, error) {
	all, err := e.search(ctx, e.start)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	h := &Hardest{Metric: e.metric, States: all.States(), Exact: true}
	var goals []uint64
	marks, expander := all.Marks(), e.newExpander()
	for w := range bitset.Words(e.numbers.Size()) {
		goals = expander.Goals(goals, w<<6, marks.NotZero(w))
	}
	if h.Goals = uint64(len(goals)); h.Goals == 0 {
		return h, nil
	}
	all.Close() // its memory is for the search back
	back, err := e.search(ctx, goals...)
	if err != nil {
		if e.far < 0 {
			return nil, err
		}
		h.Exact, h.Length = false, e.far
		e.enterStarts(h)
		h.Count = uint64(len(h.Starts))
		return h, err
	}
	defer back.Close()
	if states := back.States(); states != h.States {
		return nil, fmt.Errorf("%d positions lead to a goal, %d can be reached: the moves of %v cannot be taken back", states, h.States, e.metric)
	}
	e.setFarthest(h, back)
	return h, nil
}
