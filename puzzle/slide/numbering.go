package slide

import (
	"context"
	"errors"
	"iter"

	"pagoda/internal/progress"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// A numbering numbers the positions of a puzzle. It is a *packing.Packing, a *npuzzle.Numbering
// or a *ranks.
type numbering interface {
	// Name is the name of the numbering in definitions.
	Name() string
	Size() uint64
	// Rank returns the number of a position. It reports false if the position has none, so
	// it cannot be reached.
	Rank(pos tray.Position) (x uint64, ok bool)
	Unrank(x uint64) tray.Position
	// Graph returns the graph of a metric, without roots.
	Graph(m tray.Metric) statespace.Graph
}

// rank returns the number of a position that can be reached.
func rank(n numbering, pos tray.Position) uint64 {
	x, _ := n.Rank(pos)
	return x
}

// A numberer numbers the positions of a puzzle for a metric. The error is a *packing.LimitError if they
// cannot be numbered, or if the tables do not fit into the memory, in bytes; 0 is no bound.
type numberer func(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64) (numbering, error)

// newNumbering is the numberer of spaces and solutions. An n-puzzle has a numbering of its own,
// unless several tiles can move together.
func newNumbering(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64) (numbering, error) {
	if !m.Super() {
		if n, err := npuzzle.New(p); err == nil {
			return n, nil
		}
	}
	return packed(ctx, p, m, memory)
}

// packed is the numberer by a Packing.
func packed(ctx context.Context, p *tray.Puzzle, _ tray.Metric, memory uint64) (numbering, error) {
	pk, err := packing.New(ctx, p, memory)
	if err != nil {
		return nil, err
	}
	return pk, nil
}

// only yields one number.
func only(x uint64) iter.Seq[uint64] { return func(yield func(uint64) bool) { yield(x) } }

// search searches all positions of a graph that can be reached from some. The result must be closed.
func search(ctx context.Context, g statespace.Graph, from iter.Seq[uint64], o bfs.Options) (*bfs.Search, error) {
	g.Roots = from
	s, err := bfs.New(ctx, g, o)
	if err == nil {
		var done statespace.Progress
		defer progress.Start(ctx, "searching", 0, "positions", done.Read)()
		err = s.Run(ctx, nil, &done)
	}
	if err != nil && s != nil {
		s.Close()
	}
	return s, err
}

// ErrNoGoal is the error for a puzzle without a goal.
var ErrNoGoal = errors.New("the puzzle has no goal")
