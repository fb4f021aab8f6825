package packing

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/statespace/slide/tray"
)

// A LimitError says that a puzzle has too many cells or placements to number them, or that the graph
// of the numbering is too large.
type LimitError struct {
	// Placements is the number of some placements, more than MaxPlacements. It is 0 if the graph
	// is too large.
	Placements uint64
	// Nodes is the number of nodes so far.
	Nodes int
	// Cells is the number of cells of the tray if it is too large, else 0.
	Cells int
}

func (e *LimitError) Error() string {
	if e.Cells > 0 {
		return fmt.Sprintf("the tray has %d cells; up to %d, placements can be numbered", e.Cells, MaxCells)
	}
	if e.Placements > 0 {
		return fmt.Sprintf("there are more than %d placements, the most that can be numbered", uint64(MaxPlacements))
	}
	return fmt.Sprintf("the graph of the numbering has more than %d nodes, the most that are allowed", e.Nodes-1)
}

// New numbers the placements of a puzzle. The error is a *LimitError if the tray has more than 64
// cells, if there are more than MaxPlacements, or if the graph takes more bytes than memory. 0 means
// that it can have up to MaxNodes nodes. When ctx ends, New stops soon and returns the cause.
func New(ctx context.Context, p *tray.Puzzle, memory uint64) (*Packing, error) {
	if n := len(p.Cells()); n > MaxCells {
		return nil, &LimitError{Cells: n}
	}
	limit := MaxNodes
	if memory > 0 {
		limit = int(min(MaxNodes, 1+memory/nodeBytes(p)))
	}
	b := newBuilder(p)
	if err := b.addNodes(ctx, limit); err != nil {
		return nil, err
	}
	if err := b.count(); err != nil {
		return nil, err
	}
	return b.packing(), nil
}

// A builder makes the graph of a Packing.
type builder struct {
	p     *tray.Puzzle
	full  uint64     // all cells
	radix []uint64   // by kind, see key
	masks [][]uint64 // by kind and anchor
	nodes []builtNode
	byEnd [][]int32 // nodes by the first cell that is not decided
}

// A builtNode is a node while the graph is built.
type builtNode struct {
	key         key
	to          []int32 // by choice: the next node, or -1
	completions uint64  // paths to the end
}

// A key identifies a node.
type key struct {
	decided uint64 // cells
	left    uint64 // the number of pieces that are left of each kind, in a mixed radix
}

// nodeBytes is about how many bytes a node takes, while the graph is built and later.
func nodeBytes(p *tray.Puzzle) uint64 { return 150 + 60*uint64(8+len(p.Kinds())) }

func newBuilder(p *tray.Puzzle) *builder {
	n := len(p.Cells())
	b := &builder{p: p, full: ^uint64(0) >> (64 - n), byEnd: make([][]int32, n+1)}
	product := uint64(1) // at most 62 pieces have a name, so it is below 2^64
	for _, k := range p.Kinds() {
		b.radix = append(b.radix, product)
		product *= uint64(len(k.Pieces)) + 1
		b.masks = append(b.masks, masksOf(&k))
	}
	return b
}

// addNodes makes the nodes, at most as many as the limit.
func (b *builder) addNodes(ctx context.Context, limit int) error {
	kinds := b.p.Kinds()
	known := make([]map[key]int32, len(b.byEnd)) // by the first cell that is not decided
	for i := range known {
		known[i] = make(map[key]int32)
	}
	add := func(k key) int32 {
		cell := bits.TrailingZeros64(^k.decided)
		id, ok := known[cell][k]
		if !ok {
			id = int32(len(b.nodes))
			known[cell][k] = id
			b.nodes = append(b.nodes, builtNode{key: k})
			b.byEnd[cell] = append(b.byEnd[cell], id)
		}
		return id
	}
	var first key
	for k := range kinds {
		first.left += uint64(len(kinds[k].Pieces)) * b.radix[k]
	}
	add(first)
	for cell := range len(b.p.Cells()) {
		for i, id := range b.byEnd[cell] {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if len(b.nodes) > limit {
				return &LimitError{Nodes: len(b.nodes)}
			}
			at := b.nodes[id].key
			to := slices.Repeat([]int32{-1}, 1+len(kinds))
			if b.voids(at) > 0 {
				to[0] = add(key{at.decided | 1<<cell, at.left})
			}
			for k := range kinds {
				mask := b.masks[k][cell]
				if mask != 0 && mask&at.decided == 0 && b.left(at, k) > 0 {
					to[1+k] = add(key{at.decided | mask, at.left - b.radix[k]})
				}
			}
			b.nodes[id].to = to
		}
		known[cell] = nil
	}
	return nil
}

// left returns the number of pieces of a kind that are left.
func (b *builder) left(at key, kind int) int {
	return int(at.left / b.radix[kind] % uint64(len(b.p.Kinds()[kind].Pieces)+1))
}

// voids returns the number of cells that are not decided and will stay empty.
func (b *builder) voids(at key) int {
	n := bits.OnesCount64(b.full &^ at.decided)
	for k, kind := range b.p.Kinds() {
		n -= b.left(at, k) * kind.Cells
	}
	return n
}

// count counts the paths from each node to the end.
func (b *builder) count() error {
	end := len(b.byEnd) - 1
	for cell := end; cell >= 0; cell-- {
		for _, id := range b.byEnd[cell] {
			n := &b.nodes[id]
			if cell == end {
				n.completions = 1 // no piece is left: the pieces and voids fill the tray
				continue
			}
			for _, to := range n.to {
				if to < 0 {
					continue
				}
				if n.completions += b.nodes[to].completions; n.completions > MaxPlacements {
					return &LimitError{Placements: n.completions, Nodes: len(b.nodes)}
				}
			}
		}
	}
	return nil
}

// packing makes the tables, without the nodes that have no path to the end.
func (b *builder) packing() *Packing {
	pk := &Packing{puzzle: b.p, size: b.nodes[0].completions, pieces: len(b.p.Start()), choices: 1 + len(b.p.Kinds())}
	pk.shift = max(minShift, uint(bits.Len(uint(pk.choices))))
	number := make([]int32, len(b.nodes))
	count := int32(0)
	for _, ids := range b.byEnd {
		for _, id := range ids {
			if b.nodes[id].completions > 0 {
				number[id] = count
				count++
			}
		}
	}
	for cell, ids := range b.byEnd {
		for _, id := range ids {
			n := &b.nodes[id]
			if n.completions == 0 {
				continue
			}
			pk.cell = append(pk.cell, uint8(cell))
			sum := uint64(0)
			for choice := range 1 << pk.shift {
				to := int32(-1)
				if choice < len(n.to) { // the end has no choices
					to = n.to[choice]
				}
				if to < 0 || b.nodes[to].completions == 0 {
					pk.edges = append(pk.edges, edge(sum<<(nodeBits+cellBits)|noNode))
					continue
				}
				after := uint64(bits.TrailingZeros64(^b.nodes[to].key.decided))
				pk.edges = append(pk.edges, edge(sum<<(nodeBits+cellBits)|after<<nodeBits|uint64(number[to])))
				sum += b.nodes[to].completions
			}
		}
	}
	return pk
}
