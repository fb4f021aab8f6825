package engine

import (
	"slices"

	"pagoda/internal/gf2"
)

// Seeds implements statespace.Maker: it makes each jump within the block once, from all its members.
func (m *maker) Seeds(dst []uint64, i uint64, words []uint64) {
	w := m.worker
	outside := w.outside(uint64(m.feeds.order[i]))
	made := w.arranged[:w.words]
	clear(made)
	for k, within := 0, m.feeds.within(); k < len(within); k++ {
		p := &within[k]
		w.pull(made, &source{words: words, pull: p, state: gf2.Extract(p.pivots, outside)})
	}
	for k, word := range words {
		dst[k] = word &^ made[k]
	}
}

// Grow implements statespace.Maker. The program of a block closes it under the jumps within it.
func (m *maker) Grow(blocks []uint64, words func(i uint64) []uint64) {
	w, order := m.worker, m.feeds.order
	program := func(i uint64) int { return m.feeds.program(order[i]) }
	sorted := append(w.given.places[:0], blocks...)
	w.given.places = sorted
	slices.SortFunc(sorted, func(i, j uint64) int { return program(i) - program(j) })
	for len(sorted) > 0 {
		n, of := 0, program(sorted[0])
		for n < min(len(w.lanes), len(sorted)) && program(sorted[n]) == of {
			w.lanes[n] = words(sorted[n])
			n++
		}
		for lane := n; lane < len(w.lanes); lane++ {
			w.lanes[lane] = w.empty
		}
		w.kernel.interleave(w.scratch, w.lanes)
		w.kernel.close(&w.programs[of], w.scratch)
		w.kernel.separate(w.scratch, w.lanes)
		sorted = sorted[n:]
	}
}
