package slide

import (
	"math/bits"
	"slices"
	"sync"
)

// A Packing numbers all placements of a puzzle's pieces, those that cannot be reached
// among them. Cells are decided in order: at the first cell that is not, either it
// stays empty or a piece comes there with its first cell. What can follow depends only
// on the cells decided and the pieces left, so that placements are the paths through a
// small graph. With the number of paths from each node known, and so the number of paths
// before each edge, a placement's number is a sum along its path.
//
// Pieces of a kind are interchangeable, and a piece has only the places that it could
// move to in an empty tray.
type Packing struct {
	puzzle  *Puzzle
	size    uint64
	choices int     // of a node: empty, or one of the kinds
	cell    []uint8 // the first undecided cell of a node, as many as there are at the end
	// edge has 1<<shift for each node: by choice, and then such as lead nowhere and tell
	// where the numbers end, one at least.
	edge  []edge
	shift uint

	once  sync.Once
	moves *bandTable // see Packing.bands
}

// An edge holds, from the highest bits on, what it adds to a number, the first undecided
// cell of the node that it leads to, and this node. Where a choice cannot be made, it
// leads to noNode, and what it adds is that of the next.
type edge uint64

const (
	nodeBits = 22
	cellBits = 7
	noNode   = 1<<nodeBits - 1
)

func (e edge) add() uint64  { return uint64(e >> (nodeBits + cellBits)) }
func (e edge) cell() uint8  { return uint8(e >> nodeBits & (1<<cellBits - 1)) }
func (e edge) node() uint32 { return uint32(e & noNode) }

// at is the place of a node in a bandTable.
func (e edge) at() uint32 { return uint32(e & (1<<(nodeBits+cellBits) - 1)) }

// MaxPlacements bounds the size of a Packing, MaxNodes its nodes.
const (
	MaxPlacements = 1<<(64-nodeBits-cellBits) - 1
	MaxNodes      = noNode
)

// packNode is a node while the graph is built.
type packNode struct {
	key  packKey
	to   []int32 // by choice, -1 where there is none
	ways uint64
}

type packKey struct {
	mask uint64 // cells decided
	left uint64 // pieces left, the counts by kind in mixed radix
}

// NewPacking numbers the placements of a puzzle. The error is a *SizeError if there are
// more than MaxPlacements, or if the graph takes more nodes than given; 0 stands for
// MaxNodes.
func NewPacking(p *Puzzle, nodes int) (*Packing, error) {
	if nodes <= 0 || nodes > MaxNodes {
		nodes = MaxNodes
	}
	b, err := newPackBuilder(p, nodes)
	if err != nil {
		return nil, err
	}
	return b.packing()
}

type packBuilder struct {
	p     *Puzzle
	full  uint64
	radix []uint64
	nodes []packNode
	byEnd [][]int32 // nodes by their first undecided cell
}

func newPackBuilder(p *Puzzle, limit int) (*packBuilder, error) {
	n := len(p.cells)
	b := &packBuilder{p: p, full: ^uint64(0) >> (64 - n), byEnd: make([][]int32, n+1)}
	var first packKey
	product := uint64(1) // stays below 2^64, for there are 62 names of pieces
	for i := range p.kinds {
		b.radix = append(b.radix, product)
		count := uint64(len(p.kinds[i].pieces))
		first.left += count * product
		product *= count + 1
	}
	known := make([]map[packKey]int32, n+1) // by the first undecided cell
	for i := range known {
		known[i] = make(map[packKey]int32)
	}
	add := func(key packKey) int32 {
		cell := bits.TrailingZeros64(^key.mask)
		id, ok := known[cell][key]
		if !ok {
			id = int32(len(b.nodes))
			known[cell][key] = id
			b.nodes = append(b.nodes, packNode{key: key})
			b.byEnd[cell] = append(b.byEnd[cell], id)
		}
		return id
	}
	add(first)
	for cell := range n {
		for _, id := range b.byEnd[cell] {
			if len(b.nodes) > limit {
				err := &SizeError{Numbers: uint64(len(b.nodes))}
				if limit < MaxNodes {
					err.Memory = uint64(limit) * packNodeBytes(p)
				}
				return nil, err
			}
			key := b.nodes[id].key
			to := slices.Repeat([]int32{-1}, 1+len(p.kinds))
			if b.voids(key) > 0 {
				to[0] = add(packKey{key.mask | 1<<cell, key.left})
			}
			for k := range p.kinds {
				mask := p.kinds[k].mask[cell]
				if mask != 0 && mask&key.mask == 0 && b.left(key, k) > 0 {
					to[1+k] = add(packKey{key.mask | mask, key.left - b.radix[k]})
				}
			}
			b.nodes[id].to = to
		}
		known[cell] = nil
	}
	return b, nil
}

// left returns the number of pieces of a kind that are left.
func (b *packBuilder) left(key packKey, kind int) int {
	return int(key.left / b.radix[kind] % uint64(len(b.p.kinds[kind].pieces)+1))
}

