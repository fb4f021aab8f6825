package slide

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pagoda/statespace"
)

// A Result tells the shortest solutions of a puzzle in a metric.
type Result struct {
	Metric Metric
	// Solved reports whether a goal can be reached. If so, Length is the least
	// number of moves, Solutions the exact number of ways of that length, and Moves
	// is one of them. Two ways differ if they differ in a position on the way, where
	// pieces that are not told apart make no difference.
	Solved    bool
	Length    int
	Solutions *big.Int
	Moves     []Move
	// States is the number of positions found, and Layers how many there are at each
	// distance from the start. Whole reports whether these are all that can be
	// reached; if not, they are those up to the distance Length.
	States uint64
	Layers []uint64
	Whole  bool
}

// An Engine is a way to search. All give the same answers.
type Engine uint8

// The engines.
const (
	// NumbersEngine numbers all placements of the pieces, and keeps three bits for each. It
	// is the fastest.
	NumbersEngine Engine = iota
	// HashEngine keeps the positions that it finds, in a hash table; see HashBytes. It is for
	// puzzles with far more placements than can be reached.
	HashEngine
	// PlainEngine is SolvePlain.
	PlainEngine
)

// Engines is the number of engines.
const Engines = 3

var engineNames = [Engines]string{"numbers", "hash", statespace.PlainEngine}

func (e Engine) String() string {
	if e < Engines {
		return engineNames[e]
	}
	return fmt.Sprintf("Engine(%d)", uint8(e))
}

// ParseEngine returns the engine of a name, such as hash.
func ParseEngine(name string) (Engine, error) {
	if i := slices.Index(engineNames[:], name); i >= 0 {
		return Engine(i), nil
	}
	return 0, fmt.Errorf("unknown engine %.40q: expected %s", name, strings.Join(engineNames[:], ", "))
}

// Options say how to solve. The zero value is a search of all that can be reached.
type Options struct {
	// ToGoal stops at the end of the first layer with a goal.
	ToGoal bool
	Engine Engine
	// Memory bounds the bytes that are taken, about; 0 is no bound.
	Memory uint64
	// Threads is how many the NumbersEngine takes, 0 is 1. The others take one.
	Threads int
}

// ErrNoGoal says that a puzzle has no goal, so that there is nothing to stop at.
var ErrNoGoal = errors.New("the puzzle has no goal")

// A SizeError says that a puzzle takes more memory than is allowed.
type SizeError struct {
	Numbers uint64 // what would be numbered, or the positions found so far
	Depth   int    // the distance up to which there are positions so far
	Need    uint64 // bytes; 0: more than can be told
	Memory  uint64 // bytes allowed; 0: any
}

func (e *SizeError) Error() string {
	found := fmt.Sprintf("%d nodes of the numbering", e.Numbers)
	if e.Numbers == 0 {
		found = "nothing found"
	} else if e.Depth > 0 {
		found = fmt.Sprintf("%d positions, up to distance %d,", e.Numbers, e.Depth)
	}
	switch {
	case e.Need == 0 && e.Memory == 0:
		return fmt.Sprintf("too large: with %s there are as many as there can be", found)
	case e.Need == 0:
		return fmt.Sprintf("too large: with %s the %d bytes that are allowed are full", found, e.Memory)
	case e.Memory == 0:
		return fmt.Sprintf("too large: there are more placements than %d, which is the most that can be numbered", uint64(MaxPlacements))
	}
	return fmt.Sprintf("too large: %d placements take %d bytes, %d are allowed", e.Numbers, e.Need, e.Memory)
}

// Fits returns a *SizeError if the options do not allow to solve a puzzle in a metric. The
// engines that number nothing in advance are tried to find that out.
func Fits(p *Puzzle, m Metric, o Options) error {
	if o.Engine != NumbersEngine {
		return nil
	}
	_, err := newNumbering(p, m, o.Memory)
	return err
}

// plainBytes is about what the plain search takes for a position: its text, the entry
// in the map, the parent and the count.
const plainBytes = 250

// SolvePlain is Solve by the plain search: breadth-first, one position at a time, with
// a map of all positions found. It is kept simple on purpose; the fast search is held
// against it.
func SolvePlain(ctx context.Context, p *Puzzle, m Metric, o Options) (*Result, error) {
	if o.ToGoal && len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	type node struct {
		key    string
		parent int
		ways   *big.Int
	}
	start := p.Key(p.Start())
	nodes := []node{{start, -1, big.NewInt(1)}}
	number := map[string]int{start: 0}
	result := &Result{Metric: m, Solutions: new(big.Int)}
	last := -1 // a node at a goal, once there is one
	for first := 0; first < len(nodes); {
		end := len(nodes)
		result.Layers = append(result.Layers, uint64(end-first))
		for i := first; i < end && !result.Solved; i++ {
			if p.Solved(p.position(nodes[i].key)) {
				if last < 0 {
					last = i
				}
				result.Solutions.Add(result.Solutions, nodes[i].ways)
			}
		}
		if last >= 0 && !result.Solved {
			result.Solved = true
			result.Length = len(result.Layers) - 1
		}
		if result.Solved && o.ToGoal {
			break
		}
		for i := first; i < end; i++ {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if o.Memory > 0 && uint64(len(nodes))*plainBytes > o.Memory {
				return nil, &SizeError{Numbers: uint64(len(nodes)), Depth: len(result.Layers), Memory: o.Memory}
			}
			once := make(map[string]bool)
			for _, s := range p.successors(m, p.position(nodes[i].key)) {
				key := p.Key(s.pos)
				if once[key] {
					continue
				}
				once[key] = true
				n, seen := number[key]
				if !seen {
					n = len(nodes)
					number[key] = n
					nodes = append(nodes, node{key, i, new(big.Int)})
				}
				if n >= end {
					nodes[n].ways.Add(nodes[n].ways, nodes[i].ways)
				}
			}
			nodes[i].ways = nil
		}
		first = end
		result.Whole = first == len(nodes)
	}
	result.States = uint64(len(nodes))
	if result.Solved {
		var keys []string
		for i := last; i > 0; i = nodes[i].parent {
			keys = append(keys, nodes[i].key)
		}
		at := p.Start()
		for i := len(keys) - 1; i >= 0; i-- {
			var mv Move
			mv, at = p.moveTo(m, at, func(pos Position) bool { return p.Key(pos) == keys[i] })
			result.Moves = append(result.Moves, mv)
		}
	}
	return result, nil
}

// moveTo returns the first move that leads to a position that will do. There is one.
func (p *Puzzle) moveTo(m Metric, at Position, will func(pos Position) bool) (Move, Position) {
	for _, s := range p.successors(m, at) {
		if will(s.pos) {
			return p.move(s), s.pos
		}
	}
	panic("slide: no move leads on, though one was found") // the search found one
}
