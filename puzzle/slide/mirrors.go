package slide

import (
	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

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
