package sparse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"pagoda/sorted"
	"pagoda/statespace"
)

// Options say how to search. The zero value is a search in memory of all that can be reached.
type Options struct {
	// Memory bounds the bytes that the search takes, but for Result.Goals and the index of the
	// level that is written, Words+1 bytes for 64 states. 0 is no bound.
	Memory uint64
	// Dir is a directory for the levels. Each has a file that stays open. The
	// directory is made if it is not there. It belongs to the search: the files that other
	// searches have left in it are removed, unless Restore takes them back. With "", levels
	// are kept in memory, and the search ends with statespace.ErrMemory when it is full.
	Dir string
	// Threads is the number of threads, 0 is 1. What is found and written does not depend
	// on it.
	Threads int
	// ToGoal ends the search at the first level with a goal.
	ToGoal bool
	// MaxStates ends the search with ErrStates when more states are found, 0 is no bound.
	MaxStates uint64
}

// Errors that callers decide on. They come wrapped.
var (
	// ErrStates says that there are more states than MaxStates.
	ErrStates = errors.New("too many states")

	errClosed = errors.New("the search is closed")
)

// A Search is a breadth-first search. Its methods are for one goroutine at a time, but for
// Level and Has, which several may use while no other method runs. It must be ended by Close or
// Discard.
type Search struct {
	graph   statespace.CodeGraph
	o       Options
	share   share
	pool    pool
	workers []*worker

	levels  []*store
	table   *store // see Table; or nil
	states  uint64 // in all of them
	begun   bool
	whole   bool
	closed  bool
	madeDir bool
	lost    error // of a sync: what was written may be lost

	progress  *statespace.Progress
	goalLevel int // or -1
	goals     []uint64
	sought    int // how many levels were looked through for goals

	mu    sync.Mutex // of runs, while workers expand
	runs  []*store   // of the next level
	seq   atomic.Int64
	seen  []*store // see the method see
	noted int      // how many levels are in seen
}

// New makes a search, which begins at the roots unless Restore is called.
func New(g statespace.CodeGraph, o Options) (*Search, error) {
	o.Threads = max(1, o.Threads)
	if g.Words < 1 || g.Words > sorted.MaxWords {
		return nil, fmt.Errorf("a search of codes of %d words: expected 1 to %d", g.Words, sorted.MaxWords)
	}
	if len(g.Roots) == 0 {
		return nil, errors.New("a search needs a root")
	}
	for i, root := range g.Roots {
		if len(root) != g.Words {
			return nil, fmt.Errorf("root %d has %d words, and codes have %d", i, len(root), g.Words)
		}
	}
	share, err := newShare(g.Words, o.Threads, o.Memory, o.Dir != "")
	if err != nil {
		return nil, err
	}
	s := &Search{graph: g, o: o, share: share, pool: pool{threads: o.Threads, most: share.blocks}, goalLevel: -1}
	for range o.Threads {
		s.workers = append(s.workers, &worker{e: g.NewExpander()})
	}
	return s, nil
}

// Run searches until there are no new states, or until the level of the nearest goal with
// ToGoal. Progress, which may be nil, counts the states that were expanded among those found so far.
// After each new level Run calls between, which may be nil; its error ends the
// search. When ctx ends, Run stops soon and returns the cause. After any error the complete
// levels are still there, and Run may be called again.
func (s *Search) Run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	if err := s.usable(); err != nil {
		return err
	}
	s.progress = progress
	if err := s.begin(ctx); err != nil {
		return err
	}
	for !s.whole {
		if s.lost != nil { // in between
			return s.lost
		}
		if err := s.seek(ctx); err != nil {
			return err
		}
		if s.o.ToGoal && s.goalLevel >= 0 {
			return nil
		}
		if err := s.expand(ctx); err != nil {
			return err
		}
		if between != nil && !s.whole {
			if err := between(); err != nil {
				return err
			}
		}
	}
	return nil
}

