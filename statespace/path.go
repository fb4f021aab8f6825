package statespace

import (
	"errors"
	"fmt"
	"slices"
)

// A Member reports whether a state is a member of a set. The error says that the
// set could not be read.
type Member func(x Index) (bool, error)

// A Step is a move of a path and the state that it leads to.
type Step struct {
	Move  int
	State Index
}

// ErrNoPath says that a member of a set cannot have been reached by way of other
// members: the set is not what its roots reach.
var ErrNoPath = errors.New("no member leads to it")

// Path returns a root and moves that lead from it to a member of the set of states
// that can be reached, by way of members. No table is needed: of the moves that
// lead to a member, those made in a member will do. This takes layers that every
// move changes in the same direction, or it might walk in a circle.
func Path(sp Layered, member Member, to Index) (root Index, steps []Step, err error) {
	roots := sp.Roots()
	var edges []Edge
	for x := to; ; {
		if slices.Contains(roots, x) {
			slices.Reverse(steps)
			return x, steps, nil
		}
		edges = sp.Predecessors(edges[:0], x)
		from := -1
		for i, e := range edges {
			ok, err := member(e.To)
			if err != nil {
				return 0, nil, err
			}
			if ok {
				from = i
				break
			}
		}
		if from < 0 {
			return 0, nil, fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
		}
		steps = append(steps, Step{edges[from].Move, x})
		x = edges[from].To
	}
}
