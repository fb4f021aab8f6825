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
	look     bool // for goals
	shared   bool // other workers are at other parts
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
			return context.Cause(ctx)
		}
		groups := dirty[at]
		dirty[at] = 0
		for ; groups != 0; groups &= groups - 1 {
			group := at<<6 + bits.TrailingZeros64(groups)
			word := s.open(group, s.level)
			number := uint64(group) << 6
			if s.depths != nil {
				s.depths.set(group, word, s.level)
			}
			if s.options.Visit != nil {
				s.options.Visit(w.number, s.level, number, word)
			}
			w.numbers = w.expander.Expand(w.numbers[:0], number, word, goals)
			if w.shared {
				w.count += s.addShared(w.numbers, s.level+1)
			} else {
				w.count += s.add(w.numbers, s.level+1)
			}
		}
	}
	return nil
}
