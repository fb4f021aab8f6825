package peg

import (
	"math/bits"
	"slices"
)

// A fold is a symmetry as the sweep uses it: it takes blocks to blocks.
type fold struct {
	*symmetry
	pulls []int          // by pull: the one that it is taken to
	block [4][256]uint32 // what each byte of a block's number flips in that of the image
	zero  uint32         // the image of block 0
	blockMap
}

// newFold compiles a symmetry that takes blocks to blocks. The jumps are those that leave a
// block.
func newFold(s *blocks, jumps []Jump, sy *symmetry) *fold {
	zero := sy.Map(0)
	f := &fold{symmetry: sy, zero: uint32(zero >> s.bits), blockMap: newBlockMap(sy.columns[:s.bits])}
	for _, j := range jumps {
		f.pulls = append(f.pulls, slices.Index(jumps, Jump{sy.cells[j.From], sy.cells[j.Over], sy.cells[j.To]}))
	}
	for i := range f.block {
		for x := range f.block[i] {
			if block := uint64(x) << (8 * i); block < 1<<(s.class.Dim()-s.bits) {
				f.block[i][x] = uint32((sy.Map(block<<s.bits) ^ zero) >> s.bits)
			}
		}
	}
	return f
}

// image returns the image of a block.
func (f *fold) image(block uint32) uint32 {
	return f.zero ^ f.block[0][byte(block)] ^ f.block[1][byte(block>>8)] ^ f.block[2][byte(block>>16)] ^ f.block[3][block>>24]
}

// A blockMap takes the numbers in a block to those in another one, by a linear map of their
// bits. To gather the images of whole words, the map is done in steps, each of which has an
// easy way: first one in which the images of a word lie in one word; then some, in which low
// bits are exchanged with higher ones, or added to them; then one that keeps words together
// again.
type blockMap struct {
	first     []imagePlace // by word: where its first number is taken to in the first step
	even      bool         // these places are all 0
	order     []swap       // what brings the images in a word to their places
	exchanges []exchange
	last      []uint16 // the words of the last step; nil: all stay where they are
	lastOrder []swap
}

// An imagePlace is where a number in a block is taken to, but for what the block flips.
type imagePlace struct {
	word  uint16
	place uint8
}

// An exchange is of numbers in two words, of which the numbers differ by flip.
type exchange struct {
	flip  uint16
	mask  uint64 // what changes its word
	shift int    // of the mask in the word without the highest bit of flip, to its left
}

// newBlockMap compiles the linear map that takes bit i of a number to the sum columns[i]
// of bits. It is one to one.
//
// Let the columns be those of a matrix M, and call those of the first six bits low. As far
// as they flip higher bits, some columns are sums of others; as few low ones as can be are
// among these others. By adding them, the higher bits of the sums are made 0: M C with an
// involution C. There are as many high columns with higher bits 0 then as there are low
// ones where they are not; exchanging them makes M C X, which keeps words together. So
// M = (M C X) X C.
func newBlockMap(columns []uint64) (m blockMap) {
	columns = slices.Clone(columns)
	across, within, addedTo := clearHighBits(columns)
	for k, low := range across {
		high := within[k]
		m.exchanges = append(m.exchanges, exchange{1 << (high - 6), ^lowBit[low], 1 << low})
		columns[low], columns[high] = columns[high], columns[low]
	}
	for low := range 6 {
		flip := uint64(0) // the high columns added to this one
		for i, to := range addedTo[6:] {
			flip |= to >> low & 1 << i
		}
		if flip != 0 {
			m.exchanges = append(m.exchanges, exchange{uint16(flip), lowBit[low], 0})
		}
		if of := addedTo[low] & 63; of != 0 {
			m.lastOrder = append(m.lastOrder, toggle(low, of))
		}
	}
	words := uint64(1) << (len(columns) - 6)
	some := uint64(0)
	for _, to := range addedTo[6:] {
		some |= to >> 6
	}
	if some != 0 {
		for w := range words {
			at := w
			for i, to := range addedTo[6:] {
				at ^= uint64(bits.OnesCount64(w&(to>>6))&1) << i
			}
			m.last = append(m.last, uint16(at))
		}
	}
	var rows [6]uint64
	for i, column := range columns[:6] {
		for axis := range setBits(column) {
			rows[axis] |= 1 << i
		}
	}
	m.order, _ = swaps(rows) // the map is one to one
	m.even = true
	for w := range words {
		at := uint64(0)
		for i := range setBits(w) {
			at ^= columns[6+i]
		}
		m.first = append(m.first, imagePlace{uint16(at >> 6), uint8(at & 63)})
		m.even = m.even && at&63 == 0
	}
	return m
}

