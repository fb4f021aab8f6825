package peg

import (
	"cmp"
	"context"
	"slices"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/trie"
)

// A trieHolder is a Reader whose members are a trie.
type trieHolder interface {
	bitset.Reader
	Trie() (*trie.Trie, error)
	// Told adds what the holder knows to an error of the trie.
	Told(err error) error
}

// bitOrder is the order of the cells on the board, because a jump changes cells that are near
// each other. On 5x7, a trie in this order has a third of the nodes that one in the order of
// the numbers has.
func (s *Space) bitOrder() (order bitset.Order) {
	free := s.class.Free()
	for bit := range free {
		order = append(order, bit)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(free[a], free[b]) })
	return order
}

// terms returns for each cell whether it has a peg, as a function of the number.
func terms(c *board.Class) (all []trie.Term) {
	zero := c.Position(0)
	for cell := range c.Board().Cells() {
		t := trie.Term{Odd: zero>>cell&1 == 1}
		for bit := range c.Dim() {
			t.Mask |= c.Flips(bit) >> cell & 1 << bit
		}
		all = append(all, t)
	}
	return all
}

// searchTrie is search in a trie.
func (s *Space) searchTrie(n *near, t *target) error {
	tr, err := n.trie.Trie()
	if err != nil {
		return err
	}
	n.found = n.found[:0]
	costs := make([][2]uint64, len(s.terms))
	for cell := range costs {
		costs[cell][^t.pattern.Pegs>>cell&1] = t.extra[cell]
	}
	within := min(n.bound, t.farthest())
	if within < t.base {
		return nil
	}
	ask := func(within uint64, limit int) error {
		q := trie.NearQuery{Pattern: trie.Pattern{Terms: s.terms, Least: n.pegs.Least, Most: n.pegs.Most}, Costs: costs, Within: within - t.base, Limit: limit}
		for m, err := range tr.Near(n.ctx, q) {
			if err != nil {
				return n.trie.Told(err)
			}
			if !n.room(1) {
				return n.err
			}
			n.found = append(n.found, cells.Match{State: m.State, Distance: m.Distance + t.base})
			if n.checkMatches(len(n.found)); n.err != nil {
				return n.err
			}
		}
		return nil
	}
	if n.nearest {
		if err := ask(within, 1); err != nil || len(n.found) == 0 {
			return err
		}
		within = n.found[0].Distance
		n.found = n.found[:0]
	}
	return ask(within, n.want)
}

// countTrie is Count in a trie.
func (s *Space) countTrie(ctx context.Context, h trieHolder, p board.Pattern, pegs cells.Range) (uint64, error) {
	t, err := h.Trie()
	if err != nil {
		return 0, err
	}
	values := make([]trie.Values, len(s.terms))
	for cell := range values {
		switch {
		case p.Any>>cell&1 == 1:
		case p.Pegs>>cell&1 == 1:
			values[cell] = trie.One
		default:
			values[cell] = trie.Zero
		}
	}
	n, err := t.Count(ctx, trie.Pattern{Terms: s.terms, Values: values, Least: pegs.Least, Most: pegs.Most})
	return n, h.Told(err)
}
