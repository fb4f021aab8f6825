package slide

import (
	"cmp"
	"container/heap"
	"context"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"
)

// A network is a connected graph with a start and a goal. Parallel edges are different
// edges; there are no loops.
type network struct {
	first       []uint64 // where the neighbours of a vertex begin in to
	to          []uint32
	start, goal uint32
}

func (n *network) vertices() int { return len(n.first) - 1 }

func (n *network) neighbours(v uint32) []uint32 { return n.to[n.first[v]:n.first[v+1]] }

// newNetwork makes a network of edges; each is there once.
func newNetwork(vertices int, edges [][2]uint32, start, goal uint32) *network {
	n := &network{first: make([]uint64, vertices+1), to: make([]uint32, 2*len(edges)), start: start, goal: goal}
	for _, e := range edges {
		n.first[e[0]]++
		n.first[e[1]]++
	}
	for v := range vertices {
		n.first[v+1] += n.first[v]
	}
	// Each vertex has its end in first, and is filled from there down.
	for i := len(edges) - 1; i >= 0; i-- {
		a, b := edges[i][0], edges[i][1]
		n.first[a]--
		n.to[n.first[a]] = b
		n.first[b]--
		n.to[n.first[b]] = a
	}
	return n
}

// blocks returns the blocks of the network that every path from the start to the goal goes
// through, each with the vertices where such a path comes in and goes out, in order. A
// block is a largest part that does not fall apart when a vertex is taken away; a bridge is
// one of two vertices. A spanning tree of the network is one of each block, so that its
// path from start to goal is made of their paths.
func (n *network) blocks() []*network {
	// Depth first, as in R. Tarjan, Depth-first search and linear graph algorithms, 1972.
	size := n.vertices()
	order := make([]uint32, size) // when a vertex was seen, from 1 on
	low := make([]uint32, size)   // the first that those below it touch
	parent := make([]uint32, size)
	at := slices.Clone(n.first[:size])
	seen := make([]uint32, 1, size)
	v := n.start
	seen[0], order[v], low[v] = v, 1, 1
	for {
		if at[v] < n.first[v+1] {
			y := n.to[at[v]]
			at[v]++
			if order[y] == 0 {
				seen = append(seen, y)
				order[y] = uint32(len(seen))
				low[y] = order[y]
				parent[y] = v
				v = y
			} else {
				low[v] = min(low[v], order[y])
			}
			continue
		}
		if v == n.start {
			break
		}
		low[parent[v]] = min(low[parent[v]], low[v])
		v = parent[v]
	}

	// A block is known by the second of its vertices that was seen; its first is the parent.
	block := make([]uint32, size)
	for _, v := range seen[1:] {
		block[v] = v
		if low[v] < order[parent[v]] {
			block[v] = block[parent[v]]
		}
	}
	var way []*network
	numbered := make([]uint32, size) // 1 + where in way the block is, by its second vertex
	for v := n.goal; v != n.start; v = parent[block[v]] {
		way = append(way, new(network))
		numbered[block[v]] = uint32(len(way))
	}
	local := low // not needed any more: numbers in the block, where 0 is its first vertex
	count := make([]uint32, len(way))
	edges := make([][][2]uint32, len(way))
	for _, v := range seen[1:] {
		i := numbered[block[v]]
		if i == 0 {
			continue
		}
		count[i-1]++
		local[v] = count[i-1]
		// An edge is of the block of its later end.
		for _, y := range n.neighbours(v) {
			switch {
			case y == parent[block[v]]:
				edges[i-1] = append(edges[i-1], [2]uint32{0, local[v]})
			case order[y] < order[v]:
				edges[i-1] = append(edges[i-1], [2]uint32{local[y], local[v]})
			}
		}
	}
	for v, i := n.goal, 0; v != n.start; v, i = parent[block[v]], i+1 {
		way[i] = newNetwork(int(count[i])+1, edges[i], 0, local[v])
		edges[i] = nil
	}
	slices.Reverse(way)
	return way
}

