package slide

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

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

// A numberer numbers the positions of a puzzle for a metric. The error is a *SizeError if they
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
	pk, err := newPacking(ctx, p, memory)
	if err != nil {
		return nil, err
	}
	return pk, nil
}

// newPacking numbers the placements of a puzzle.
func newPacking(ctx context.Context, p *tray.Puzzle, memory uint64) (*packing.Packing, error) {
	pk, err := packing.New(ctx, p, memory)
	if limit, ok := errors.AsType[*packing.LimitError](err); ok {
		if limit.Cells > 0 {
			return nil, &SizeError{Cells: limit.Cells, Memory: memory}
		}
		if limit.Placements > 0 {
			return nil, &SizeError{Placements: limit.Placements, Memory: memory}
		}
		return nil, &SizeError{Nodes: limit.Nodes, Memory: memory}
	}
	return pk, err
}

// bounded returns a *SizeError for an n-puzzle that is too large to be numbered, if a search for all of its positions
// cannot fit into the memory of the options.
func bounded(p *tray.Puzzle, o Options) error {
	cells := len(p.Cells())
	if o.ToGoal || o.Memory == 0 || cells <= 15 || !npuzzle.Is(p) {
		return nil
	}
	bytes := 1.0 / 8 / 2 // a bit for each of n!/2
	for n := range cells {
		bytes *= float64(n + 1)
	}
	if bytes < float64(o.Memory) {
		return nil
	}
	return &SizeError{Tiles: cells, Memory: o.Memory}
}

// checkMemory returns a *SizeError if a search does not fit into the memory, in bytes; 0 is no
// bound.
func checkMemory(n numbering, m tray.Metric, memory uint64) error {
	if need := bfs.MemoryOf(n.Graph(m)); memory > 0 && need > memory {
		return &SizeError{Placements: n.Size(), Need: need, Memory: memory}
	}
	return nil
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

// A SizeError says that a puzzle takes more memory than is allowed, or has too many placements.
type SizeError struct {
	// Placements is how many there are, or 0 if they were not counted. If they are more than
	// packing.MaxPlacements, they cannot be numbered. Otherwise a search through them
	// takes Need bytes.
	Placements, Need uint64
	// Cells is the number of cells of a tray that has too many to number its placements, else 0.
	Cells int
	// Nodes is the number of nodes of a numbering that became too large.
	Nodes int
	// Found is how many positions were found without numbers before the memory was full, up to
	// the distance Depth.
	Found uint64
	Depth int
	// Tiles is the number n of cells of an n-puzzle whose n!/2 positions are too many to keep, else 0.
	Tiles int
	// Cause, if not nil, is why not even a search without numbers could begin.
	Cause error
	// Memory is the bytes that are allowed, or 0 if there is no bound.
	Memory uint64
}

func (e *SizeError) Error() string {
	var why []string
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	full := fmt.Sprintf("the %d bytes that are allowed are full", e.Memory)
	switch {
	case e.Tiles > 0:
		add("an n-puzzle of %d cells has %d!/2 positions", e.Tiles, e.Tiles)
	case e.Cells > 0:
		add("in a tray of %d cells placements have no numbers", e.Cells)
	case e.Placements > packing.MaxPlacements:
		add("there are more placements than %d, which is the most that can be numbered", uint64(packing.MaxPlacements))
	case e.Placements > 0:
		add("%d placements take %d bytes, %d are allowed", e.Placements, e.Need, e.Memory)
	case e.Nodes > 0 && e.Memory == 0:
		add("with %d nodes of the numbering there are as many as there can be", e.Nodes)
	case e.Nodes > 0:
		add("with %d nodes of the numbering %s", e.Nodes, full)
	}
	numbered := len(why) > 0
	switch {
	case e.Cause != nil && numbered:
		add("without numbers, %v", e.Cause)
	case e.Cause != nil:
		add("%v", e.Cause)
	case e.Found > 0 && numbered:
		add("without numbers, the memory is full with %d positions, up to distance %d", e.Found, e.Depth)
	case e.Depth > 0:
		add("with %d positions, up to distance %d, %s", e.Found, e.Depth, full)
	case e.Found > 0:
		add("with %d positions %s", e.Found, full)
	}
	return "too large: " + strings.Join(why, "; ")
}

func (e *SizeError) Unwrap() error { return e.Cause }

// Is makes it a statespace.ErrMemory if more memory may help.
func (e *SizeError) Is(target error) bool {
	return target == statespace.ErrMemory && e.Memory > 0 && e.Tiles == 0 && (e.Placements <= packing.MaxPlacements || e.Found > 0)
}
