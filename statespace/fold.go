package statespace

import (
	"fmt"

	"pagoda/bitset"
)

// A Folding cuts the numbers of a space into blocks of 2^Bits that follow one another,
// such that every symmetry takes blocks to blocks. Of the blocks that are images of each
// other it keeps the one with the least number. A set that looks the same from all sides
// is told by the members in the kept blocks.
type Folding struct {
	Bits int // 6 at least
	// Order lists the kept blocks in the order in which the engine makes them and a file
	// has them. Kept blocks that are not listed never have members.
	Order []uint32
}

// A Foldable space has a Folding.
type Foldable interface {
	Symmetric
	// Folding returns how sets of the space are folded, or nil if they are not.
	Folding() *Folding
}

// FoldingOf returns the folding of a space, or nil if it has none.
func FoldingOf(sp Space) *Folding {
	if f, ok := sp.(Foldable); ok {
		return f.Folding()
	}
	return nil
}

// FoldingSize returns the Bits of the folding of a space and how many blocks its Order has; 0
// if it has none. Of a Streamer they are known before its Folding is made.
func FoldingSize(sp Space) (bits int, blocks uint64) {
	if s, ok := sp.(Streamer); ok {
		if bits = s.BlockBits(); bits > 0 {
			blocks = s.KeptBlocks()
		}
		return bits, blocks
	}
	if f := FoldingOf(sp); f != nil {
		return f.Bits, uint64(len(f.Order))
	}
	return 0, 0
}

// A FoldedSet is a set of numbers of which the kept blocks are at hand. It may be used by
// several goroutines at once.
type FoldedSet interface {
	// Len returns the bound: the set holds numbers below it.
	Len() uint64
	// Bits returns the Bits of the folding.
	Bits() int
	// Kept returns the words of a kept block, or nil if it has no members. The caller must
	// not change them.
	Kept(block uint64) ([]uint64, error)
}

// CheckFolding returns an error if blocks of 2^bits numbers cannot be those of a folding.
func CheckFolding(sp Space, bits int) error {
	if bits < 6 || bits > 63 || sp.Size()%(1<<bits) != 0 {
		return fmt.Errorf("%s has %d numbers, which should be whole blocks of 2^%d, each of 2^6 at least", sp.Name(), sp.Size(), bits)
	}
	for i, s := range Symmetries(sp) {
		if !s.TakesBlocks(bits) {
			return fmt.Errorf("symmetry %d of %s does not take blocks of 2^%d numbers to blocks", i+1, sp.Name(), bits)
		}
	}
	return nil
}

// KeptBlock returns the least of the images of a block of 2^bits numbers, and the first
// symmetry that takes the block there; nil if it is the block itself.
func KeptBlock(symmetries []Symmetry, bits int, block uint64) (kept uint64, by Symmetry) {
	kept = block
	for _, s := range symmetries {
		if image := s.Map(block<<bits) >> bits; image < kept {
			kept, by = image, s
		}
	}
	return kept, by
}

// BlockOrbit returns how many blocks there are among a block of 2^bits numbers and its
// images, and the symmetries that take the block to itself.
func BlockOrbit(symmetries []Symmetry, bits int, block uint64) (blocks uint64, stabiliser []Symmetry) {
	for _, s := range symmetries {
		if s.Map(block<<bits)>>bits == block {
			stabiliser = append(stabiliser, s)
		}
	}
	return uint64(1+len(symmetries)) / uint64(1+len(stabiliser)), stabiliser
}

// An Unfolded is the set that a folded one stands for. It is a bitset.Finder.
type Unfolded struct {
	FoldedSet
	Symmetries []Symmetry // of the space
}

// Words returns the words of a block of the folding; nil if it has no members. They are in
// scratch, which has room for them, or are those of the folded set: the caller must not
// change them.
func (u Unfolded) Words(block uint64, scratch []uint64) ([]uint64, error) {
	kept, by := KeptBlock(u.Symmetries, u.Bits(), block)
	words, err := u.Kept(kept)
	if by == nil || words == nil || err != nil {
		return words, err
	}
	n := uint64(len(words))
	scratch = scratch[:n]
	GatherBlock(scratch, by, block, words)
	return scratch, nil
}

