package trie

import (
	"context"
	"fmt"
	"math/bits"

	"pagoda/bitset"
)

// countBelow counts the members below each node above the leaves, from the lowest level up. The counts are by number of
// a node, with those of the two that are not stored.
func (t *Trie) countBelow() ([][]uint64, error) {
	below := make([][]uint64, len(t.levels))
	under := make([]uint64, first+len(t.leaves)) // the counts of the level before
	under[full] = 64
	for i, w := range t.leaves {
		under[first+i] = uint64(bits.OnesCount64(w))
	}
	for k := 1; k < len(t.levels); k++ {
		counts := make([]uint64, first+len(t.levels[k]))
		counts[full] = 64 << k
		for i, node := range t.levels[k] {
			lo, hi := uint64(uint32(node)), node>>32
			if most := max(lo, hi); most >= uint64(len(under)) {
				return nil, t.badNode(k-1, uint32(most))
			}
			counts[first+i] = under[lo] + under[hi]
		}
		below[k], under = counts, counts
	}
	if n := t.count(below, t.height(), t.root); n != t.states {
		return nil, fmt.Errorf("%w: it should have %d members, found %d", ErrCorrupt, t.states, n)
	}
	return below, nil
}

// count returns the number of members below a node, which must be there.
func (t *Trie) count(below [][]uint64, level int, id uint32) uint64 {
	if level == 0 {
		word, _ := t.leaf(id)
		return uint64(bits.OnesCount64(word))
	}
	return below[level][id]
}

// Rank returns how many members are below x, and all of them for a number not below Len. The order of a trie may differ
// from that of the numbers: a member is below x if it agrees with x above some bit, which is 1 in x and 0 in the member.
func (t *Trie) Rank(x uint64) (n uint64, err error) {
	if x >= t.n {
		return t.states, nil
	}
	for bit := bits.Len64(x) - 1; bit >= 0; bit-- {
		if x>>bit&1 == 0 {
			continue
		}
		more, err := t.countAgreeing(x^1<<bit, bit)
		if err != nil {
			return 0, err
		}
		n += more
	}
	return n, nil
}

// countAgreeing counts the members that agree with x in all but the lowest bits.
func (t *Trie) countAgreeing(x uint64, low int) (uint64, error) {
	var p Pattern
	for bit := low; bit < bits.Len64(t.n-1); bit++ {
		p.Terms = append(p.Terms, Term{Mask: 1 << bit})
		p.Values = append(p.Values, Zero+Values(x>>bit&1))
	}
	p.Most = len(p.Terms)
	return t.Count(context.Background(), p)
}

// Select returns the member that has i members below it. It is bitset.ErrRank when there are no more than i members.
func (t *Trie) Select(i uint64) (x uint64, err error) {
	if i >= t.states {
		return 0, bitset.NoRank(t.states, i)
	}
	rest := i
	// It decides the bits of the member from the highest down.
	for bit := bits.Len64(t.n-1) - 1; bit >= 0; bit-- {
		n, err := t.countAgreeing(x, bit)
		if err != nil {
			return 0, err
		}
		if rest >= n {
			rest -= n
			x |= 1 << bit
		}
	}
	return x, nil
}
