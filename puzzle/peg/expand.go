package peg

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// Graph is for the Parts.
func (s *Space) Graph() statespace.Graph {
	e, kinds := &expander{class: s.class}, make(map[[2]int]int)
	for k := range s.board.Jumps() {
		j := s.board.Jump(k)
		apart := [2]int{int(j.Over) - int(j.From), int(j.To) - int(j.From)}
		i, ok := kinds[apart]
		if !ok {
			i = len(e.jumps)
			kinds[apart] = i
			e.jumps = append(e.jumps, alike{over: apart[0], to: apart[1]})
		}
		e.jumps[i].from |= 1 << j.From
		e.jumps[i].flips[j.From] = s.class.Flip(j)
	}
	return statespace.Graph{Size: s.Size(), Roots: slices.Values(s.Roots()), NewExpander: func() statespace.Expander { return e }}
}

// An expander tries all jumps at once whose cells are equally far apart.
type expander struct {
	class *board.Class
	jumps []alike
}

// alike are jumps from some cells; the cells jumped over and to are so much farther in their order.
type alike struct {
	from     uint64
	over, to int
	flips    [board.MaxCells]uint64 // by the cell from which a jump goes: how it changes a number
}

// Expand implements statespace.Expander.
func (e *expander) Expand(dst []uint64, first, word uint64, _ *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		p := e.class.Position(x)
		for i := range e.jumps {
			j := &e.jumps[i]
			for can := j.from & p & bits.RotateLeft64(p, -j.over) &^ bits.RotateLeft64(p, -j.to); can != 0; can &= can - 1 {
				dst = append(dst, x^j.flips[bits.TrailingZeros64(can)%board.MaxCells])
			}
		}
	}
	return dst
}
