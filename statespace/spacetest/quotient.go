package spacetest

import (
	"slices"

	"pagoda/statespace"
)

const lawQuotient = "each state of a Quotient stands for states of the whole space, and has their moves"

// quotient checks a Quotient on some states and, if it is small, all states of its whole space.
func (c *checker) quotient(states []statespace.Index) error {
	q, ok := c.sp.(statespace.Quotient)
	if !ok {
		return nil
	}
	whole := q.Whole()
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
