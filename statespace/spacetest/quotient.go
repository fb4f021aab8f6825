package spacetest

import (
	"slices"

	"pagoda/statespace"
)

const (
	lawQuotient = "each state of a Quotient stands for states of the whole space, and has their moves; there are no goals"
	lawNoState  = "a number of a Quotient that is no state is no root, has no moves, and has a text that Parse takes for another state or refuses"
)

// quotient checks a Quotient on some states and, if it is small, all states of its whole space.
func (c *checker) quotient(states []statespace.Index) error {
	q := c.parts.Symmetry.Quotient
	if q == nil {
		return nil
	}
	whole := q.Whole()
	if c.parts.Goals.Any() {
		return c.brokenAll(lawQuotient, "it has goals")
	}
	if err := c.noStates(); err != nil {
		return err
	}
	for _, x := range states {
		member, n := q.StandsFor(x)
		if n < 1 || member >= whole.Size() || q.For(member) != x {
			return c.broken(lawQuotient, x, "it stands for %d states, such as number %d", n, member)
		}
		if y, err := c.sp.Parse(whole.Format(member)); err != nil || y != x {
			return c.broken(lawQuotient, x, "it stands for %q, which Parse reads as number %d: %v", whole.Format(member), y, err)
		}
		for i, list := range [][2]func([]statespace.Edge, statespace.Index) []statespace.Edge{{whole.Successors, c.sp.Successors}, {whole.Predecessors, c.sp.Predecessors}} {
			var want, got []statespace.Index
			for _, e := range list[0](nil, member) {
				want = append(want, q.For(e.To))
			}
			for _, e := range list[1](nil, x) {
				got = append(got, e.To)
			}
			if !slices.Equal(sorted(got), sorted(want)) {
				return c.broken(lawQuotient, x, "its %s are the numbers %v, expected %v", [...]string{"Successors", "Predecessors"}[i], got, want)
			}
		}
	}
	if whole.Size() > c.most {
		return nil
	}
	found := make(map[statespace.Index]int)
	for y := range whole.Size() {
		found[q.For(y)]++
	}
	for x := range c.sp.Size() {
		if _, n := q.StandsFor(x); n != found[x] {
			return c.broken(lawQuotient, x, "it stands for %d states, found %d", n, found[x])
		}
	}
	return nil
}

// noStates checks some numbers of a Quotient that are no states.
func (c *checker) noStates() error {
	for range 200 {
		x := c.rng.Uint64N(c.sp.Size())
		if c.isState(x) {
			continue
		}
		if slices.Contains(c.sp.Roots(), x) || len(c.sp.Successors(nil, x)) > 0 || len(c.sp.Predecessors(nil, x)) > 0 {
			return c.broken(lawNoState, x, "it is a root, or has the moves %v on and %v back", c.sp.Successors(nil, x), c.sp.Predecessors(nil, x))
		}
		text := c.sp.Format(x)
		if y, err := c.sp.Parse(text); !oneLine(text) || err == nil && (y >= c.sp.Size() || !c.isState(y)) {
			return c.broken(lawNoState, x, "its text %q is number %d, %v", text, y, err)
		}
	}
	return nil
}
