package peg

import (
	"math/bits"
	"sync"
)

// A blockGathering is a symmetry as it is within blocks: a linear map of the bits of a
// number inside the block. Their words are moved to their places in three steps.
//
// The map makes up to six bits that tell words apart, the leads, of bits within the word.
// In the first step words are taken from where the leads are what they will be, and as
// many axes of each word, the cut ones, are brought to depend on the other words' bits
// alone. In the second, the leads and the cut axes are exchanged. Then each word is to be
// found in one word, in another order, which the third step makes right.
//
// The sweep has another way, blockMap. The certificate does not use it, for it would
// repeat its faults.
type blockGathering struct {
	words     int
	from      []uint32 // by word, in the first step: where it is taken from
	fromOff   []uint8  // and what turns its axes over
	lean      []swap
	crossings []crossing
	to        []uint32 // in the third step
	toOff     []uint8
	order     []swap
	scratch   sync.Pool // of *[]uint64, a block each
}

// A crossing exchanges a bit that tells words apart with an axis of the words.
type crossing struct {
	word  int // as a mask
	axis  uint8
	lower uint64 // the places at which the axis is 0
}

// maxGathered bounds the words of a block, for which there are tables.
const maxGathered = 1 << 16

// newBlockGathering takes what each bit inside a block flips in the image.
func newBlockGathering(columns []uint64) *blockGathering {
	n := len(columns)
	rows := make([]uint64, n) // the bits of which each bit of the image is the sum
	for i, c := range columns {
		for j := range setBits(c) {
			rows[j] |= 1 << i
		}
	}
	g := &blockGathering{words: 1 << (n - 6)}
	g.scratch.New = func() any { s := make([]uint64, g.words); return &s }

	// Other bits that tell words apart shall not depend on the word's own: leads are
	// added to them, and taken away again where a word is taken from.
	var leads []int
	var leadRows [6]uint64 // the part within a word
	from := make([]uint64, n)
	for j := 6; j < n; j++ {
		from[j] |= 1 << j
		of, ok := sumOf(leadRows, rows[j]&63)
		if !ok {
			leadRows[len(leads)] = rows[j] & 63
			leads = append(leads, j)
			continue
		}
		for i := range setBits(of & (1<<len(leads) - 1)) {
			rows[j] ^= rows[leads[i]]
			from[leads[i]] |= 1 << j
		}
	}

	// The leads take the places of cut axes with which the order can be made.
	var axes []int
	var gathered [6]uint64
	for cut := range uint64(64) {
		if bits.OnesCount64(cut) != len(leads) {
			continue
		}
		copy(gathered[:], rows)
		axes = setCells(cut)
		for i, axis := range axes {
			gathered[axis] = leadRows[i]
		}
		for i := range gathered {
			gathered[i] &= 63
		}
		var ok bool
		if g.order, ok = swaps(gathered); ok {
			break
		}
	}
	fromOff := make([]uint64, n) // by bit of a word's number: the axes that it turns over
	sums := make([]uint64, len(axes))
	for k, axis := range axes {
		of, _ := sumOf(gathered, rows[axis]&63)
		others := of
		for i, a := range axes {
			if of>>a&1 == 1 {
				others &^= 1 << a
				fromOff[leads[i]] |= 1 << axis
				sums[k] ^= rows[leads[i]]
			}
		}
		for a := range setBits(others) {
			sums[k] ^= rows[a]
		}
		if others != 0 {
			g.lean = append(g.lean, toggle(axis, others))
		}
	}
	for i, axis := range axes {
		rows[axis] ^= sums[i]
		rows[axis], rows[leads[i]] = rows[leads[i]], rows[axis]
		g.crossings = append(g.crossings, crossing{1 << (leads[i] - 6), 1 << axis, ^lowBit[axis]})
	}

	to, toOff := make([]uint64, n), make([]uint64, n)
	for j, row := range rows {
		for i := range setBits(row >> 6) {
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

// tabulate lists the images by a linear map, each without its lowest bits.
func tabulate[T uint8 | uint32](columns []uint64, shift int) []T {
	table := make([]T, 1<<len(columns))
	for i, c := range columns {
		for x := range 1 << i {
			table[1<<i|x] = table[x] ^ T(c>>shift)
		}
	}
	return table
}

// gather makes the words of dst those numbers of which the image, plus first, is among the
// words. First is the image of the first of them, in its block.
func (g *blockGathering) gather(dst, words []uint64, first uint64) {
	word, off := uint32(first>>6), uint8(first&63)
	if len(g.crossings) > 0 {
		scratch := g.scratch.Get().(*[]uint64)
		defer g.scratch.Put(scratch)
		move(*scratch, words, g.from, g.fromOff, word, off, g.lean)
		for _, e := range g.crossings {
			e.apply(*scratch)
		}
		words, word, off = *scratch, 0, 0
	}
	move(dst, words, g.to, g.toOff, word, off, g.order)
}

// move takes each word from where the table says, turns its axes over and swaps.
func move(dst, words []uint64, from []uint32, offs []uint8, word uint32, off uint8, swaps []swap) {
	from, offs = from[:len(dst)], offs[:len(dst)]
	for i := range dst {
		w := words[from[i]^word]
		for o := offs[i] ^ off; o != 0; o &= o - 1 {
			shift, axis := o&-o, lowBit[bits.TrailingZeros8(o)]
			w = w&axis>>shift | w<<shift&axis
		}
		for _, s := range swaps {
			w = s.apply(w)
		}
		dst[i] = w
	}
}

// apply changes the words of a block in place.
func (e crossing) apply(words []uint64) {
	for i := 0; i < len(words); i += 2 * e.word {
		low, high := words[i:][:e.word], words[i+e.word:][:e.word]
		for k, a := range low {
			t := (a>>e.axis ^ high[k]) & e.lower
			high[k] ^= t
			low[k] = a ^ t<<e.axis
		}
	}
}

// GatherBlock implements statespace.BlockGatherer.
func (s *symmetry) GatherBlock(dst, words []uint64, block uint64) bool {
	inside := 5 + bits.Len(uint(len(dst)))
	if len(dst) > maxGathered {
		return false
	}
	made, ok := s.blocks.Load(inside)
	if !ok {
		columns := make([]uint64, inside)
		copy(columns, s.columns)
		made, _ = s.blocks.LoadOrStore(inside, newBlockGathering(columns))
	}
	made.(*blockGathering).gather(dst, words, s.Map(block<<inside)&(1<<inside-1))
	return true
}
