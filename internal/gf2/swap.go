package gf2

import "math/bits"

// A Swap permutes the bits of a word: it exchanges the bit at each place of Mask with
// the one Shift places higher.
type Swap struct {
	Mask  uint64
	Shift uint8
}

// Apply returns the word with its bits exchanged.
func (s Swap) Apply(word uint64) uint64 {
	t := (word ^ word>>(s.Shift&63)) & s.Mask
	return word ^ t ^ t<<(s.Shift&63)
}

// applyAll applies the swap to each word.
func (s Swap) applyAll(words []uint64) {
	for i, w := range words {
		words[i] = s.Apply(w)
	}
}

// Flip returns the swap that exchanges places that differ in one axis only.
func Flip(axis int) Swap { return Swap{^Axes[axis], 1 << axis} }

// addAxes returns the swap that flips an axis at the places with an odd number of the
// other axes given.
func addAxes(axis int, others uint64) Swap {
	var odd uint64
	for a := range Elements(others) {
		odd ^= Axes[a]
	}
	return Swap{odd &^ Axes[axis], 1 << axis}
}

// Swaps finds swaps that bring to each place of a word the bit at its image under a
// linear map of places. Axis a of the image is the sum of the axes in rows[a]. It
// reports false if the map is not one to one.
func Swaps(rows [6]uint64) (found []Swap, ok bool) {
	for todo := uint64(63); todo != 0; {
		before := todo
		for axis := range Elements(todo) {
			sum, ok := Sum(rows[:], 1<<axis)
			if !ok {
				return nil, false
			}
			if sum>>axis&1 == 0 {
				continue
			}
			// With the other rows of the sum added, the row is that of the identity.
			if others := sum &^ (1 << axis); others != 0 {
				found = append(found, addAxes(axis, others))
			}
			rows[axis] = 1 << axis
			todo &^= 1 << axis
		}
		if todo == before {
			// The sum that makes axis a does not have row a. It has a row b that is still
			// to do, as the rows that are done make no other axes. Exchange the two.
			a := bits.TrailingZeros64(todo)
			sum, _ := Sum(rows[:], 1<<a)
			b := bits.TrailingZeros64(sum & todo)
			rows[a], rows[b] = rows[b], rows[a]
			found = append(found, Swap{Axes[a] &^ Axes[b], uint8(1<<b - 1<<a)})
		}
	}
	return found, true
}
