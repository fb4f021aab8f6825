package slide

import (
	"context"
	"errors"
	"math/big"
	"time"

	"pagoda/ask"
	"pagoda/internal/printable"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace/cells"
)

// The bounds of one question. Puzzles that are played take some milliseconds and a few MiB. Tests take more time.
const measureMemory = 96 << 20

var measureTime = time.Second

// measured is the answer to Measure. A text that draws no puzzle is no wrong question: people come by many while
// they draw.
type measured struct {
	Puzzle  string     `json:"puzzle"` // as a text, without what is known about it; empty if there is a fault
	Fault   *textFault `json:"fault"`  // why the text draws no puzzle; nil if it does
	Metrics []length   `json:"metrics"`
}

// A textFault says where a text is wrong, and what was expected there.
type textFault struct {
	Line   int    `json:"line"` // from 1
	Column int    `json:"column"`
	Reason string `json:"reason"`
}

// A length is what was found in a metric.
type length struct {
	Metric    string   `json:"metric"`
	Solved    bool     `json:"solved"`
	Length    *int     `json:"length"`    // nil if no solution was found
	Solutions *big.Int `json:"solutions"` // how many have that length; nil if no solution was found
	// Solution is the moves of one of them; nil if no solution was found.
	Solution []tray.Move `json:"solution"`
	States   uint64      `json:"states"` // the positions that were found
	Whole    bool        `json:"whole"`  // they are all that can be reached
	Reason   string      `json:"reason,omitempty"`
	Barred   string      `json:"barred,omitempty"` // why no goal can be reached, if no search was needed
}

var errMeasureTime = errors.New("it takes too long")

// Measure implements family.Measurer. A length that is not known in time has a reason.
func (p *player) Measure(ctx context.Context, text, metric string, most time.Duration) (any, error) {
	metrics := []tray.Metric{tray.Steps, tray.Lines, tray.Moves, tray.Supersteps, tray.Superlines, tray.Supermoves}
	if metric != "" {
		m, err := tray.ParseMetric(metric)
		if err != nil {
			return nil, ask.Questionf("%w", err)
		}
		metrics = []tray.Metric{m}
	}
	pz, err := formats.Parse(text)
	if wrong, ok := errors.AsType[*cells.SyntaxError](err); ok {
		return &measured{"", &textFault{max(1, wrong.Line), wrong.Col, printable.Line(wrong.Reason)}, []length{}}, nil
	}
	if err != nil {
		return nil, ask.Questionf("%w", err)
	}
	o := Options{ToGoal: true, Memory: min(measureMemory, max(1, run.MemoryLimit(p.options.Memory)/4)), Threads: p.options.Threads}
	bounded, stop := within(ctx, max(most, measureTime))
	defer stop()
	answer := &measured{textOf(pz), nil, []length{}}
	for _, m := range metrics {
		l, err := lengthIn(bounded, pz, m, o)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		answer.Metrics = append(answer.Metrics, l)
	}
	return answer, nil
}

// A timed context ends at a time. It reads the clock whenever it is asked: in a browser a search gives no other
// goroutine a turn, and so no timer.
type timed struct {
	context.Context
	cancel context.CancelCauseFunc
	end    time.Time
}

// within returns a context that ends after a time, with the cause errMeasureTime.
func within(ctx context.Context, d time.Duration) (bounded context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(errMeasureTime) })
	return &timed{ctx, cancel, time.Now().Add(d)}, func() {
		timer.Stop()
		cancel(nil)
	}
}

// Err implements context.Context.
func (t *timed) Err() error {
	if time.Now().After(t.end) {
		t.cancel(errMeasureTime)
	}
	return t.Context.Err()
}

// lengthIn measures a puzzle in one metric.
func lengthIn(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (l length, err error) {
	l.Metric = m.String()
	if !p.HasGoal() {
		l.Reason = ErrNoGoal.Error()
		return l, nil
	}
	r, err := Solve(ctx, p, m, o)
	switch {
	case errors.Is(err, errMeasureTime), TooLarge(err):
		l.Reason = err.Error()
		return l, nil
	case err != nil:
		return l, err
	}
	l.States, l.Whole, l.Barred = r.States, r.Whole, r.Reason
	if l.Solved = r.Solved; l.Solved {
		l.Length, l.Solutions, l.Solution = &r.Length, r.Solutions, r.Moves
	}
	return l, nil
}

// textOf writes a puzzle without what is known about it: that would be wrong for one that is changed.
func textOf(p *tray.Puzzle) string {
	q := p.From(p.Start())
	q.Title, q.Author, q.Year, q.Source, q.Notes = "", "", 0, "", nil
	return q.Format()
}
