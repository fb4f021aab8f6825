package statespace

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"pagoda/internal/mapped"
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

// A Way is a sequence of moves that leads from one state to another.
type Way struct {
	From  Index
	Steps []Step
}

// Path returns a way from a root to a member of the set of states that can be
// reached, by way of members. No table is needed: of the moves that lead to a
// member, those made in a member will do. This takes layers that every move changes
// in the same direction, or it might walk in a circle.
func Path(sp Layered, member Member, to Index) (way Way, err error) {
	for way, err = range Ways(sp, member, to) {
		break
	}
	return way, err
}

// Ways yields all ways from the roots to a member of the set of states that can be
// reached, by way of members. They come in no particular order; an error is the last
// thing that is yielded.
func Ways(sp Layered, member Member, to Index) iter.Seq2[Way, error] {
	return func(yield func(Way, error) bool) {
		roots := sp.Roots()
		var back []Step // from the end
		var walk func(x Index) (more bool, err error)
		walk = func(x Index) (bool, error) {
			if slices.Contains(roots, x) {
				steps := slices.Clone(back)
				slices.Reverse(steps)
				return yield(Way{x, steps}, nil), nil
			}
			found := false
			for _, e := range sp.Predecessors(nil, x) {
				ok, err := member(e.To)
				if err != nil {
					return false, err
				}
				if !ok {
					continue
				}
				found = true
				back = append(back, Step{e.Move, x})
				more, err := walk(e.To)
				back = back[:len(back)-1]
				if !more || err != nil {
					return false, err
				}
			}
			if !found {
				return false, fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
			}
			return true, nil
		}
		if err := mapped.Guard(func() error { _, err := walk(to); return err }); err != nil {
			yield(Way{}, err)
		}
	}
}