// A factor tells of the forests of a part of a network. Some vertices of the part, its
// scope, are shared with the rest; all trees of a forest have one of these at least. The
// forests are sorted by which vertices of the scope they connect.
type factor struct {
	scope  []uint32
	states []forests
}

// forests are those that connect the same vertices of the scope: how many there are,
// and for each pair that they connect, in the order of pairs, the sum of the lengths of
// the paths between the two.
//
// Lengths add up along a path, and so the sums are all that is needed to put forests of two
// parts together: of the path from a to b in one part and on to c in the other, the sum over
// all pairs of forests is the first sum times the number of the others, plus the second
// times the number of the first.
type forests struct {
	part   partition
	count  big.Int
	length []big.Int
}

// A partition has four bits for each vertex of a scope, from the lowest on: the number
// of its tree, where trees are numbered in the order of their first vertices.
type partition uint64

// maxScope bounds a scope, by the bits of a partition.
const maxScope = 16

func (p partition) tree(i int) uint64 { return uint64(p) >> (4 * i) & 15 }

// pairs returns the pairs of places i < j in the same tree, in the order of forests.length. At
// tells where in another scope the vertices are.
func (p partition) pairs(at []int) [][2]int {
	var pairs [][2]int
	for j := range at {
		for i := range j {
			if p.tree(i) == p.tree(j) {
				pairs = append(pairs, [2]int{at[i], at[j]})
			}
		}
	}
	return pairs
}

// trees returns the sets of places in another scope that the trees take. At tells where
// there the vertices are.
func (p partition) trees(at []int) []uint16 {
	var sets []uint16
	for i, place := range at {
		t := int(p.tree(i))
		if t == len(sets) {
			sets = append(sets, 0)
		}
		sets[t] |= 1 << place
	}
	return sets
}

// edgeFactor is that of parallel edges.
func edgeFactor(a, b uint32, edges int64) *factor {
	f := &factor{scope: []uint32{min(a, b), max(a, b)}, states: make([]forests, 2)}
	f.states[0].part = 1 << 4 // apart
	f.states[0].count.SetInt64(1)
	f.states[1].count.SetInt64(edges)
	f.states[1].length = make([]big.Int, 1)
	f.states[1].length[0].SetInt64(edges)
	return f
}

// unitFactor is that of a part without vertices.
func unitFactor() *factor {
	f := &factor{states: make([]forests, 1)}
	f.states[0].count.SetInt64(1)
	return f
}

