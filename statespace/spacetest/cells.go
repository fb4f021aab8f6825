package spacetest

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

const (
	lawCells    = "a space with cells has cells, row by row from the top left, with 1 to 127 contents"
	lawPatterns = "ParsePattern reads what FormatPattern writes, and what Format writes as the state"
	lawFinder   = "a Finder finds what a look at every member finds"
)

// patterns checks the patterns of a space on some states.
func (c *checker) patterns(states []statespace.Index) error {
	sp := c.parts.Cells
	if sp == nil {
		return nil
	}
	all := sp.Cells()
	n := len(all)
	if n == 0 || sp.Contents() < 1 || sp.Contents() > 127 {
		return c.brokenAll(lawCells, "it has %d cells with %d contents", n, sp.Contents())
	}
	for i, at := range all {
		if at.Row < 0 || at.Col < 0 || i > 0 && cmp.Or(cmp.Compare(all[i-1].Row, at.Row), cmp.Compare(all[i-1].Col, at.Col)) >= 0 {
			return c.brokenAll(lawCells, "cell %d is %v, after %v", i, at, all[max(i, 1)-1])
		}
	}
	for _, x := range states {
		state := cells.Open(n) // State must fill all of it
		sp.State(state, x)
		for cell, content := range state {
			if content < 0 || int(content) >= sp.Contents() {
				return c.broken(lawPatterns, x, "State puts %d into cell %d, Contents() is %d", content, cell, sp.Contents())
			}
		}
		for _, text := range []string{c.sp.Format(x), sp.FormatPattern(state)} {
			if !oneLine(text) {
				return c.broken(lawPatterns, x, "%q is empty, or not on one line", text)
			}
			if err := c.reads(sp, x, text, state); err != nil {
				return err
			}
		}
		p := RandomPattern(c.rng, sp)
		if err := c.reads(sp, x, sp.FormatPattern(p), p); err != nil {
			return err
		}
	}
	return nil
}

// reads checks that a text is read as a pattern.
func (c *checker) reads(sp cells.Celled, x statespace.Index, text string, want cells.Pattern) error {
	p, err := sp.ParsePattern(text)
	if err != nil {
		return c.broken(lawPatterns, x, "ParsePattern refuses %q: %v", text, err)
	}
	if !slices.Equal(p, want) {
		return c.broken(lawPatterns, x, "ParsePattern reads %q as %v, expected %v", text, p, want)
	}
	return nil
}

// RandomPattern draws a pattern of a space. Some cells can be open.
func RandomPattern(rng *rand.Rand, sp cells.Celled) cells.Pattern {
	p := make(cells.Pattern, len(sp.Cells()))
	open := rng.IntN(4)
	for i := range p {
		p[i] = int8(rng.IntN(sp.Contents()))
		if rng.IntN(4) < open {
			p[i] = cells.Any
		}
	}
	return p
}

// questions compares what a space finds in a set with a look at every member, for n random
// questions of each kind.
func (c *checker) questions(set bitset.Reader, n int) error {
	for range n {
		q, about := c.query(set.Len())
		got, complete, err := patterns.Near(c.ctx, c.sp, set, q)
		if err != nil {
			return err
		}
		want, wantComplete, err := patterns.NearPlain(c.ctx, c.sp, set, q)
		if err != nil {
			return err
		}
		if complete != wantComplete || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			return c.brokenAll(lawFinder, "near %s it finds %v, complete: %t; one by one %v, complete: %t", about, got, complete, want, wantComplete)
		}
		p := RandomPattern(c.rng, c.parts.Cells)
		if c.rng.IntN(5) == 0 {
			p = cells.Open(len(p))
		}
		if err := c.visit(set, p, q.Layers); err != nil {
			return err
		}
	}
	return nil
}

// query draws a query, and describes it.
func (c *checker) query(size uint64) (q cells.Query, about string) {
	sp := c.parts.Cells
	q = cells.Query{Within: cells.Nearest, Limit: c.rng.IntN(20), Layers: cells.AllLayers}
	if l := c.parts.Layers; l != nil && c.rng.IntN(2) == 0 {
		a, b := l.Layer(c.rng.Uint64N(size)), l.Layer(c.rng.Uint64N(size))
		q.Layers = cells.Range{Least: min(a, b), Most: max(a, b)}
	}
	var weights []uint64
	if c.rng.IntN(2) == 0 {
		for range sp.Cells() {
			weights = append(weights, c.rng.Uint64N(4)*uint64(1+c.rng.IntN(1000)))
		}
	}
	for range 1 + c.rng.IntN(2) {
		var all []cells.Pattern
		for range 1 + c.rng.IntN(2) {
			p := RandomPattern(c.rng, sp)
			all = append(all, p)
			about += sp.FormatPattern(p) + ", "
		}
		t, err := cells.NewTarget(sp, weights, all...)
		if err != nil {
			panic(err) // the weights are small
		}
		q.Targets = append(q.Targets, t)
	}
	if c.rng.IntN(2) == 0 {
		q.Within = c.rng.Uint64N(q.Targets[0].Farthest() + 1)
	}
	return q, about + fmt.Sprintf("weights %v, within %d, limit %d, layers %q,", weights, q.Within, q.Limit, q.Layers)
}

// visit checks Visit and Count.
func (c *checker) visit(set bitset.Reader, p cells.Pattern, layers cells.Range) error {
	list := func(visit func(take func(first, members uint64) bool) error) (all []uint64, err error) {
		err = visit(func(first, members uint64) bool {
			for ; members != 0; members &= members - 1 {
				all = append(all, first+uint64(bits.TrailingZeros64(members)))
			}
			return len(all) < 1000
		})
		return all[:min(1000, len(all))], err
	}
	got, err := list(func(take func(first, members uint64) bool) error {
		return patterns.Visit(c.ctx, c.sp, set, p, layers, take)
	})
	if err != nil {
		return err
	}
	want, err := list(func(take func(first, members uint64) bool) error {
		return patterns.VisitPlain(c.ctx, c.sp, set, p, layers, take)
	})
	if err != nil {
		return err
	}
	n, err := patterns.Count(c.ctx, c.sp, set, p, layers)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) || n != uint64(len(want)) && len(want) < 1000 {
		return c.brokenAll(lawFinder, "for %s in the layers %v, %d members are counted and %v visited, one by one %v", c.parts.Cells.FormatPattern(p), layers, n, got, want)
	}
	return nil
}