// voids returns the number of undecided cells that stay empty.
func (b *packBuilder) voids(key packKey) int {
	n := bits.OnesCount64(b.full &^ key.mask)
	for k := range b.p.kinds {
		n -= b.left(key, k) * b.p.kinds[k].cells
	}
	return n
}

// packNodeBytes is about what a node takes, while the graph is built and later.
func packNodeBytes(p *Puzzle) uint64 { return 150 + 60*uint64(8+len(p.kinds)) }

// packing counts the ways from each node, and drops nodes that have none.
func (b *packBuilder) packing() (*Packing, error) {
	for cell := len(b.byEnd) - 1; cell >= 0; cell-- {
		for _, id := range b.byEnd[cell] {
			n := &b.nodes[id]
			if cell == len(b.p.cells) {
				n.ways = 1 // nothing is left: pieces and empty cells add up to the tray
				continue
			}
			for _, to := range n.to {
				if to < 0 {
					continue
				}
				if n.ways += b.nodes[to].ways; n.ways > MaxPlacements {
					return nil, &SizeError{Numbers: n.ways, Need: searchBytes(n.ways)}
				}
			}
		}
	}
	pk := &Packing{puzzle: b.p, size: b.nodes[0].ways, choices: 1 + len(b.p.kinds)}
	pk.shift = max(minShift, uint(bits.Len(uint(pk.choices))))
	number := make([]int32, len(b.nodes))
	count := 0
	for _, ids := range b.byEnd {
		for _, id := range ids {
			number[id] = -1
			if b.nodes[id].ways > 0 {
				number[id] = int32(count)
				count++
			}
		}
	}
	for cell, ids := range b.byEnd {
		for _, id := range ids {
			n := &b.nodes[id]
			if n.ways == 0 {
				continue
			}
			pk.cell = append(pk.cell, uint8(cell))
			sum := uint64(0)
			for choice := range pk.choices {
				to := int32(-1)
				if len(n.to) > 0 { // not the end
					to = n.to[choice]
				}
				if to < 0 || b.nodes[to].ways == 0 {
					pk.edge = append(pk.edge, edge(sum<<(nodeBits+cellBits)|noNode))
					continue
				}
				after := uint64(bits.TrailingZeros64(^b.nodes[to].key.mask))
				pk.edge = append(pk.edge, edge(sum<<(nodeBits+cellBits)|after<<nodeBits|uint64(number[to])))
				sum += b.nodes[to].ways
			}
			for range 1<<pk.shift - pk.choices {
				pk.edge = append(pk.edge, edge(sum<<(nodeBits+cellBits)|noNode))
			}
		}
	}
	return pk, nil
}

// Size returns the number of placements.
func (pk *Packing) Size() uint64 { return pk.size }

// Nodes returns the number of nodes of the graph, the end not counted.
func (pk *Packing) Nodes() int { return len(pk.cell) - 1 }

// Bytes returns the size of the tables, those for moves among them.
func (pk *Packing) Bytes() uint64 {
	return uint64(len(pk.cell)) + 8*uint64(len(pk.edge)) + pk.bands().bytes()
}

// edges returns what there is for each choice at a node, and at least one more.
func (pk *Packing) edges(node uint32) []edge {
	return pk.edge[int(node)<<pk.shift:][:1<<pk.shift]
}

// minShift: a node has 8 edges at least, which are a cache line.
const minShift = 3

// ways returns how many placements there are from a node on.
func (pk *Packing) ways(node uint32) uint64 {
	if int(node) == pk.Nodes() {
		return 1 // the end
	}
	return pk.edges(node)[pk.choices].add()
}

// bands returns the table of bands, which is made when it is first asked for.
func (pk *Packing) bands() *bandTable {
	pk.once.Do(func() { pk.moves = newBandTable(pk) })
	return pk.moves
}

// Rank returns the number of a position, below Size.
func (pk *Packing) Rank(pos Position) uint64 {
	var what [MaxCells]uint8
	for i, at := range pos {
		what[at] = uint8(1 + pk.puzzle.pieces[i].kind)
	}
	node, sum := uint32(0), uint64(0)
	for cell := uint8(0); int(cell) < len(pk.puzzle.cells); {
		e := pk.edges(node)[what[cell]]
		sum += e.add()
		node, cell = e.node(), e.cell()
	}
	return sum
}

// Unrank returns the position of a number below Size. Pieces of a kind come in the order
// of their names in the tray.
func (pk *Packing) Unrank(x uint64) Position {
	p := pk.puzzle
	pos := make(Position, len(p.pieces))
	used := make([]int, len(p.kinds))
	node := uint32(0)
	for cell := uint8(0); int(cell) < len(p.cells); {
		choice := pk.choices - 1
		for pk.edges(node)[choice].add() > x {
			choice--
		}
		e := pk.edges(node)[choice]
		x -= e.add()
		if choice > 0 {
			k := choice - 1
			pos[p.kinds[k].pieces[used[k]]] = cell
			used[k]++
		}
		node, cell = e.node(), e.cell()
	}
	return pos
}