// join puts two parts together that have no edge in common. If inner is at least 0, it is a
// vertex that nothing else touches, and leaves the scope.
func join(ctx context.Context, f, g *factor, inner int64) (*factor, error) {
	scope := slices.Concat(f.scope, g.scope)
	slices.Sort(scope)
	scope = slices.Compact(scope)
	places := func(of []uint32) []int {
		at := make([]int, len(of))
		for i, v := range of {
			at[i], _ = slices.BinarySearch(scope, v)
		}
		return at
	}
	fAt, gAt := places(f.scope), places(g.scope)
	out := &factor{}
	var left []int // places that stay
	innerBit := uint16(0)
	for i, v := range scope {
		if int64(v) == inner {
			innerBit = 1 << i
			continue
		}
		out.scope = append(out.scope, v)
		left = append(left, i)
	}
	others := make([][]uint16, len(g.states)) // trees with two vertices at least
	otherPairs := make([][][2]int, len(g.states))
	for i := range g.states {
		for _, tree := range g.states[i].part.trees(gAt) {
			if tree&(tree-1) != 0 {
				others[i] = append(others[i], tree)
			}
		}
		otherPairs[i] = g.states[i].part.pairs(gAt)
	}
	number := make(map[partition]int)
	var pairs [][][2]int                      // of the states
	var way, step [maxScope][maxScope]big.Int // sums of lengths, both triangles
	var sum big.Int
	trees := make([]uint16, 0, maxScope)
	for i := range f.states {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		a := &f.states[i]
		own, ownPairs := a.part.trees(fAt), a.part.pairs(fAt)
		covered := uint16(0)
		for _, tree := range own {
			covered |= tree
		}
		for place := range scope {
			if covered>>place&1 == 0 {
				own = append(own, 1<<place)
			}
		}
		for k := range g.states {
			b := &g.states[k]
			if !merge(append(trees[:0], own...), others[k], innerBit) {
				continue
			}
			// The same with lengths.
			for pair, at := range ownPairs {
				w := way[at[0]][at[1]].Mul(&a.length[pair], &b.count)
				way[at[1]][at[0]].Set(w)
			}
			for pair, at := range otherPairs[k] {
				w := step[at[0]][at[1]].Mul(&b.length[pair], &a.count)
				step[at[1]][at[0]].Set(w)
			}
			trees = append(trees[:0], own...)
			for _, tree := range others[k] {
				trees = connect(trees, tree, &way, &step)
			}
			part := partitionOf(trees, left)
			n, ok := number[part]
			if !ok {
				n = len(out.states)
				number[part] = n
				pairs = append(pairs, part.pairs(left))
				out.states = append(out.states, forests{part: part, length: make([]big.Int, len(pairs[n]))})
			}
			s := &out.states[n]
			s.count.Add(&s.count, sum.Mul(&a.count, &b.count))
			for pair, at := range pairs[n] {
				s.length[pair].Add(&s.length[pair], &way[at[0]][at[1]])
			}
		}
	}
	return out, nil
}

// partitionOf tells how trees part the vertices at some places.
func partitionOf(trees []uint16, at []int) partition {
	var of, number [maxScope]int // the tree at a place, and 1 + its number
	for t, tree := range trees {
		for ; tree != 0; tree &= tree - 1 {
			of[bits.TrailingZeros16(tree)] = t
		}
	}
	var part partition
	count := 0
	for i, place := range at {
		n := &number[of[place]]
		if *n == 0 {
			count++
			*n = count
		}
		part |= partition(*n-1) << (4 * i)
	}
	return part
}

// merge reports whether trees can be connected by others without a cycle, and without
// leaving the inner vertex on its own.
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

// connect connects trees by another, and fills in the lengths of the new ways.
func connect(trees []uint16, by uint16, way, step *[maxScope][maxScope]big.Int) []uint16 {
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
					w := &way[u][v]
					w.Add(&way[u][a], &step[a][b])
					w.Add(w, &way[b][v])
					way[v][u].Set(w)
				}
			}
		}
	}
	return append(rest, all)
}

// A plan is an order in which to take the inner vertices out of a network, one by one.
type plan struct {
	order []uint32
	near  []int // how many neighbours each has when it is taken out
	width int   // the most of these
}

// work is about how long it takes to take all out, in some unit.
func (p *plan) work() int64 {
	work := int64(0)
	for _, n := range p.near {
		work += 1 << (3 * n)
	}
	return work
}

