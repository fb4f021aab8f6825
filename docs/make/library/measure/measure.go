// Package measure computes the facts of a sliding-block puzzle that the library keeps: shortest
// solutions, the positions that can be reached, the diameter, and the hardest start.
package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// Options say what is computed. What is not, is not known in the result.
type Options struct {
	Solutions, Hardest, Diameter bool
	// Time bounds each of these, and Memory about how many bytes each takes; 0 is no bound. What takes
	// more is not known in the result.
	Time    time.Duration
	Memory  uint64
	Threads int
}

// All are options that compute everything.
var All = Options{Solutions: true, Hardest: true, Diameter: true}

// Known returns options that compute again what is known.
func Known(f library.Facts) Options {
	return Options{Solutions: f.States > 0, Hardest: f.Hardest > 0, Diameter: f.Diameter > 0}
}

// errTime is the cause of the end of what takes too long.
var errTime = errors.New("it takes too long")

// Find computes facts of a puzzle in a metric. The puzzle must have a goal that can be reached. When
// ctx ends, Find stops soon and returns the cause.
func Find(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (f library.Facts, err error) {
	search := slide.Options{Memory: o.Memory, Threads: o.Threads}
	for _, part := range []struct {
		wanted bool
		find   func(ctx context.Context) error
	}{
		{o.Solutions, func(ctx context.Context) error {
			r, err := slide.Solve(ctx, p, m, search)
			if err != nil {
				return err
			}
			if !r.Solved {
				return fmt.Errorf("%v: no goal can be reached", m)
			}
			f.States, f.Length, f.Solutions = r.States, r.Length, r.Solutions
			return nil
		}},
		{o.Hardest, func(ctx context.Context) error {
			h, err := slide.FindHardest(ctx, p, m, search)
			if err == nil {
				f.Hardest, f.Starts, f.Start = h.Length, h.Count, p.FormatPosition(h.Starts[0])
			}
			return err
		}},
		{o.Diameter, func(ctx context.Context) error {
			d, err := slide.FindDiameter(ctx, p, m, search)
			if err == nil && d.Exact {
				f.Diameter, f.Radius, f.Pairs = d.Diameter, d.Radius, d.PairCount
			}
			return err
		}},
	} {
		if part.wanted {
			if err := bounded(ctx, o.Time, part.find); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// bounded calls find with a bound of time. That it takes too much time or memory is no error.
func bounded(ctx context.Context, time time.Duration, find func(ctx context.Context) error) error {
	if time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, time, errTime)
		defer stop()
	}
	err := find(ctx)
	if errors.Is(err, errTime) || slide.TooLarge(err) {
		return nil
	}
	return err
}