// clearHighBits adds columns to others so that the bits from the sixth on are 0 in these.
// It returns the low columns in which such bits are left, the high ones in which none are,
// and for each column to which it was added.
func clearHighBits(columns []uint64) (across, within []int, addedTo []uint64) {
	addedTo = make([]uint64, len(columns))
	var reduced, sums []uint64 // high bits of the columns that stay, reduced, and whose sum they are
	for n := range columns {
		i := (n + 6) % len(columns) // high ones first
		high, sum := columns[i]>>6, uint64(0)
		for k, r := range reduced {
			if high&(r&-r) != 0 {
				high, sum = high^r, sum^sums[k]
			}
		}
		if high != 0 {
			reduced, sums = append(reduced, high), append(sums, sum|1<<i)
			if i < 6 {
				across = append(across, i)
			}
			continue
		}
		for k := range setBits(sum) {
			columns[i] ^= columns[k]
			addedTo[k] |= 1 << i
		}
		if i >= 6 {
			within = append(within, i)
		}
	}
	return across, within, addedTo
}

// gather adds to the words of a block the numbers of which the images are in from; scratch
// is another block. Number 0 is taken to zero.
func (m *blockMap) gather(to, from, scratch []uint64, zero uint64) {
	word, place := uint16(zero>>6), uint8(zero&63)
	var memory [6 + 64]swap
	order := memory[:0]
	if m.even {
		for axis := range setBits(uint64(place)) {
			order = append(order, turnOver(axis))
		}
	}
	order = append(order, m.order...)
	out := scratch
	if len(m.exchanges) == 0 {
		out = to
	} else {
		clear(scratch)
	}
	for i := range out {
		first := m.first[i]
		images := from[first.word^word]
		if images == 0 {
			continue
		}
		if !m.even {
			for off := first.place ^ place; off != 0; off &= off - 1 {
				images = turnOver(bits.TrailingZeros8(off)).apply(images)
			}
		}
		for _, s := range order {
			images = s.apply(images)
		}
		out[i] |= images
	}
	if len(m.exchanges) == 0 {
		return
	}
	for _, e := range m.exchanges {
		e.apply(scratch)
	}
	for i := range to {
		images := scratch[i]
		if m.last != nil {
			images = scratch[m.last[i]]
		}
		for _, s := range m.lastOrder {
			images = s.apply(images)
		}
		to[i] |= images
	}
}

// apply exchanges numbers in the words of a block.
func (e exchange) apply(words []uint64) {
	highest := uint16(1) << (bits.Len16(e.flip) - 1)
	for i := range words {
		if uint16(i)&highest == 0 {
			a, b := &words[i], &words[uint16(i)^e.flip]
			t := (*a>>e.shift ^ *b) & e.mask
			*a, *b = *a^t<<e.shift, *b^t
		}
	}
}

// A folding is how the sets of a space are folded.
type folding struct {
	*blocks
	*plan
	layout *Layout
	folds  []*fold
}

// newFolding returns the folding of a space, or nil if a symmetry does not take blocks to
// blocks of the same weight.
func newFolding(c *Class, l *Layout, root uint64, symmetries []*symmetry) *folding {
	f := &folding{blocks: newBlocks(c, l.blockBits, l.Block), layout: l}
	jumps := l.leaving(c.board)
	for _, s := range symmetries {
		for cell, image := range s.cells {
			if l.Block>>cell&1 != l.Block>>image&1 || l.BlockWeights[cell] != l.BlockWeights[image] {
				return nil
			}
		}
		f.folds = append(f.folds, newFold(f.blocks, jumps, s))
	}
	f.plan = newPlan(f.blocks, l, []uint64{root}, true, f.folds)
	return f
}
