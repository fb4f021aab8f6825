package board

import (
	"math/bits"
	"slices"

	"pagoda/statespace"
)

// PegCounts counts positions by their number of pegs.
type PegCounts [MaxCells + 1]uint64

// LayersOf returns the layers that have states, most pegs first. Orbits is nil if they
// were not counted.
func LayersOf(states, orbits *PegCounts) (layers []statespace.Layer) {
	for pegs := MaxCells; pegs >= 0; pegs-- {
		if states[pegs] == 0 {
			continue
		}
		layer := statespace.Layer{Layer: pegs, States: states[pegs]}
		if orbits != nil {
			layer.Orbits = orbits[pegs]
		}
		layers = append(layers, layer)
	}
	return layers
}

// A MaskedCount counts the bits that each of some masks selects in words. It first adds the words up
// as 64 counters, stored by binary digit (Harley and Seal).
type MaskedCount struct {
	masks, totals     []uint64
	words             [8]uint64 // that are not added up yet
	n                 int
	ones, twos, fours uint64
}

// NewMaskedCount returns a count of no words.
func NewMaskedCount(masks []uint64) *MaskedCount {
	return &MaskedCount{masks: masks, totals: make([]uint64, len(masks))}
}

// Add adds a word.
func (c *MaskedCount) Add(word uint64) {
	c.words[c.n&7] = word
	if c.n++; c.n == len(c.words) {
		c.sum()
	}
}

// sum adds up the words.
func (c *MaskedCount) sum() {
	w := &c.words
	ones, t1 := CarrySave(c.ones, w[0], w[1])
	ones, t2 := CarrySave(ones, w[2], w[3])
	twos, f1 := CarrySave(c.twos, t1, t2)
	ones, t1 = CarrySave(ones, w[4], w[5])
	ones, t2 = CarrySave(ones, w[6], w[7])
	twos, f2 := CarrySave(twos, t1, t2)
	fours, eights := CarrySave(c.fours, f1, f2)
	c.ones, c.twos, c.fours, c.n = ones, twos, fours, 0
	for k, m := range c.masks {
		c.totals[k] += uint64(bits.OnesCount64(eights&m)) << 3
	}
}

// Totals returns the number of bits, by mask.
func (c *MaskedCount) Totals() []uint64 {
	clear(c.words[c.n:])
	c.sum()
	totals := slices.Clone(c.totals)
	for k, m := range c.masks {
		totals[k] += uint64(bits.OnesCount64(c.ones&m) + bits.OnesCount64(c.twos&m)<<1 + bits.OnesCount64(c.fours&m)<<2)
	}
	return totals
}

// CarrySave adds three bits in each place of a word: a + b + c = sum + 2 carry.
func CarrySave(a, b, c uint64) (sum, carry uint64) {
	return a ^ b ^ c, a&b | (a^b)&c
}
