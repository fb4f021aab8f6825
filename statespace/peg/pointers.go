package peg

import (
	"math/bits"

	"pagoda/bitset"
	"pagoda/statespace"
)

// PointerBits implements statespace.Pointed. A pointer from 2 on is 2 more than the
// line of the last jump; which of its ends the peg came from, the position tells
// (Oikawa, Yamazaki, Taniguchi and Uehara, A Peg Solitaire Font, Bridges 2017).
func (s *Space) PointerBits() int { return bits.Len(uint(len(s.board.lines) + 1)) }

// Follow implements statespace.Pointed.
func (s *Space) Follow(x statespace.Index, pointer uint8) (statespace.Edge, bool) {
	line := int(pointer) - 2
	if line < 0 || line >= len(s.board.lines) {
		return statespace.Edge{}, false
	}
	p := ^s.class.Position(x) // as the jump is seen backwards
	for k := 2 * line; k < 2*line+2; k++ {
		if j := &s.jumps[k]; p&j.cells == j.pegs {
			return statespace.Edge{To: x ^ j.flip, Move: k}, true
		}
	}
	return statespace.Edge{}, false
}

// Pointing implements statespace.Pointed.
func (s *Space) Pointing(set *bitset.Set, pointers *bitset.Planes) statespace.Work {
	w := &pointing{class: s.class, masks: newCellMasks(s.class), roots: s.Roots(), set: set.Words(), pointers: pointers}
	for k := range s.board.Jumps() {
		j := s.board.Jump(k)
		w.pulls = append(w.pulls, pointerPull{jump: j, word: s.class.flip(j) >> 6, turn: s.class.turn(j)})
	}
	return w
}

// pointing finds pointers, 64 numbers at a time.
type pointing struct {
	class    *Class
	masks    cellMasks
	roots    []uint64
	set      []uint64
	pointers *bitset.Planes
	pulls    []pointerPull
}

// A pointerPull looks at a jump from where it leads to.
type pointerPull struct {
	jump Jump
	word uint64 // the word that it comes from, as a flip of the other
	turn int    // by how much its bits move left
}

const pointingTask = 1 << 12 // words

// Stages implements statespace.Work.
func (w *pointing) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (w *pointing) Tasks(int) int { return (len(w.set) + pointingTask - 1) / pointingTask }

// NewWorker implements statespace.Work.
func (w *pointing) NewWorker() statespace.Worker { return pointer{w} }

type pointer struct{ *pointing }

// Do implements statespace.Worker.
func (w pointer) Do(_, task int) {
	for i := task * pointingTask; i < min((task+1)*pointingTask, len(w.set)); i++ {
		w.point(uint64(i))
	}
}

// point finds the pointers of the members in a word.
func (w pointer) point(word uint64) {
	left := w.set[word]
	for _, x := range w.roots {
		if x/64 == word {
			w.pointers.SetAll(word, left&(1<<(x%64)), 1)
			left &^= 1 << (x % 64)
		}
	}
	first := w.class.Position(word * 64)
	for k := range w.pulls {
		if left == 0 {
			return
		}
		p := &w.pulls[k]
		came := bits.RotateLeft64(w.set[word^p.word], p.turn) & w.masks.jumped(p.jump, ^uint64(0), first)
		if came &= left; came != 0 {
			w.pointers.SetAll(word, came, uint8(k/2+2))
			left &^= came
		}
	}
}
