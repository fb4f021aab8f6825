package packing

import "context"

// A Descent goes to the placements of low cost. The cost of a placement is the sum of the costs
// of what its cells have in them.
type Descent struct {
	pk    *Packing
	place [][]uint64 // by choice and first cell: what the choice costs
	rest  []uint64   // by node: the least cost of a path to the end
}

// NewDescent returns a Descent for costs by cell and content. The content is 0 for an empty
// cell, and 1 plus the Kind.Look of the piece for a cell of a piece.
func (pk *Packing) NewDescent(costs [][]uint64) *Descent {
	d := &Descent{pk, make([][]uint64, pk.choices), make([]uint64, len(pk.cell))}
	for choice := range d.place {
		d.place[choice] = make([]uint64, len(costs))
		for cell := range costs {
			if choice == 0 {
				d.place[0][cell] = costs[cell][0]
				continue
			}
			kind := &pk.puzzle.Kinds()[choice-1]
			for c := range kind.Mask[cell].All() {
				d.place[choice][cell] += costs[c][1+kind.Look]
			}
		}
	}
	for node := pk.Nodes() - 1; node >= 0; node-- {
		least := ^uint64(0)
		for choice, e := range pk.edgesOf(uint32(node))[:pk.choices] {
			if e.node() != noNode {
				least = min(least, d.place[choice][pk.cell[node]]+d.rest[e.node()])
			}
		}
		d.rest[node] = least
	}
	return d
}

// Least returns the least cost of a placement.
func (d *Descent) Least() uint64 { return d.rest[0] }

// Within calls take for the placements that cost at most the bound, in the order of their
// numbers. take returns the bound from then on, and whether to go on. Within returns the least
// cost that it has seen beyond the bound, or the greatest number if it has seen none. When ctx
// ends, it stops soon and returns the cause.
func (d *Descent) Within(ctx context.Context, bound uint64, take func(x, cost uint64) (bound uint64, more bool, err error)) (beyond uint64, err error) {
	beyond = ^uint64(0)
	if d.rest[0] > bound {
		return d.rest[0], nil
	}
	pk, end := d.pk, uint32(d.pk.Nodes())
	nodes, more := 0, true
	var visit func(node uint32, x, cost uint64) error
	visit = func(node uint32, x, cost uint64) (err error) {
		if nodes++; nodes%(1<<16) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if node == end {
			bound, more, err = take(x, cost)
			return err
		}
		for choice, e := range pk.edgesOf(node)[:pk.choices] {
			if !more || e.node() == noNode {
				continue
			}
			after := cost + d.place[choice][pk.cell[node]]
			if least := after + d.rest[e.node()]; least > bound {
				beyond = min(beyond, least)
				continue
			}
			if err := visit(e.node(), x+e.add(), after); err != nil {
				return err
			}
		}
		return nil
	}
	err = visit(0, 0, 0)
	return beyond, err
}
