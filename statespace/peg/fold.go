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
	*blockMap
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
// easy way: first one in which the images of a word lie in one word; then some, in which a
// low bit is exchanged with a higher one, or higher ones are added to it.
type blockMap struct {
	first     []imagePlace   // by word, four at least: where its first number is taken to in the first step
	places    [64][64]uint8  // the same by number in a word, by the place of its first number
	order     []laneSwap     // what brings the images in a word to their places, if its first is at place 0
	turns     [6][2]laneSwap // before this, by axis: turns it over where first has it, or where it has not
	uneven    uint8          // the axes that first has for some words
	exchanges []exchange
	all       vectorPart
}

// An imagePlace is where a number in a block is taken to, but for what the block flips. The
// kernels know its fields by their places.
type imagePlace struct {
	word  uint16
	place uint8
}

// A laneSwap is a swap in the words of vectors, of which each has a mask of its own. The
// kernels know its fields by their places.
type laneSwap struct {
	masks [2][vectorWords]uint64 // by the parity of the number of the first word & row
	shift uint64
	row   uint64
}

// newLaneSwap makes a swap in the words whose numbers have an odd number of the bits in row;
// or an even one.
func newLaneSwap(s swap, row uint64, even int) laneSwap {
	l := laneSwap{shift: uint64(s.shift), row: row &^ (vectorWords - 1)}
	for parity := range l.masks {
		for lane := range uint64(vectorWords) {
			if (bits.OnesCount64(lane&row)+parity+even)&1 == 1 {
				l.masks[parity][lane] = s.mask
			}
		}
	}
	return l
}

// An exchange is of numbers in two words, of which the numbers differ by flip. The kernels
// know some of its fields by their places.
type exchange struct {
	// By vectors: of two of them, or of one with itself. The new words are the old ones where
	// keep has bits, and the others rotated left by turn elsewhere.
	keep, turn [2][vectorWords]uint64
	flip       uint64
	at         []uint16 // first words of the first vectors

	mask  uint64 // what changes its word
	shift int    // of the mask in the word without the highest bit of flip, to its left
}

func newExchange(words int, flip, mask uint64, shift int) exchange {
	e := exchange{flip: flip, mask: mask, shift: shift}
	highest := uint64(1) << (bits.Len64(flip) - 1)
	for i := range e.keep {
		for lane := range e.keep[i] {
			if i == 1 && highest >= vectorWords || uint64(lane)&highest != 0 {
				e.keep[i][lane], e.turn[i][lane] = ^mask, uint64(-shift&63)
			} else {
				e.keep[i][lane], e.turn[i][lane] = ^(mask << shift), uint64(shift)
			}
		}
	}
	for w := 0; w < words; w += vectorWords {
		if uint64(w)&highest == 0 {
			e.at = append(e.at, uint16(w))
		}
	}
	return e
}

// newBlockMap compiles the linear map that takes bit i of a number to the sum columns[i]
// of bits. It is one to one.
//
// A step before the others takes columns of what is left of the map: an exchange of bits
// exchanges two, adding bits to a low one adds theirs to its. The first step is left when
// the low columns, those of the first six bits, have no higher bits. If the higher bits of a
// low column are no sum of those of high columns, then these are not independent, and one
// that is the sum of others is exchanged with the low one. After this the rest can be added.
func newBlockMap(columns []uint64) *blockMap {
	columns = slices.Clone(columns)
	high := columns[6:]
	words := 1 << len(high)
	m := new(blockMap)
	above := func() (v []uint64) {
		for _, column := range high {
			v = append(v, column>>6)
		}
		return v
	}
	for low := range 6 {
		if _, ok := sumIn(above(), columns[low]>>6); ok {
			continue
		}
		with := 0
		for found := false; !found; with++ {
			others := above()
			others[with] = 0
			_, found = sumIn(others, high[with]>>6)
		}
		with--
		columns[low], high[with] = high[with], columns[low]
		m.exchanges = append(m.exchanges, newExchange(words, 1<<with, ^lowBit[low], 1<<low))
	}
	// As few steps as can be: numbers go by some of the same flips.
	var flips, masks []uint64
	for low := range 6 {
		of, _ := sumIn(above(), columns[low]>>6)
		for i := range setBits(of) {
			columns[low] ^= high[i]
		}
		which, ok := sumIn(flips, of)
		if !ok {
			which = 1 << len(flips)
			flips, masks = append(flips, of), append(masks, 0)
		}
		for i := range setBits(which) {
			masks[i] ^= lowBit[low]
		}
	}
	for i, flip := range flips {
		m.exchanges = append(m.exchanges, newExchange(words, flip, masks[i], 0))
	}
	slices.Reverse(m.exchanges)

	var rows, wordRows [6]uint64
	for axis := range rows {
		for i, column := range columns[:6] {
			rows[axis] |= column >> axis & 1 << i
		}
		for i, column := range high {
			wordRows[axis] |= column >> axis & 1 << i
		}
		if wordRows[axis] != 0 {
			m.uneven |= 1 << axis
		}
		for even := range m.turns[axis] {
			m.turns[axis][even] = newLaneSwap(turnOver(axis), wordRows[axis], even)
		}
	}
	order, _ := swaps(rows) // the map is one to one
	for _, s := range order {
		m.order = append(m.order, newLaneSwap(s, 0, 1))
	}
	sum := func(columns []uint64, of int) (sum uint64) {
		for i := range setBits(uint64(of)) {
			sum ^= columns[i]
		}
		return sum
	}
	m.first = make([]imagePlace, max(4, words))
	for w := range words {
		at := sum(high, w)
		m.first[w] = imagePlace{uint16(at >> 6), uint8(at & 63)}
	}
	for x := range 64 {
		at := uint8(sum(columns[:6], x))
		for place := range m.places {
			m.places[place][x] = uint8(place) ^ at
		}
	}
	for i := range m.all.masks {
		m.all.masks[i] = ^uint64(0)
	}
	for w := 0; w < words; w += vectorWords {
		m.all.at = append(m.all.at, uint16(w))
	}
	return m
}

