package bfs

import (
	"context"
	"math/bits"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A worker makes the moves of a part of a level.
type worker struct {
	search   *Search
	number   int
	expander statespace.Expander
	blocks   statespace.BlockExpander // the expander, or nil
	look     bool                     // for goals
	shared   bool                     // other workers are at other parts
	states   statespace.Block         // whose moves come next
	numbers  []uint64
	spans    []statespace.Span
	goals    []uint64
	count    uint64 // states that are new on the next level
}

// expand makes all moves of the level. Workers take parts of it one by one.
func (s *Search) expand(ctx context.Context, workers []*worker) error {
	all := len(s.dirty[s.level&1])
	if len(workers) == 1 {
		return workers[0].expand(ctx, 0, all)
	}
	part := min(16, 1+all/(16*len(workers)))
	// Only a worker stops at the end of ctx, before a word that has open states. A level without any is ended.
	return mapped.EachWith(context.WithoutCancel(ctx), workers, uint64((all+part-1)/part), func(w *worker, i uint64) error {
		first := int(i) * part
		return w.expand(ctx, first, min(first+part, all))
	})
}

// expand makes the moves of a part of the level, given by a range of the words of dirty.
func (w *worker) expand(ctx context.Context, first, last int) error {
	s := w.search
	dirty := s.dirty[s.level&1]
	var goals *[]uint64
	if w.look {
		goals = &w.goals
	}
	for at := first; at < last; at++ {
		if dirty[at] == 0 {
			continue
		}
		if ctx.Err() != nil {
			w.add()
			return context.Cause(ctx)
		}
		// First the words of all groups, so that the waits for their memory overlap.
		groups := dirty[at]
		dirty[at] = 0
		for m := groups; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			w.states[k] = s.open(at<<6+k, s.level)
		}
		if s.depths != nil || s.options.Visit != nil {
			w.visit(at, groups)
		}
		if w.blocks != nil && w.expandBlock(uint64(at)*statespace.BlockSize, groups, goals) {
			continue
		}
		for m := groups; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m)
			w.numbers = w.expander.Expand(w.numbers, uint64(at<<6+k)<<6, w.states[k], goals)
			if len(w.numbers) >= batch {
				w.add()
			}
		}
	}
	w.add()
	return nil
}

// visit writes down the level of the states of a block, and calls Options.Visit.
func (w *worker) visit(block int, groups uint64) {
	s := w.search
	for ; groups != 0; groups &= groups - 1 {
		k := bits.TrailingZeros64(groups)
		group, word := block<<6+k, w.states[k]
		if s.depths != nil {
			s.depths.set(group, word, s.level)
		}
		if s.options.Visit != nil {
			s.options.Visit(w.number, s.level, uint64(group)<<6, word)
		}
	}
}

// denseBlock is the number of states from which on a BlockExpander makes the moves of a block. Tests change it.
var denseBlock = 64

// batch is about how many numbers a worker collects before it adds them. The waits for the memory of their
// marks then overlap.
const batch = 512

// add adds the numbers to the next level.
func (w *worker) add() {
	if w.shared {
		w.count += w.search.addShared(w.numbers, w.search.level+1)
	} else {
		w.count += w.search.add(w.numbers, w.search.level+1)
	}
	w.numbers = w.numbers[:0]
}
