package trees

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"pagoda/internal/lists"
)

// A plan is an order in which the vertices of a network are eliminated, without the start and the
// goal.
type plan struct {
	order []uint32
	near  []int // how many neighbours each vertex has when it is eliminated
	width int   // the greatest of these
}

// work returns about how long the elimination takes, in some unit.
func (p *plan) work() int64 {
	return lists.SumOf(p.near, func(n int) int64 { return stepWork(n) })
}

// stepWork returns about how long it takes to eliminate a vertex with that many neighbours.
func stepWork(near int) int64 { return 1 << (3 * near) }

// newPlan makes a plan of at most a width, or returns nil if it finds none. The neighbours of an
// eliminated vertex become neighbours of each other. The next vertex is always one for which the
// fewest pairs of neighbours are not neighbours yet.
func (n *Network) newPlan(ctx context.Context, width int) (*plan, error) {
	b := planner{network: n, width: width, near: make([][]uint32, n.Vertices()), now: make([]elimination, n.Vertices())}
	for v := range b.near {
		b.near[v] = sorted(n.neighbours(uint32(v)))
	}
	for v := range b.near {
		b.update(uint32(v))
	}
	p := new(plan)
	for len(p.order) < n.Vertices()-2 {
		if len(p.order)%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(b.queue) == 0 {
			return nil, nil
		}
		e := heap.Pop(&b.queue).(elimination)
		if e != b.now[e.v] {
			continue // it has been updated since
		}
		p.order = append(p.order, e.v)
		p.near = append(p.near, e.near)
		p.width = max(p.width, e.near)
		b.eliminate(e.v)
	}
	return p, nil
}

// A planner is the state of newPlan.
type planner struct {
	network *Network
	width   int
	near    [][]uint32 // the neighbours of each vertex, each once, in order
	queue   eliminations
	now     []elimination // by vertex: the one in the queue that counts
}

// An elimination is a vertex that may be eliminated next. It has the number of its neighbours,
// and the number of pairs of them that are not neighbours yet, or -1 if it has too many.
type elimination struct {
	v             uint32
	near, missing int
}

// update puts a vertex into the queue if it has changed.
func (b *planner) update(v uint32) {
	if v == b.network.start || v == b.network.goal {
		return
	}
	e := elimination{v: v, near: len(b.near[v]), missing: -1}
	if e.near <= b.width {
		e.missing = b.missing(v)
	}
	if e != b.now[v] {
		b.now[v] = e
		if e.missing >= 0 {
			heap.Push(&b.queue, e)
		}
	}
}

// sorted returns each of some vertices once, in order.
func sorted(vertices []uint32) []uint32 {
	return slices.Compact(slices.Sorted(slices.Values(vertices)))
}

// missing returns how many pairs of neighbours of a vertex are not neighbours.
func (b *planner) missing(v uint32) int {
	count := 0
	for i, x := range b.near[v] {
		for _, y := range b.near[v][:i] {
			if _, ok := slices.BinarySearch(b.near[x], y); !ok {
				count++
			}
		}
	}
	return count
}

// eliminate takes a vertex out.
func (b *planner) eliminate(v uint32) {
	b.now[v] = elimination{}
	changed := slices.Clone(b.near[v])
	for _, x := range b.near[v] {
		own := sorted(slices.Concat(b.near[x], b.near[v]))
		b.near[x] = slices.DeleteFunc(own, func(y uint32) bool { return y == x || y == v })
		changed = append(changed, b.near[x]...)
	}
	for _, x := range sorted(changed) {
		b.update(x)
	}
}

// eliminations is a heap.Interface.
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
