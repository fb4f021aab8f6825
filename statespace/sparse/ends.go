package sparse

import (
	"context"
	"errors"
	"slices"

	"pagoda/sorted"
	"pagoda/statespace"
)

// Ends searches from both ends at once: from the roots of a graph and from its goals, which are given. It makes a level
// at the end whose last one is smaller, until both ends have a state in common. Every move can be taken back. Like a
// Search it is for one goroutine, and must be closed.
type Ends struct {
	ends [2]*Search // from the roots, and from the goals
	// AtLeast is what is proved: no path has fewer moves. Met says that there is one of this length.
	AtLeast int
	Met     bool
}

// NewEnds returns a search from both ends, which share the memory and keep their levels there.
func NewEnds(g statespace.CodeGraph, goals [][]uint64, o Options) (*Ends, error) {
	e := new(Ends)
	o.Memory, o.ToGoal, o.Dir = o.Memory/2, false, ""
	for i, roots := range [][][]uint64{g.Roots, goals} {
		g.Roots = roots
		s, err := New(g, o)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.ends[i] = s
	}
	return e, nil
}

// Run searches until the ends meet, or until one of them has no new states: then nothing leads from the roots to a
// goal. It is like Search.Run.
func (e *Ends) Run(ctx context.Context, progress *statespace.Progress) error {
	for _, s := range e.ends {
		if err := errors.Join(s.usable(), s.begin(ctx)); err != nil {
			return err
		}
	}
	for {
		if met, err := e.meet(ctx); met || err != nil {
			return err
		}
		a, b := e.ends[0], e.ends[1]
		e.AtLeast = len(a.levels) + len(b.levels) - 1
		if a.last().States > b.last().States {
			a = b
		}
		if err := a.Run(ctx, func() error { return errLevel }, progress); err != nil && !errors.Is(err, errLevel) {
			return err
		} else if a.whole {
			return nil
		}
	}
}

// errLevel ends Search.Run after a level.
var errLevel = errors.New("a level is made")

// last returns the last level.
func (s *Search) last() *store { return s.levels[len(s.levels)-1] }

// meet makes the states that the last levels have in common the goals of both ends. Earlier levels have none in common.
func (e *Ends) meet(ctx context.Context) (bool, error) {
	few, many := e.ends[0], e.ends[1]
	if few.last().States > many.last().States {
		few, many = many, few
	}
	at, in := few.last().Cursor(ahead), many.last().Cursor(ahead)
	var both []uint64
	for {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		codes, err := at.Next()
		if err != nil {
			return false, err
		}
		if codes == nil {
			break
		}
		for code := range slices.Chunk(codes, few.graph.Words) {
			is, err := in.Has(code)
			if err != nil {
				return false, err
			}
			if is {
				both = append(both, code...)
			}
		}
	}
	if e.Met = both != nil; e.Met {
		for _, s := range e.ends {
			s.goals, s.goalLevel = both, len(s.levels)-1
		}
	}
	return e.Met, nil
}

// States returns how many states both ends have found.
func (e *Ends) States() uint64 { return e.ends[0].states + e.ends[1].states }

// OnShortest returns the codes on all shortest paths from the roots to the goals, after the ends have met.
func (e *Ends) OnShortest(ctx context.Context) (*Codes, error) {
	var all []uint64
	for _, s := range e.ends {
		codes, err := s.OnShortest(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, codes.codes...)
	}
	words := e.ends[0].graph.Words
	return CodesOf(words, sorted.Distinct(all, words)), nil
}

// Close gives back the memory.
func (e *Ends) Close() (err error) {
	for _, s := range e.ends {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}
