package trie

import (
	"context"
	"fmt"
	"math/bits"

	"pagoda/bitset"
)

// countBelow counts the members below each node above the leaves, from the lowest
// level up.
func (t *Trie) countBelow() ([][]uint64, error) {
	below := make([][]uint64, len(t.levels))
	all := make([]uint64, t.Nodes()-uint64(len(t.leaves)))
	// The counts of the level before, with those of the two nodes that are not stored.
	before := make([]uint32, first+len(t.leaves))
	before[full] = 64
	for i, w := range t.leaves {
		before[first+i] = uint32(bits.OnesCount64(w))
	}
	for k := 1; k < len(t.levels); k++ {
		l := t.levels[k]
		below[k], all = all[:len(l)], all[len(l):]
		var bad uint64 // the first node that is not there
		if k == 1 {
			for i, node := range l {
				lo, hi := uint64(uint32(node)), node>>32
				if max(lo, hi) >= uint64(len(before)) {
					bad = max(lo, hi)
					break
				}
				below[k][i] = uint64(before[lo]) + uint64(before[hi])
			}
		} else {
			under, fullCount := below[k-1], uint64(64)<<(k-1)
			for i, node := range l {
				lo, hi := uint64(uint32(node)), node>>32
				sum := uint64(0)
				if lo-first < uint64(len(under)) {
					sum = under[lo-first]
				} else if lo <= full {
					sum = lo * fullCount
				} else {
					bad = lo
					break
				}
				if hi-first < uint64(len(under)) {
					sum += under[hi-first]
				} else if hi <= full {
					sum += hi * fullCount
				} else {
					bad = hi
					break
				}
				below[k][i] = sum
			}
		}
		if bad != 0 {
			return nil, t.badNode(k-1, uint32(bad))
		}
	}
	if n := t.count(below, t.height(), t.root); n != t.states {
		return nil, fmt.Errorf("%w: it should have %d members, found %d", ErrCorrupt, t.states, n)
	}
	return below, nil
}

// count returns the number of members below a node, which must be there.
func (t *Trie) count(below [][]uint64, level int, id uint32) uint64 {
	switch {
	case id <= full:
		return uint64(id) * (64 << level)
	case level == 0:
		return uint64(bits.OnesCount64(t.leaves[id-first]))
	}
	return below[level][id-first]
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
