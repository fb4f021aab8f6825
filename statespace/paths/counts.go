package paths

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A Symmetry is a symmetry of a space that paths are counted up to.
type Symmetry struct {
	statespace.WordSymmetry
	number int // among those of the space
}

// Keeping returns the symmetries of a space that leave some states as they are.
func Keeping(sp statespace.Space, states ...statespace.Index) (all []Symmetry) {
	for i, s := range sweep.Symmetries(sp) {
		if !slices.ContainsFunc(states, func(x statespace.Index) bool { return s.Map(x) != x }) {
			all = append(all, Symmetry{s, i})
		}
	}
	return all
}

// Between finds the members of a set from which a state can be reached, and the state itself, and adds
// them to another set, which is empty. It adds one of each orbit of the given symmetries, the
// representative. These are Keeping the state, or none. The members are what the roots reach. When
// ctx ends, Between stops soon and returns the cause.
func Between(ctx context.Context, sp statespace.Space, symmetries []Symmetry, members bitset.Reader, to statespace.Index, set *bitset.Set, threads int, progress *statespace.Progress) error {
	if members.Len() != sp.Size() || set.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the sets hold %d and %d", sp.Name(), sp.Size(), members.Len(), set.Len())
	}
	fast := sweep.Of(sp).Between
	if fast == nil {
		return BetweenPlain(ctx, sp, symmetries, members, to, set)
	}
	numbers := lists.Map(symmetries, func(s Symmetry) int { return s.number })
	return fast(ctx, numbers, members, to, set, threads, progress)
}

// BetweenPlain is Between, one state at a time.
func BetweenPlain(ctx context.Context, sp statespace.Space, symmetries []Symmetry, members bitset.Reader, to statespace.Index, set *bitset.Set) error {
	set.Add(to)
	var edges []statespace.Edge
	for todo := []statespace.Index{to}; len(todo) > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		edges = sp.Predecessors(edges[:0], x)
		for _, e := range edges {
			member, err := bitset.Has(members, e.To)
			if err != nil {
				return err
			}
			if member && !set.Has(e.To) {
				set.Add(e.To)
				todo = append(todo, e.To)
			}
		}
	}
	for x := range set.All() {
		if slices.ContainsFunc(symmetries, func(s Symmetry) bool { return s.Map(x) < x }) {
			set.Flip(x)
		}
	}
	return nil
}

// Counts say how many paths lead to a state from each state between.
type Counts struct {
	sp    statespace.Space
	to    statespace.Index
	table *table
}

// Count counts the paths to a state from each state of the set that Between has made. The symmetries
// are those of Between. The error is statespace.ErrMemory if that takes more than memory bytes besides the set. It is
// statespace.ErrNoPath if no path leads from a root. When ctx ends, Count stops soon and returns
// the cause.
func Count(ctx context.Context, sp statespace.Space, symmetries []Symmetry, between *bitset.Set, to statespace.Index, memory uint64, threads int, progress *statespace.Progress) (*Counts, error) {
	t, err := tabulate(ctx, sp, symmetries, between, to, []uint64{1}, addCounts, memory, threads, progress)
	if err != nil {
		return nil, err
	}
	c := &Counts{sp, to, t}
	if c.Total().Sign() == 0 {
		return nil, fmt.Errorf("%s: %w", sp.Format(to), statespace.ErrNoPath)
	}
	return c, nil
}

// addCounts adds the paths of a state to those of a state before it. It returns false if the
// sum does not fit.
func addCounts(sum, of []uint64, _, _ int) bool {
	carry := uint64(0)
	for i := range sum {
		sum[i], carry = bits.Add64(sum[i], of[i], carry)
	}
	return carry == 0
}

// From returns the number of paths from x. It is 0 if x is not between.
func (c *Counts) From(x statespace.Index) *big.Int {
	words, _ := c.table.get(x)
	return Number(words)
}

// Number returns the number that words make, the lowest first.
func Number(words []uint64) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(words) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w))
	}
	return n
}

// Total returns the number of paths from the roots.
func (c *Counts) Total() *big.Int {
	sum := new(big.Int)
	for _, root := range c.sp.Roots() {
		sum.Add(sum, c.From(root))
	}
	return sum
}

// Random draws one of the paths from the roots. Each is as likely as any other.
func (c *Counts) Random(rng *rand.Rand) statespace.Path {
	edges := lists.Map(c.sp.Roots(), func(root statespace.Index) statespace.Edge { return statespace.Edge{To: root} })
	path := statespace.Path{From: c.draw(edges, rng).To}
	for x := path.From; x != c.to; {
		edges = c.sp.Successors(edges[:0], x)
		e := c.draw(edges, rng)
		x = e.To
		path.Steps = append(path.Steps, statespace.Step{Move: e.Move, State: x})
	}
	return path
}

// draw draws one of the edges. Its chance is in proportion to the paths from where it leads.
func (c *Counts) draw(edges []statespace.Edge, rng *rand.Rand) statespace.Edge {
	return edges[statespace.Draw(rng, len(edges), func(i int) *big.Int { return c.From(edges[i].To) })]
}
