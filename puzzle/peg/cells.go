package peg

import (
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// What a cell has in it.
const (
	holeContent = 0
	pegContent  = 1
)

// Cells implements cells.Celled.
func (s *Space) Cells() []cells.Cell { return s.board.Cells() }

// Contents implements cells.Celled: a hole or a peg.
func (s *Space) Contents() int { return 2 }

// State implements cells.Celled.
func (s *Space) State(dst cells.Pattern, x statespace.Index) {
	p := s.class.Position(x)
	for cell := range dst {
		dst[cell] = int8(p >> cell & 1)
	}
}

// ParsePattern implements cells.Celled; board.Board.ParsePattern describes the text.
func (s *Space) ParsePattern(text string) (cells.Pattern, error) {
	p, err := s.board.ParsePattern(text)
	if err != nil {
		return nil, err
	}
	return s.Pattern(p), nil
}

// FormatPattern implements cells.Celled.
func (s *Space) FormatPattern(p cells.Pattern) string { return s.board.FormatPattern(s.positions(p)) }

// Pattern returns a pattern of the board by cell.
func (s *Space) Pattern(p board.Pattern) cells.Pattern {
	pattern := make(cells.Pattern, len(s.board.Cells()))
	for cell := range pattern {
		pattern[cell] = int8(p.Pegs >> cell & 1)
		if p.Any>>cell&1 == 1 {
			pattern[cell] = cells.Any
		}
	}
	return pattern
}

// positions returns a pattern as two sets of cells.
func (s *Space) positions(p cells.Pattern) (sets board.Pattern) {
	for cell, content := range p {
		switch content {
		case pegContent:
			sets.Pegs |= 1 << cell
		case cells.Any:
			sets.Any |= 1 << cell
		}
	}
	return sets
}
