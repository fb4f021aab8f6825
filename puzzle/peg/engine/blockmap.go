package engine

import (
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
)

// A blockMap takes the numbers in a block to those in another block, by a linear map of
// their bits. It collects the images of whole words in steps that are each easy. The
// first step, arrange, is a map in which the images of a word lie in one word. Each
// exchange that follows exchanges a low bit of the numbers with a higher one, or adds
// higher bits to low ones.
type blockMap struct {
	first     []imagePlace   // by word, at least four: where the first step takes its first number
	places    [64][64]uint8  // by the place of a word's first number, then by number: its place in the first step
	order     []laneSwap     // brings the images in a word to their places, if its first is at place 0
	turns     [6][2]laneSwap // before order, by axis: flips it where first has it, or where first lacks it
	uneven    uint8          // the axes that first has for some words only
	exchanges []exchange
	all       vectorPull // all words, as they are
}

// An imagePlace is where a number in a block is taken to, up to what the block flips. The
// assembly knows the offsets of its fields.
type imagePlace struct {
	word  uint16
	place uint8
}

// A laneSwap is a swap in the words of vectors, each with a mask of its own. The assembly
// knows the offsets of its fields.
type laneSwap struct {
	masks [2][vectorWords]uint64 // by the parity of the number of the first word & row
	shift uint64
	row   uint64
}

// newLaneSwap makes a swap in the words whose numbers have an odd number of the bits in
// row; or, if even is 1, an even number.
func newLaneSwap(s gf2.Swap, row uint64, even int) laneSwap {
	l := laneSwap{shift: uint64(s.Shift), row: row &^ (vectorWords - 1)}
	for parity := range l.masks {
		for lane := range uint64(vectorWords) {
			if (bits.OnesCount64(lane&row)+parity+even)&1 == 1 {
				l.masks[parity][lane] = s.Mask
			}
		}
	}
	return l
}

// An exchange exchanges numbers in words whose numbers differ by flip. The assembly knows
// the offsets of some of its fields.
type exchange struct {
	// By vectors: between two of them, or within one. The new words are the old ones
	// where keep has bits, and elsewhere the other words rotated left by turn.
	keep, turn [2][vectorWords]uint64
	flip       uint64
	at         []uint16 // first words of the first vectors

	mask  uint64 // the bits that change, in the word with the highest bit of flip
	shift int    // how much higher they are in the other word
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
// of bits. The columns must be independent.
func newBlockMap(columns []uint64) *blockMap {
	columns = slices.Clone(columns)
	m := new(blockMap)
	m.splitOff(columns)
	m.compileFirst(columns[:6], columns[6:])
	for i := range m.all.masks {
		m.all.masks[i] = ^uint64(0)
	}
	for w := 0; w < 1<<(len(columns)-6); w += vectorWords {
		m.all.at = append(m.all.at, uint16(w))
	}
	return m
}

// splitOff changes the columns to those of the first step, and makes the exchanges that
// follow.
//
// It finds the exchanges backwards. Each acts on what is left of the map: to exchange two
// bits exchanges two columns, to add bits to a low one adds their columns to its column.
// What is left is a first step when the low columns, those of the first six bits, have no
// higher bits. If the higher bits of a low column are no sum of those of the high
// columns, then the latter are not independent, and one that is a sum of others is
// exchanged with the low column. After that the rest can be added.
func (m *blockMap) splitOff(columns []uint64) {
	high := columns[6:]
	words := 1 << len(high)
	above := func() (v []uint64) {
		for _, column := range high {
			v = append(v, column>>6)
		}
		return v
	}
	for low := range 6 {
		if _, ok := gf2.Sum(above(), columns[low]>>6); ok {
			continue
		}
		with := 0
		for found := false; !found; with++ {
			others := above()
			others[with] = 0
			_, found = gf2.Sum(others, high[with]>>6)
		}
		with--
		columns[low], high[with] = high[with], columns[low]
		m.exchanges = append(m.exchanges, newExchange(words, 1<<with, ^gf2.Axes[low], 1<<low))
	}
	// Low columns share flips, so that there are few exchanges.
	var flips, masks []uint64
	for low := range 6 {
		sum, _ := gf2.Sum(above(), columns[low]>>6)
		for i := range gf2.Elements(sum) {
			columns[low] ^= high[i]
		}
		which, ok := gf2.Sum(flips, sum)
		if !ok {
			which = 1 << len(flips)
			flips, masks = append(flips, sum), append(masks, 0)
		}
		for i := range gf2.Elements(which) {
			masks[i] ^= gf2.Axes[low]
		}
	}
	for i, flip := range flips {
		m.exchanges = append(m.exchanges, newExchange(words, flip, masks[i], 0))
	}
	slices.Reverse(m.exchanges)
}

// compileFirst compiles the first step, from the columns of the six low bits and of the
// others.
func (m *blockMap) compileFirst(low, high []uint64) {
	words := 1 << len(high)
	var rows, wordRows [6]uint64
	for axis := range rows {
		for i, column := range low {
			rows[axis] |= column >> axis & 1 << i
		}
		for i, column := range high {
			wordRows[axis] |= column >> axis & 1 << i
		}
		if wordRows[axis] != 0 {
			m.uneven |= 1 << axis
		}
		for even := range m.turns[axis] {
			m.turns[axis][even] = newLaneSwap(gf2.Flip(axis), wordRows[axis], even)
		}
	}
	order, _ := gf2.Swaps(rows) // the map is one to one
	for _, s := range order {
		m.order = append(m.order, newLaneSwap(s, 0, 1))
	}
	sum := func(columns []uint64, which int) (sum uint64) {
		for i := range gf2.Elements(uint64(which)) {
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
		at := uint8(sum(low, x))
		for place := range m.places {
			m.places[place][x] = uint8(place) ^ at
		}
	}
}

// collect adds to the words of a block the numbers whose images are in from. Number 0 is
// taken to zero. The scratch memory is another block, of at least four words.
func (m *blockMap) collect(k *kernel, to, from, scratch []uint64, zero uint64) {
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
