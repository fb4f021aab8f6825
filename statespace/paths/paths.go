// Package paths finds paths in a layered space, from its roots to a state: one path, all paths, a
// random one, one with the fewest moves of a piece, and how many paths there are.
//
// All it needs is the set of the states that can be reached. Every move leads from layer to layer
// in the same direction, so moves back through members of the set cannot go round in a circle,
// and end at a root. In other spaces distances are needed: see package bfs.
//
// Find and All walk back from the state and need no memory. CountWays counts paths from the roots, to
// some states or to all. For the others, Between makes the set of the states on the paths, and Count
// and FewestMoves keep a table for them.
package paths

import (
	"fmt"
	"iter"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A Member reports whether a state is a member of a set. An error says that the set cannot be
// read.
type Member func(x statespace.Index) (bool, error)

// Find returns a path from a root to a member of a set of what the roots reach: the first one
// of All. The error is statespace.ErrNoPath if there is none.
func Find(sp statespace.Space, member Member, to statespace.Index) (path statespace.Path, err error) {
	for path, err = range All(sp, member, to) {
		break
	}
	return path, err
}

// All yields all paths from the roots to a member of a set of what the roots reach. Their order
// is that of Predecessors, from the end of the paths. After an error All yields nothing else.
// The error is statespace.ErrNoPath if no path through members leads to a state on the way.
func All(sp statespace.Space, member Member, to statespace.Index) iter.Seq2[statespace.Path, error] {
	return mapped.List(func(yield func(statespace.Path) bool) error {
		roots := sp.Roots()
		var back []statespace.Step // from the end
		var walk func(x statespace.Index) (more bool, err error)
		walk = func(x statespace.Index) (bool, error) {
			found := slices.Contains(roots, x)
			if found {
				steps := slices.Clone(back)
				slices.Reverse(steps)
				if !yield(statespace.Path{From: x, Steps: steps}) {
					return false, nil
				}
			}
			for _, e := range sp.Predecessors(nil, x) { // also those of a root: moves may lead from another one
				ok, err := member(e.To)
				if err != nil {
					return false, err
				}
				if !ok {
					continue
				}
				found = true
				back = append(back, statespace.Step{Move: e.Move, State: x})
				more, err := walk(e.To)
				back = back[:len(back)-1]
				if !more || err != nil {
					return false, err
				}
			}
			if !found {
				return false, fmt.Errorf("%s: %w", sp.Format(x), statespace.ErrNoPath)
			}
			return true, nil
		}
		_, err := walk(to)
		return err
	})
}
