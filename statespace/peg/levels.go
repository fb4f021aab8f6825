package peg

import (
	"math/bits"
	"sync/atomic"

	"pagoda/statespace"
)

// levels enumerates a class by falling number of pegs, 64 numbers at a time. It
// needs no weights: the stage of p pegs takes, into each word, the positions with
// p pegs that a jump makes of positions with p+1.
type levels struct {
	class *Class
	set   []uint64
	most  int // pegs of the start
	jumps []levelJump
	masks cellMasks
	pegs  *pegMasks
	// inChunk[w] is how the first position of the w-th word of a chunk, which is
	// a task, differs from that of the first.
	inChunk []Position
}

type levelJump struct {
	Jump
	words uint64 // source word ^ words is the word
	turn  int    // the source's word is rotated left by this
	// The cells of the jump: those that vary in a word, those that vary in a
	// chunk only, the others.
	inWord, inChunk, outside uint64
}

func newLevels(c *Class, start Position, set []uint64) *levels {
	l := &levels{class: c, set: set, most: bits.OnesCount64(start), masks: newCellMasks(c), pegs: newPegMasks(c),
		inChunk: make([]Position, min(len(set), 256))}
	var vary uint64
	for w := range l.inChunk {
		l.inChunk[w] = c.Position(uint64(w)<<6) ^ c.zero
		vary |= l.inChunk[w]
	}
	for k := range c.board.Jumps() {
		j := c.board.Jump(k)
		q := levelJump{Jump: j, words: c.flip(j) >> 6, turn: c.turn(j)}
		for _, cell := range [3]int{j.From, j.Over, j.To} {
			switch {
			case l.masks[cell] != 0:
				q.inWord |= 1 << cell
			case vary>>cell&1 == 1:
				q.inChunk |= 1 << cell
			default:
				q.outside |= 1 << cell
			}
		}
		l.jumps = append(l.jumps, q)
	}
	return l
}

// Stages implements statespace.Work: a stage is a number of pegs.
func (l *levels) Stages() int { return max(0, l.most-1) }

// Tasks implements statespace.Work: a task is a chunk of words.
func (l *levels) Tasks(int) int { return len(l.set) / len(l.inChunk) }

// NewWorker implements statespace.Work.
func (l *levels) NewWorker() statespace.Worker { return &leveller{levels: l} }

type leveller struct {
	*levels
	active []levelJump // that can lead into the chunk
}

// Do implements statespace.Worker. Other workers read the words that one writes,
// but they look for positions with p+1 pegs, and those with p change.
func (l *leveller) Do(stage, task int) {
	p := l.most - 1 - stage
	chunk := uint64(task * len(l.inChunk))
	first := l.class.Position(chunk << 6)
	l.active = l.active[:0]
	for _, j := range l.jumps {
		if first&j.outside == 1<<j.To&j.outside {
			l.active = append(l.active, j)
		}
	}
	for i, differs := range l.inChunk {
		w, first := chunk+uint64(i), first^differs
		common := l.pegs.common(first)
		if p < common || p > common+len(l.pegs.vary) {
			continue
		}
		level := l.pegs.more(first)[p-common]
		var found uint64
		for k := range l.active {
			j := &l.active[k]
			if first&j.inChunk != 1<<j.To&j.inChunk {
				continue
			}
			if to := level & l.masks.jumped(j.Jump, j.inWord, first); to != 0 {
				found |= bits.RotateLeft64(atomic.LoadUint64(&l.set[w^j.words]), j.turn) & to
			}
		}
		if found != 0 {
			atomic.StoreUint64(&l.set[w], l.set[w]|found)
		}
	}
}
