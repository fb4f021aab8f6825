package slide

import (
	"math/bits"
	"slices"
)

// A bandTable is the graph of a Packing with several cells at a time. A band is cells side by
// side in a row, and a fill is what comes to the cells of a band: pieces with their first
// cells, or nothing. A placement is a fill for each band. The fills that can follow, and
// what each adds to the number, depend only on a node of the graph; the table has such
// nodes for each band.
type bandTable struct {
	placeList
	pk      *Packing
	bands   int
	nodes   []bandNode
	fills   []fill
	content []content
	index   []uint8 // the fill of each way, of nodes with few
	// to tells where a fill leads: at the place of a node plus the code of the fill. Places are
	// chosen so that the fills of nodes lie between each other and none is in the place of
	// another. An edge holds what the fill adds and the place of the next node.
	to []edge
}

// A bandNode has its fills at first and after, in the order of what they add.
type bandNode struct {
	ways         uint64
	first, fills uint32
	at           uint32 // its place in to
	index        uint32 // where its ways begin in index, or noIndex
}

type fill struct {
	add     uint64
	node    uint32 // of the next band
	content uint32
}

// maxWidth bounds the cells of a band.
const maxWidth = 8

// A content is what the same fills of different nodes of a band have in common.
type content struct {
	mask   uint64
	code   uint32 // the sum of the codes of its pieces
	count  uint32
	pieces [maxWidth]uint16 // places, in the order of their first cells
}

// A placeList is the places of all kinds of pieces.
type placeList struct {
	puzzle *Puzzle
	places []piecePlace
	number []uint16 // of places, by choice and cell
}

// A piecePlace is a place of a kind of pieces. Those of a kind are side by side, in the
// order of first cells. It is made to fit a cache line.
type piecePlace struct {
	mask   uint64
	any    uint64             // the cells that are to be empty for one step or another
	need   [directions]uint64 // of each; the piece's own where no step leads
	to     [directions]uint16 // the place after a step; itself where no step leads
	kind   uint16             // the first place of the kind
	choice uint8              // the kind, from 1 on
	wall   uint8              // a bit for each direction in which no step leads
	// Of a bandTable: the code of a fill that has it, the band of its first cell, and that
	// of the last one.
	code        uint16
	first, last uint8
}

// The bounds of a table: codes of a band are below maxCodes, for with more of them there
// are more gaps; and there are not more than maxFills fills unless bands are single cells.
const (
	maxCodes = 1 << 13
	maxFills = 1 << 20
)

// newBandTable makes the table with the widest bands that stay within bounds.
func newBandTable(pk *Packing) *bandTable {
	widest := slices.Max(pk.puzzle.cellRows())
	for parts := 1; ; parts++ {
		width := (widest + parts - 1) / parts
		if t := newBandTableOf(pk, width); t != nil {
			return t
		}
	}
}

// cellRows returns how many cells each row of the tray has.
func (t *tray) cellRows() []int {
	rows := make([]int, t.rows)
	for _, c := range t.cells {
		rows[c.Row]++
	}
	return rows
}

// newBandTableOf makes the table with bands of at most so many cells, or returns nil if it
// would be too large.
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
	var first []uint8 // cells of bands, and the end
	cell := 0
	for _, n := range pk.puzzle.cellRows() {
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

	b := &bandBuilder{bandTable: t, pk: pk, first: first, next: make([]uint32, pk.Nodes()+1)}
	if !b.build(width > 1) {
		return nil
	}
	b.place()
	t.makeIndex()
	return t
}

// newPlaceList makes the places.
func newPlaceList(p *Puzzle) placeList {
	l := placeList{puzzle: p, number: make([]uint16, (1+len(p.kinds))*MaxCells)}
	for k := range p.kinds {
		kind := uint16(len(l.places))
		for at, mask := range p.kinds[k].mask {
			if mask != 0 {
				l.number[(1+k)*MaxCells+at] = uint16(len(l.places))
				l.places = append(l.places, piecePlace{mask: mask, kind: kind, choice: uint8(1 + k)})
			}
		}
	}
	for i := range l.places {
		s := &l.places[i]
		k := &p.kinds[s.choice-1]
		for d := range s.to {
			to := k.to[d][anchor(s.mask)]
			if to == none {
				s.to[d], s.need[d] = uint16(i), s.mask
				s.wall |= 1 << d
				continue
			}
			s.to[d] = l.number[int(s.choice)*MaxCells+int(to)]
			s.need[d] = k.mask[to] &^ s.mask
			s.any |= s.need[d]
		}
	}
	return l
}

// setBands says of places in which bands they are; these begin at the cells given.
func (t *bandTable) setBands(first []uint8) {
	band := make([]uint8, len(t.puzzle.cells)) // by cell
	for b := range t.bands {
		for cell := first[b]; cell < first[b+1]; cell++ {
			band[cell] = uint8(b)
		}
	}
	for i := range t.places {
		s := &t.places[i]
		at := anchor(s.mask)
		s.first, s.last = band[at], band[bits.Len64(s.mask)-1]
		s.code = uint16(s.choice)
		for range at - int(first[s.first]) {
			s.code *= uint16(t.pk.choices)
		}
	}
}

