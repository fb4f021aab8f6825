package packing

import (
	"math/bits"
	"slices"

	"pagoda/statespace/slide/tray"
)

// A bandTable is the graph of a Packing with bands as steps. A placement is a fill for each
// band. The fills that can follow, and what each adds to the number, depend only on a node. The
// table has the nodes of the Packing that are reached at the beginning of bands.
type bandTable struct {
	placeList
	pk       *Packing
	bands    int
	nodes    []bandNode
	fills    []fill
	contents []content
	index    []uint8 // see bandNode.index
	// to says where fills lead: it has an edge at the place of a node plus the code of a fill.
	// The edge has what the fill adds, and the place of the next node (see displace).
	to []edge
}

// A bandNode is a node at the beginning of a band, or the end.
type bandNode struct {
	completions  uint64 // paths to the end
	first, fills uint32 // its fills, in the order of what they add
	at           uint32 // its place in bandTable.to
	// index is where the fills of all numbers from the node on begin in bandTable.index, or
	// noIndex if there are too many numbers.
	index uint32
}

// A fill is what a band can have in it, from a node on.
type fill struct {
	add     uint64
	node    uint32 // of the next band
	content uint32
}

// maxWidth is the greatest number of cells of a band.
const maxWidth = 8

// A content is the pieces with their first cells in a band. Fills of different nodes share it.
type content struct {
	mask   uint64
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
	t := &bandTable{pk: pk, placeList: newPlaceList(pk.puzzle)}
	var first []uint8 // the first cells of the bands, and the end
	cell := 0
	for _, n := range rowLengths(pk.puzzle) {
		for parts := (n + width - 1) / width; parts > 0; parts-- {
			first = append(first, uint8(cell))
			part := (n + parts - 1) / parts
			cell += part
			n -= part
		}
	}
	t.bands = len(first)
	first = append(first, uint8(cell))
	t.setBands(first)

	b := &bandBuilder{bandTable: t, first: first, next: make([]uint32, pk.Nodes()+1)}
	if !b.build(width > 1) {
		return nil
	}
	t.displace()
	t.makeIndex()
	return t
}

// setBands sets the bands and codes of the places. The bands begin at the given cells.
func (t *bandTable) setBands(first []uint8) {
	band := make([]uint8, len(t.puzzle.Cells())) // by cell
	for b := range t.bands {
		for cell := first[b]; cell < first[b+1]; cell++ {
			band[cell] = uint8(b)
		}
	}
	for i := range t.places {
		s := &t.places[i]
		at := anchorOf(s.mask)
		s.first, s.last = band[at], band[bits.Len64(s.mask)-1]
		s.code = uint16(s.choice)
		for range at - int(first[s.first]) {
			s.code *= uint16(t.pk.choices)
		}
	}
}

// bytes returns the size of the table.
func (t *bandTable) bytes() uint64 {
	return uint64(len(t.places))*64 + uint64(len(t.stairs))*24 + uint64(len(t.nodes))*24 + uint64(len(t.fills))*16 + uint64(len(t.contents))*32 + uint64(len(t.to))*8 + uint64(len(t.index))
}

// The limits of the index: the numbers of a node, and about how many bytes there are.
const (
	maxIndexed = 1 << 13
	maxIndex   = 1 << 20
)

const noIndex = ^uint32(0)

// makeIndex writes down the fill of each number from a node on, for nodes with few numbers. The
// last bands come first.
func (t *bandTable) makeIndex() {
	for id := len(t.nodes) - 1; id >= 0; id-- {
		n := &t.nodes[id]
		n.index = noIndex
		if n.completions > maxIndexed || n.fills > 1<<8 || len(t.index) > maxIndex {
			continue
		}
		n.index = uint32(len(t.index))
		fills := t.fills[n.first:][:n.fills]
		at := 0
		for x := range n.completions {
			if at+1 < len(fills) && fills[at+1].add <= x {
				at++
			}
			t.index = append(t.index, uint8(at))
		}
	}
}

// A bandBuilder makes the nodes and fills of a bandTable.
type bandBuilder struct {
	*bandTable
	first []uint8
	next  []uint32          // by node of the Packing: 1 plus its number among the nodes of the next band, or 0
	known map[uint32]uint32 // the contents of the band by code

	band    int
	content content // so far
}

// build makes the nodes and fills. It reports false if there are too many.
func (b *bandBuilder) build(limited bool) bool {
	t := b.bandTable
	now := []uint32{0} // the nodes of the band
	for b.band = range t.bands {
		b.known = make(map[uint32]uint32)
		var next []uint32
		begin := uint32(len(t.nodes) + len(now)) // the first node of the next band
		for _, node := range now {
			n := bandNode{first: uint32(len(t.fills)), completions: t.pk.completions(node)}
			b.fill(node, t.pk.cell[node], 0, func(to uint32, add uint64, c content) {
				if b.next[to] == 0 {
					next = append(next, to)
					b.next[to] = uint32(len(next))
				}
				id, ok := b.known[c.code]
				if !ok {
					id = uint32(len(t.contents))
					b.known[c.code] = id
					t.contents = append(t.contents, c)
				}
				t.fills = append(t.fills, fill{add, begin + b.next[to] - 1, id})
			})
			n.fills = uint32(len(t.fills)) - n.first
			t.nodes = append(t.nodes, n)
			if limited && len(t.fills) > maxFills {
				return false
			}
		}
		for _, to := range next {
			b.next[to] = 0
		}
		now = next
	}
	t.nodes = append(t.nodes, bandNode{completions: 1}) // the end
	return true
}

// fill calls each for the fills of the band from a node on. The node is reached with the given
// first cell that is not decided and sum.
func (b *bandBuilder) fill(node uint32, cell uint8, add uint64, each func(to uint32, add uint64, c content)) {
	if cell >= b.first[b.band+1] {
		each(node, add, b.content)
		return
	}
	for choice, e := range b.pk.edgesOf(node)[:b.pk.choices] {
		if e.node() == noNode {
			continue
		}
		before := b.content
		if choice > 0 {
			place := b.number[choice*MaxCells+int(cell)]
			b.content.mask |= b.places[place].mask
			b.content.code += uint32(b.places[place].code)
			b.content.pieces[b.content.count] = place
			b.content.count++
		}
		b.fill(e.node(), e.cell(), add+e.add(), each)
		b.content = before
	}
}
