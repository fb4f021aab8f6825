package slide

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// New returns the space of a puzzle: a *Space, or an *Unnumbered if the positions cannot be
// numbered, or the tables do not fit into the memory. It is an *Unnumbered too if the tables are
// large and only few positions can be reached. The memory is in bytes; 0 is no bound. With toGoal, the
// space ends at the nearest goals. When ctx ends, New stops soon and returns the cause.
func New(ctx context.Context, name string, p *tray.Puzzle, m tray.Metric, toGoal bool, memory uint64) (statespace.Space, error) {
	return newBy(ctx, name, p, m, toGoal, memory, newNumbering)
}

// cheapTables is up to how many bytes of tables numbers are tried first. Instead of larger tables, a list of the
// positions is better if few can be reached: see sparse.Few.
const cheapTables = 24 << 20

// newBy is New with numbers of a numberer.
func newBy(ctx context.Context, name string, p *tray.Puzzle, m tray.Metric, toGoal bool, memory uint64, number numberer) (statespace.Space, error) {
	if npuzzle.Is(p) && len(p.Cells()) > npuzzle.MostCells && !m.Super() {
		return asSpace(NewUnnumbered(name, p, m, toGoal)) // nobody has to look whether few positions can be reached
	}
	cheap := min(cmp.Or(memory, cheapTables), cheapTables)
	s, err := makeSpace(ctx, name, p, m, toGoal, cheap, number)
	if errors.Is(err, statespace.ErrMemory) && cheap != memory {
		few, _, _ := sparse.Few(ctx, keyGraph(p, m), sparse.Options{Memory: memory, ToGoal: toGoal}, nil)
		if few != nil {
			few.Close()
		} else {
			s, err = makeSpace(ctx, name, p, m, toGoal, memory, number)
		}
	}
	if _, ok := errors.AsType[*packing.LimitError](err); ok {
		return asSpace(NewUnnumbered(name, p, m, toGoal))
	}
	return asSpace(s, err)
}

// An Unnumbered space is that of a puzzle with more placements than can be numbered. Its states are
// known by the keys of package packing. Its Size is 0, until a table of the positions
// numbers it.
type Unnumbered struct{ *Space }

// NewUnnumbered returns the space of a puzzle, without numbers.
func NewUnnumbered(name string, p *tray.Puzzle, m tray.Metric, toGoal bool) (*Unnumbered, error) {
	s, err := newSpace(name, p, m, toGoal)
	if err != nil {
		return nil, err
	}
	s.numbers = newRanks(p, sparse.CodesOf(1, nil))
	return &Unnumbered{s}, nil
}

// Roots implements statespace.Space: without numbers there are none.
func (u *Unnumbered) Roots() []statespace.Index { return nil }

// Parse implements statespace.Space: no position has a number.
func (u *Unnumbered) Parse(text string) (statespace.Index, error) {
	if _, err := u.parsePosition(text); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("%w: %s has no numbers until it is enumerated", statespace.ErrOutside, u.name)
}

// Parts implements statespace.Space: those of a Space that do not need numbers, and the codes.
func (u *Unnumbered) Parts() statespace.Parts {
	p := u.Space.Parts()
	p.Graph, p.Codes = nil, statespace.Codes{Graph: u.codes, Numbered: u.numbered}
	keys := packing.NewKeys(u.puzzle, u.metric)
	p.EndAt, p.Bounds = u.endAt, u.bounds(coder{keys.Of, keys.Position})
	return p
}

// codes returns the graph of the keys.
func (u *Unnumbered) codes() statespace.CodeGraph { return keyGraph(u.puzzle, u.metric) }

// keyGraph returns the graph of the keys of positions.
func keyGraph(p *tray.Puzzle, m tray.Metric) statespace.CodeGraph {
	keys := packing.NewKeys(p, m)
	return statespace.CodeGraph{Words: keys.Words(), Roots: [][]uint64{keys.Of(p.Start())}, Back: 1, Valid: keys.Valid,
		NewExpander: func() statespace.CodeExpander { return packing.NewKeys(p, m) },
		NewProver:   func() statespace.CodeExpander { return packing.NewKeyProver(p, m) }}
}

// numbered returns a *Listed.
func (u *Unnumbered) numbered(t statespace.Table) (statespace.Space, error) {
	definition, err := sparse.Renumber(u.Definition())
	if err != nil {
		return nil, err
	}
	r := newRanks(u.puzzle, t)
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", u.name, err)
	}
	s := *u.Space
	s.numbers = r
	return &Listed{&s, u, definition}, nil
}

// A Listed space is an Unnumbered one whose positions a table numbers.
type Listed struct {
	*Space
	of         *Unnumbered
	definition statespace.Definition
}

// Parts implements statespace.Space.
func (l *Listed) Parts() statespace.Parts {
	p := l.Space.Parts()
	p.Codes, p.Bounds, p.EndAt = statespace.Codes{Of: l.of}, statespace.Bounds{}, nil
	return p
}

// Definition implements statespace.Space.
func (l *Listed) Definition() statespace.Definition { return l.definition }
