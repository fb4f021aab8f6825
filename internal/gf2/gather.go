package gf2

import "math/bits"

// A gathering collects the images of the numbers of a word from a bitmap.
//
// While the low six bits of the number vary, its image varies by a linear map of them.
// It visits 2^r words, numbered by r of its higher bits: this number is k.
//
// Some r of the six axes of the words, the cut axes, can be chosen such that the place
// of an image on them follows from k and from its place on the other axes. So each word
// is brought to where its images are at 0 on the cut axes, then to where they are at k.
// Together the words then fill one word. Its bits are in an order that is a linear map
// of the wanted one, and swaps undo that.
type gathering struct {
	cut    uint8       // the cut axes
	none   uint64      // the places that are 0 on the cut axes
	images []imageWord // by k
	lean   []Swap      // makes the place on the cut axes the same for all images in a word
	at     [64]uint8   // where the first image is in its word after lean, by its place
	order  []Swap      // brings the collected images to their places
}

// An imageWord is a word with images. On the cut axes they are at from ^ at, and they
// move to to.
type imageWord struct {
	flip     uint64 // the word ^ the word of the first image
	from, to uint8
}

// newGathering takes what the low six bits of a number flip in its image: six
// independent vectors.
func newGathering(flips [6]uint64) (best gathering) {
	// What the low six bits flip above the word. The leads are the bits of k.
	above := flips
	for i := range above {
		above[i] >>= 6
	}
	basis, leads := echelon(above[:])
	// rowOf returns which of the low six bits flip a bit of the image.
	rowOf := func(bit uint64) (row uint64) {
		for i, v := range flips {
			if v&bit != 0 {
				row |= 1 << i
			}
		}
		return row
	}
	var places [6]uint64
	for axis := range places {
		places[axis] = rowOf(1 << axis)
	}
	var leadRows []uint64
	for _, lead := range leads {
		leadRows = append(leadRows, rowOf(1<<(lead+6)))
	}
	least := -1
	for cut := range uint64(64) {
		if bits.OnesCount64(cut) != len(basis) {
			continue
		}
		g, ok := newCut(cut, basis, leadRows, places)
		if !ok {
			continue
		}
		if cost := len(g.images)*len(g.lean) + len(g.order); least < 0 || cost < least {
			best, least = g, cost
		}
	}
	return best
}

// newCut makes the gathering with the given cut axes. It reports false if the place on
// them does not follow from the rest. For each lead and for each axis of an image, the
// rows say which of the low six bits of the number flip it.
func newCut(cut uint64, basis, leadRows []uint64, places [6]uint64) (g gathering, ok bool) {
	axes := List(cut)
	gathered := places
	for i, axis := range axes {
		gathered[axis] = leadRows[i]
	}
	order, ok := Swaps(gathered)
	if !ok {
		return g, false
	}
	g = gathering{cut: uint8(cut), none: ^uint64(0), order: order}
	// The place on each cut axis, as a sum of axes of the collected word.
	var follows [6]uint64
	for _, axis := range axes {
		g.none &^= Axes[axis]
		follows[axis], _ = Sum(gathered[:], places[axis])
		if others := follows[axis] &^ cut; others != 0 {
			g.lean = append(g.lean, addAxes(axis, others))
		}
	}
	onCut := func(place uint64) (at uint8) {
		for _, axis := range axes {
			at |= uint8(bits.OnesCount64(place&follows[axis])&1) << axis
		}
		return at
	}
	for k := range uint64(1) << len(basis) {
		var w imageWord
		for i := range Elements(k) {
			w.flip ^= basis[i]
			w.to |= 1 << axes[i]
		}
		w.from = onCut(uint64(w.to))
		g.images = append(g.images, w)
	}
	for place := range uint64(64) {
		g.at[place] = onCut(place&^cut) ^ uint8(place&cut)
	}
	return g, true
}

// Gather returns which numbers of a word have their images in a set; read returns the
// words of the set.
func (a *Affine) Gather(word uint64, read func(word uint64) uint64) (found uint64) {
	first := a.Map(word << 6)
	place := uint8(first & 63)
	at := a.at[place]
	for i := range a.images {
		w := &a.images[i]
		images := read(first>>6 ^ w.flip)
		if images == 0 { // most words of a folded set are empty
			continue
		}
		for _, l := range a.lean {
			images = l.Apply(images)
		}
		found |= images >> (at ^ w.from) & a.none << w.to
	}
	// On the other axes, all bits are off by the place of the first image.
	for off := place &^ a.cut; off != 0; off &= off - 1 {
		found = Flip(bits.TrailingZeros8(off)).Apply(found)
	}
	for _, o := range a.order {
		found = o.Apply(found)
	}
	return found
}
