package spacetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/patterns"
)

func TestBrokenCells(t *testing.T) {
	for _, b := range []breach{
		{"cells in another order", celled{Lights: toys.NewLights(2, 3, 5), cells: func(all []cells.Cell) []cells.Cell { slices.Reverse(all); return all }}, lawCells},
		{"cell twice", celled{Lights: toys.NewLights(2, 3, 5), cells: func(all []cells.Cell) []cells.Cell { all[1] = all[0]; return all }}, lawCells},
		{"no cells", celled{Lights: toys.NewLights(2, 3, 5), cells: func([]cells.Cell) []cells.Cell { return nil }}, lawCells},
		{"no contents", celled{Lights: toys.NewLights(2, 3, 5), contents: -2}, lawCells},
		{"too few contents", celled{Lights: toys.NewLights(2, 3, 5), contents: -1}, lawPatterns},
		{"another state", celled{Lights: toys.NewLights(2, 3, 5), state: func(p cells.Pattern) { p[4] = 1 - p[4] }}, lawPatterns},
		{"state in two lines", celled{Lights: toys.NewLights(2, 3, 5), format: func(text string) string { return text + "\n" }}, lawPatterns},
		{"pattern that is not read", celled{Lights: toys.NewLights(2, 3, 5), parse: func(cells.Pattern) error { return errors.New("no") }}, lawPatterns},
		{"open cell that is closed", celled{Lights: toys.NewLights(2, 3, 5), parse: func(p cells.Pattern) error { p[5] = max(p[5], 0); return nil }}, lawPatterns},
		{"match that is forgotten", finder{celled{Lights: toys.NewLights(2, 3, 5)}, true, false}, lawFinder},
		{"member that is forgotten", finder{celled{Lights: toys.NewLights(2, 3, 5)}, false, true}, lawFinder},
	} {
		b.check(t, 100)
	}
	Test(t, finder{celled{Lights: toys.NewLights(2, 3, 5)}, false, false}, 50)
}

// celled is a space with cells, with changes.
type celled struct {
	toys.Lights
	cells    func(all []cells.Cell) []cells.Cell
	contents int
	state    func(p cells.Pattern)
	parse    func(p cells.Pattern) error
	format   func(text string) string
}

func (c celled) Parts() statespace.Parts {
	p := c.Lights.Parts()
	p.Cells = c
	return p
}

func (c celled) FormatPattern(p cells.Pattern) string {
	text := c.Lights.FormatPattern(p)
	if c.format != nil {
		text = c.format(text)
	}
	return text
}

func (c celled) Cells() []cells.Cell {
	if c.cells != nil {
		return c.cells(slices.Clone(c.Lights.Cells()))
	}
	return c.Lights.Cells()
}

func (c celled) Contents() int { return c.Lights.Contents() + c.contents }

func (c celled) State(dst cells.Pattern, x index) {
	if c.Lights.State(dst, x); c.state != nil {
		c.state(dst)
	}
}

func (c celled) ParsePattern(text string) (cells.Pattern, error) {
	p, err := c.Lights.ParsePattern(text)
	if err == nil && c.parse != nil {
		err = c.parse(p)
	}
	return p, err
}

// finder is a Finder that can forget something.
type finder struct {
	celled
	match, member bool
}

func (f finder) Parts() statespace.Parts {
	p := f.celled.Parts()
	p.Finder = f
	return p
}

func (f finder) Near(ctx context.Context, members bitset.Reader, t *cells.Target, q cells.Query, _ uint64) ([]cells.Match, error) {
	q.Targets = []*cells.Target{t}
	if q.Limit > 0 {
		q.Limit++
	}
	matches, _, err := patterns.NearPlain(ctx, f, members, q)
	if f.match && len(matches) > 1 {
		matches = matches[1:]
	}
	return matches, err
}

func (f finder) Visit(ctx context.Context, members bitset.Reader, p cells.Pattern, layers cells.Range, take func(first, members uint64) bool) error {
	return patterns.VisitPlain(ctx, f, members, p, layers, func(first, members uint64) bool {
		if f.member {
			members &= members - 1
		}
		return members == 0 || take(first, members)
	})
}

func (f finder) Count(ctx context.Context, members bitset.Reader, p cells.Pattern, layers cells.Range) (n uint64, err error) {
	err = patterns.VisitPlain(ctx, f, members, p, layers, func(_, members uint64) bool {
		for ; members != 0; members &= members - 1 {
			n++
		}
		return true
	})
	return n, err
}