// newPlan makes a plan: next is always a vertex of which the fewest pairs of neighbours are
// to be made neighbours, which they are when it is out. It reports false if some vertex has
// more neighbours than allowed.
func (n *network) newPlan(ctx context.Context, width int) (*plan, bool, error) {
	near := make([][]uint32, n.vertices())
	for v := range near {
		near[v] = slices.Clone(n.neighbours(uint32(v)))
		slices.Sort(near[v])
		near[v] = slices.Compact(near[v])
	}
	missing := func(v uint32) int {
		count := 0
		for i, a := range near[v] {
			for _, b := range near[v][:i] {
				if _, ok := slices.BinarySearch(near[a], b); !ok {
					count++
				}
			}
		}
		return count
	}
	p := new(plan)
	var queue eliminations
	now := make([]elimination, n.vertices()) // what holds of those in the queue
	add := func(v uint32) {
		if v == n.start || v == n.goal {
			return
		}
		e := elimination{v: v, near: len(near[v]), missing: -1}
		if e.near <= width {
			e.missing = missing(v)
		}
		if e != now[v] {
			now[v] = e
			if e.missing >= 0 {
				heap.Push(&queue, e)
			}
		}
	}
	for v := range near {
		add(uint32(v))
	}
	for len(p.order) < n.vertices()-2 {
		if len(p.order)%256 == 0 && ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		if len(queue) == 0 {
			return nil, false, nil
		}
		e := heap.Pop(&queue).(elimination)
		if e != now[e.v] {
			continue
		}
		now[e.v] = elimination{}
		p.order = append(p.order, e.v)
		p.near = append(p.near, e.near)
		p.width = max(p.width, e.near)
		changed := slices.Clone(near[e.v])
		for _, a := range near[e.v] {
			own := slices.Concat(near[a], near[e.v])
			slices.Sort(own)
			own = slices.Compact(own)
			near[a] = slices.DeleteFunc(own, func(b uint32) bool { return b == a || b == e.v })
			changed = append(changed, near[a]...)
		}
		slices.Sort(changed)
		for _, a := range slices.Compact(changed) {
			add(a)
		}
	}
	return p, true, nil
}

// An elimination is a vertex that may be taken out next: how many neighbours it has, and
// how many pairs of them are no neighbours yet; -1 if there are too many neighbours.
type elimination struct {
	v             uint32
	near, missing int
}

type eliminations []elimination

func (q eliminations) Len() int      { return len(q) }
func (q eliminations) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q eliminations) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(a.missing, b.missing), cmp.Compare(a.near, b.near), cmp.Compare(a.v, b.v)) < 0
}
func (q *eliminations) Push(e any) { *q = append(*q, e.(elimination)) }
func (q *eliminations) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}

// treePaths counts the spanning trees of a network, and adds up the lengths of their paths
// from start to goal. It takes vertices out in the order of the plan, and puts together the
// parts that touch each: variable elimination, of which the states are partitions of a few
// vertices. Done counts the work.
func (n *network) treePaths(ctx context.Context, p *plan, done *atomic.Int64) (trees, length *big.Int, err error) {
	touching := make([][]*factor, n.vertices())
	put := func(f *factor) {
		for _, v := range f.scope {
			touching[v] = append(touching[v], f)
		}
	}
	for v := range uint32(n.vertices()) {
		near := slices.Clone(n.neighbours(v))
		slices.Sort(near)
		for i, j := 0, 0; i < len(near); i = j {
			for j = i; j < len(near) && near[j] == near[i]; j++ {
			}
			if near[i] > v {
				put(edgeFactor(v, near[i], int64(j-i)))
			}
		}
	}
	// all puts all that touches a vertex together.
	all := func(v uint32, inner int64) (*factor, error) {
		parts := touching[v]
		slices.SortStableFunc(parts, func(a, b *factor) int { return cmp.Compare(len(a.states), len(b.states)) })
		f := unitFactor()
		for i, g := range parts {
			for _, u := range g.scope {
				touching[u] = slices.DeleteFunc(slices.Clone(touching[u]), func(other *factor) bool { return other == g })
			}
			leaves := int64(-1)
			if i == len(parts)-1 {
				leaves = inner
			}
			var err error
			if f, err = join(ctx, f, g, leaves); err != nil {
				return nil, err
			}
		}
		return f, nil
	}
	for i, v := range p.order {
		f, err := all(v, int64(v))
		if err != nil {
			return nil, nil, err
		}
		put(f)
		done.Add(1 << (3 * p.near[i]))
	}
	f, err := all(n.start, -1)
	if err != nil {
		return nil, nil, err
	}
	put(f)
	if f, err = all(n.goal, -1); err != nil {
		return nil, nil, err
	}
	for i := range f.states {
		if s := &f.states[i]; s.part == 0 { // together
			return &s.count, &s.length[0], nil
		}
	}
	return new(big.Int), new(big.Int), nil
}
