package slide

import (
	"context"
	"errors"
	"math/big"

	"pagoda/internal/progress"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A Result is the shortest solutions of a puzzle in a metric.
type Result struct {
	Metric tray.Metric
	// Solved reports whether a goal can be reached. Then Length is the least number of moves,
	// Solutions the exact number of solutions of that length, and Moves one of them. Two
	// solutions differ if they differ in a position on the path, where interchangeable pieces
	// count as the same.
	Solved    bool
	Length    int
	Solutions *big.Int
	Moves     []tray.Move
	// States is the number of positions that were found, and Layers the number of positions at
	// each distance from the start. Whole reports whether these are all positions that can be
	// reached. If not, they are those up to the distance Length.
	States uint64
	Layers []uint64
	Whole  bool
	// Reason is why no goal can be reached if that was known before a search: see tray.Puzzle.Barred. Then
	// there are no States and no Layers.
	Reason string
}

// Options say how to solve. The zero value searches all positions that can be reached.
type Options struct {
	// ToGoal ends the search with the first layer that has a goal.
	ToGoal bool
	// Engine is one of run.Engines; empty means the best one. A program without engines has numbers and sparse here.
	Engine string
	// Memory bounds about how many bytes the search takes; 0 is 7/8 of the machine's.
	Memory uint64
	// Threads is the number of threads; 0 is 1.
	Threads int
	// MaxStates ends a search that lists positions when it finds more; 0 is no bound.
	MaxStates uint64
}

// forRun returns the options of a run in memory.
func (o Options) forRun(ctx context.Context) run.Options {
	r := run.Options{Engine: o.Engine, Threads: max(1, o.Threads), MaxStates: o.MaxStates, Meter: progress.Of(ctx)}
	if o.Memory > 0 {
		r.Memory = o.Memory + run.Program
	}
	if len(run.AllEngines()) == 0 {
		r.Engines = []run.Engine{run.Numbers, run.Sparse}
	}
	return r
}

// TooLarge reports whether an error says that a puzzle takes more memory than is allowed, has too many
// placements or more positions than Options.MaxStates.
func TooLarge(err error) bool {
	return errors.Is(err, statespace.ErrMemory) || errors.Is(err, sparse.ErrStates) || errors.As(err, new(*packing.LimitError))
}

// Solve finds the shortest solutions of a puzzle in a metric, and the positions that can be reached: it is a
// run in memory. If that takes more memory than the options allow, the error is a statespace.ErrMemory. When ctx
// ends, Solve stops soon and returns the cause.
func Solve(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Result, error) {
	if o.ToGoal && !p.HasGoal() {
		return nil, ErrNoGoal
	}
	r := &Result{Metric: m, Solutions: new(big.Int)}
	if r.Reason = p.Barred(); r.Reason != "" {
		return r, nil
	}
	sp, err := New(ctx, "the puzzle", p, m, o.ToGoal, o.Memory)
	if err != nil {
		return nil, err
	}
	return r, r.solve(ctx, sp, o)
}

// solve finds the shortest solutions of a space.
func (r *Result) solve(ctx context.Context, sp statespace.Space, o Options) error {
	found, err := run.Find(ctx, sp, o.forRun(ctx))
	if err != nil {
		return err
	}
	defer found.Close()
	r.States, r.Layers, r.Whole = found.States(), found.Layers, found.Whole
	if r.Solved = found.Length >= 0; !r.Solved {
		return nil
	}
	r.Length = found.Length
	sp, paths, err := found.Shortest(ctx)
	if err != nil {
		return err
	}
	r.Solutions = paths.Total()
	_, moves, _, err := paths.First(sp)
	for _, m := range moves {
		r.Moves = append(r.Moves, m.(tray.Move))
	}
	return err
}
