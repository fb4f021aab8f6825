package rows

import "math/bits"

// pushPlain adds the columns to which a map takes those of a set.
func pushPlain(to, from []uint64, by []uint16) {
	for i, w := range from {
		for ; w != 0; w &= w - 1 {
			column := by[i<<6+bits.TrailingZeros64(w)]
			to[column>>6] |= 1 << (column & 63)
		}
	}
}

// pullPlain moves to another set the columns that a map takes to those of from. It returns 0 if none is left.
func pullPlain(to, unseen, from []uint64, by []uint16) (left uint64) {
	for i, word := range unseen {
		found := uint64(0)
		for w := word; w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			column := by[i<<6+k]
			found |= from[column>>6] >> (column & 63) & 1 << k
		}
		to[i] |= found
		unseen[i] = word &^ found
		left |= unseen[i]
	}
	return left
}
