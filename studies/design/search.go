package design

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
	"pagoda/studies/hardest"
)

// Options say how to design.
type Options struct {
	Threads int    // 0 is one for each processor
	Memory  uint64 // bytes; 0 is no bound
	Seed    uint64 // of the random numbers of sampling
	// MaxPlacements is the greatest number of placements for which there is an exact search; 0 is
	// 2^46.
	MaxPlacements uint64
	// Better, if not nil, is called with each puzzle that is harder than all before, solved and
	// replayed. Calls come one after the other. An error ends the search.
	Better func(z *contest.Puzzle) error
	// Progress, if not nil, is called now and then with the placements that the exact search has
	// searched, and all.
	Progress func(done, total uint64)
	// Sampling, if not nil, is called when the exact search cannot go on, with the reason.
	Sampling func(why error)
}

// A Report says what a search has covered.
type Report struct {
	Best *contest.Puzzle // the hardest puzzle, solved
	// Proved reports whether no puzzle of the problem is harder. If the context has not ended and it is
	// false, there may be harder puzzles of more than MaxPieces pieces.
	Proved bool
	// Placements is how many there are of all pieces, with the goal piece; 0 if they were not
	// counted. Searched is how many of them the exact search has searched.
	Placements, Searched uint64
	// Results are what the exact search has found, by the number of pieces.
	Results []hardest.Result
	// Sampled says what was searched if the exact search could not be.
	Sampled Sampled
}

// Search designs puzzles of a problem. First comes an exact search of all placements of all pieces, by
// package find. If there are too many, sampling goes on until ctx ends. When ctx ends, Search
// returns what was found so far; that is no error. If the goal piece does not fit at its goal, the error
// is that of Problem.CheckGoal; if the box is too large for any search, it is contest.ErrLarge.
func Search(ctx context.Context, p *contest.Problem, o Options) (*Report, error) {
	if err := p.CheckGoal(); err != nil {
		return nil, err
	}
	s := &search{p: p, o: o, report: new(Report)}
	s.sampler = newSampler(s)
	goal := &contest.Puzzle{Pieces: []contest.Piece{{Shape: len(p.Free), X: p.X, Y: p.Y}}}
	if err := s.better(goal.Pieces, 0); err != nil {
		return nil, err
	}
	err := s.exact(ctx)
	var limit *hardest.LimitError
	var many *TooManyError
	if errors.As(err, &limit) || errors.As(err, &many) {
		why := err
		err = nil
		if ctx.Err() == nil {
			if o.Sampling != nil {
				o.Sampling(why)
			}
			err = s.sampler.run(ctx, func() bool { return false })
		}
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = nil
	}
	return s.report, err
}

// A TooManyError says that there are too many placements for the exact search.
type TooManyError struct {
	Placements, Most uint64
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("there are %d placements, the exact search is for up to %d here", e.Placements, e.Most)
}

// A search is a search for one problem.
type search struct {
	p      *contest.Problem
	o      Options
	report *Report
	mu     sync.Mutex // for counts of the report
	*sampler
}

// MaxPieces is the greatest number of pieces of a puzzle that can be solved.
const MaxPieces = len(contest.Names)

// solveShare is the part of the memory that solving one puzzle may take: one in solveShare.
const solveShare = 4

// exact searches all placements.
func (s *search) exact(ctx context.Context) error {
	problem := s.problem()
	latest := make(chan found, 1) // the search does not wait: the next puzzle takes the place of one
	done := make(chan error, 1)
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		var err error
		for found := range latest {
			if err == nil {
				if err = s.exactly(found); err != nil {
					cancel(err)
				}
			}
		}
		done <- err
	}()
	o := hardest.Options{Threads: s.o.Threads, Memory: s.o.Memory - s.o.Memory/solveShare,
		Better: func(length int, start hardest.Start) {
			select {
			case <-latest:
			default:
			}
			latest <- found{length, start}
		},
		Counted: func(total uint64) error { return s.begin(run, total) },
		Progress: func(searched, total uint64) {
			s.mu.Lock()
			s.report.Searched, s.report.Placements = max(s.report.Searched, searched), total
			s.mu.Unlock()
			if s.o.Progress != nil {
				s.o.Progress(searched, total)
			}
		}}
	results, err := hardest.Search(run, problem, o)
	close(latest)
	if wrong := <-done; wrong != nil {
		return wrong
	}
	s.report.Results = results
	for _, r := range results {
		if r.Length > 0 {
			if err := s.exactly(found{r.Length, r.Starts[0]}); err != nil {
				return err
			}
		}
	}
	// More pieces than MaxPieces may have room, with an empty cell.
	s.report.Proved = err == nil && len(problem.Board.Cells)-len(s.p.Goal) <= MaxPieces
	return err
}

