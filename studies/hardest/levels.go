package hardest

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
)

// levels are the bits of a unit: which numbers were seen, which are of the level, and which are of the
// next one. A coarse map says which blocks of a level are not empty.
type levels struct {
	now    []uint64
	marks  []uint64 // two for each word: those seen, and those of the next level, as what is written was just read
	nowIn  []uint64 // a bit for each block of now that is not empty
	nextIn []uint64
}

// blockShift is the binary logarithm of the words of a block.
const blockShift = 3

// newLevels returns empty levels of a number of numbers, and a function that gives their memory back.
func newLevels(ctx context.Context, size uint64) (*levels, func(), error) {
	words := (size+63)/64 + 1 // one more, so that a word across the end is never a case of its own
	blocks := words>>(blockShift+6) + 1
	all, free := []uint64(nil), func() {}
	if n := 3*words + 2*blocks; n < 1<<18 {
		all = make([]uint64, n)
	} else {
		m, err := mapped.Alloc(ctx, n, 1)
		if err != nil {
			return nil, nil, err
		}
		all, free = m.Words(), func() { m.Free() }
	}
	cut := func(n uint64) (part []uint64) {
		part, all = all[:n:n], all[n:]
		return part
	}
	return &levels{now: cut(words), marks: cut(2 * words), nowIn: cut(blocks), nextIn: cut(blocks)}, free, nil
}

// add puts up to 64 numbers in the next level, unless they were seen. It returns those that were.
func (l *levels) add(at uint64, set uint64) (seen uint64) {
	w, shift := at>>6, at&63
	old := l.marks[2*w]
	seen = old >> shift & set
	if fresh := set << shift &^ old; fresh != 0 {
		l.marks[2*w+1] |= fresh
		l.nextIn[w>>(blockShift+6)] |= 1 << (w >> blockShift & 63)
	}
	if high := set >> 1 >> (63 - shift); high != 0 {
		w++
		old := l.marks[2*w]
		seen |= high & old << 1 << (63 - shift)
		if fresh := high &^ old; fresh != 0 {
			l.marks[2*w+1] |= fresh
			l.nextIn[w>>(blockShift+6)] |= 1 << (w >> blockShift & 63)
		}
	}
	return seen
}

// addAll puts a range of numbers in the next level.
func (l *levels) addAll(from, to uint64) {
	for ; to-from > 64; from += 64 {
		l.add(from, ^uint64(0))
	}
	if to > from {
		l.add(from, ^uint64(0)>>(64-(to-from)))
	}
}

// addMoved puts the numbers of the level from one on, size of them, in the next level, at another place.
func (l *levels) addMoved(to, from, size uint64) {
	for at, end := from, from+size; ; {
		at = l.next(at, end)
		if at >= end {
			return
		}
		n := min(64-at&63, end-at)
		l.add(to+at-from, l.word(at, n))
		at += n
	}
}

// word returns n numbers of the level as bits, at most 64, from one on.
func (l *levels) word(at, n uint64) uint64 {
	w, shift := at>>6, at&63
	set := l.now[w]>>shift | l.now[w+1]<<1<<(63-shift)
	return set & (^uint64(0) >> (64 - n))
}

// next returns the first number of the level that is not below at, or end or more if there is
// none before.
func (l *levels) next(at, end uint64) uint64 {
	if at >= end {
		return end
	}
	w := at >> 6
	if set := l.now[w] >> (at & 63); set != 0 {
		return at + uint64(bits.TrailingZeros64(set))
	}
	for last := (end - 1) >> 6; w < last; {
		w++
		if w&(1<<blockShift-1) == 0 { // a new block
			b := w >> blockShift
			in := l.nowIn[b>>6] >> (b & 63)
			for in == 0 {
				b = b&^63 + 64
				if b<<blockShift > last {
					return end
				}
				in = l.nowIn[b>>6]
			}
			w = (b + uint64(bits.TrailingZeros64(in))) << blockShift
			if w > last {
				return end
			}
		}
		if set := l.now[w]; set != 0 {
			return w<<6 + uint64(bits.TrailingZeros64(set))
		}
	}
	return end
}

// advance makes the next level the present one, and returns the number of its numbers.
func (l *levels) advance() (count uint64) {
	for i, in := range l.nowIn {
		for ; in != 0; in &= in - 1 {
			w := (i<<6 + bits.TrailingZeros64(in)) << blockShift
			clear(l.now[w:min(w+1<<blockShift, len(l.now))])
		}
	}
	for i, in := range l.nextIn {
		for ; in != 0; in &= in - 1 {
			first := (i<<6 + bits.TrailingZeros64(in)) << blockShift
			for w := first; w < min(first+1<<blockShift, len(l.now)); w++ {
				next := l.marks[2*w+1]
				l.now[w] = next
				l.marks[2*w] |= next
				l.marks[2*w+1] = 0
				count += uint64(bits.OnesCount64(next))
			}
		}
	}
	l.nowIn, l.nextIn = l.nextIn, l.nowIn
	clear(l.nextIn)
	return count
}

// done reports whether the next level is empty.
func (l *levels) done() bool {
	return !slices.ContainsFunc(l.nextIn, func(in uint64) bool { return in != 0 })
}
