package slide

import (
	"context"
	"math/big"

	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace/sparse"
)

// The engines that mustSolve takes: those of runs, and plainEngine, which is solvePlain.
const (
	autoEngine    = ""
	numbersEngine = run.NumbersEngine
	sparseEngine  = run.SparseEngine
	plainEngine   = "solvePlain"
)

// solvePlain is Solve by a search of its own: breadth-first, one position at a time, with a map of
// all positions that were found, by their keys. It is simple on purpose, and numbers nothing: tests compare
// Solve with it.
func solvePlain(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Result, error) {
	s := plainSearch{puzzle: p, result: Result{Metric: m, Solutions: new(big.Int)}, number: make(map[string]int), goal: -1}
	s.add(p.Key(p.Start()), -1)
	s.nodes[0].paths.SetInt64(1)
	r := &s.result
	for first := 0; first < len(s.nodes); {
		end := len(s.nodes)
		r.Layers = append(r.Layers, uint64(end-first))
		if !r.Solved {
			s.findGoals(first, end)
		}
		if r.Solved && o.ToGoal {
			break
		}
		for i := first; i < end; i++ {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if s.expand(i, end); o.MaxStates > 0 && uint64(len(s.nodes)) > o.MaxStates {
				return nil, sparse.ErrStates
			}
		}
		first = end
		r.Whole = first == len(s.nodes)
	}
	r.States = uint64(len(s.nodes))
	if r.Solved {
		s.findMoves()
	}
	return r, nil
}

// A plainSearch is the state of solvePlain.
type plainSearch struct {
	puzzle *tray.Puzzle
	result Result
	nodes  []plainNode // the positions by number
	number map[string]int
	goal   int // the first goal that was found, or -1
}

type plainNode struct {
	key    string
	parent int
	paths  *big.Int // the number of shortest paths; nil once the moves have been made
}

// add adds a position and returns its number.
func (s *plainSearch) add(key string, parent int) int {
	n := len(s.nodes)
	s.number[key] = n
	s.nodes = append(s.nodes, plainNode{key, parent, new(big.Int)})
	return n
}

// findGoals looks for goals in a layer.
func (s *plainSearch) findGoals(first, end int) {
	for i, n := range s.nodes[first:end] {
		if s.puzzle.Solved(s.puzzle.PositionOf(n.key)) {
			if s.goal < 0 {
				s.goal = first + i
			}
			s.result.Solutions.Add(s.result.Solutions, n.paths)
		}
	}
	if s.goal >= 0 {
		s.result.Solved, s.result.Length = true, len(s.result.Layers)-1
	}
}

// expand makes the moves of a position. The next layer begins at the given number.
func (s *plainSearch) expand(i, next int) {
	from := s.nodes[i].paths
	once := make(map[string]bool)
	for _, succ := range s.puzzle.Successors(s.result.Metric, s.puzzle.PositionOf(s.nodes[i].key)) {
		key := s.puzzle.Key(succ.To)
		if once[key] {
			continue
		}
		once[key] = true
		n, seen := s.number[key]
		if !seen {
			n = s.add(key, i)
		}
		if n >= next {
			s.nodes[n].paths.Add(s.nodes[n].paths, from)
		}
	}
	s.nodes[i].paths = nil
}

// findMoves sets the moves of a path to the goal.
func (s *plainSearch) findMoves() {
	var keys []string
	for i := s.goal; i > 0; i = s.nodes[i].parent {
		keys = append(keys, s.nodes[i].key)
	}
	at := s.puzzle.Start()
	for i := len(keys) - 1; i >= 0; i-- {
		var mv tray.Move
		mv, at = moveTo(s.puzzle, s.result.Metric, at, func(pos tray.Position) bool { return s.puzzle.Key(pos) == keys[i] })
		s.result.Moves = append(s.result.Moves, mv)
	}
}

// solvePacked is Solve by the numbers of all placements.
func solvePacked(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Result, error) {
	sp, err := makeSpace(ctx, "the puzzle", p, m, o.ToGoal, o.Memory, packed)
	if err != nil {
		return nil, err
	}
	o.Engine = numbersEngine
	r := &Result{Metric: m, Solutions: new(big.Int)}
	return r, r.solve(ctx, sp, o)
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
