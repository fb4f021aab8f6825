package hardest

import (
	"context"
	"math/bits"

	"pagoda/internal/ordinals"
)

// A graph is how the placements of any pieces are spelled. A placement is a path through the
// nodes: a node is the cells that are not decided, and at the lowest of them comes a choice. The cell
// stays empty, or a piece comes whose lowest cell it is. The choices depend on nothing but the
// node. They do not depend on which pieces are wanted: that comes with the numbers of a unit.
type graph struct {
	*places
	undecided []uint64 // by node
	cell      []uint8  // by node: the lowest cell that is not decided, or maxBits
	empty     []uint32 // by node: the node after the cell was left empty
	begin     []uint32 // by node, and one more: its first edge
	edges     []edge
	slots     []slot // where the edge of a node and a place is
}

// An edge is the choice of a piece.
type edge struct {
	place int32
	to    uint32 // the node after it
}

// A slot is a place of the table of edges, which has open addressing. It holds all that a search needs of
// an edge, so that a look-up reads one line of the cache; a table of ordinals would read three, which makes
// searches of 3x4 a twentieth slower.
type slot struct {
	node  uint32
	place int32
	edge  uint32 // plus 1; 0 is a free slot
	to    uint32
}

// edgeBytes is about how many bytes an edge takes: itself and its slots.
const edgeBytes = 8 + 3*16

// newGraph makes the nodes that can be reached from the empty board. The error is a *LimitError if they
// take more bytes than memory.
func newGraph(ctx context.Context, ps *places, memory uint64) (*graph, error) {
	g := &graph{places: ps}
	known := ordinals.New(ordinals.Hash)
	var byCell [maxBits + 1][]uint32 // nodes by their numbers among those known
	var number []uint32              // by number among those known: that in the graph
	node := func(mask uint64) {
		if n, fresh := known.Number(mask, ordinals.Hash(mask)); fresh {
			at := bits.TrailingZeros64(mask)
			byCell[at] = append(byCell[at], n)
			number = append(number, 0)
		}
	}
	node(ps.open)
	for at := range maxBits { // its nodes are all known
		for i, n := range byCell[at] {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			mask := known.Keys[n]
			number[n] = uint32(len(g.undecided))
			g.undecided = append(g.undecided, mask)
			g.cell = append(g.cell, uint8(at))
			g.begin = append(g.begin, uint32(len(g.edges)))
			node(mask &^ (1 << at))
			for _, id := range ps.byFirst[at] {
				if piece := ps.all[id].mask; piece&^mask == 0 {
					node(mask &^ piece)
					g.edges = append(g.edges, edge{place: id})
				}
			}
			if bytes := uint64(len(g.edges))*edgeBytes + uint64(len(g.undecided))*64; bytes > memory {
				return nil, &LimitError{Bytes: bytes, Memory: memory, What: "the choices of pieces on this board"}
			}
		}
	}
	for _, n := range byCell[maxBits] {
		number[n] = uint32(len(g.undecided))
	}
	g.undecided = append(g.undecided, 0)
	g.cell = append(g.cell, maxBits)
	g.begin = append(g.begin, uint32(len(g.edges)), uint32(len(g.edges)))
	after := func(mask uint64) uint32 { return number[known.Find(mask, ordinals.Hash(mask))] }

	g.empty = make([]uint32, len(g.undecided))
	g.slots = make([]slot, 1<<bits.Len(uint(2*len(g.edges)+1)))
	for u, mask := range g.undecided[:len(g.undecided)-1] {
		g.empty[u] = after(mask & (mask - 1))
		for i := g.begin[u]; i < g.begin[u+1]; i++ {
			e := &g.edges[i]
			e.to = after(mask &^ ps.all[e.place].mask)
			g.enter(slot{uint32(u), e.place, i + 1, e.to})
		}
	}
	return g, nil
}

// end is the node behind all choices.
func (g *graph) end() uint32 { return uint32(len(g.undecided) - 1) }

func (g *graph) enter(s slot) {
	mask := uint32(len(g.slots) - 1)
	at := hash(s.node, s.place) & mask
	for g.slots[at].edge != 0 {
		at = (at + 1) & mask
	}
	g.slots[at] = s
}

func hash(node uint32, place int32) uint32 {
	h := (uint64(node)<<32 | uint64(uint32(place))) * 0x9e3779b97f4a7c15
	return uint32(h>>32) ^ uint32(h>>50)
}

// edge returns the edge of a place that a node has.
func (g *graph) edge(node uint32, place int32) *slot {
	mask := uint32(len(g.slots) - 1)
	for at := hash(node, place) & mask; ; at = (at + 1) & mask {
		if s := &g.slots[at]; s.node == node && s.place == place {
			return s
		}
	}
}
