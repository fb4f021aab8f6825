package packages

import (
	"context"
	"math/big"
	"math/bits"

	"pagoda/internal/gf2"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// Numbers are whole numbers of as many 64-bit words each, the lowest first.
type numbers struct {
	width int
	words []uint64
}

// newNumbers returns n zeros, in the memory of old if that is large enough.
func newNumbers(n uint64, width int, old []uint64) numbers {
	size := n * uint64(width)
	if size > uint64(cap(old)) {
		return numbers{width, make([]uint64, size)}
	}
	clear(old[:size])
	return numbers{width, old[:size]}
}

// at returns the words of a number.
func (a numbers) at(i uint64) []uint64 { return a.words[i*uint64(a.width):][:a.width] }

// addTo adds a number to another one, which has room for the sum.
func addTo(sum, x []uint64) {
	var carry uint64
	for k := range x {
		sum[k], carry = bits.Add64(sum[k], x[k], carry)
	}
	for k := len(x); carry != 0; k++ {
		sum[k], carry = bits.Add64(sum[k], 0, carry)
	}
}

// bitLen returns the number of bits of a number.
func bitLen(x []uint64) int {
	k := len(x) - 1
	for k > 0 && x[k] == 0 {
		k--
	}
	return 64*k + bits.Len64(x[k])
}

// widthFor returns how many words hold a sum of 1 and of numbers that have some bits, one for each jump.
func widthFor(bitLen, jumps int) int { return (bitLen + bits.Len(uint(jumps+1)) + 63) / 64 }

// A sequenceCount counts the sequences from each position of a dense set, layer by layer.
type sequenceCount struct {
	*denseFinder
	// The sequences from each position of a layer, and of the layer with one peg less. The places
	// say, for each word, how many positions of the layer are in the words before it.
	here, below         numbers
	places, placesBelow []uint32
	workers             []*sequenceWorker
	total               *big.Int
}

// A sequenceWorker is what a thread keeps during a layer.
type sequenceWorker struct {
	sum  []uint64 // the sequences from the starts
	most int      // the bits of the greatest number
}

// count counts the sequences: from a position there is one that has no jumps if it is a goal, and those
// from wherever a jump leads. Only the numbers of two layers are kept.
func (f *denseFinder) count(ctx context.Context, done *statespace.Progress) error {
	c := &sequenceCount{denseFinder: f, total: new(big.Int)}
	f.result.sequences = c.total
	most := uint64(0) // positions in a layer and the one below
	for i := 1; i <= f.cells; i++ {
		most = max(most, f.result.layers[i]+f.result.layers[i-1])
	}
	if most == 0 {
		return nil
	}
	if err := c.checkMemory(most * uint64(f.width)); err != nil {
		return err
	}
	c.places, c.placesBelow = make([]uint32, len(f.words)), make([]uint32, len(f.words))
	for range f.threads {
		c.workers = append(c.workers, &sequenceWorker{sum: make([]uint64, 16)}) // no block has 2^1024 sequences
	}
	done.Start(int64(f.tasks()) * int64(f.cells+1))
	for pegs := range f.cells + 1 {
		if f.result.layers[pegs] == 0 {
			done.Add(int64(f.tasks()))
			continue
		}
		if err := c.begin(pegs); err != nil {
			return err
		}
		if err := eachWord(ctx, f.dense, pegs, c.workers, done, func(w *sequenceWorker, word uint64) { c.visit(w, pegs, word) }); err != nil {
			return err
		}
	}
	c.add()
	return nil
}

// checkMemory returns an error if words for numbers of sequences take more memory than is allowed.
func (c *sequenceCount) checkMemory(words uint64) error {
	if need := denseBytes(c.cells) + 8*words; c.memory > 0 && need > c.memory {
		return &statespace.MemoryError{Name: "the package", Need: need, Most: "or more, most of it to count sequences", Allowed: c.memory,
			Instead: "leave fewer cells open"}
	}
	return nil
}

// add adds to the total what the workers have found from starts.
func (c *sequenceCount) add() {
	for _, w := range c.workers {
		c.total.Add(c.total, paths.Number(w.sum))
		clear(w.sum)
	}
}

// begin makes a layer the one whose sequences are counted. If the layer before it has other than one
// peg less, no jumps lead there, and nobody looks at its numbers.
func (c *sequenceCount) begin(pegs int) error {
	c.add()
	most := 1
	for _, w := range c.workers {
		most = max(most, w.most)
	}
	n, width := c.result.layers[pegs], max(c.width, widthFor(most, len(c.jumps)))
	if err := c.checkMemory(n*uint64(width) + uint64(cap(c.here.words))); err != nil {
		return err
	}
	c.below, c.here = c.here, newNumbers(n, width, c.below.words)
	c.placesBelow, c.places = c.places, c.placesBelow
	at := uint64(0)
	for word := range uint64(len(c.words)) {
		c.places[word] = uint32(at)
		at += uint64(bits.OnesCount64(c.inLayer(word, pegs)))
	}
	return nil
}

// visit counts the sequences from the positions of a word.
func (c *sequenceCount) visit(w *sequenceWorker, pegs int, word uint64) {
	here := c.inLayer(word, pegs)
	if here == 0 {
		return
	}
	place := func(bit int) uint64 { return uint64(c.places[word]) + uint64(bits.OnesCount64(here&(1<<bit-1))) }
	for bit := range gf2.Elements(here & c.goals.in(word)) {
		c.here.at(place(bit))[0] = 1
	}
	for i := range c.jumps {
		j := &c.jumps[i]
		if word&j.cells != j.before {
			continue
		}
		to := word ^ j.cells
		there := c.inLayer(to, pegs-1)
		first := uint64(c.placesBelow[to])
		for can := here & j.undone(there); can != 0; can &= can - 1 {
			bit := bits.TrailingZeros64(can)
			addTo(c.here.at(place(bit)), c.below.at(first+uint64(bits.OnesCount64(there&(1<<(bit+j.shift)-1)))))
		}
	}
	starts := here & c.starts.in(word)
	for bit := range gf2.Elements(here) {
		n := c.here.at(place(bit))
		w.most = max(w.most, bitLen(n))
		if starts>>bit&1 == 1 {
			addTo(w.sum, n)
		}
	}
}
