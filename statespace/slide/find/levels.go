package find

import "math/bits"

// levels are the bits of a unit: which numbers were seen, which are of the level, and which are of the
// next one. A coarse map says which blocks of a level are not empty.
type levels struct {
	now    []uint64
	marks  []mark
	nowIn  []uint64 // a bit for each block of now that is not empty
	nextIn []uint64
}

// A mark is a word of two planes: most of what is written was just read.
type mark struct{ seen, next uint64 }

// blockShift is the binary logarithm of the words of a block.
const blockShift = 3

func newLevels(size uint64) *levels {
	words := (size+63)/64 + 1 // one more, so that a word across the end is never a case of its own
	blocks := words>>(blockShift+6) + 1
	return &levels{now: make([]uint64, words), marks: make([]mark, words), nowIn: make([]uint64, blocks), nextIn: make([]uint64, blocks)}
}

// add puts up to 64 numbers in the next level, unless they were seen.
func (l *levels) add(at uint64, set uint64) {
	w, shift := at>>6, at&63
	if m := &l.marks[w]; set<<shift&^m.seen != 0 {
		m.next |= set << shift &^ m.seen
		l.nextIn[w>>(blockShift+6)] |= 1 << (w >> blockShift & 63)
	}
	if set = set >> 1 >> (63 - shift); set != 0 {
		w++
		if m := &l.marks[w]; set&^m.seen != 0 {
			m.next |= set &^ m.seen
			l.nextIn[w>>(blockShift+6)] |= 1 << (w >> blockShift & 63)
		}
	}
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
			for w := first; w < min(first+1<<blockShift, len(l.marks)); w++ {
				m := &l.marks[w]
				l.now[w] = m.next
				m.seen |= m.next
				count += uint64(bits.OnesCount64(m.next))
				m.next = 0
			}
		}
	}
	l.nowIn, l.nextIn = l.nextIn, l.nowIn
	clear(l.nextIn)
	return count
}

// done reports whether the next level is empty.
func (l *levels) done() bool {
	for _, in := range l.nextIn {
		if in != 0 {
			return false
		}
	}
	return true
}
