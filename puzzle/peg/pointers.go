package peg

import (
	"math/bits"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/verify"
	"pagoda/statespace"
)

// pointers returns what a file can keep of the last jump. A pointer is 2 more than the line
// of the jump. The position shows from which end of the line the peg came (Oikawa, Yamazaki,
// Taniguchi and Uehara, A Peg Solitaire Font, Bridges 2017).
func (s *Space) pointers() *statespace.Pointers {
	return &statespace.Pointers{
		Bits: bits.Len(uint(len(s.board.Lines()) + 1)), Follow: s.follow, Point: s.pointing,
		Proof: func(set *bitset.Set, pointers *bitset.Planes) statespace.Work {
			return verify.Pointers(s.class, s.Roots()[0], set, pointers)
		},
	}
}

// follow returns the last jump that a pointer stands for.
func (s *Space) follow(x statespace.Index, pointer uint16) (statespace.Edge, bool) {
	line := int(pointer) - 2
	if line < 0 || line >= len(s.board.Lines()) {
		return statespace.Edge{}, false
	}
	p := ^s.class.Position(x) // as in Predecessors
	for k := 2 * line; k < 2*line+2; k++ {
		if j := &s.jumps[k]; p&j.cells == j.pegs {
			return statespace.Edge{To: x ^ j.flip, Move: k}, true
		}
	}
	return statespace.Edge{}, false
}

// patterns are all positions of the board: bit i of a pattern is a peg in cell i.
func (s *Space) patterns() *statespace.Patterns {
	return &statespace.Patterns{Bits: len(s.board.Cells()), Of: s.class.Position, Numbered: s.numbered}
}

// numbered appends the positions of a word, 64 of them, that are in the class.
func (s *Space) numbered(dst []statespace.NumberedPattern, word uint64) []statespace.NumberedPattern {
	low := &s.low
	x, syndrome := s.class.Syndrome(word * 64)
	for _, f := range low.with[syndrome] {
		dst = append(dst, statespace.NumberedPattern{Bit: int(f), Number: x ^ low.number[f]})
	}
	return dst
}

// lowCells says how the first six cells, which vary among 64 consecutive patterns, change
// numbers and syndromes.
type lowCells struct {
	number [64]uint64         // by filling of these cells: how it changes the number
	with   map[uint64][]uint8 // the fillings that change the syndrome by the key
}

func newLowCells(c *board.Class) (l lowCells) {
	l.with = make(map[uint64][]uint8)
	_, none := c.Syndrome(0)
	for f := range uint64(1) << min(6, len(c.Board().Cells())) {
		x, syndrome := c.Syndrome(f)
		l.number[f] = x
		l.with[syndrome^none] = append(l.with[syndrome^none], uint8(f))
	}
	return l
}

// pointing returns the work of finding the pointers of a set.
func (s *Space) pointing(set *bitset.Set, pointers *bitset.Planes) statespace.Work {
	w := &pointerWork{class: s.class, masks: board.NewCellMasks(s.class), roots: s.Roots(), set: set.Words(), pointers: pointers}
	for k, l := range s.board.Lines() {
		there, back := s.board.Jump(2*k), s.board.Jump(2*k+1)
		w.pulls = append(w.pulls, linePull{Line: l, word: s.class.Flip(there) >> 6, there: s.class.Turn(there), back: s.class.Turn(back)})
	}
	return w
}

// pointerWork finds pointers, 64 numbers at a time.
type pointerWork struct {
	class    *board.Class
	masks    board.CellMasks
	roots    []uint64
	set      []uint64
	pointers *bitset.Planes
	pulls    []linePull
}

// A linePull finds the jumps along a line, seen from the positions they lead to.
type linePull struct {
	board.Line
	word        uint64 // the word they come from is the other word ^ this
	there, back int    // by how much the jump from A to C rotates a word left, and the one back
}

const pointerTask = 1 << 12 // words

// Stages implements statespace.Work.
func (w *pointerWork) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (w *pointerWork) Tasks(int) int { return (len(w.set) + pointerTask - 1) / pointerTask }

// NewWorker implements statespace.Work.
func (w *pointerWork) NewWorker() statespace.Worker { return pointer{w} }

type pointer struct{ *pointerWork }

// Do implements statespace.Worker.
func (w pointer) Do(_, task int) {
	for i := task * pointerTask; i < min((task+1)*pointerTask, len(w.set)); i++ {
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
	var pegs [board.MaxCells]uint64
	for cell := range w.masks {
		pegs[cell] = w.masks.Pegs(cell, first)
	}
	for k := range w.pulls {
		if left == 0 {
			return
		}
		p := &w.pulls[k]
		from := w.set[word^p.word]
		came := bits.RotateLeft64(from, p.there)&pegs[p.C]&^pegs[p.A] | bits.RotateLeft64(from, p.back)&pegs[p.A]&^pegs[p.C]
		if came &= left &^ pegs[p.B]; came != 0 {
			w.pointers.SetAll(word, came, uint16(k+2))
			left &^= came
		}
	}
}