// bytes returns the size of the table.
func (t *bandTable) bytes() uint64 {
	return uint64(len(t.places))*64 + uint64(len(t.nodes))*24 + uint64(len(t.fills))*16 + uint64(len(t.content))*32 + uint64(len(t.to))*8 + uint64(len(t.index))
}

// makeIndex writes down the fill of each way of nodes that have few, the last bands first.
func (t *bandTable) makeIndex() {
	for id := len(t.nodes) - 1; id >= 0; id-- {
		n := &t.nodes[id]
		n.index = noIndex
		if n.ways > maxWays || n.fills > 1<<8 || len(t.index) > maxIndex {
			continue
		}
		n.index = uint32(len(t.index))
		fills := t.fills[n.first:][:n.fills]
		at := 0
		for x := range n.ways {
			if at+1 < len(fills) && fills[at+1].add <= x {
				at++
			}
			t.index = append(t.index, uint8(at))
		}
	}
}

// The bounds of the index: ways of a node, and about how many bytes there are.
const (
	maxWays  = 1 << 13
	maxIndex = 1 << 20
)

const noIndex = ^uint32(0)

type bandBuilder struct {
	*bandTable
	pk    *Packing
	first []uint8
	next  []uint32 // by node of the packing: 1 + the node of the table at the end of the band
	known map[uint32]uint32
	// Of the band, and the fill on the way.
	band    int
	content content
}

// build makes nodes and fills. It reports false if there are too many.
func (b *bandBuilder) build(bounded bool) bool {
	t := b.bandTable
	now := []uint32{0}
	for b.band = range t.bands {
		b.known = make(map[uint32]uint32)
		var next []uint32
		begin := uint32(len(t.nodes) + len(now)) // of the nodes of the next band
		for _, node := range now {
			n := bandNode{first: uint32(len(t.fills)), ways: b.pk.ways(node)}
			b.fill(node, b.pk.cell[node], 0, func(to uint32, add uint64, c content) {
				if b.next[to] == 0 {
					next = append(next, to)
					b.next[to] = uint32(len(next))
				}
				id, ok := b.known[c.code]
				if !ok {
					id = uint32(len(t.content))
					b.known[c.code] = id
					t.content = append(t.content, c)
				}
				t.fills = append(t.fills, fill{add, begin + b.next[to] - 1, id})
			})
			n.fills = uint32(len(t.fills)) - n.first
			t.nodes = append(t.nodes, n)
			if bounded && len(t.fills) > maxFills {
				return false
			}
		}
		for _, to := range next {
			b.next[to] = 0
		}
		now = next
	}
	t.nodes = append(t.nodes, bandNode{ways: 1}) // the end; all placements come to it
	return true
}

// fill goes through the fills of the band from a node on.
func (b *bandBuilder) fill(node uint32, cell uint8, add uint64, each func(to uint32, add uint64, c content)) {
	if cell >= b.first[b.band+1] {
		each(node, add, b.content)
		return
	}
	for choice, e := range b.pk.edges(node)[:b.pk.choices] {
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

// place finds places for the nodes, and makes to. Nodes with many fills come first, each to
// the first place where its fills do not meet others; the gaps are for those with few.
func (b *bandBuilder) place() {
	t := b.bandTable
	order := make([]uint32, len(t.nodes)-1) // not the end
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(i, j uint32) int { return int(t.nodes[j].fills) - int(t.nodes[i].fills) })
	var used []uint64 // a bit for each entry
	from, size := 0, uint32(0)
	for _, id := range order {
		n := &t.nodes[id]
		fills := t.fills[n.first:][:n.fills]
		if n.fills != size { // those of a size do not look again where the one before did not fit
			from, size = 0, n.fills
		}
		low, high := ^uint32(0), uint32(0)
		for _, f := range fills {
			code := t.content[f.content].code
			low, high = min(low, code), max(high, code)
		}
		// Word by word, 64 places at once: those that no fill excludes.
		for word := max(0, from-int(low)>>6); ; word++ {
			for len(used) < word+int(high>>6)+3 {
				used = append(used, 0)
			}
			met := uint64(0)
			for _, f := range fills {
				code := t.content[f.content].code
				w, s := word+int(code>>6), code&63
				if met |= used[w]>>s | used[w+1]<<1<<(63-s); met == ^uint64(0) {
					break
				}
			}
			if met != ^uint64(0) {
				n.at = uint32(word<<6 + bits.TrailingZeros64(^met))
				from = word + int(low>>6)
				break
			}
		}
		for _, f := range fills {
			at := n.at + t.content[f.content].code
			used[at>>6] |= 1 << (at & 63)
		}
	}
	t.to = make([]edge, len(used)*64)
	for id := range t.nodes {
		n := &t.nodes[id]
		for _, f := range t.fills[n.first:][:n.fills] {
			t.to[n.at+t.content[f.content].code] = edge(f.add<<(nodeBits+cellBits) | uint64(t.nodes[f.node].at))
		}
	}
}
