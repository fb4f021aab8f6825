package slide

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace/bfs"
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

// An Engine is a way to search. All engines give the same answers.
type Engine uint8

// The engines.
const (
	// AutoEngine is the cheaper one of NumbersEngine and SparseEngine.
	AutoEngine Engine = iota
	// NumbersEngine numbers all placements of the pieces and keeps three bits for each. It is
	// the fastest engine where most placements can be reached.
	NumbersEngine
	// SparseEngine keeps the positions that it finds, in a few bytes each. It is for puzzles
	// that have far more placements than positions that can be reached.
	SparseEngine
	// PlainEngine is SolvePlain.
	PlainEngine
)

// Engines is the number of engines.
const Engines = 4

var engineNames = [Engines]string{"auto", run.NumbersEngine, run.SparseEngine, run.PlainEngine}

// String returns the name of the engine.
func (e Engine) String() string {
	if e < Engines {
		return engineNames[e]
	}
	return fmt.Sprintf("Engine(%d)", uint8(e))
}

// ParseEngine returns the engine of a name.
func ParseEngine(name string) (Engine, error) {
	if name == "hash" { // what came before the SparseEngine
		return SparseEngine, nil
	}
	if i := slices.Index(engineNames[:], name); i >= 0 {
		return Engine(i), nil
	}
	return 0, fmt.Errorf("unknown engine %.40q: expected %s", name, strings.Join(engineNames[:], ", "))
}

// Options say how to solve. The zero value searches all positions that can be reached.
type Options struct {
	// ToGoal ends the search with the first layer that has a goal.
	ToGoal bool
	Engine Engine
	// Memory bounds about how many bytes the search takes; 0 is no bound.
	Memory uint64
	// Threads is the number of threads; 0 is 1. The PlainEngine takes one.
	Threads int
}

// Solve finds the shortest solutions of a puzzle in a metric, and the positions that can be
// reached. If that takes more memory than the options allow, the error is a *SizeError. The
// NumbersEngine returns it before it begins, as all engines do for an n-puzzle with too many positions.
// The PlainEngine searches even if an invariant rules out all goals. When ctx ends, Solve stops soon
// and returns the cause.
func Solve(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Result, error) {
	if o.ToGoal && !p.HasGoal() {
		return nil, ErrNoGoal
	}
	if why := p.Barred(); why != "" && o.Engine != PlainEngine {
		return &Result{Metric: m, Solutions: new(big.Int), Reason: why}, nil
	}
	var n numbering
	var s *sparse.Search
	err := bounded(p, o)
	if err != nil {
		return nil, err
	}
	switch o.Engine {
	case AutoEngine:
		n, s, err = choose(ctx, p, m, o, newNumbering)
	case NumbersEngine:
		n, err = fitting(ctx, p, m, o)
	case SparseEngine:
		s, err = searchSparse(ctx, p, m, o, 0)
	case PlainEngine:
		return SolvePlain(ctx, p, m, o)
	default:
		err = fmt.Errorf("unknown engine %v", o.Engine)
	}
	if err != nil {
		return nil, err
	}
	if n != nil {
		return solveNumbered(ctx, p, n, m, o)
	}
	r, err := solveSparse(ctx, p, m, s)
	return r, errors.Join(err, s.Close())
}

// fitting numbers a puzzle whose search fits into the memory of the options.
func fitting(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (numbering, error) {
	n, err := newNumbering(ctx, p, m, o.Memory)
	if err == nil {
		err = checkMemory(n, m, o.Memory)
	}
	return n, err
}

// Fits returns a *SizeError if the options do not allow enough memory to solve a puzzle by the
// NumbersEngine. The other engines do not know that before they have searched, so for them it
// returns nil.
func Fits(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) error {
	if o.Engine != NumbersEngine || p.Barred() != "" {
		return nil
	}
	err := bounded(p, o)
	if err == nil {
		_, err = fitting(ctx, p, m, o)
	}
	return err
}

// solveNumbered is Solve by the NumbersEngine, with positions that are numbered already.
func solveNumbered(ctx context.Context, p *tray.Puzzle, n numbering, m tray.Metric, o Options) (*Result, error) {
	s, err := search(ctx, n.Graph(m), only(rank(n, p.Start())), bfs.Options{ToGoal: o.ToGoal, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	r := &Result{Metric: m, Solved: len(s.Goals) > 0, Length: s.Length, Solutions: new(big.Int), States: s.States(), Layers: s.Layers, Whole: s.Whole}
	if !r.Solved {
		return r, nil
	}
	paths, err := s.Shortest(ctx, 0)
	if err != nil {
		return nil, err
	}
	r.follow(p, paths, n)
	return r, nil
}

// follow sets the number of shortest solutions, and the moves of one of them.
func (r *Result) follow(p *tray.Puzzle, paths *bfs.ShortestPaths, n numbering) {
	r.Solutions = paths.Total()
	pos := p.Start()
	for level := range r.Length {
		var mv tray.Move
		mv, pos = moveTo(p, r.Metric, pos, func(pos tray.Position) bool {
			x, ok := n.Rank(pos)
			return ok && paths.Has(x, level+1)
		})
		r.Moves = append(r.Moves, mv)
	}
}

// moveTo returns the first move that leads to a wanted position. There must be one.
func moveTo(p *tray.Puzzle, m tray.Metric, at tray.Position, wanted func(pos tray.Position) bool) (tray.Move, tray.Position) {
	for _, s := range p.Successors(m, at) {
		if wanted(s.To) {
			return p.Move(s), s.To
		}
	}
	panic("slide: no move leads along the path that the search has found")
}
