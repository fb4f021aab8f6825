package ask

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"

	"pagoda/bitset"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bounds"
	"pagoda/statespace/sparse"
)

// A SolveQuestion says how a puzzle is to be solved. The zero value asks for the shortest solutions from the
// start to the nearest goals.
type SolveQuestion struct {
	// From and To, if not empty, are states in place of the start and of the goals. A Reversed space has no start: From
	// is needed, and To is in place of the end.
	From, To string
	// Count also counts the solutions where that takes a search of its own: in a space with layers.
	Count bool
	// Options are those of the run in memory: Engine, Memory, Threads, Meter and Warn are used.
	Options run.Options
}

// Solutions are the shortest solutions of a puzzle. They must be closed after use.
type Solutions struct {
	// Solved reports whether there is one. Then Length is how many moves they have, Count how many there are, nil if
	// they were not counted, and Route one of them.
	Solved bool
	Length int
	Count  *big.Int
	*Route
	// States is how many states were found. Whole says that these are all that can be reached; else they are those up
	// to the goal.
	States uint64
	Whole  bool
	// Searched is what a search with bounds has found. It counts no states. If it has ended before it proved that
	// there is no shorter solution, Searched.Proved is false.
	Searched *bounds.Result
	// Checkpoint is the file from which it goes on then, if there is one.
	Checkpoint string
	// Reason says why there is no solution, if that was known without a search.
	Reason string

	// Space and Path are those of the Route.
	Space statespace.Space
	Path  statespace.Path

	all      iter.Seq2[statespace.Path, error]
	numbered statespace.Space // that of all paths
	close    func()
}

// Solve finds the shortest solutions of a puzzle by a run in memory. In a space with layers, where a state lies at one
// distance from the start, the goal is SolveQuestion.To. The error is an ErrQuestion if there is no goal, and a
// *statespace.MemoryError if the run takes more memory than is allowed.
func Solve(ctx context.Context, sp statespace.Space, q SolveQuestion) (*Solutions, error) {
	switch p := sp.Parts(); {
	case p.Chance != nil:
		return nil, Questionf("%s is a game against chance: it has no solution that always works", sp.Name())
	case p.Reversed && q.From == "":
		return nil, Questionf("%s has the solutions of all its states: name the state to solve", sp.Name())
	case p.Reversed: // the search begins where people end
		q.From, q.To = q.To, q.From
		return solve(ctx, sp, q, "to", "from")
	case q.To == "" && (p.Layers != nil || !p.Goals.Any()):
		return nil, Questionf("%s has no goal: draw one, or name the state to reach", sp.Name())
	}
	return solve(ctx, sp, q, "from", "to")
}

// solve is Solve for a search that begins in q.From and ends in q.To. People know them by these names.
func solve(ctx context.Context, sp statespace.Space, q SolveQuestion, from, to string) (*Solutions, error) {
	if q.From != "" {
		other, err := statespace.StartAt(ctx, sp, q.From)
		if err != nil {
			return nil, &PartError{from, Shorten(q.From), err}
		}
		sp = other
	}
	start := sp // as it is drawn
	if q.To != "" {
		if q.Options.Checkpoint != "" && sp.Parts().EndAt == nil {
			return nil, Questionf("a checkpoint does not say which state is to be reached: draw it as the goal of the puzzle instead")
		}
		end := sp.Parts().EndAt
		if sp.Size() == 0 && end == nil {
			return nil, Questionf("states of %s have no numbers before they are found: draw the goal, or run it and ask its file for a path", sp.Name())
		}
		if end != nil {
			other, err := end(q.To)
			if err != nil {
				return nil, &PartError{to, Shorten(q.To), err}
			}
			q.From, q.To = "", ""
			return solve(ctx, other, q, from, to)
		}
		x, err := sp.Parse(q.To)
		if errors.Is(err, statespace.ErrOutside) {
			return &Solutions{Reason: err.Error(), Space: sp, Count: new(big.Int), close: func() {}}, nil
		}
		if err != nil {
			return nil, &PartError{to, Shorten(q.To), err}
		}
		if sp.Parts().Layers != nil {
			return solveLayered(ctx, sp, q)
		}
		sp = statespace.Toward(sp, x)
	}
	s := &Solutions{Space: sp, Count: new(big.Int), close: func() {}}
	if barred := sp.Parts().Goals.Barred; barred != nil {
		if s.Reason = barred(); s.Reason != "" {
			return s, nil
		}
	}
	q.Options.Path, q.Options.Solutions = true, q.Count
	found, err := run.Find(ctx, sp, q.Options)
	if err != nil {
		return nil, err
	}
	s.close = found.Close
	s.States, s.Whole, s.Searched, s.Checkpoint = found.States(), found.Whole, found.Searched, found.Checkpoint
	if s.Searched != nil {
		ctx = context.WithoutCancel(ctx) // what was found before it ended is still an answer
	}
	if s.Solved = found.Length >= 0; !s.Solved {
		if s.Searched != nil && !s.Whole {
			s.Count = nil
		}
		return s, nil
	}
	sp, paths, err := found.Shortest(ctx)
	if err == nil {
		s.Length, s.Count, s.all = found.Length, paths.Total(), NoErrors(paths.All())
		if s.Searched != nil && s.Searched.All == nil {
			s.Count = nil
		}
		s.numbered = sp
		s.Route = &Route{Moves: []fmt.Stringer{}}
		var moves []fmt.Stringer
		s.Path, moves, s.Route.Positions, err = paths.First(sp)
		s.Route.Moves = append(s.Route.Moves, moves...)
		if s.Space, s.Path = sparse.Original(sp, s.Path); q.To != "" {
			s.Space = start
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// solveLayered is Solve for a space with layers, in which all paths to a state have the same length.
func solveLayered(ctx context.Context, sp statespace.Space, q SolveQuestion) (*Solutions, error) {
	if q.Options.Engine != "" {
		return nil, Questionf("moves of %s lose something: its paths are found by kernels of its own, and no engine can be chosen", sp.Name())
	}
	p, err := PathsOf(ctx, sp, PathQuestion{Options: q.Options})
	if err != nil {
		return nil, err
	}
	s := &Solutions{Space: p.space, numbered: p.space, Whole: true, close: p.Close}
	err = s.takeLayered(p, q)
	if err != nil {
		s.Close()
	}
	return s, err
}

// takeLayered takes over paths of a space with layers.
func (s *Solutions) takeLayered(p *Paths, q SolveQuestion) error {
	s.States = p.members.(*bitset.Set).Count()
	found, err := p.To(q.To)
	if err != nil || !found.Reachable {
		if err == nil {
			s.Reason, s.Count = found.Detail, new(big.Int)
		}
		return err
	}
	s.Solved, s.Route, s.Path, s.Length, s.all = true, found.Route, found.Path, len(found.Path.Steps), found.All()
	if !q.Count {
		return nil
	}
	p.All, p.List = true, new(int)
	if found, err = p.To(q.To); err == nil {
		s.Count, s.all = found.Count, found.All()
	}
	return err
}

// All describes the solutions, in the order of the numbers of their states.
func (s *Solutions) All() iter.Seq2[*Route, error] {
	return func(yield func(*Route, error) bool) {
		for path, err := range s.all {
			var route *Route
			if err == nil {
				route, err = NewRoute(s.numbered, path)
			}
			if !yield(route, err) {
				return
			}
		}
	}
}

// Close gives back the memory.
func (s *Solutions) Close() { s.close() }
