package peg

import (
	"math/bits"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// Features is the one of its statespace.Texts.
func (s *Space) Features() []statespace.Feature {
	feature := func(name, about string, of func(p board.Position) int) statespace.Feature {
		return statespace.Feature{Name: name, About: about, New: func() func(x statespace.Index) int64 {
			return func(x statespace.Index) int64 { return int64(of(s.class.Position(x))) }
		}}
	}
	return []statespace.Feature{
		feature("jumps", "possible jumps", s.possible),
		feature("branching", "possible moves: as jumps", s.possible),
		feature("loose", "pegs without another peg beside them", s.loose),
	}
}

// possible returns the number of possible jumps.
func (s *Space) possible(p board.Position) (n int) {
	for i := range s.jumps {
		if j := &s.jumps[i]; p&j.cells == j.pegs {
			n++
		}
	}
	return n
}

// loose returns the number of pegs without another peg beside them.
func (s *Space) loose(p board.Position) (n int) {
	for left := p; left != 0; left &= left - 1 {
		if p&s.board.Neighbours(bits.TrailingZeros64(left)) == 0 {
			n++
		}
	}
	return n
}
