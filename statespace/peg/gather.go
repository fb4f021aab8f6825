package peg

import "math/bits"

// A gathering brings the images of the numbers of a word to their places. While the low
// six bits of the number run, the image runs through a linear map of them, and lies in
// 2^r words, which r of its higher bits, k, tell apart.
//
// The bits of a place in a word are its axes. r of the axes can be found, the cut ones,
// on which an image's place follows from k and from its place on the other axes. So the
// images in each word are brought to where the cut axes are 0, and from there to where
// they are k: all words together fill one. In this one the images are in an order that
// a linear map makes of the right one.
type gathering struct {
	cut    uint8       // the cut axes
	none   uint64      // the places at which they are 0
	images []imageWord // by k
	lean   []swap      // makes the place on the cut axes the same for all images in a word
	at     [64]uint8   // by the place of the first image: where that is, in its word
	order  []swap      // brings the images, gathered, to their places
}

// An imageWord is a word with images. On the cut axes they are at from ^ at, and go to
// where these are k.
type imageWord struct {
	flip     uint64 // this word ^ that of the first image
	from, to uint8
}

// newGathering takes what the low six bits of a number flip in its image: six vectors
// that are independent.
func newGathering(flips [6]uint64) (best gathering) {
	// Reduce what is flipped in the word: each vector of the basis has a bit, its lead,
	// that no other has. These bits are k.
	var basis, leads []uint64
	for _, v := range flips {
		v >>= 6
		for i, lead := range leads {
			if v&lead != 0 {
				v ^= basis[i]
			}
		}
		if v == 0 {
			continue
		}
		lead := v & -v
		for i := range basis {
			if basis[i]&lead != 0 {
				basis[i] ^= v
			}
		}
		basis, leads = append(basis, v), append(leads, lead)
	}
	// Which of the low six bits flip a bit of the image.
	row := func(bit uint64) (r uint64) {
		for i, v := range flips {
			if v&bit != 0 {
				r |= 1 << i
			}
		}
		return r
	}
	var places [6]uint64
	for axis := range places {
		places[axis] = row(1 << axis)
	}
	least := -1
	for cut := range uint64(64) {
		if bits.OnesCount64(cut) != len(basis) {
			continue
		}
		axes := setCells(cut)
		gathered := places
		for i, axis := range axes {
			gathered[axis] = row(leads[i] << 6)
		}
		order, ok := swaps(gathered)
		if !ok {
			continue // the place on the cut axes does not follow
		}
		g := gathering{cut: uint8(cut), none: ^uint64(0), order: order}
		// The place on each cut axis, as the sum of places where the images are gathered.
		var follows [6]uint64
		for _, axis := range axes {
			g.none &^= lowBit[axis]
			follows[axis], _ = sumOf(gathered, places[axis])
			if others := follows[axis] &^ cut; others != 0 {
				g.lean = append(g.lean, toggle(axis, others))
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
			for i := range setBits(k) {
				w.flip ^= basis[i]
				w.to |= 1 << axes[i]
			}
			w.from = onCut(uint64(w.to))
			g.images = append(g.images, w)
		}
		for place := range uint64(64) {
			g.at[place] = onCut(place&^cut) ^ uint8(place&cut)
		}
		if cost := len(g.images)*len(g.lean) + len(g.order); least < 0 || cost < least {
			best, least = g, cost
		}
	}
	return best
}

// Gather implements statespace.Symmetry.
func (s *symmetry) Gather(word uint64, read func(word uint64) uint64) (found uint64) {
	first := s.Map(word << 6)
	place := uint8(first & 63)
	at := s.at[place]
	for i := range s.images {
		w := &s.images[i]
		images := read(first>>6 ^ w.flip)
		if images == 0 { // most are, of a folded set
			continue
		}
		for _, l := range s.lean {
			images = l.apply(images)
		}
		found |= images >> (at ^ w.from) & s.none << w.to
	}
	// On the other axes, all are off by the place of the first image.
	for off := place &^ s.cut; off != 0; off &= off - 1 {
		found = turnOver(bits.TrailingZeros8(off)).apply(found)
	}
	for _, o := range s.order {
		found = o.apply(found)
	}
	return found
}

// A swap exchanges what is at the places in mask with what is shift higher.
type swap struct {
	mask  uint64
	shift uint8
}

func (s swap) apply(word uint64) uint64 {
	t := (word ^ word>>s.shift) & s.mask
	return word ^ t ^ t<<s.shift
}

// turnOver exchanges what differs on an axis only.
func turnOver(axis int) swap { return swap{^lowBit[axis], 1 << axis} }

// toggle turns an axis over at the places that have an odd number of the others.
func toggle(axis int, others uint64) swap {
	var odd uint64
	for a := range setBits(others) {
		odd ^= lowBit[a]
	}
	return swap{odd &^ lowBit[axis], 1 << axis}
}

// swaps finds swaps that bring to each place what is at its image by a linear map. Axis
// a of the image is the sum of the axes in rows[a]. There are none where the map is not
// one to one.
func swaps(rows [6]uint64) (found []swap, ok bool) {
	for todo := uint64(63); todo != 0; {
		before := todo
		for axis := range setBits(todo) {
			sum, ok := sumOf(rows, 1<<axis)
			if !ok {
				return nil, false
			}
			if sum>>axis&1 == 0 {
				continue
			}
			// With the others of the sum added, the row is as in the identity.
			if others := sum &^ (1 << axis); others != 0 {
				found = append(found, toggle(axis, others))
			}
			rows[axis] = 1 << axis
			todo &^= 1 << axis
		}
		if todo == before {
			// Where two rows are exchanged, of which the sum has but the other, it will
			// have this one. There is such a row: those done add up to none to do.
			a := bits.TrailingZeros64(todo)
			sum, _ := sumOf(rows, 1<<a)
			b := bits.TrailingZeros64(sum & todo)
			rows[a], rows[b] = rows[b], rows[a]
			found = append(found, swap{lowBit[a] &^ lowBit[b], uint8(1<<b - 1<<a)})
		}
	}
	return found, true
}

// sumOf returns which of the rows add up to v, and whether any do.
func sumOf(rows [6]uint64, v uint64) (of uint64, ok bool) {
	for of := range uint64(64) {
		sum := v
		for i := range setBits(of) {
			sum ^= rows[i]
		}
		if sum == 0 {
			return of, true
		}
	}
	return 0, false
}
