package bfs

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A ValuedGraph is a space with values, with the distances of its states, whole, and what is kept of them.
type ValuedGraph struct {
	Space     statespace.Space
	Distances Distances
	// Get puts the numbers that are kept of a state into dst.
	Get func(dst []uint64, x uint64) error

	isRoot func(x uint64) bool // nil until it is needed
}

// best returns the moves with which best paths to a state end. There are none to a root. One goroutine
// may use it.
func (g *ValuedGraph) best(x uint64) (edges []statespace.Edge, err error) {
	entry, err := g.Distances.At(x)
	if err != nil {
		return nil, err
	}
	if entry == 1 {
		if g.isRoot == nil {
			g.isRoot = rootsOf(g.Space)
		}
		if g.isRoot(x) {
			return nil, nil
		}
	}
	if entry <= 1 {
		return nil, errNoPath(g.Space, x)
	}
	kept := g.Space.Parts().Values
	values := make([]uint64, len(kept.Columns))
	edges = kept.Best(nil, x, func(y uint64) []uint64 {
		e, failed := g.Distances.At(y)
		if failed == nil && e == entry-1 && e != 0 {
			failed = g.Get(values, y)
		}
		if failed != nil {
			err = failed
		}
		if failed != nil || e != entry-1 || e == 0 {
			return nil
		}
		return values
	})
	if len(edges) == 0 && err == nil {
		err = errNoPath(g.Space, x)
	}
	return edges, err
}

// BestPath returns the first of the best paths from a root to a state: see BestPaths.All.
func (g *ValuedGraph) BestPath(to uint64) (path statespace.Path, err error) {
	for path, err = range (&BestPaths{graph: g, to: to}).All() {
		break
	}
	return path, err
}

// BestPaths are all best paths from the roots to a state. They differ if they differ in a move. One
// goroutine may use them.
type BestPaths struct {
	graph  *ValuedGraph
	to     uint64
	counts map[uint64]*big.Int // paths to each state on them
}

// FindBest finds all best paths to a state. It keeps the states on these paths in memory. The error is
// statespace.ErrMemory if they take more than memory bytes; if memory is 0, there is no bound. It is
// statespace.ErrNoPath if the state is not reached, or if the distances are wrong. When ctx ends,
// FindBest stops soon and returns the cause.
func FindBest(ctx context.Context, g *ValuedGraph, to uint64, memory uint64) (*BestPaths, error) {
	b := &BestPaths{g, to, make(map[uint64]*big.Int)}
	return b, mapped.Guard(func() error { return b.count(ctx, to, memory) })
}

func (b *BestPaths) count(ctx context.Context, x, memory uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	edges, err := b.graph.best(x)
	if err != nil {
		return err
	}
	n := new(big.Int)
	if len(edges) == 0 {
		n.SetUint64(1)
	}
	for _, e := range edges {
		if b.counts[e.To] == nil {
			if err := b.count(ctx, e.To, memory); err != nil {
				return err
			}
		}
		n.Add(n, b.counts[e.To])
	}
	b.counts[x] = n
	if states := uint64(len(b.counts)); memory > 0 && states*onPathBytes > memory {
		return fmt.Errorf("%w: more than %d states lie on the paths, of about %d bytes each; %d bytes are allowed", statespace.ErrMemory, states, onPathBytes, memory)
	}
	return nil
}

// Total returns how many paths there are.
func (b *BestPaths) Total() *big.Int { return new(big.Int).Set(b.counts[b.to]) }

// All yields the paths. Their order is that of Best, from the end of the paths. After an error All
// yields nothing else.
func (b *BestPaths) All() iter.Seq2[statespace.Path, error] {
	return mapped.List(func(yield func(statespace.Path) bool) error {
		var back []statespace.Step // from the end
		var walk func(x uint64) (more bool, err error)
		walk = func(x uint64) (bool, error) {
			edges, err := b.graph.best(x)
			if err != nil {
				return false, err
			}
			if len(edges) == 0 {
				return yield(pathOf(x, back)), nil
			}
			for _, e := range edges {
				back = append(back, statespace.Step{Move: e.Move, State: x})
				more, err := walk(e.To)
				back = back[:len(back)-1]
				if !more || err != nil {
					return false, err
				}
			}
			return true, nil
		}
		_, err := walk(b.to)
		return err
	})
}

// pathOf returns the path from a root whose steps are given from the end.
func pathOf(root uint64, back []statespace.Step) statespace.Path {
	steps := slices.Clone(back)
	slices.Reverse(steps)
	return statespace.Path{From: root, Steps: steps}
}

// Random draws one of the paths. Each is as likely as any other.
func (b *BestPaths) Random(rng *rand.Rand) (path statespace.Path, err error) {
	err = mapped.Guard(func() error {
		var back []statespace.Step
		x := b.to
		for {
			edges, err := b.graph.best(x)
			if err != nil {
				return err
			}
			if len(edges) == 0 {
				path = pathOf(x, back)
				return nil
			}
			i := statespace.Draw(rng, len(edges), func(i int) *big.Int { return b.counts[edges[i].To] })
			back = append(back, statespace.Step{Move: edges[i].Move, State: x})
			x = edges[i].To
		}
	})
	return path, err
}
