package slide

import (
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// Mirrors returns the turns and reflections of the tray that keep the start.
func (s *Space) Mirrors() (all []statespace.Symmetry) {
	for _, m := range s.puzzle.Mirrors() {
		all = append(all, mirror{s.numbers, m})
	}
	return all
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
