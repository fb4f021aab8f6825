package trees

import (
	"math/big"
	"math/bits"
)

// A factor has the forests of some edges of a network. The vertices that these edges share with
// other edges are the scope. Each tree of a forest has at least one of them. The forests are
// sorted by the vertices of the scope that they connect.
type factor struct {
	scope  []uint32
	states []forests
}

// forests are those that connect the same vertices of the scope. There is the number of them, and
// for each pair of vertices that they connect, in the order of partition.pairs, the sum of the
// lengths of the paths between the two.
//
// These sums are enough to join the forests of two factors. Take the path from a to b in one and
// on to c in the other. Over all pairs of forests, its lengths add up to the sum of the first
// times the number of the second, plus the sum of the second times the number of the first.
type forests struct {
	part   partition
	count  big.Int
	length []big.Int
}

// A partition says which vertices of a scope are connected. From the lowest bits on, it has four
// bits for each vertex, the number of its tree. Trees are numbered in the order of their first
// vertices.
type partition uint64

// maxScope is the greatest number of vertices of a scope: a partition has 64 bits.
const maxScope = 16

func (p partition) tree(i int) uint64 { return uint64(p) >> (4 * i) & 15 }

// pairs returns the pairs of vertices i < j in the same tree. It gives the vertices by their
// places in another scope, which are at.
func (p partition) pairs(at []int) [][2]int {
	var pairs [][2]int
	for j := range at {
		for i := range j {
			if p.tree(i) == p.tree(j) {
				pairs = append(pairs, [2]int{at[i], at[j]})
			}
		}
	}
	return pairs
}

// trees returns the vertices of each tree, as sets of places in another scope.
func (p partition) trees(at []int) []uint16 {
	var sets []uint16
	for i, place := range at {
		t := int(p.tree(i))
		if t == len(sets) {
			sets = append(sets, 0)
		}
		sets[t] |= 1 << place
	}
	return sets
}

// partitionOf returns how trees connect the vertices at some places.
func partitionOf(trees []uint16, at []int) partition {
	var of, number [maxScope]int // the tree at a place, and 1 plus its number
	for t, tree := range trees {
		for ; tree != 0; tree &= tree - 1 {
			of[bits.TrailingZeros16(tree)] = t
		}
	}
	var part partition
	count := 0
	for i, place := range at {
		n := &number[of[place]]
		if *n == 0 {
			count++
			*n = count
		}
		part |= partition(*n-1) << (4 * i)
	}
	return part
}

// edgeFactor returns the factor of parallel edges.
func edgeFactor(a, b uint32, edges int64) *factor {
	f := &factor{scope: []uint32{min(a, b), max(a, b)}, states: make([]forests, 2)}
	f.states[0].part = 1 << 4 // not connected
	f.states[0].count.SetInt64(1)
	f.states[1].count.SetInt64(edges)
	f.states[1].length = make([]big.Int, 1)
	f.states[1].length[0].SetInt64(edges)
	return f
}

// unitFactor returns the factor of no edges.
func unitFactor() *factor {
	f := &factor{states: make([]forests, 1)}
	f.states[0].count.SetInt64(1)
	return f
}
