package slide

import (
	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
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

// Mirrors returns the turns and reflections of the tray that keep the start.
func (s *Space) Mirrors() []statespace.Symmetry {
	return lists.Map(s.puzzle.Mirrors(), func(m *tray.Symmetry) statespace.Symmetry { return mirror{s.numbers, m} })
}

// A mirror is a tray.Symmetry of numbers.
type mirror struct {
	numbers numbering
	*tray.Symmetry
}

// Map implements statespace.Symmetry. A number that is no position stays where it is.
func (m mirror) Map(x statespace.Index) statespace.Index {
	y, ok := m.numbers.Rank(m.Position(m.numbers.Unrank(x)))
	if !ok {
		return x
	}
	return y
}
