package twist

import (
	"context"
	"fmt"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A listing numbers states by their ranks in a table of their codes, which have a byte for each place.
type listing struct {
	*model
	table statespace.Table
	of    *Space // nil: the table is empty
}

// words returns how many words a code has.
func (m *model) words() int { return (len(m.full.places) + 7) / 8 }

// code appends the code of a state.
func (m *model) code(dst []uint64, state []uint8) []uint64 {
	first := len(dst)
	dst = append(dst, make([]uint64, m.words())...)
	copy(mapped.Bytes(dst[first:]), state)
	return dst
}

// state returns the state of a code, whose bytes it is.
func (m *model) state(code []uint64) []uint8 { return mapped.Bytes(code)[:len(m.full.places)] }

// is reports whether bytes are a state.
func (m *model) is(state []uint8) bool {
	for k, place := range m.full.places {
		if len(state) != len(m.full.places) || int(state[k]) >= len(m.full.sets[m.setOf[place]].pieces) {
			return false
		}
	}
	return true
}

// Size implements numbers.
func (l *listing) Size() uint64 { return l.table.Len() }

// rank implements numbers.
func (l *listing) rank(state []uint8) (uint64, bool) {
	x, ok, err := l.table.Rank(l.code(nil, state))
	if err != nil {
		mapped.Throw(err)
	}
	return x, ok
}

// unrank implements numbers.
func (l *listing) unrank(x uint64) []uint8 {
	code, err := l.table.At(nil, x)
	if err != nil {
		mapped.Throw(err)
	}
	return l.state(code)
}

// newUnnumbered returns the space of a puzzle whose states have codes, from a state to an end or without one.
func newUnnumbered(name string, m *model, start, end []uint8) (*Space, error) {
	if m.words() > sorted.MaxWords {
		return nil, fmt.Errorf("%s has at least %.3g states: %w: their codes have at most %d pieces that differ, found %d", name, m.full.least(), statespace.ErrMemory, 8*sorted.MaxWords, len(m.full.places))
	}
	return &Space{name: name, model: m, numbers: &listing{model: m, table: sparse.CodesOf(m.words(), nil)}, start: start, end: end}, nil
}

// numbered is for the Codes.
func (s *Space) numbered(t statespace.Table) (statespace.Space, error) {
	l := *s
	l.numbers = &listing{s.model, t, s}
	if len(l.Roots()) == 0 {
		return nil, fmt.Errorf("the table of codes of %s should have the start, and lacks it", s.name)
	}
	return &l, nil
}

// startAt is for the Parts.
func (s *Space) startAt(_ context.Context, text string) (statespace.Space, error) {
	state, err := s.read(text)
	if err != nil {
		return nil, err
	}
	return newUnnumbered(s.name, s.model, state, s.end)
}

// endAt is for the Parts: the space is played from a state to the start of this one.
func (s *Space) endAt(text string) (statespace.Space, error) {
	state, err := s.read(text)
	if err != nil {
		return nil, err
	}
	return newUnnumbered(s.name, s.model, state, s.start)
}

// read reads a state to which moves lead.
func (s *Space) read(text string) ([]uint8, error) {
	state, err := s.parse(text)
	if err == nil && !s.leads(state) {
		err = statespace.ErrClass
	}
	return state, err
}

// codes is for the Codes.
func (s *Space) codes() statespace.CodeGraph {
	return statespace.CodeGraph{Words: s.words(), Roots: [][]uint64{s.code(nil, s.start)}, Back: 1,
		Valid: func(code []uint64) bool {
			return s.is(s.state(code)) && slices.Equal(s.code(nil, s.state(code)), code)
		},
		NewExpander: func() statespace.CodeExpander { return &expander{s, make([]uint8, len(s.start))} }}
}

// An expander makes moves on codes.
type expander struct {
	*Space
	next []uint8
}

// Expand implements statespace.CodeExpander.
func (e *expander) Expand(dst []uint64, code []uint64) []uint64 {
	for i := range e.moves {
		if e.after(e.next, e.state(code), i) {
			dst = e.code(dst, e.next)
		}
	}
	return dst
}

// Goal implements statespace.CodeExpander.
func (e *expander) Goal(code []uint64) bool {
	return e.end != nil && slices.Equal(e.state(code), e.end)
}
