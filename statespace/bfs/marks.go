package bfs

import "sync/atomic"

// MarkBits is the width of a mark.
const MarkBits = 2

// Mark returns the mark of a state at a distance from the roots: the distance modulo 3, plus 1.
// The mark of a state that is not reached is 0.
func Mark(distance int) uint8 { return uint8(distance%3) + 1 }

// markBefore is the mark of the distance before.
func markBefore(mark uint16) uint16 { return (mark+1)%3 + 1 }

// WithMark returns which of 64 numbers have a mark from 1 to 3. Their marks are given by the
// words of the two planes.
func WithMark(low, high uint64, mark uint8) uint64 {
	switch mark {
	case 1:
		return low &^ high
	case 2:
		return high &^ low
	}
	return low & high
}

// A frontier is the state of a search by Expanders.
type frontier struct {
	marks  []uint64 // two words for 64 numbers: low bits, high bits
	closed []uint64 // the states whose moves have been made
	// dirty[level&1] has a bit for each group of 64 numbers. It is set if some of them are on
	// the level and their moves are still to be made.
	dirty [2][]uint64
}

// add enters the numbers that are new on a level, and returns how many they are. It has no
// branches: they would wait for memory one number after the other.
func (f *frontier) add(numbers []uint64, level int) uint64 {
	m := uint64(Mark(level))
	low, high := -(m & 1), -(m >> 1)
	dirty := f.dirty[level&1]
	count := uint64(0)
	for _, x := range numbers {
		w := f.marks[x>>6<<1:][:2]
		a, b := w[0], w[1]
		fresh := 1 << (x & 63) &^ (a | b)
		w[0] = a | fresh&low
		w[1] = b | fresh&high
		one := fresh >> (x & 63)
		dirty[x>>12] |= one << (x >> 6 & 63)
		count += one
	}
	return count
}

// addShared is add while other threads add to the same level. The order makes no difference:
// exactly one of the threads that add a number finds it new. It overwrites the numbers.
func (f *frontier) addShared(numbers []uint64, level int) uint64 {
	m := Mark(level)
	dirty := f.dirty[level&1]
	count := uint64(0)
	for _, x := range f.unseen(numbers) {
		low, high := &f.marks[x>>6<<1], &f.marks[x>>6<<1+1]
		bit := uint64(1) << (x & 63)
		// A bit for both planes goes to the low one first, and open reads the high one first.
		// So open never sees the number in the high plane alone: that is the mark of the
		// level before.
		if (atomic.LoadUint64(low)|atomic.LoadUint64(high))&bit != 0 || m&1 != 0 && atomic.OrUint64(low, bit)&bit != 0 || m == 2 && atomic.OrUint64(high, bit)&bit != 0 {
			continue
		}
		if m == 3 {
			atomic.OrUint64(high, bit)
		}
		d, one := &dirty[x>>12], uint64(1)<<(x>>6&63)
		if atomic.LoadUint64(d)&one == 0 {
			atomic.OrUint64(d, one)
		}
		count++
	}
	return count
}

// unseen returns the numbers that had no mark a moment ago, in the memory of numbers. It has no branches
// either.
func (f *frontier) unseen(numbers []uint64) []uint64 {
	n := 0
	for _, x := range numbers {
		w := f.marks[x>>6<<1:][:2]
		numbers[n] = x
		n += int(^((atomic.LoadUint64(&w[0]) | atomic.LoadUint64(&w[1])) >> (x & 63)) & 1)
	}
	return numbers[:n]
}

// open returns which of 64 numbers are on a level and have not made their moves, and closes
// them.
func (f *frontier) open(group, level int) uint64 {
	high := atomic.LoadUint64(&f.marks[2*group+1])
	low := atomic.LoadUint64(&f.marks[2*group])
	word := WithMark(low, high, Mark(level)) &^ f.closed[group]
	f.closed[group] |= word
	return word
}

// forgetOpen takes back the marks of states whose moves have not been made.
func (f *frontier) forgetOpen() {
	for i, closed := range f.closed {
		f.marks[2*i] &= closed
		f.marks[2*i+1] &= closed
	}
}

// restore closes all states that have marks, except for those with a bit in open, which are on
// a level or on the next one.
func (f *frontier) restore(open []uint64, level int) {
	for i := range f.dirty {
		clear(f.dirty[i])
	}
	for i := range f.closed {
		low, high := f.marks[2*i], f.marks[2*i+1]
		f.closed[i] = (low | high) &^ open[i]
		for k := range 2 {
			if WithMark(low, high, Mark(level+k))&open[i] != 0 {
				f.dirty[(level+k)&1][i>>6] |= 1 << (i & 63)
			}
		}
	}
}
