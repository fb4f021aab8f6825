package slide

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// A found is a puzzle that a search of many puzzles has found.
type found struct {
	puzzle *tray.Puzzle
	text   string // which tray.Parse reads
	length int    // as the search says
	solved *slide.Result
}

// solveAgain solves puzzles by the engine of single puzzles, some at a time, and sets what it finds. An
// error names the puzzle for which the two engines differ. Then the puzzles of equal length are sorted:
// those with few shortest solutions come first.
func solveAgain(ctx context.Context, all []found, m tray.Metric, o slide.Options) error {
	threads := max(1, o.Threads)
	o.Threads, o.Memory = 1, o.Memory/uint64(threads)
	group, run := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for i := range all {
		group.Go(func() (err error) {
			f := &all[i]
			if f.solved, err = slide.Solve(run, f.puzzle, m, o); err != nil {
				return fmt.Errorf("%s: %w", f.text, err)
			}
			return f.check(m)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.length, a.length), a.solved.Solutions.Cmp(b.solved.Solutions))
	})
	return nil
}

// check compares what the two engines found.
func (f *found) check(m tray.Metric) error {
	switch {
	case !f.solved.Solved:
		return fmt.Errorf("the engines differ: the search of all puzzles found the length %d in %v, and slide.Solve finds no solution of %s", f.length, m, f.text)
	case f.solved.Length != f.length:
		return fmt.Errorf("the engines differ: the search of all puzzles found the length %d in %v, and slide.Solve found %d for %s", f.length, m, f.solved.Length, f.text)
	}
	return nil
}

// drawing returns the picture of the start, and a film of a shortest solution.
func (f *found) drawing(caption string) (render.Panel, render.Film, error) {
	film, err := draw.NewFilm(f.puzzle, nil, f.solved.Moves)
	return render.Panel{Drawing: draw.Tray{Puzzle: f.puzzle, Position: f.puzzle.Start()}, Caption: caption}, film, err
}

// file returns the text of a file that reach solve reads, with what is known about the puzzle.
func (f *found) file(title string, m tray.Metric) string {
	f.puzzle.Title = title
	f.puzzle.Lengths[m] = f.length
	if f.solved.Whole {
		f.puzzle.States = f.solved.States
	}
	return f.puzzle.Format()
}
