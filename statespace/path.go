package statespace

import "errors"

// A Step is a move of a path and the state that it leads to.
type Step struct {
	Move  int // its number, or AnyMove
	State Index
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
