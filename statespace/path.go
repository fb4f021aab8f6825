package statespace

import (
	"errors"
	"slices"
)

// A Step is a move of a path and the state that it leads to.
type Step struct {
	Move  int // its number, or AnyMove
	State Index
}

// In returns the place of the first of some edges that is the move of the step, or -1.
func (s Step) In(edges []Edge) int {
	return slices.IndexFunc(edges, func(e Edge) bool { return e.To == s.State && (s.Move == AnyMove || s.Move == e.Move) })
}

// AnyMove is the Move of a step for which only the states before and after it count.
const AnyMove = -1

// ErrNoPath is the error if no path through members leads from a root to a state. Either the
// state cannot be reached, or the set is not what the roots reach.
var ErrNoPath = errors.New("no member leads to it")

// A Path is a sequence of moves that leads from one state to another.
type Path struct {
	From  Index
	Steps []Step
}

// Reversed returns the path from its last state to its first.
func (p Path) Reversed() (back Path) {
	back.From = p.From
	for _, step := range p.Steps {
		back.Steps = append(back.Steps, Step{step.Move, back.From})
		back.From = step.State
	}
	slices.Reverse(back.Steps)
	return back
}
