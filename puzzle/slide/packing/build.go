package packing

import (
	"context"
	"fmt"
	"math/bits"

	"pagoda/internal/ordinals"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A LimitError says that the placements of a puzzle cannot be numbered: they are too many, the tray has too many
// cells, or the graph of the numbering is too large.
type LimitError struct {
	// Placements is the number of some placements, more than MaxPlacements. It is 0 if the graph
	// is too large.
	Placements uint64
	// Nodes is the number of nodes so far.
	Nodes int
	// Cells is the number of cells of the tray if it is too large, else 0.
	Cells int
	// Memory is the bytes that are allowed if the nodes have filled them, else 0.
	Memory uint64
}

func (e *LimitError) Error() string {
	switch {
	case e.Cells > 0:
		return fmt.Sprintf("too large: in a tray of %d cells placements have no numbers", e.Cells)
	case e.Placements > 0:
		return fmt.Sprintf("too large: there are more placements than %d, which is the most that can be numbered", uint64(MaxPlacements))
	case e.Memory == 0:
		return fmt.Sprintf("too large: with %d nodes of the numbering there are as many as there can be", e.Nodes)
	}
	return fmt.Sprintf("too large: with %d nodes of the numbering the %d bytes that are allowed are full", e.Nodes, e.Memory)
}

// Is makes it a statespace.ErrMemory if more memory may help.
func (e *LimitError) Is(target error) bool { return target == statespace.ErrMemory && e.Memory > 0 }

// New numbers the placements of a puzzle. The error is a *LimitError if the tray has more than 64
// cells, if there are more than MaxPlacements, or if the graph takes more bytes than memory. 0 means
// that it can have up to MaxNodes nodes. When ctx ends, New stops soon and returns the cause.
func New(ctx context.Context, p *tray.Puzzle, memory uint64) (*Packing, error) {
	if n := len(p.Cells()); n > MaxCells {
		return nil, &LimitError{Cells: n}
	}
	b := newBuilder(p)
	if err := b.addNodes(ctx, memory); err != nil {
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
	full  uint64 // all cells
	kinds []builtKind
	radix []uint64 // by kind, see key

	// By node, in the order in which they were found.
	keys        []key
	to          []int32  // for each choice: the next node, or -1
	completions []uint64 // paths to the end

	nodes *ordinals.Table[key] // nil when all are made
	byEnd [][]int32            // nodes by the first cell that is not decided
}

// A builtKind is a tray.Kind as far as it matters here.
type builtKind struct {
	masks  []uint64 // by anchor: the cells of a piece there, or 0
	pieces uint64
	cells  int
}

// A key identifies a node.
type key struct {
	decided uint64 // cells
	left    uint64 // the number of pieces that are left of each kind, in a mixed radix
}

// nodeBytes is about how many bytes a node takes: while the graph is built, with the slices that
// are copied when they grow, or later, with the tables for moves.
func nodeBytes(p *tray.Puzzle) uint64 {
	choices := 1 + len(p.Kinds())
	return 100 + 12*uint64(choices) + 16<<edgeShift(choices)
}

func newBuilder(p *tray.Puzzle) *builder {
	b := &builder{p: p}
	for _, k := range p.Kinds() {
		b.kinds = append(b.kinds, builtKind{masksOf(&k), uint64(len(k.Pieces)), k.Cells})
	}
	b.begin()
	return b
}

// begin makes what follows from the kinds.
func (b *builder) begin() {
	n := len(b.p.Cells())
	b.full, b.byEnd, b.nodes = ^uint64(0)>>(64-n), make([][]int32, n+1), ordinals.New(key.hash)
	product := uint64(1) // at most 62 pieces have a name, so it is below 2^64
	for _, k := range b.kinds {
		b.radix = append(b.radix, product)
		product *= k.pieces + 1
	}
}

// first returns the key of the first node: nothing is decided.
func (b *builder) first() (first key) {
	for k, kind := range b.kinds {
		first.left += kind.pieces * b.radix[k]
	}
	return first
}

// beams has the numbers of nodes at which the builder looks for a lower bound of the placements, and
// with which beams. A graph that is done before takes less time than the bound.
var beams = []struct{ nodes, beam int }{{1 << 15, 1 << 10}, {1 << 18, 1 << 12}}

// addNodes makes the nodes within the memory, in bytes; 0 is no bound.
func (b *builder) addNodes(ctx context.Context, memory uint64) error {
	limit := MaxNodes
	if memory > 0 {
		limit = int(min(MaxNodes, 1+memory/nodeBytes(b.p)))
	}
	b.node(b.first())
	bounds := beams
	for cell := range len(b.p.Cells()) {
		for i, id := range b.byEnd[cell] {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if len(bounds) > 0 && len(b.nodes.Keys) > bounds[0].nodes {
				n, err := atLeast(ctx, b.p, bounds[0].beam)
				bounds = bounds[1:]
				if err != nil {
					return err
				}
				if n > MaxPlacements {
					return &LimitError{Placements: n, Nodes: len(b.nodes.Keys)}
				}
			}
			if len(b.nodes.Keys) > limit {
				return &LimitError{Nodes: len(b.nodes.Keys), Memory: memory}
			}
			at, to := b.nodes.Keys[id], int(id)*(1+len(b.radix))
			next := b.emptied(at, cell)
			for choice := range 1 + len(b.radix) {
				if choice > 0 {
					next = b.placed(at, choice-1, cell)
				}
				if next.decided != at.decided {
					b.to[to+choice] = b.node(next)
				}
			}
		}
	}
	b.keys, b.nodes = b.nodes.Keys, nil
	return nil
}

// node returns the node of a key, which may be new.
func (b *builder) node(k key) int32 {
	id, fresh := b.nodes.Number(k, k.hash())
	if fresh {
		cell := bits.TrailingZeros64(^k.decided)
		b.byEnd[cell] = append(b.byEnd[cell], int32(id))
		for range 1 + len(b.radix) {
			b.to = append(b.to, -1)
		}
	}
	return int32(id)
}

func (k key) hash() uint64 { return ordinals.HashPair(k.decided, k.left) }

// emptied returns the key after a cell was left empty. It is the same if that cannot be.
func (b *builder) emptied(at key, cell int) key {
	if b.voids(at) > 0 {
		at.decided |= 1 << cell
	}
	return at
}

// placed returns the key after a piece of a kind was put at a cell. It is the same if that cannot be.
func (b *builder) placed(at key, kind, cell int) key {
	if mask := b.kinds[kind].masks[cell]; mask != 0 && mask&at.decided == 0 && b.left(at, kind) > 0 {
		return key{at.decided | mask, at.left - b.radix[kind]}
	}
	return at
}

// left returns the number of pieces of a kind that are left.
func (b *builder) left(at key, kind int) int {
	return int(at.left / b.radix[kind] % (b.kinds[kind].pieces + 1))
}

// voids returns the number of cells that are not decided and will stay empty.
func (b *builder) voids(at key) int {
	n := bits.OnesCount64(b.full &^ at.decided)
	for k, kind := range b.kinds {
		n -= b.left(at, k) * kind.cells
	}
	return n
}

// count counts the paths from each node to the end.
func (b *builder) count() error {
	b.completions = make([]uint64, len(b.keys))
	end := len(b.byEnd) - 1
	for cell := end; cell >= 0; cell-- {
		for _, id := range b.byEnd[cell] {
			if cell == end {
				b.completions[id] = 1 // no piece is left: the pieces and voids fill the tray
				continue
			}
			n := uint64(0)
			for _, to := range b.next(id) {
				if to < 0 {
					continue
				}
				if n += b.completions[to]; n > MaxPlacements {
					return &LimitError{Placements: n, Nodes: len(b.keys)}
				}
			}
			b.completions[id] = n
		}
	}
	return nil
}

// next returns the nodes after a node, by choice, or -1.
func (b *builder) next(id int32) []int32 {
	choices := 1 + len(b.radix)
	return b.to[int(id)*choices:][:choices]
}

// edgeShift returns the binary logarithm of the number of edges of a node.
func edgeShift(choices int) uint { return max(minShift, uint(bits.Len(uint(choices)))) }

// packing makes the tables, without the nodes that have no path to the end.
func (b *builder) packing() *Packing {
	pk := &Packing{puzzle: b.p, size: b.completions[0], pieces: len(b.p.Start()), choices: 1 + len(b.radix)}
	pk.shift = edgeShift(pk.choices)
	number := make([]int32, len(b.keys))
	count := int32(0)
	for _, ids := range b.byEnd {
		for _, id := range ids {
			if b.completions[id] > 0 {
				number[id] = count
				count++
			}
		}
	}
	pk.cell, pk.edges = make([]uint8, 0, count), make([]edge, 0, int(count)<<pk.shift)
	for cell, ids := range b.byEnd {
		for _, id := range ids {
			if b.completions[id] == 0 {
				continue
			}
			pk.cell = append(pk.cell, uint8(cell))
			sum, next := uint64(0), b.next(id)
			for choice := range 1 << pk.shift {
				to := int32(-1)
				if choice < len(next) {
					to = next[choice]
				}
				if to < 0 || b.completions[to] == 0 {
					pk.edges = append(pk.edges, edge(sum<<(nodeBits+cellBits)|noNode))
					continue
				}
				after := uint64(bits.TrailingZeros64(^b.keys[to].decided))
				pk.edges = append(pk.edges, edge(sum<<(nodeBits+cellBits)|after<<nodeBits|uint64(number[to])))
				sum += b.completions[to]
			}
		}
	}
	return pk
}
