package packing

import (
	"math/bits"
	"slices"
	"sync"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
)

// A bandTable is the graph of a Packing with bands as steps. A placement is a fill for each
// band. The fills that can follow, and what each adds to the number, depend only on a node. The
// table has the nodes of the Packing that are reached at the beginning of bands.
type bandTable struct {
	placeList
	pk       *Packing
	bands    int
	begins   []uint8  // the first cells of the bands, and the end
	root     bandNode // of the first band
	fills    []fill
	contents []content
	index    []uint8 // see bandNode.index
	// to says where fills lead: it has an edge at the place of a node plus the code of a fill.
	// The edge has what the fill adds, and the place of the next node (see displace).
	to []edge
	// codeBits is the width of a code in a window, and codes the number of codes there.
	codeBits, codes uint8
	shifts          []shift // by place and direction: see addShifts
	// pairs has the shift of a piece from one place to another: at pairsAt of the first plus the second. It is
	// nil if they are too many.
	pairs   []shift
	pairsAt []int32
	finder  *lanes

	onceTails sync.Once
	tails     *tails // see Packing.tails
}

// A bandNode is a node at the beginning of a band, or the end.
type bandNode struct {
	completions uint64 // paths to the end
	first       uint32 // its first fill; they are in the order of what they add
	at          uint32 // its place in bandTable.to
	// index is where the fills of all numbers from the node on begin in bandTable.index. If there
	// are too many numbers, it is noIndex plus the number of fills.
	index uint32
}

// A fill is what a band can have in it, from a node on, and the node to which it leads. Two of them fit
// into a cache line.
type fill struct {
	add     uint64
	content uint32
	next    uint32 // the first fill of the next node
	nextAt  uint32 // see bandNode
	index   uint32
	// completions is that of the next node.
	completions uint64
}

// maxWidth is the greatest number of cells of a band.
const maxWidth = 8

// A content is the pieces with their first cells in a band. Fills of different nodes share it.
type content struct {
	mask   uint64
	boards boards
	window uint64 // the code, where that of the last band is in a window
	code   uint32 // the sum of the codes of the pieces
	count  uint32 // of the pieces
	pieces [maxWidth]uint16
}

// The limits of a table. Codes of a band are below maxCodes, because larger codes leave more
// gaps. There are at most maxFills fills, unless bands have one cell.
const (
	maxCodes = 1 << 13
	maxFills = 1 << 20
)

// newBandTable makes the table with the widest bands that the limits allow.
func newBandTable(pk *Packing) *bandTable {
	widest := slices.Max(rowLengths(pk.puzzle))
	for parts := 1; ; parts++ {
		width := (widest + parts - 1) / parts
		if t := newBandTableOf(pk, width); t != nil {
			return t
		}
	}
}

// rowLengths returns the number of cells of each row of the tray.
func rowLengths(p *tray.Puzzle) []int {
	rows, _ := p.Size()
	lengths := make([]int, rows)
	for _, c := range p.Cells() {
		lengths[c.Row]++
	}
	return lengths
}

// newBandTableOf makes the table with bands of at most that many cells. It returns nil if the table
// would exceed the limits.
func newBandTableOf(pk *Packing, width int) *bandTable {
	codes := 1
	for range width {
		if codes *= pk.choices; width > 1 && codes > maxCodes {
			return nil
		}
	}
	if width > maxWidth {
		return nil
	}
	t := &bandTable{pk: pk, placeList: newPlaceList(pk.puzzle), codeBits: uint8(bits.Len(uint(codes - 1)))}
	t.codes = 64 / t.codeBits
	cell := 0
	for _, n := range rowLengths(pk.puzzle) {
		for parts := (n + width - 1) / width; parts > 0; parts-- {
			t.begins = append(t.begins, uint8(cell))
			part := (n + parts - 1) / parts
			cell += part
			n -= part
		}
	}
	t.bands = len(t.begins)
	t.begins = append(t.begins, uint8(cell))
	t.setBands()
	t.addShifts()
	t.addPairs()
	t.finder = newLanes(&t.placeList)

	b := &bandBuilder{bandTable: t, next: make([]uint32, pk.Nodes()+1), known: make([]uint32, codes)}
	if !b.build(width > 1) {
		return nil
	}
	b.displace()
	b.makeIndex()
	b.finish()
	return t
}

// setBands sets the bands and codes of the places.
func (t *bandTable) setBands() {
	band := make([]uint8, len(t.puzzle.Cells())) // by cell
	for b := range t.bands {
		for cell := t.begins[b]; cell < t.begins[b+1]; cell++ {
			band[cell] = uint8(b)
		}
	}
	for i := range t.places {
		s := &t.places[i]
		at := anchorOf(s.mask)
		s.first, s.last = band[at], band[bits.Len64(s.mask)-1]
		s.code = uint16(s.choice)
		for range at - int(t.begins[s.first]) {
			s.code *= uint16(t.pk.choices)
		}
	}
}

// bytes returns the size of the table.
func (t *bandTable) bytes() uint64 {
	return uint64(len(t.places))*64 + uint64(len(t.stairs))*24 + uint64(len(t.shifts)+len(t.pairs))*16 + uint64(len(t.pairsAt))*4 + uint64(len(t.fills))*32 + uint64(len(t.contents))*64 + uint64(len(t.to))*8 + uint64(len(t.index))
}