// A BlockGatherer is a Symmetry that gathers whole blocks at a time. It makes dst those
// numbers of a block of which the images are among words, those of the block to which the
// symmetry takes it. It reports false, and does nothing, where it does not pay.
type BlockGatherer interface {
	Symmetry
	GatherBlock(dst, words []uint64, block uint64) bool
}

// GatherBlock makes dst those numbers of a block of which the images, by a symmetry, are
// among words: those of the block to which the symmetry takes it.
func GatherBlock(dst []uint64, by Symmetry, block uint64, words []uint64) {
	if g, ok := by.(BlockGatherer); ok && g.GatherBlock(dst, words, block) {
		return
	}
	n := uint64(len(words))
	gatherBlock(dst, by, block*n, words, by.Map(block*n*64)/64/n*n)
}

// gatherBlock puts into dst, the words from word to on, those numbers whose images, by a
// symmetry, are among words, those of a block, from word from on.
func gatherBlock(dst []uint64, by Symmetry, to uint64, words []uint64, from uint64) {
	read := func(word uint64) uint64 { return words[word-from] }
	for i := range dst {
		dst[i] = by.Gather(to+uint64(i), read)
	}
}

// Fill makes the words those of the set, from word first on.
func (u Unfolded) Fill(dst []uint64, first uint64) error {
	n := uint64(1) << (u.Bits() - 6)
	for len(dst) > 0 {
		block, at := first/n, first%n
		part := dst[:min(uint64(len(dst)), n-at)]
		kept, by := KeptBlock(u.Symmetries, u.Bits(), block)
		words, err := u.Kept(kept)
		switch {
		case err != nil:
			return err
		case words == nil:
			clear(part)
		case by == nil:
			copy(part, words[at:])
		case uint64(len(part)) == n:
			GatherBlock(part, by, block, words)
		default:
			gatherBlock(part, by, first, words, kept*n)
		}
		dst, first = dst[len(part):], first+uint64(len(part))
	}
	return nil
}

// Block implements bitset.Reader.
func (u Unfolded) Block(i uint64) ([]uint64, error) {
	const n = 1 << bitset.BlockBits / 64
	words := make([]uint64, min(n, bitset.Words(u.Len())-i*n))
	return words, u.Fill(words, i*n)
}

// Word implements bitset.Finder.
func (u Unfolded) Word(i uint64) (uint64, error) {
	var word [1]uint64
	err := u.Fill(word[:], i)
	return word[0], err
}

// Has implements bitset.Finder.
func (u Unfolded) Has(x Index) (bool, error) {
	kept, by := KeptBlock(u.Symmetries, u.Bits(), x>>u.Bits())
	words, err := u.Kept(kept)
	if words == nil || err != nil {
		return false, err
	}
	if by != nil {
		x = by.Map(x)
	}
	x &= 1<<u.Bits() - 1
	return words[x/64]>>(x%64)&1 == 1, nil
}

// A Stream is the work of making the kept blocks of a Folding, in its order, in memory for
// some of them: block i of the order is where block i-slots was. Each stage makes blocks
// that follow one another and that need none of each other.
type Stream interface {
	Work
	// Begin returns the first block of a stage, or after the last stage the number of
	// blocks.
	Begin(stage int) uint64
	// Needs returns the first block that a stage, or one after it, reads.
	Needs(stage int) uint64
	// Words returns the words of a block that is in memory.
	Words(i uint64) []uint64
	// Tally returns what was counted in the blocks made so far; SetTally makes the
	// count go on from there, unless there are no such layers.
	Tally() []Layer
	SetTally([]Layer) error
}

// A Streamer is a Foldable space with an engine for Streams. To make its Folding may take
// long, and memory; what is told here beside is known before.
type Streamer interface {
	Foldable
	// BlockBits returns the Bits of the Folding, or 0 if there is none; the rest is not to
	// be asked then.
	BlockBits() int
	// KeptBlocks returns how many blocks the Order of the Folding has.
	KeptBlocks() uint64
	// Slots returns for how many blocks a Stream needs memory at least.
	Slots() uint64
	// Stream returns the work, with memory for at least so many blocks, which is all 0.
	Stream(memory []uint64) Stream
}
