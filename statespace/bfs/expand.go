package bfs

import (
	"context"
	"math/bits"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/internal/mapped"
)

// A worker makes the moves of a part of a level.
type worker struct {
	search   *Search
	number   int
	expander Expander
	look     bool       // for goals
	shared   bool       // other workers are at other parts
	words    [64]uint64 // of groups whose moves come next
	numbers  []uint64
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
	var taken atomic.Int64
	var group errgroup.Group
	for _, w := range workers {
		group.Go(func() error {
			return mapped.Guard(func() error {
				for {
					last := int(taken.Add(int64(part)))
					if last-part >= all {
						return nil
					}
					if err := w.expand(ctx, last-part, min(last, all)); err != nil {
						return err
					}
				}
			})
		})
	}
	return group.Wait()
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
		words, n := &w.words, 0
		groups := dirty[at]
		dirty[at] = 0
		for m := groups; m != 0; m &= m - 1 {
			words[n&63] = s.open(at<<6+bits.TrailingZeros64(m), s.level)
			n++
		}
		for n = 0; groups != 0; groups &= groups - 1 {
			group, word := at<<6+bits.TrailingZeros64(groups), words[n&63]
			n++
			number := uint64(group) << 6
			if s.depths != nil {
				s.depths.set(group, word, s.level)
			}
			if s.options.Visit != nil {
				s.options.Visit(w.number, s.level, number, word)
			}
			w.numbers = w.expander.Expand(w.numbers, number, word, goals)
			if len(w.numbers) >= batch {
				w.add()
			}
		}
	}
	w.add()
	return nil
}

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
