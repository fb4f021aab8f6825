package gf2

import (
	"math/bits"
	"slices"
	"sync"
)

// A blockGathering collects the images of the numbers of a whole block of words, for a
// map that takes blocks to blocks: within a block it is a linear map of the bits of a
// number. It works in three steps.
//
// Up to six bits of an image, the leads, number its word but depend on bits inside the
// word of the number. The first step takes each word from where the leads are what they
// will be, and makes as many axes of the words, the cut axes, depend on bits outside
// the words only. The second step exchanges the leads with the cut axes. Then each word
// lies in one word, in another order, which the third step puts right.
//
// The sweep has its own way to do this. The certificate uses this one, so that it does
// not repeat the faults of the sweep.
type blockGathering struct {
	words     int
	from      []uint32 // first step, by word: where it is taken from
	fromOff   []uint8  // and which of its axes are flipped
	lean      []Swap
	crossings []crossing
	to        []uint32 // third step, likewise
	toOff     []uint8
	order     []Swap
	scratch   sync.Pool // of *[]uint64, a block each
}

// A crossing exchanges a bit of the numbers of words with an axis of the words.
type crossing struct {
	word  int // the bit, as a mask
	axis  uint8
	lower uint64 // the places that are 0 on the axis
}

// maxGathered bounds the words of a block: there are tables with an entry for each.
const maxGathered = 1 << 16

// newBlockGathering takes what each bit inside a block flips in the image.
func newBlockGathering(columns []uint64) *blockGathering {
	n := len(columns)
	rows := make([]uint64, n) // by bit of the image: the bits that it is the sum of
	for i, c := range columns {
		for j := range Elements(c) {
			rows[j] |= 1 << i
		}
	}
	g := &blockGathering{words: 1 << (n - 6)}
	g.scratch.New = func() any { s := make([]uint64, g.words); return &s }
	leads, leadRows, from := separateWords(rows)
	fromOff := g.crossLeads(rows, leads, leadRows)

	to, toOff := make([]uint64, n), make([]uint64, n)
	for j, row := range rows {
		for i := range Elements(row >> 6) {
			if j < 6 {
				toOff[i+6] |= 1 << j
			} else {
				to[i+6] |= 1 << j
			}
		}
	}
	g.from, g.fromOff = tabulate[uint32](from[6:], 6), tabulate[uint8](fromOff[6:], 0)
	g.to, g.toOff = tabulate[uint32](to[6:], 6), tabulate[uint8](toOff[6:], 0)
	return g
}

// separateWords chooses the leads, among the bits that number the word of an image, and
// returns of each the part of its row within the word. It adds leads to the rows of the
// other such bits until these do not depend on bits within the word. What undoes that,
// when a word is taken from its place, is from: by bit, the bits to flip.
func separateWords(rows []uint64) (leads []int, leadRows, from []uint64) {
	from = make([]uint64, len(rows))
	for j := 6; j < len(rows); j++ {
		from[j] |= 1 << j
		which, ok := Sum(leadRows, rows[j]&63)
		if !ok {
			leads, leadRows = append(leads, j), append(leadRows, rows[j]&63)
			continue
		}
		for i := range Elements(which) {
			rows[j] ^= rows[leads[i]]
			from[leads[i]] |= 1 << j
		}
	}
	return leads, leadRows, from
}