// A found is a puzzle that the exact search has found, with its length.
type found struct {
	length int
	start  hardest.Start
}

// exactly takes a puzzle that the exact search has found.
func (s *search) exactly(f found) error {
	if f.length <= s.report.Best.Length { // a sample was as hard
		return nil
	}
	return s.better(s.pieces(f.start), f.length)
}

const (
	// manyPlacements is the number of placements from which on samples come first, as good puzzles
	// come late in the exact search. Their work is one firstShare-th of its work.
	manyPlacements = 1 << 23
	firstShare     = 16
	// firstSamples bounds the samples that come first.
	firstSamples = 2048
	// maxPlacements bounds the exact search if the options do not: it takes years.
	maxPlacements = 1 << 46
)

// begin searches some samples if there are many placements. If there are too many, it returns a
// *TooManyError.
func (s *search) begin(ctx context.Context, total uint64) error {
	s.report.Placements = total
	if most := cmp.Or(s.o.MaxPlacements, maxPlacements); total > most {
		return &TooManyError{total, most}
	}
	if total < manyPlacements {
		return nil
	}
	return s.sampler.run(ctx, func() bool { return s.sampler.work >= total/firstShare || s.sampler.first >= firstSamples })
}

// problem returns the problem for package find. Free shapes that fit nowhere are left out.
func (s *search) problem() *hardest.Problem {
	b := hardest.Board{Rows: len(s.p.Box), Cols: len(s.p.Box[0])}
	for row := range s.p.Box {
		for col, open := range s.p.Box[row] {
			if open {
				b.Cells = append(b.Cells, tray.Cell{Row: row, Col: col})
			}
		}
	}
	problem := &hardest.Problem{Board: b, Shapes: []hardest.Shape{}, Metric: tray.Moves, MaxPieces: MaxPieces}
	for i, f := range s.p.Free {
		if places := s.p.Places(i); len(places) > 0 {
			problem.Shapes = append(problem.Shapes, hardest.Shape{Cells: cells.Shift(f, places[0])})
		}
	}
	goal := cells.Shift(s.p.Goal, tray.Cell{Row: s.p.Y, Col: s.p.X})
	problem.Goals = []hardest.Goal{{Shape: hardest.Shape{Cells: goal}, Ends: goal[:1]}}
	return problem
}

// pieces returns the pieces of a start.
func (s *search) pieces(start hardest.Start) (pieces []contest.Piece) {
	for i, piece := range start.Pieces {
		shape, corner := contest.NewShape(piece.Cells), cells.Corner(piece.Cells)
		number := len(s.p.Free)
		if i > 0 {
			number = slices.IndexFunc(s.p.Free, func(f contest.Shape) bool { return slices.Equal(f, shape) })
		}
		pieces = append(pieces, contest.Piece{Shape: number, X: corner.Col, Y: corner.Row})
	}
	return pieces
}

// better solves a puzzle of a known length, replays the solution, and keeps it as the best one. It does
// not stop when the search ends: then this is the last puzzle.
func (s *search) better(pieces []contest.Piece, length int) error {
	z := &contest.Puzzle{Pieces: pieces}
	puzzle, err := s.p.Tray(z)
	if err != nil {
		return err
	}
	r, err := slide.Solve(context.Background(), puzzle, tray.Moves, slide.Options{ToGoal: true, Threads: s.o.Threads, Memory: s.o.Memory / solveShare})
	if err != nil {
		return fmt.Errorf("a puzzle of %d moves was found, and cannot be solved: %w", length, err)
	}
	if !r.Solved || r.Length != length {
		return fmt.Errorf("a puzzle of %d moves was found, and has a shortest solution of %d: one of the searches is wrong", length, r.Length)
	}
	if err := z.Solve(contest.Names, r.Moves); err != nil {
		return err
	}
	if err := s.p.Replay(z); err != nil {
		return fmt.Errorf("the solution that was found is wrong: %w", err)
	}
	s.report.Best = z
	if s.o.Better == nil {
		return nil
	}
	return s.o.Better(z)
}
