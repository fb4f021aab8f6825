package trie

import (
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

// Rank returns how many members come before x, in the order of the trie: if bits keep
// their order, those are the members below x. All members come before a number not
// below Len.
func (t *Trie) Rank(x uint64) (uint64, error) {
	below, err := t.below()
	if err != nil {
		return 0, err
	}
	if x >= t.n {
		return t.states, nil
	}
	x = t.path(x)
	id, n := t.root, uint64(0)
	for k := t.height(); k > 0 && id > full; k-- {
		node := t.levels[k][id-first]
		if x>>(5+k)&1 == 1 {
			n += t.count(below, k-1, uint32(node))
			id = uint32(node >> 32)
		} else {
			id = uint32(node)
		}
		if id == full {
			return n + x&(32<<k-1), nil
		}
	}
	if id == full { // the root
		return x, nil
	}
	word, err := t.leaf(id)
	return n + uint64(bits.OnesCount64(word&(1<<(x%64)-1))), err
}

// Select returns the member that i members come before, in the order of the trie, see
// Rank. It is bitset.ErrRank when there are no more than i members.
func (t *Trie) Select(i uint64) (uint64, error) {
	below, err := t.below()
	if err != nil {
		return 0, err
	}
	if i >= t.states {
		return 0, fmt.Errorf("%w: the set has %d, and %d should come before it", bitset.ErrRank, t.states, i)
	}
	id, x := t.root, uint64(0)
	for k := t.height(); k > 0; k-- {
		if id == full {
			return t.order.Number(x + i), nil
		}
		node := t.levels[k][id-first]
		id = uint32(node)
		if n := t.count(below, k-1, id); i >= n {
			i -= n
			x += 32 << k
			id = uint32(node >> 32)
		}
	}
	word, err := t.leaf(id)
	for ; i > 0; i-- {
		word &= word - 1
	}
	return t.order.Number(x + uint64(bits.TrailingZeros64(word))), err
}