// usable returns an error if the search is closed, or if files of levels may have holes: then the
// search must not go on, as it would find states again.
func (s *Search) usable() error {
	if s.closed {
		return errClosed
	}
	return s.lost
}

// begin makes the level of the roots, unless levels were restored, and the directory.
func (s *Search) begin(ctx context.Context) error {
	if s.begun {
		return nil
	}
	if err := s.cleanDir(); err != nil {
		return err
	}
	if len(s.levels) == 0 {
		roots := slices.Concat(s.graph.Roots...)
		level, err := s.level(ctx, [][]uint64{sorted.Distinct(roots, s.graph.Words)})
		if err != nil {
			return s.refused(err)
		}
		s.levels, s.states = append(s.levels, level), level.States
	}
	s.begun = true
	return nil
}

// seek looks for goals in the levels that have not been looked through, except the last one
// if it is expanded anyway.
func (s *Search) seek(ctx context.Context) error {
	end := len(s.levels) - 1
	if s.o.ToGoal {
		end++
	}
	for ; s.sought < end && s.goalLevel < 0; s.sought++ {
		if err := s.scan(ctx, s.levels[s.sought], true, false); err != nil {
			return err
		}
		s.takeGoals(s.sought)
	}
	return nil
}

// takeGoals takes the goals that the workers found at a level.
func (s *Search) takeGoals(level int) {
	for _, w := range s.workers {
		s.goals = append(s.goals, w.goals...)
	}
	if len(s.goals) > 0 {
		sorted.Sort(s.goals, s.graph.Words)
		s.goalLevel = level
	}
}

// expand makes the next level.
func (s *Search) expand(ctx context.Context) (err error) {
	last := len(s.levels) - 1
	s.progress.Start(int64(s.states))
	s.progress.Add(int64(s.states - s.levels[last].States))
	if err := s.see(ctx); err != nil {
		return s.refused(err)
	}
	goals := s.goalLevel < 0 && s.sought == last
	defer func() {
		if e := s.removeRuns(); e != nil {
			err = errors.Join(err, e)
		}
	}()
	if err := s.scan(ctx, s.levels[last], goals, true); err != nil {
		return s.refused(err)
	}
	var arrays [][]uint64
	for _, w := range s.workers {
		if len(w.codes) > 0 {
			arrays = append(arrays, w.codes)
		}
	}
	next, err := s.level(ctx, arrays)
	if err != nil {
		return s.refused(err)
	}
	if goals {
		s.takeGoals(last)
		s.sought++
	}
	if next.States == 0 {
		s.whole = true
		return next.remove(&s.pool)
	}
	s.levels, s.states = append(s.levels, next), s.states+next.States
	return nil
}

// level makes a level of the codes of arrays and runs, without those of earlier levels.
func (s *Search) level(ctx context.Context, arrays [][]uint64) (*store, error) {
	m := mix{s: s, arrays: arrays, stores: s.runs, without: s.seen}
	if back := s.graph.Back; back > 0 {
		m.without = s.levels[max(0, len(s.levels)-1-back):]
	}
	most := uint64(anyNumber)
	if s.o.MaxStates > 0 {
		most = s.o.MaxStates - min(s.o.MaxStates, s.states)
	}
	return m.write(ctx, s.levelPath(len(s.levels)), most, nil)
}

// refused says how far the search came when there is no more room.
func (s *Search) refused(err error) error {
	found := "the roots alone are too many"
	if n := len(s.levels); n > 0 {
		found = fmt.Sprintf("found %d states up to distance %d, and too many at the next", s.states, n-1)
	}
	switch {
	case errors.Is(err, errFull):
		return fmt.Errorf("%w: %s", statespace.ErrMemory, found)
	case errors.Is(err, ErrStates):
		return fmt.Errorf("%w, at most %d are allowed: %s", ErrStates, s.o.MaxStates, found)
	}
	return err
}
