package bfs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Distances say how far states are from the roots: whole, or modulo 3.
type Distances struct {
	// Whole says that the entry of a state is its distance plus 1. If not, the entry is its
	// Mark, and moves change the distance by one at most.
	Whole bool
	// At returns the entry of a number. It is 0 if the state is not reached. An error says
	// that the entry cannot be read.
	At func(x uint64) (uint16, error)
}

// FindsWhole reports whether searches of a space find whole distances: because there are moves that
// cannot be taken back, or because values follow from them.
func FindsWhole(sp statespace.Space) bool {
	p := sp.Parts()
	return p.Values.Any() || !p.Undirected
}

// Marked returns the distances modulo 3 that marks give.
func Marked(marks *bitset.Planes) Distances {
	return Distances{At: func(x uint64) (uint16, error) { return uint16(marks.Get(x)), nil }}
}

// IsAt reports whether a state has the entry of a distance.
func (d Distances) IsAt(x uint64, distance int) (bool, error) {
	e, err := d.At(x)
	if d.Whole {
		return int(e) == distance+1, err
	}
	return e == uint16(Mark(distance)), err
}

// before returns the entry of the distance before that of an entry.
func (d Distances) before(entry uint16) uint16 {
	if d.Whole {
		return entry - 1
	}
	return markBefore(entry)
}

// Before reports whether state y is one move nearer to the roots than x. If the distances are
// not whole, y must be at most one move nearer or farther. Before is false if an entry cannot
// be read.
func (d Distances) Before(y, x uint64) bool {
	e, err := d.At(x)
	f, err2 := d.At(y)
	return err == nil && err2 == nil && e != 0 && f != 0 && f == d.before(e)
}

// A Lister appends the neighbours of a state in one direction: the states to which moves lead
// from it, or those from which moves lead to it. A state may come several times, in any order.
// One goroutine may use it.
type Lister func(dst []uint64, x uint64) []uint64

// forward lists the states to which moves lead.
func forward(g statespace.Graph) Lister {
	e := g.NewExpander()
	return func(dst []uint64, x uint64) []uint64 { return e.Expand(dst, x&^63, 1<<(x&63), nil) }
}

// backward lists the states from which moves lead to a state.
func backward(sp statespace.Space) Lister {
	if g := Of(sp); g.Undirected {
		return forward(g)
	}
	return predecessors(sp)
}

// predecessors lists the states from which moves lead to a state one by one.
func predecessors(sp statespace.Space) Lister {
	var edges []statespace.Edge
	return func(dst []uint64, x uint64) []uint64 {
		edges = sp.Predecessors(edges[:0], x)
		for _, e := range edges {
			dst = append(dst, e.To)
		}
		return dst
	}
}

// rootsOf returns a function that reports whether a state is a root.
func rootsOf(sp statespace.Space) func(x uint64) bool {
	roots := slices.Sorted(slices.Values(sp.Roots()))
	return func(x uint64) bool {
		_, ok := slices.BinarySearch(roots, x)
		return ok
	}
}

// errNoPath is the error for distances that do not lead back from a state to a root.
func errNoPath(sp statespace.Space, x uint64) error {
	return fmt.Errorf("%s: %w", sp.Format(x), statespace.ErrNoPath)
}

// ShortestPath returns a shortest path from a root to a state. It follows the distances back,
// and takes the least number where it has a choice. The error is statespace.ErrNoPath if the
// state is not reached, if it is farther than most moves, or if the distances are wrong.
func ShortestPath(sp statespace.Space, distances Distances, to uint64, most int) (path statespace.Path, err error) {
	err = mapped.Guard(func() error {
		path, err = shortestPath(sp, distances, to, most)
		return err
	})
	return path, err
}

func shortestPath(sp statespace.Space, distances Distances, to uint64, most int) (path statespace.Path, err error) {
	isRoot, back := rootsOf(sp), backward(sp)
	x := to
	entry, err := distances.At(x)
	if err != nil {
		return path, err
	}
	var neighbours []uint64
	for !isRoot(x) {
		if len(path.Steps) >= most || entry == 0 {
			return path, errNoPath(sp, to)
		}
		before := distances.before(entry)
		neighbours = back(neighbours[:0], x)
		slices.Sort(neighbours)
		var failed error
		i := slices.IndexFunc(neighbours, func(y uint64) bool {
			e, err := distances.At(y)
			failed = errors.Join(failed, err)
			return err == nil && e == before
		})
		switch {
		case failed != nil:
			return path, failed
		case i < 0:
			return path, errNoPath(sp, x)
		}
		path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: x})
		x, entry = neighbours[i], before
	}
	if first, err := distances.IsAt(x, 0); !first || err != nil {
		return path, cmp.Or(err, errNoPath(sp, x))
	}
	path.From = x
	slices.Reverse(path.Steps)
	return path, nil
}
