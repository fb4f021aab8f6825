package trees

import (
	"context"
	"math/big"
	"math/bits"
	"slices"
)

// join joins two factors that have no edge in common. If inner is not negative, it is a vertex
// that no other factor touches, and leaves the scope.
func join(ctx context.Context, f, g *factor, inner int64) (*factor, error) {
	j := newJoiner(f, g, inner)
	for i := range f.states {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		j.join(&f.states[i])
	}
	return &j.out, nil
}

// A joiner joins the forests of two factors. A tree is a set of places in the scope of both
// together.
type joiner struct {
	places int   // of the scope
	stay   []int // the places that stay in the scope
	inner  uint16
	at     []int // the places of the first factor

	second []forests
	trees  [][]uint16 // by state of the second factor: its trees with at least two vertices
	pairs  [][][2]int // by state of the second factor

	out      factor
	number   map[partition]int
	outPairs [][][2]int // by state of the result

	// The sums of lengths between two places, both ways: of the forest so far, and of the second
	// factor.
	length, step [maxScope][maxScope]big.Int
	product      big.Int
	scratch      []uint16
}

func newJoiner(f, g *factor, inner int64) *joiner {
	scope := sorted(slices.Concat(f.scope, g.scope))
	places := func(of []uint32) []int {
		at := make([]int, len(of))
		for i, v := range of {
			at[i], _ = slices.BinarySearch(scope, v)
		}
		return at
	}
	j := &joiner{places: len(scope), at: places(f.scope), second: g.states, number: make(map[partition]int), scratch: make([]uint16, 0, maxScope)}
	for i, v := range scope {
		if int64(v) == inner {
			j.inner = 1 << i
			continue
		}
		j.out.scope = append(j.out.scope, v)
		j.stay = append(j.stay, i)
	}
	at := places(g.scope)
	j.trees = make([][]uint16, len(g.states))
	j.pairs = make([][][2]int, len(g.states))
	for i := range g.states {
		for _, tree := range g.states[i].part.trees(at) {
			if tree&(tree-1) != 0 {
				j.trees[i] = append(j.trees[i], tree)
			}
		}
		j.pairs[i] = g.states[i].part.pairs(at)
	}
	return j
}

// join joins a state of the first factor with all states of the second.
func (j *joiner) join(a *forests) {
	own, ownPairs := a.part.trees(j.at), a.part.pairs(j.at)
	covered := uint16(0)
	for _, tree := range own {
		covered |= tree
	}
	for place := range j.places {
		if covered>>place&1 == 0 {
			own = append(own, 1<<place)
		}
	}
	for k := range j.second {
		b := &j.second[k]
		if !merge(append(j.scratch[:0], own...), j.trees[k], j.inner) {
			continue
		}
		// The same with lengths.
		for pair, at := range ownPairs {
			w := j.length[at[0]][at[1]].Mul(&a.length[pair], &b.count)
			j.length[at[1]][at[0]].Set(w)
		}
		for pair, at := range j.pairs[k] {
			w := j.step[at[0]][at[1]].Mul(&b.length[pair], &a.count)
			j.step[at[1]][at[0]].Set(w)
		}
		trees := append(j.scratch[:0], own...)
		for _, tree := range j.trees[k] {
			trees = j.connect(trees, tree)
		}
		part := partitionOf(trees, j.stay)
		n, ok := j.number[part]
		if !ok {
			n = len(j.out.states)
			j.number[part] = n
			j.outPairs = append(j.outPairs, part.pairs(j.stay))
			j.out.states = append(j.out.states, forests{part: part, length: make([]big.Int, len(j.outPairs[n]))})
		}
		s := &j.out.states[n]
		s.count.Add(&s.count, j.product.Mul(&a.count, &b.count))
		for pair, at := range j.outPairs[n] {
			s.length[pair].Add(&s.length[pair], &j.length[at[0]][at[1]])
		}
	}
}

// merge reports whether trees can be connected by other trees without a cycle, and without
// leaving the inner vertex alone.
func merge(trees, others []uint16, inner uint16) bool {
	for _, by := range others {
		all := by
		rest := trees[:0]
		for _, tree := range trees {
			switch common := tree & by; {
			case common == 0:
				rest = append(rest, tree)
			case common&(common-1) != 0:
				return false
			default:
				all |= tree
			}
		}
		trees = append(rest, all)
	}
	return inner == 0 || !slices.Contains(trees, inner)
}

// connect connects trees by another one, and sets the lengths of the new paths.
func (j *joiner) connect(trees []uint16, by uint16) []uint16 {
	var joined [maxScope]uint16
	n := 0
	rest := trees[:0]
	for _, tree := range trees {
		if tree&by == 0 {
			rest = append(rest, tree)
			continue
		}
		joined[n] = tree
		n++
	}
	all := uint16(0)
	for i, tree := range joined[:n] {
		all |= tree
		a := bits.TrailingZeros16(tree & by)
		for _, other := range joined[:i] {
			b := bits.TrailingZeros16(other & by)
			for us := tree; us != 0; us &= us - 1 {
				u := bits.TrailingZeros16(us)
				for vs := other; vs != 0; vs &= vs - 1 {
					v := bits.TrailingZeros16(vs)
					w := &j.length[u][v]
					w.Add(&j.length[u][a], &j.step[a][b])
					w.Add(w, &j.length[b][v])
					j.length[v][u].Set(w)
				}
			}
		}
	}
	return append(rest, all)
}
