package trees

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"sync/atomic"
)

// eliminate counts the spanning trees of a network, and adds up the lengths of their paths. It
// eliminates the vertices in the order of a plan: it joins all factors that touch a vertex, and
// the vertex leaves the scope. done counts the work, in the unit of plan.work.
func (n *Network) eliminate(ctx context.Context, p *plan, done *atomic.Int64) (trees, length *big.Int, err error) {
	all := n.edgeFactors()
	for i, v := range p.order {
		f, err := all.take(ctx, v, int64(v))
		if err != nil {
			return nil, nil, err
		}
		all.put(f)
		done.Add(stepWork(p.near[i]))
	}
	// Now only the start and the goal are left.
	f, err := all.take(ctx, n.start, -1)
	if err != nil {
		return nil, nil, err
	}
	all.put(f)
	if f, err = all.take(ctx, n.goal, -1); err != nil {
		return nil, nil, err
	}
	for i := range f.states {
		if s := &f.states[i]; s.part == 0 { // connected
			return &s.count, &s.length[0], nil
		}
	}
	return new(big.Int), new(big.Int), nil
}

// factors are those that touch each vertex.
type factors [][]*factor

// edgeFactors returns a factor for each pair of neighbours.
func (n *Network) edgeFactors() factors {
	all := make(factors, n.Vertices())
	for v := range uint32(n.Vertices()) {
		near := slices.Clone(n.neighbours(v))
		slices.Sort(near)
		for i, j := 0, 0; i < len(near); i = j {
			for j = i; j < len(near) && near[j] == near[i]; j++ {
			}
			if near[i] > v {
				all.put(edgeFactor(v, near[i], int64(j-i)))
			}
		}
	}
	return all
}

// put adds a factor.
func (all factors) put(f *factor) {
	for _, v := range f.scope {
		all[v] = append(all[v], f)
	}
}

// take removes the factors that touch a vertex, and joins them. If inner is not negative, this
// vertex leaves the scope.
func (all factors) take(ctx context.Context, v uint32, inner int64) (*factor, error) {
	touching := all[v]
	slices.SortStableFunc(touching, func(a, b *factor) int { return cmp.Compare(len(a.states), len(b.states)) })
	f := unitFactor()
	for i, g := range touching {
		for _, u := range g.scope {
			all[u] = slices.DeleteFunc(slices.Clone(all[u]), func(other *factor) bool { return other == g })
		}
		leaves := int64(-1)
		if i == len(touching)-1 {
			leaves = inner
		}
		var err error
		if f, err = join(ctx, f, g, leaves); err != nil {
			return nil, err
		}
	}
	return f, nil
}