// sumIn returns which of the vectors add up to v, and whether any do.
func sumIn(vectors []uint64, v uint64) (of uint64, ok bool) {
	var basis, sums []uint64
	reduce := func(v, of uint64) (uint64, uint64) {
		for k, b := range basis {
			if v&(b&-b) != 0 {
				v, of = v^b, of^sums[k]
			}
		}
		return v, of
	}
	for i, vector := range vectors {
		if rest, sum := reduce(vector, 1<<i); rest != 0 {
			basis, sums = append(basis, rest), append(sums, sum)
		}
	}
	rest, of := reduce(v, 0)
	return of, rest == 0
}

// gather adds to the words of a block the numbers of which the images are in from; scratch
// is another block, of four words at least. Number 0 is taken to zero.
func (m *blockMap) gather(k *kernel, to, from, scratch []uint64, zero uint64) {
	k.arrange(m, scratch, from, imagePlace{uint16(zero >> 6), uint8(zero & 63)})
	for i := range m.exchanges {
		k.exchange(&m.exchanges[i], scratch[:len(to)])
	}
	if k.pull != nil {
		k.pull(to, scratch, &m.all)
		return
	}
	for i, w := range scratch[:len(to)] {
		to[i] |= w
	}
}

// maxSteps is more than there are swaps in the first step.
const maxSteps = 6 + 16

// steps lists the swaps of the first step, if number 0 is taken to this place.
func (m *blockMap) steps(list []*laneSwap, place uint8) []*laneSwap {
	for axes := m.uneven | place; axes != 0; axes &= axes - 1 {
		axis := bits.TrailingZeros8(axes)
		list = append(list, &m.turns[axis][place>>axis&1])
	}
	for i := range m.order {
		list = append(list, &m.order[i])
	}
	return list
}

// arrange does the first step: it fills words from those of another block.
func (m *blockMap) arrange(to, from []uint64, zero imagePlace) {
	var memory [maxSteps]*laneSwap
	steps := m.steps(memory[:0], zero.place)
	for i := 0; i < len(to); i += 4 {
		word, first := (*[4]uint64)(to[i:]), (*[4]imagePlace)(m.first[i:])
		a, b := from[first[0].word^zero.word], from[first[1].word^zero.word]
		c, d := from[first[2].word^zero.word], from[first[3].word^zero.word]
		if a|b|c|d != 0 {
			for _, s := range steps {
				masks := (*[4]uint64)(s.masks[bits.OnesCount64(uint64(i)&s.row)&1][i&4:])
				shift := s.shift & 63
				t, u := (a^a>>shift)&masks[0], (b^b>>shift)&masks[1]
				v, w := (c^c>>shift)&masks[2], (d^d>>shift)&masks[3]
				a, b, c, d = a^t^t<<shift, b^u^u<<shift, c^v^v<<shift, d^w^w<<shift
			}
		}
		word[0], word[1], word[2], word[3] = a, b, c, d
	}
}

// apply exchanges numbers in the words of a block.
func (e *exchange) apply(words []uint64) {
	highest, mask, shift := 1<<(bits.Len64(e.flip)-1), e.mask, e.shift&63
	for first := 0; first < len(words); first += 2 * highest {
		for i := first; i < first+highest; i++ {
			a, b := &words[i], &words[i^int(e.flip)]
			t := (*a>>shift ^ *b) & mask
			*a, *b = *a^t<<shift, *b^t
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

// folds reports whether the layout was made for the symmetries that leave a start as it is,
// so that they take blocks to blocks of the same weight. It may be that of another start, or
// of none.
func (l *Layout) folds(start Position) bool {
	symmetries := l.board.stabilizer(start)
	return len(symmetries) == max(1, len(l.symmetries)) &&
		(len(symmetries) == 1 || slices.EqualFunc(symmetries, l.symmetries, slices.Equal))
}

// newFolding returns the folding of a space, whose symmetries keep the layout.
func newFolding(c *Class, l *Layout, root uint64, symmetries []*symmetry) *folding {
	f := unplanned(c, l, symmetries)
	f.plan = newPlan(f.blocks, l, []uint64{root}, true, f.folds)
	return f
}

// unplanned is newFolding without the plan, which has tables of all blocks.
func unplanned(c *Class, l *Layout, symmetries []*symmetry) *folding {
	f := &folding{blocks: newBlocks(c, l.blockBits, l.Block), layout: l}
	jumps := l.leaving(c.board)
	for _, s := range symmetries {
		f.folds = append(f.folds, newFold(f.blocks, jumps, s))
	}
	return f
}
