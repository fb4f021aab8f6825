package bfs

import (
	"math/bits"
	"sync/atomic"

	"pagoda/statespace"
)

// isDense reports whether a block has many states. They are in some groups.
func (w *worker) isDense(groups uint64) bool {
	states := 0
	for ; groups != 0; groups &= groups - 1 {
		states += bits.OnesCount64(w.states[bits.TrailingZeros64(groups)])
	}
	return states >= denseBlock
}

// expandBlock makes the moves of a block, if it has many states. They are in some groups.
func (w *worker) expandBlock(first, groups uint64, goals *[]uint64) bool {
	if !w.isDense(groups) {
		return false
	}
	for k := range w.states {
		if groups>>k&1 == 0 {
			w.states[k] = 0
		}
		for word := w.states[k]; goals != nil && word != 0; word &= word - 1 {
			if x := first + uint64(k<<6+bits.TrailingZeros64(word)); w.blocks.Goal(x) {
				*goals = append(*goals, x)
			}
		}
	}
	w.numbers, w.spans = w.blocks.ExpandBlock(w.numbers, w.spans[:0], first, &w.states)
	for _, span := range w.spans {
		w.count += w.search.addSpan(&w.states, first, span, w.search.level+1, w.shared)
	}
	w.add()
	return true
}

// addSpan adds the states to which a span of a block leads, also while other threads add to the same level if it
// is shared.
func (f *frontier) addSpan(states *statespace.Block, first uint64, s statespace.Span, level int, shared bool) (count uint64) {
	add := f.addWord
	if shared {
		add = f.addWordShared
	}
	to := int64(first) + s.Add // where bit 0 of the block would be
	shift := uint(to & 63)
	rest := uint64(0) // of the word before
	last := (s.To - 1) >> 6
	for k := s.From >> 6; k <= last; k++ {
		word := states.Between(k, s.From, s.To)
		if part := rest | word<<shift; part != 0 {
			count += add(to>>6+int64(k), part, level)
		}
		rest = word >> 1 >> (63 - shift)
	}
	if rest != 0 {
		count += add(to>>6+int64(last)+1, rest, level)
	}
	return count
}

// addWord is add for the numbers of a group that have a bit in word.
func (f *frontier) addWord(group int64, word uint64, level int) uint64 {
	w := f.marks[2*group:][:2]
	fresh := word &^ (w[0] | w[1])
	if fresh == 0 {
		return 0
	}
	m := Mark(level)
	if m&1 != 0 {
		w[0] |= fresh
	}
	if m&2 != 0 {
		w[1] |= fresh
	}
	f.dirty[level&1][group>>6] |= 1 << (group & 63)
	return uint64(bits.OnesCount64(fresh))
}

// addWordShared is addWord while other threads add to the same level, as addShared is add.
func (f *frontier) addWordShared(group int64, word uint64, level int) uint64 {
	low, high := &f.marks[2*group], &f.marks[2*group+1]
	fresh := word &^ (atomic.LoadUint64(low) | atomic.LoadUint64(high))
	if fresh == 0 {
		return 0
	}
	m := Mark(level)
	if m&1 != 0 {
		fresh &^= atomic.OrUint64(low, fresh)
	}
	if m == 2 {
		fresh &^= atomic.OrUint64(high, fresh)
	} else if m == 3 {
		atomic.OrUint64(high, fresh)
	}
	d, one := &f.dirty[level&1][group>>6], uint64(1)<<(group&63)
	if atomic.LoadUint64(d)&one == 0 {
		atomic.OrUint64(d, one)
	}
	return uint64(bits.OnesCount64(fresh))
}
