package hardest

import (
	"context"
	"math/bits"

	"pagoda/internal/mapped"
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
	shift     int    // the highest bits of a hash say where the search for an edge begins
	seed      uint64 // of the hash
	known     *ordinals.Table[uint64]
	numberOf  []uint32 // by number among those known: the node with these cells
}

// An edge is the choice of a piece.
type edge struct {
	place int32
	to    uint32 // the node after it
}

// A slot is a place of the table of edges, which has open addressing. It knows an edge by a part of its hash,
// so that a look-up reads one line of the cache.
type slot struct {
	tag  uint32
	node uint32
	edge uint32 // among those of the node, plus 1; 0 is a free slot
}

// edgeBytes is about how many bytes an edge takes: itself and its slots.
const edgeBytes = 8 + 3*12

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
	for u, mask := range g.undecided[:len(g.undecided)-1] {
		g.empty[u] = after(mask & (mask - 1))
		for i := g.begin[u]; i < g.begin[u+1]; i++ {
			e := &g.edges[i]
			e.to = after(mask &^ ps.all[e.place].mask)
		}
	}
	g.known, g.numberOf = known, number
	for !g.enter() {
		g.seed++
	}
	return g, nil
}

// end is the node behind all choices.
func (g *graph) end() uint32 { return uint32(len(g.undecided) - 1) }

// enter makes the table of edges. It reports false if it cannot tell two of them apart.
func (g *graph) enter() bool {
	g.slots = mapped.Large[slot](1 << bits.Len(uint(2*len(g.edges)+1)))
	g.shift = 64 - bits.TrailingZeros(uint(len(g.slots)))
	mask := uint64(len(g.slots) - 1)
	for n := range g.end() {
		for i := g.begin[n]; i < g.begin[n+1]; i++ {
			h := g.hash(g.undecided[n], g.edges[i].place)
			at := h >> g.shift
			for ; g.slots[at].edge != 0; at = (at + 1) & mask {
				if g.slots[at].tag == uint32(h) {
					return false
				}
			}
			g.slots[at] = slot{uint32(h), n, i - g.begin[n] + 1}
		}
	}
	return true
}

func (g *graph) hash(undecided uint64, place int32) uint64 {
	return ordinals.HashPair(undecided+g.seed, uint64(place))
}

// edge returns the edge of a place that a node has, which is known by its cells.
func (g *graph) edge(undecided uint64, place int32) *slot {
	h := g.hash(undecided, place)
	mask := uint64(len(g.slots) - 1)
	for at := h >> (g.shift & 63); ; at = (at + 1) & mask {
		if s := &g.slots[at&mask]; s.tag == uint32(h) {
			return s
		}
	}
}
