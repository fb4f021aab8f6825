package packing

import (
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
)

// displace makes bandTable.to by row displacement: it finds a place for each node so that no two
// fills meet. The nodes with the most fills come first, each at the first place where its fills
// fit. Nodes with few fills then go into the gaps.
func (b *bandBuilder) displace() {
	order := make([]uint32, len(b.nodes)-1) // without the end
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(i, j uint32) int { return int(b.nodes[j].fills) - int(b.nodes[i].fills) })
	var used []uint64 // a bit for each entry of to
	from, size := 0, uint32(0)
	for _, id := range order {
		n := &b.nodes[id]
		if n.fills != size { // a node does not look where the one before it, of the same size, did not fit
			from, size = 0, n.fills
		}
		used, from = b.findPlace(n, used, from)
	}
	b.to = mapped.Large[edge](len(used) * 64)
	for id := range b.nodes {
		n := &b.nodes[id]
		for _, f := range b.fillsOf(n) {
			b.to[n.at+b.contents[f.content].code] = edge(f.add<<(nodeBits+cellBits) | uint64(b.nodes[f.node].at))
		}
	}
}

// findPlace sets the place of a node, and marks the entries of its fills as used. The lowest of
// these is not below the word from; the result says in which word it is.
func (b *bandBuilder) findPlace(n *builtNode, used []uint64, from int) ([]uint64, int) {
	low, high := ^uint32(0), uint32(0)
	for _, f := range b.fillsOf(n) {
		code := b.contents[f.content].code
		low, high = min(low, code), max(high, code)
	}
	// A word stands for 64 places at a time: a bit of met is set if some fill meets another one.
	for word := max(0, from-int(low)>>6); ; word++ {
		for len(used) < word+int(high>>6)+3 {
			used = append(used, 0)
		}
		met := uint64(0)
		for _, f := range b.fillsOf(n) {
			code := b.contents[f.content].code
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
	for _, f := range b.fillsOf(n) {
		at := n.at + b.contents[f.content].code
		used[at>>6] |= 1 << (at & 63)
	}
	return used, from
}
