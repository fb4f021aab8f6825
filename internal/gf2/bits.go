package gf2

import (
	"iter"
	"math/bits"
	"slices"
)

// Axes[i] marks the numbers below 64 that have bit i. The place of a bit in a word is
// such a number, so that a word has six axes.
var Axes = [6]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// Elements yields the elements of a set in increasing order.
func Elements(set uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; set != 0 && yield(bits.TrailingZeros64(set)); set &= set - 1 {
		}
	}
}

// List returns the elements of a set in increasing order.
func List(set uint64) []int { return slices.Collect(Elements(set)) }

// Unions returns the unions of all choices of some sets, in a fixed order. If there are more than a number of sets, the
// smallest are joined first.
func Unions(sets []uint64, most int) (unions []uint64) {
	sets = slices.Clone(sets)
	for len(sets) > most {
		slices.SortStableFunc(sets, func(s, t uint64) int { return bits.OnesCount64(s) - bits.OnesCount64(t) })
		sets = append(sets[2:], sets[0]|sets[1])
	}
	unions = []uint64{0}
	for _, s := range sets {
		for _, u := range unions {
			unions = append(unions, u|s)
		}
	}
	return unions
}

// Deposit returns the set with element places[i] for each bit i of x.
func Deposit(places []int, x uint64) (set uint64) {
	for i, place := range places {
		set |= x >> i & 1 << place
	}
	return set
}

// Extract is the inverse of Deposit: bit i of x says whether places[i] is in the set.
func Extract(places []int, set uint64) (x uint64) {
	for i, place := range places {
		x |= set >> place & 1 << i
	}
	return x
}
