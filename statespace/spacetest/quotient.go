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
	q, ok := c.sp.(statespace.Quotient)
	if !ok {
		return nil
	}
	whole := q.Whole()
	if statespace.HasGoals(q) {
		return c.brokenAll(lawQuotient, "HasGoals() is true")
	}
	if err := c.noStates(q); err != nil {
		return err
	}
	for _, x := range states {
		member, n := q.StandsFor(x)
		if n < 1 || member >= whole.Size() || q.For(member) != x {
			return c.broken(lawQuotient, x, "it stands for %d states, such as number %d", n, member)
		}
		if y, err := q.Parse(whole.Format(member)); err != nil || y != x {
			return c.broken(lawQuotient, x, "it stands for %q, which Parse reads as number %d: %v", whole.Format(member), y, err)
		}
		for i, list := range [][2]func([]statespace.Edge, statespace.Index) []statespace.Edge{{whole.Successors, q.Successors}, {whole.Predecessors, q.Predecessors}} {
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
	if whole.Size() > small {
		return nil
	}
	found := make(map[statespace.Index]int)
	for y := range whole.Size() {
		found[q.For(y)]++
	}
	for x := range q.Size() {
		if _, n := q.StandsFor(x); n != found[x] {
			return c.broken(lawQuotient, x, "it stands for %d states, found %d", n, found[x])
		}
	}
	return nil
}

// noStates checks some numbers of a Quotient that are no states.
func (c *checker) noStates(q statespace.Quotient) error {
	for range 200 {
		x := c.rng.Uint64N(q.Size())
		if c.isState(x) {
			continue
		}
		if slices.Contains(q.Roots(), x) || len(q.Successors(nil, x)) > 0 || len(q.Predecessors(nil, x)) > 0 {
			return c.broken(lawNoState, x, "it is a root, or has the moves %v on and %v back", q.Successors(nil, x), q.Predecessors(nil, x))
		}
		text := q.Format(x)
		if y, err := q.Parse(text); !oneLine(text) || err == nil && (y >= q.Size() || !c.isState(y)) {
			return c.broken(lawNoState, x, "its text %q is number %d, %v", text, y, err)
		}
	}
	return nil
}
