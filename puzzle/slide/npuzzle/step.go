package npuzzle

import (
	"context"
	"math/bits"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
)

// A step says which level workers make next. A task is a chunk of a plane.
type step struct {
	*words
	places    []int  // with the colour of the level
	low, high uint64 // the bits of its mark, for a whole word
}

// step makes the next level, which has the given colour and mark, from the last one. It marks
// the numbers and returns how many there are.
func (w *words) step(ctx context.Context, colour, mark int) (uint64, error) {
	s := &step{words: w, low: -uint64(mark & 1), high: -uint64(mark >> 1)}
	for place := range w.planes {
		if w.n.colour(place) == colour {
			s.places = append(s.places, place)
		}
	}
	for _, worker := range w.workers {
		worker.step, worker.count = s, 0
	}
	tasks := len(s.places) * (len(s.planes[0]) / s.chunk)
	err := mapped.EachWith(ctx, w.workers, uint64(tasks), func(w *worker, task uint64) error {
		w.make(int(task))
		return nil
	})
	return lists.SumOf(w.workers, func(worker *worker) uint64 { return worker.count }), err
}

// A worker makes chunks on one thread.
type worker struct {
	*words
	step  *step
	next  []uint64 // the chunk that moves lead to
	count uint64   // the new positions
}

// make makes the chunk of a task.
func (w *worker) make(task int) {
	n := w.n
	chunks := len(w.planes[0]) / w.chunk
	place := w.step.places[task/chunks]
	chunk := task % chunks
	first := chunk * w.chunk
	in := func(place int) []uint64 { return w.planes[place][first:][:w.chunk] }
	next := w.next
	switch col := place % n.cols; col {
	case 0:
		copy(next, in(place+1))
	case n.cols - 1:
		copy(next, in(place-1))
	default:
		left, right := in(place-1), in(place+1)
		for i := range next {
			next[i] = left[i] | right[i]
		}
	}
	odd := digitsOdd(chunk, w.top)
	if above := place - n.cols; above >= 0 {
		flip := odd ^ uint8(n.parity(above))
		switch win := w.windows[above]; {
		case win.low == 0:
			win.gather(next, w.planes[above], win.up, first)
		case win.down != nil:
			win.mixedDown(next, in(above), w.odd, flip)
		default:
			win.permute(next, in(above), &win.lowDown, w.odd, flip)
		}
	}
	if below := place + n.cols; below < len(w.planes) {
		flip := odd ^ uint8(n.parity(place))
		switch win := w.windows[place]; {
		case win.low == 0:
			win.gather(next, w.planes[below], win.down, first)
		case win.down != nil:
			win.mixedUp(next, in(below), w.odd, flip)
		default:
			win.permute(next, in(below), &win.lowUp, w.odd, flip)
		}
	}
	if w.marks == nil {
		w.count += newLevel(next, in(place))
		return
	}
	marks := w.marks[uint64(place)*(n.plane/64*2)+uint64(first)/16*30:]
	w.count += finish(next, in(place), marks, w.step.low, w.step.high)
}

// newLevel is finish without marks.
func newLevel(next, level []uint64) (count uint64) {
	level = level[:len(next)]
	for i, word := range next {
		word &^= level[i]
		level[i] = word
		count += uint64(bits.OnesCount64(word))
	}
	return count
}

// finish turns a chunk of what moves lead to into a chunk of the new level: it takes away the
// numbers of level, which is the level before the last one, and puts the new level in its place.
// It marks the new numbers and returns how many there are. The marks begin with those of the
// chunk.
func finish(next, level, marks []uint64, low, high uint64) (count uint64) {
	for i := 0; i < len(next); i += 16 {
		a, b := (*[16]uint64)(next[i:]), (*[16]uint64)(level[i:])
		any := uint64(0)
		for j := range a {
			w := a[j] &^ b[j]
			a[j], b[j] = w, w
			any |= w
		}
		if any == 0 {
			continue
		}
		// Sixteen words of 60 bits are fifteen of 64.
		p := (*[30]uint64)(marks[i/16*30:])
		for j := range 15 {
			w := a[j]>>(4*j) | a[j+1]<<(60-4*j)
			p[2*j] |= w & low
			p[2*j+1] |= w & high
			count += uint64(bits.OnesCount64(w))
		}
	}
	return count
}