// The limits of the index: the numbers of a node, and about how many bytes there are.
const (
	maxIndexed = 1 << 13
	maxIndex   = 1 << 20
)

// fillsFrom returns the fills of a node.
func (t *bandTable) fillsFrom(n *bandNode) []fill {
	if n.index >= noIndex {
		return t.fills[n.first:][:n.index-noIndex]
	}
	return t.fills[n.first:][:1+t.index[uint64(n.index)+n.completions-1]]
}

// noIndex is more than any place in the index, and more than the number of fills of any node.
const noIndex = 1 << 31

// A bandBuilder makes the nodes and fills of a bandTable.
type bandBuilder struct {
	*bandTable
	next  []uint32 // by node of the Packing: 1 plus its number among the nodes of the next band, or 0
	known []uint32 // by code: 1 plus the number of the content of the band, or 0

	band    int
	content content // so far

	nodes []builtNode
	fills []builtFill
}

// A builtNode is a bandNode with the number of its fills.
type builtNode struct {
	bandNode
	fills uint32
}

// A builtFill is a fill that leads to the node of a number.
type builtFill struct {
	add           uint64
	node, content uint32
}

// build makes the nodes and fills. It reports false if there are too many.
func (b *bandBuilder) build(limited bool) bool {
	t := b.bandTable
	now := []uint32{0} // the nodes of the band
	for b.band = range t.bands {
		var next []uint32
		contents := len(t.contents)
		begin := uint32(len(b.nodes) + len(now)) // the first node of the next band
		for _, node := range now {
			first := uint32(len(b.fills))
			b.fill(node, t.pk.cell[node], 0, func(to uint32, add uint64, c *content) {
				if b.next[to] == 0 {
					next = append(next, to)
					b.next[to] = uint32(len(next))
				}
				if b.known[c.code] == 0 {
					t.contents = append(t.contents, *c)
					t.contents[len(t.contents)-1].window = uint64(c.code) << ((t.codes - 1) * t.codeBits)
					b.known[c.code] = uint32(len(t.contents))
				}
				b.fills = append(b.fills, builtFill{add, begin + b.next[to] - 1, b.known[c.code] - 1})
			})
			b.nodes = append(b.nodes, builtNode{bandNode{first: first, completions: t.pk.completions(node)}, uint32(len(b.fills)) - first})
			if limited && len(b.fills) > maxFills {
				return false
			}
		}
		for _, to := range next {
			b.next[to] = 0
		}
		for _, c := range t.contents[contents:] {
			b.known[c.code] = 0
		}
		now = next
	}
	b.nodes = append(b.nodes, builtNode{bandNode: bandNode{completions: 1}}) // the end
	return true
}

// fill calls each for the fills of the band from a node on. The node is reached with the given
// first cell that is not decided and sum.
func (b *bandBuilder) fill(node uint32, cell uint8, add uint64, each func(to uint32, add uint64, c *content)) {
	if cell >= b.begins[b.band+1] {
		each(node, add, &b.content)
		return
	}
	for choice, e := range b.pk.edgesOf(node)[:b.pk.choices] {
		if e.node() == noNode {
			continue
		}
		if choice == 0 {
			b.fill(e.node(), e.cell(), add+e.add(), each)
			continue
		}
		place := b.number[choice*MaxCells+int(cell)]
		s, c := &b.places[place], &b.content
		before := c.boards
		c.mask |= s.mask
		c.code += uint32(s.code)
		c.pieces[c.count] = place
		c.boards = before.with(b.finder.of[place], cell)
		c.count++
		b.fill(e.node(), e.cell(), add+e.add(), each)
		c.count--
		c.boards = before
		c.pieces[c.count] = 0
		c.code -= uint32(s.code)
		c.mask &^= s.mask
	}
}

func (b *bandBuilder) fillsOf(n *builtNode) []builtFill { return b.fills[n.first:][:n.fills] }

// makeIndex writes down the fill of each number from a node on, for nodes with few numbers. The
// last bands come first.
func (b *bandBuilder) makeIndex() {
	t := b.bandTable
	for id := len(b.nodes) - 1; id >= 0; id-- {
		n := &b.nodes[id]
		if n.completions > maxIndexed || n.fills > 1<<8 || len(t.index) > maxIndex {
			n.index = noIndex + n.fills
			continue
		}
		n.index = uint32(len(t.index))
		fills := b.fillsOf(n)
		for at := range fills {
			end := n.completions
			if at+1 < len(fills) {
				end = fills[at+1].add
			}
			for range end - fills[at].add {
				t.index = append(t.index, uint8(at))
			}
		}
	}
}

// finish makes the fills of the table.
func (b *bandBuilder) finish() {
	t := b.bandTable
	t.root = b.nodes[0].bandNode
	t.fills = mapped.Large[fill](len(b.fills))
	for i, f := range b.fills {
		n := &b.nodes[f.node].bandNode
		t.fills[i] = fill{f.add, f.content, n.first, n.at, n.index, n.completions}
	}
}
