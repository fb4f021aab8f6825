package solver

import (
	"context"
	"math/big"

	"github.com/dustin/go-humanize"

	"pagoda/puzzle/lunar/board"
)

// A Result is what is known of the best solutions of a problem.
type Result struct {
	Solved bool
	// Reason says why there is no solution.
	Reason string
	// Positions is how many the search has found.
	Positions uint64
	// Moves and Steps are the fewest moves, and the fewest steps of solutions with these.
	Moves, Steps int
	// Solutions is how many solutions have Moves and Steps. Two differ if they differ in a step.
	Solutions *big.Int
	// Always and Ever are number pieces, by the cells where they stand at the start: those that
	// are significant in all of these solutions, and in any of them. A number piece is significant
	// in a solution if it moves or stops a piece.
	Always, Ever board.Set

	start board.Position
	nodes map[board.Position]*node
}

// Solve solves a problem by some threads. The memory is in bytes; 0 is no bound. If it is not enough, the
// error is a *statespace.MemoryError. When ctx ends, it stops soon and returns the cause.
func Solve(ctx context.Context, b *board.Board, start board.Position, memory uint64, threads int) (*Result, error) {
	s := newSearch(ctx, b, memory, threads)
	r := &Result{start: start, Solutions: new(big.Int)}
	if r.Reason = s.impossible(start); r.Reason != "" {
		return r, nil
	}
	var err error
	if r.Solved, err = s.run(start); err != nil {
		return nil, err
	}
	r.Positions = uint64(len(s.found.Keys))
	if !r.Solved {
		r.Reason = s.nothing()
		return r, nil
	}
	if err := s.optimal(r); err != nil {
		return nil, err
	}
	return r, s.significant(r)
}

// Impossible returns a function that says why a problem on a board cannot be solved, if that can be
// seen without a search; else it returns "". Several goroutines may call it.
func Impossible(b *board.Board) func(p board.Position) string { return newMover(b).impossible }

// impossible says why a problem cannot be solved, if that can be seen without a search.
func (m *mover) impossible(p board.Position) string {
	exit := "the exit"
	if len(m.at) > 1 {
		exit = "an exit"
	}
	switch {
	case p.Solved():
		return ""
	case p.Numbers == 0:
		return "no number piece is there to stop the last letter"
	case m.outside(p.All()):
		return exit + " needs pieces on two opposite sides, above and below or left and right, and no piece ever leaves the rectangle around all pieces"
	case m.apart(p.All()):
		return exit + " needs pieces above and below it in its column, or left and right of it in its row; one of them never comes, as pieces slide only toward others"
	case m.hopeless(p):
		return "no other piece ever comes to the row or column in which letters can leave, and the pieces there are too few"
	}
	return ""
}

// nothing says that the search has found no solution.
func (s *search) nothing() string {
	if len(s.found.Keys) == 1 && !s.passed {
		return "no piece can move"
	}
	found := humanize.Comma(int64(len(s.found.Keys))) + " positions were"
	if len(s.found.Keys) == 1 {
		found = "1 position was"
	}
	if s.passed {
		return found + " looked at; in all others that can be reached, a letter can never stop on an exit"
	}
	return "all positions that can be reached were looked at: " + humanize.Comma(int64(len(s.found.Keys)))
}
