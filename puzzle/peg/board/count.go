package board

import (
	"math/bits"

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

// CountMasked adds to totals[k] the number of bits that masks[k] selects in the listed
// words of a set. It first adds the words up as 64 counters, stored by binary digit
// (Harley and Seal).
func CountMasked(totals []uint64, masks []uint64, set []uint64, words []uint16) {
	add := func(digit uint64, weight int) {
		if digit == 0 {
			return
		}
		for k, m := range masks {
			totals[k] += uint64(bits.OnesCount64(digit&m)) << weight
		}
	}
	var ones, twos, fours uint64
	for len(words) > 0 {
		var w [8]uint64
		n := min(len(w), len(words))
		for i, at := range words[:n] {
			w[i] = set[at]
		}
		words = words[n:]
		var t1, t2, f1, f2, eights uint64
		ones, t1 = CarrySave(ones, w[0], w[1])
		ones, t2 = CarrySave(ones, w[2], w[3])
		twos, f1 = CarrySave(twos, t1, t2)
		ones, t1 = CarrySave(ones, w[4], w[5])
		ones, t2 = CarrySave(ones, w[6], w[7])
		twos, f2 = CarrySave(twos, t1, t2)
		fours, eights = CarrySave(fours, f1, f2)
		add(eights, 3)
	}
	add(ones, 0)
	add(twos, 1)
	add(fours, 2)
}

// CarrySave adds three bits in each place of a word: a + b + c = sum + 2 carry.
func CarrySave(a, b, c uint64) (sum, carry uint64) {
	return a ^ b ^ c, a&b | (a^b)&c
}