// crossLeads chooses the cut axes and exchanges them with the leads in the rows. It
// fills in lean, crossings and order, and returns by bit of a word's number the axes
// that it flips in the first step.
func (g *blockGathering) crossLeads(rows []uint64, leads []int, leadRows []uint64) (fromOff []uint64) {
	var axes []int
	var gathered [6]uint64
	for cut := range uint64(64) {
		if bits.OnesCount64(cut) != len(leads) {
			continue
		}
		copy(gathered[:], rows)
		axes = List(cut)
		for i, row := range leadRows { // a lead that is one of the axes goes there: nothing is left to put right
			if k := slices.IndexFunc(axes, func(axis int) bool { return row == 1<<axis }); k >= 0 {
				axes[i], axes[k] = axes[k], axes[i]
			}
		}
		for i, axis := range axes {
			gathered[axis] = leadRows[i]
		}
		for i := range gathered {
			gathered[i] &= 63
		}
		var ok bool
		if g.order, ok = Swaps(gathered); ok {
			break
		}
	}
	fromOff = make([]uint64, len(rows))
	sums := make([]uint64, len(axes))
	for k, axis := range axes {
		which, _ := Sum(gathered[:], rows[axis]&63)
		others := which
		for i, a := range axes {
			if which>>a&1 == 1 {
				others &^= 1 << a
				fromOff[leads[i]] |= 1 << axis
				sums[k] ^= rows[leads[i]]
			}
		}
		for a := range Elements(others) {
			sums[k] ^= rows[a]
		}
		if others != 0 {
			g.lean = append(g.lean, addAxes(axis, others))
		}
	}
	for i, axis := range axes {
		rows[axis] ^= sums[i]
		rows[axis], rows[leads[i]] = rows[leads[i]], rows[axis]
		g.crossings = append(g.crossings, crossing{1 << (leads[i] - 6), 1 << axis, ^Axes[axis]})
	}
	return fromOff
}

// tabulate lists the images under a linear map, each shifted right.
func tabulate[T uint8 | uint32](columns []uint64, shift int) []T {
	table := make([]T, 1<<len(columns))
	for i, c := range columns {
		for x := range 1 << i {
			table[1<<i|x] = table[x] ^ T(c>>shift)
		}
	}
	return table
}

// gather makes dst those numbers whose images are among words. The image of the first
// number is first, counted within its block.
func (g *blockGathering) gather(dst, words []uint64, first uint64) {
	word, off := uint32(first>>6), uint8(first&63)
	if len(g.crossings) > 0 {
		scratch := g.scratch.Get().(*[]uint64)
		defer g.scratch.Put(scratch)
		move(*scratch, words, g.from, g.fromOff, word, off, g.lean)
		for _, c := range g.crossings {
			c.apply(*scratch)
		}
		words, word, off = *scratch, 0, 0
	}
	move(dst, words, g.to, g.toOff, word, off, g.order)
}

// move takes each word from where the table says, flips axes of it and applies swaps.
func move(dst, words []uint64, from []uint32, offs []uint8, word uint32, off uint8, swaps []Swap) {
	from, offs = from[:len(dst)], offs[:len(dst)]
	for i := range dst {
		w := words[from[i]^word]
		for o := offs[i]; o != 0; o &= o - 1 {
			shift, axis := o&-o, Axes[bits.TrailingZeros8(o)]
			w = w&axis>>shift | w<<shift&axis
		}
		dst[i] = w
	}
	for ; off != 0; off &= off - 1 {
		Flip(bits.TrailingZeros8(off)).applyAll(dst)
	}
	for _, s := range swaps {
		s.applyAll(dst)
	}
}

// apply changes the words of a block in place.
func (c crossing) apply(words []uint64) {
	for i := 0; i < len(words); i += 2 * c.word {
		low, high := words[i:][:c.word], words[i+c.word:][:c.word]
		for k, a := range low {
			t := (a>>c.axis ^ high[k]) & c.lower
			high[k] ^= t
			low[k] = a ^ t<<c.axis
		}
	}
}

// GatherBlock makes dst those numbers of a block whose images are among words, the
// words of the block to which the map takes it. It reports false, and does nothing, if
// the block is too large. The map must take blocks of this size to blocks.
func (a *Affine) GatherBlock(dst, words []uint64, block uint64) bool {
	inside := 5 + bits.Len(uint(len(dst)))
	if len(dst) > maxGathered {
		return false
	}
	made, ok := a.blocks.Load(inside)
	if !ok {
		columns := make([]uint64, inside)
		copy(columns, a.columns)
		made, _ = a.blocks.LoadOrStore(inside, newBlockGathering(columns))
	}
	made.(*blockGathering).gather(dst, words, a.Map(block<<inside)&(1<<inside-1))
	return true
}
