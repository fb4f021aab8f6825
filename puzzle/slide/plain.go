package slide

import (
	"context"
	"math/big"

	"pagoda/internal/memory"
	"pagoda/puzzle/slide/tray"
)

// plainBytes is about how many bytes the plain search takes for a position: its key, the entry in
// the map, the parent and the count.
const plainBytes = 250

// SolvePlain is Solve by the plain search: breadth-first, one position at a time, with a map of
// all positions that were found. It is simple on purpose: tests compare the other engines with
// it.
func SolvePlain(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*Result, error) {
	if o.ToGoal && !p.HasGoal() {
		return nil, ErrNoGoal
	}
	s := plainSearch{puzzle: p, result: Result{Metric: m, Solutions: new(big.Int)}, number: make(map[string]int), goal: -1}
	share := memory.For(ctx, "the positions")
	defer share.Free()
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
			need := plainBytes * uint64(len(s.nodes))
			if full := share.Set(need); full != nil || o.Memory > 0 && need > o.Memory {
				return nil, &SizeError{Found: uint64(len(s.nodes)), Depth: len(r.Layers), Memory: o.Memory}
			}
			s.expand(i, end)
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

// A plainSearch is the state of SolvePlain.
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
