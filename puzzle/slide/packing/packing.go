package packing

import (
	"math/bits"
	"sync"

	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A Packing numbers all placements of the pieces of a puzzle. Interchangeable pieces count as
// the same.
type Packing struct {
	puzzle  *tray.Puzzle
	size    uint64
	pieces  int
	choices int     // at a node: empty, or one of the kinds
	cell    []uint8 // by node: the first cell that is not decided; at the end, the number of cells
	// edges has 1<<shift edges for each node: first those of the choices, then at least one that
	// leads nowhere and says where the numbers end.
	edges []edge
	shift uint

	once  sync.Once
	table *bandTable // see bands
}

// An edge is a choice at a node. From the highest bits on, it has what the choice adds to a
// number, the first cell that is not decided at the next node, and the next node. If the choice
// cannot be made, the next node is noNode, and the edge adds the same as the next edge that can
// be taken.
type edge uint64

const (
	nodeBits = 22
	cellBits = 7
	noNode   = 1<<nodeBits - 1
)

func (e edge) add() uint64  { return uint64(e >> (nodeBits + cellBits)) }
func (e edge) cell() uint8  { return uint8(e >> nodeBits & (1<<cellBits - 1)) }
func (e edge) node() uint32 { return uint32(e & noNode) }

// at returns the place of a node in a bandTable, which takes the bits of cell and node.
func (e edge) at() uint32 { return uint32(e & (1<<(nodeBits+cellBits) - 1)) }

// MaxPlacements is the greatest size of a Packing, and MaxNodes the greatest number of nodes.
const (
	MaxPlacements = 1<<(64-nodeBits-cellBits) - 1
	MaxNodes      = noNode
)

// minShift makes a node have at least 8 edges, a cache line.
const minShift = 3

// Size returns the number of placements.
func (pk *Packing) Size() uint64 { return pk.size }

// Name returns the name of the numbering in definitions of spaces.
func (pk *Packing) Name() string { return "packing" }

// Nodes returns the number of nodes, without the end.
func (pk *Packing) Nodes() int { return len(pk.cell) - 1 }

// Bytes returns the size of the tables, with those for moves.
func (pk *Packing) Bytes() uint64 {
	return uint64(len(pk.cell)) + 8*uint64(len(pk.edges)) + pk.bands().bytes()
}

// edgesOf returns the edges of a node, by choice, and at least one more.
func (pk *Packing) edgesOf(node uint32) []edge {
	return pk.edges[int(node)<<pk.shift:][:1<<pk.shift]
}

// completions returns the number of paths from a node to the end.
func (pk *Packing) completions(node uint32) uint64 {
	if int(node) == pk.Nodes() {
		return 1 // the end
	}
	return pk.edgesOf(node)[pk.choices].add()
}

// bands returns the band table. The first call makes it.
func (pk *Packing) bands() *bandTable {
	pk.once.Do(func() { pk.table = newBandTable(pk) })
	return pk.table
}

// Rank returns the number of a position. All positions have one.
func (pk *Packing) Rank(pos tray.Position) (x uint64, ok bool) {
	var choice [MaxCells]uint8 // by first cell
	for i, at := range pos {
		choice[at] = uint8(1 + pk.puzzle.KindOf(i))
	}
	node := uint32(0)
	for cell := uint8(0); int(cell) < len(pk.puzzle.Cells()); {
		e := pk.edgesOf(node)[choice[cell]]
		x += e.add()
		node, cell = e.node(), e.cell()
	}
	return x, true
}

// Unrank returns the position of a number below Size. Interchangeable pieces are in the order of
// their numbers.
func (pk *Packing) Unrank(x uint64) tray.Position {
	kinds := pk.puzzle.Kinds()
	pos := make(tray.Position, pk.pieces)
	used := make([]int, len(kinds)) // pieces of each kind
	node := uint32(0)
	for cell := uint8(0); int(cell) < len(pk.puzzle.Cells()); {
		choice := pk.choices - 1
		for pk.edgesOf(node)[choice].add() > x {
			choice--
		}
		e := pk.edgesOf(node)[choice]
		x -= e.add()
		if choice > 0 {
			k := choice - 1
			pos[kinds[k].Pieces[used[k]]] = cell
			used[k]++
		}
		node, cell = e.node(), e.cell()
	}
	return pos
}

// Graph returns the graph of the placements and their moves in a metric. It has no roots.
func (pk *Packing) Graph(m tray.Metric) statespace.Graph {
	g := statespace.Graph{Size: pk.Size(), Undirected: true, HasGoals: pk.puzzle.Goals() > 0, Memory: pk.Bytes(),
		NewExpander: func() statespace.Expander { return newCursor(pk, m) }}
	if m == tray.Steps {
		pk.shareSteps(&g)
	}
	return g
}

// Expand implements statespace.Expander.
func (c *cursor) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		c.seek(x)
		if goals != nil && c.solved() {
			*goals = append(*goals, x)
		}
		dst = c.successors(dst)
	}
	return dst
}

// Goal reports whether a number is a goal.
func (c *cursor) Goal(x uint64) bool {
	c.seek(x)
	return c.solved()
}
