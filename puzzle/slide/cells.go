package slide

import (
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// Cells implements cells.Celled.
func (s *Space) Cells() []cells.Cell { return s.puzzle.Cells() }

// Contents implements cells.Celled: nothing, or a piece, where pieces that look alike are the same.
func (s *Space) Contents() int { return 1 + s.puzzle.Looks() }

// State implements cells.Celled.
func (s *Space) State(dst cells.Pattern, x statespace.Index) { s.puzzle.Fill(dst, s.numbers.Unrank(x)) }

// ParsePattern implements cells.Celled; tray.Puzzle.ParsePattern describes the text.
func (s *Space) ParsePattern(text string) (cells.Pattern, error) { return s.puzzle.ParsePattern(text) }

// FormatPattern implements cells.Celled.
func (s *Space) FormatPattern(p cells.Pattern) string { return s.puzzle.FormatPattern(p) }
