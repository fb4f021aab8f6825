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

// PatternBits implements statespace.Patterned: bit i of a pattern is a peg in cell i.
func (s *Space) PatternBits() int { return len(s.board.cells) }

// Pattern implements statespace.Patterned.
func (s *Space) Pattern(x statespace.Index) uint64 { return s.class.Position(x) }

// Among implements statespace.Patterned.
func (s *Space) Among(dst []statespace.Placed, word uint64) []statespace.Placed {
	low := &s.low
	v := apply(&s.class.number, word*64)
	dim := len(s.class.free)
	for _, f := range low.with[v>>dim^s.class.odd] {
		dst = append(dst, statespace.Placed{Bit: int(f), Number: (v ^ low.number[f]) & (1<<dim - 1)})
	}
	return dst
}

// A lowPart tells how the first six cells, those of 64 patterns that follow one another,
// change numbers.
type lowPart struct {
	number [64]uint64         // as Class has them, with the syndrome above
	with   map[uint64][]uint8 // the fillings that have a syndrome
}

func newLowPart(c *Class) (l lowPart) {
	l.with = make(map[uint64][]uint8)
	for f := range uint64(1) << min(6, len(c.board.cells)) {
		l.number[f] = apply(&c.number, f)
		syndrome := l.number[f] >> len(c.free)
		l.with[syndrome] = append(l.with[syndrome], uint8(f))
	}
	return l
}

// Pointing implements statespace.Pointed.
func (s *Space) Pointing(set *bitset.Set, pointers *bitset.Planes) statespace.Work {
	w := &pointing{class: s.class, masks: newCellMasks(s.class), roots: s.Roots(), set: set.Words(), pointers: pointers}
	for k, l := range s.board.lines {
		there, back := s.board.Jump(2*k), s.board.Jump(2*k+1)
		w.pulls = append(w.pulls, linePull{Line: l, word: s.class.flip(there) >> 6, there: s.class.turn(there), back: s.class.turn(back)})
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
	pulls    []linePull
}

// A linePull looks at the jumps along a line from where they lead to.
type linePull struct {
	Line
	word        uint64 // the word that they come from, as a flip of the other
	there, back int    // by how much bits move left in the jump from A to C, and back
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
	var pegs [MaxCells]uint64
	for cell := range w.masks {
		pegs[cell] = w.masks.pegs(cell, first)
	}
	for k := range w.pulls {
		if left == 0 {
			return
		}
		p := &w.pulls[k]
		from := w.set[word^p.word]
		came := bits.RotateLeft64(from, p.there)&pegs[p.C]&^pegs[p.A] | bits.RotateLeft64(from, p.back)&pegs[p.A]&^pegs[p.C]
		if came &= left &^ pegs[p.B]; came != 0 {
			w.pointers.SetAll(word, came, uint8(k+2))
			left &^= came
		}
	}
}
