package engine

import (
	"math/bits"

	"pagoda/internal/gf2"
	"pagoda/internal/prefetch"
	"pagoda/puzzle/peg/board"
)

// A source is a block that is pulled from.
type source struct {
	words []uint64
	pull  *blockPull
	state uint64 // of the pivots of the pull
	via   uint8  // 1 + the fold that takes the source to its representative; 0 for none
}

// A candidate is a pull that leads to a block. In a ring, its source need not have been
// made: place is an entry of schedule.places.
type candidate struct{ pull, place uint32 }

// maxPrefetch bounds the words of each source that are fetched ahead, so that all
// fit a second-level cache. In longer blocks the processor sees the sequence itself.
const maxPrefetch = 1024

// lookAhead finds the sources of the block at a place in order, if the place is before
// last, and lists the candidates of the block after it.
//
// Sources are scattered over memory, and so are their entries in schedule.places. They
// are fetched early, and are in the cache when the block's turn comes: the entries two
// blocks before, the sources one block before.
func (w *worker) lookAhead(at, last int) {
	w.ahead = w.ahead[:0]
	if at < last {
		block := w.order[at]
		outside := w.outside(uint64(block))
		for _, c := range w.candidates {
			from := source{pull: &w.pulls[c.pull]}
			switch {
			case w.ring == nil:
				from.words, from.state = w.of(w.memory, uint64(block)^from.pull.flip), gf2.Extract(from.pull.pivots, outside)
			case c.place == 0:
				continue
			default:
				w.findInRing(&from, c, block, outside)
			}
			w.fetched |= prefetch.Words(from.words[:min(len(from.words), maxPrefetch)])
			w.ahead = append(w.ahead, from)
		}
	}
	w.listCandidates(at+1, last)
}

// listCandidates lists the pulls that lead to the block at a place in order, if the
// place is before last.
func (w *worker) listCandidates(at, last int) {
	w.candidates = w.candidates[:0]
	if at >= last {
		return
	}
	block := w.order[at]
	outside := w.outside(uint64(block))
	for i := 0; i < len(w.pulls); i += 64 {
		for which := w.filter.leading(i, outside); which != 0; which &= which - 1 {
			c := candidate{pull: uint32(i + bits.TrailingZeros64(which))}
			if w.ring != nil {
				c.place = w.places[w.entry(block^uint32(w.pulls[c.pull].flip))]
			}
			w.candidates = append(w.candidates, c)
		}
	}
}

// findInRing completes the source of a candidate. If it is not a representative, its
// representative is pulled from, into an image of the block.
func (w *worker) findInRing(from *source, c candidate, block uint32, outside board.Position) {
	if place := c.place>>w.viaBits - 1; w.given == nil {
		from.words = w.inRing(place)
	} else {
		from.words = w.given.source(uint64(place))
	}
	if from.via = uint8(c.place & (1<<w.viaBits - 1)); from.via != 0 {
		f, side := w.ring.folds[from.via-1], &w.sides[from.via]
		if next := uint64(block) + 1; side.block != next {
			side.block, side.outside = next, w.outside(uint64(f.image(block)))
		}
		from.pull, outside = &w.pulls[f.pulls[c.pull]], side.outside
	}
	from.state = gf2.Extract(from.pull.pivots, outside)
}
