package sweep

import (
	"encoding/binary"
	"fmt"
	"hash"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// sumOrder adds the order of a folding to a checksum.
func sumOrder(sum hash.Hash32, f *statespace.Folding) {
	const some = 1 << 16
	var b []byte
	for blocks := range slices.Chunk(f.Order, some) {
		b = b[:0]
		for _, block := range blocks {
			b = binary.LittleEndian.AppendUint32(b, block)
		}
		sum.Write(b)
	}
}

// CheckFolding returns an error if a space cannot be folded by blocks of 2^bits numbers.
func CheckFolding(sp statespace.Space, bits int) error {
	if bits < 6 || bits > 63 || sp.Size()%(1<<bits) != 0 {
		return fmt.Errorf("%s has %d numbers, which should be whole blocks of 2^%d numbers, and at least 2^6", sp.Name(), sp.Size(), bits)
	}
	for i, s := range Symmetries(sp) {
		if !s.TakesBlocks(bits) {
			return fmt.Errorf("symmetry %d of %s does not take blocks of 2^%d numbers to blocks", i+1, sp.Name(), bits)
		}
	}
	return nil
}

// Represent returns the representative of a block of 2^bits numbers, and the first symmetry
// that takes the block there. The symmetry is nil if the block is its own representative.
func Represent(symmetries []statespace.WordSymmetry, bits int, block uint64) (representative uint64, by statespace.WordSymmetry) {
	representative = block
	for _, s := range symmetries {
		if image := s.Map(block<<bits) >> bits; image < representative {
			representative, by = image, s
		}
	}
	return representative, by
}

// BlockOrbit returns how many different blocks a block of 2^bits numbers and its images are, and
// the symmetries that take the block to itself.
func BlockOrbit(symmetries []statespace.WordSymmetry, bits int, block uint64) (blocks uint64, stabiliser []statespace.WordSymmetry) {
	for _, s := range symmetries {
		if s.Map(block<<bits)>>bits == block {
			stabiliser = append(stabiliser, s)
		}
	}
	return uint64(1+len(symmetries)) / uint64(1+len(stabiliser)), stabiliser
}

// An Unfolded is the symmetric set whose representatives are in a FoldedSet. It is a
// bitset.Finder.
type Unfolded struct {
	statespace.FoldedSet
	Symmetries []statespace.WordSymmetry // of the space
}

// Words returns the words of a block, or nil if it has no members. They are in scratch, which
// has room for a block, or belong to the folded set. The caller must not change them.
func (u Unfolded) Words(block uint64, scratch []uint64) ([]uint64, error) {
	representative, by := Represent(u.Symmetries, u.Bits(), block)
	words, err := u.Representative(representative)
	if by == nil || words == nil || err != nil {
		return words, err
	}
	n := uint64(len(words))
	scratch = scratch[:n]
	GatherBlock(scratch, by, block, words)
	return scratch, nil
}

// GatherBlock fills dst with the numbers of a block whose images by a symmetry are in a set.
// Words are those of the set in the block to which the symmetry takes this one.
func GatherBlock(dst []uint64, by statespace.WordSymmetry, block uint64, words []uint64) {
	if by.GatherBlock(dst, words, block) {
		return
	}
	n := uint64(len(words))
	gatherBlock(dst, by, block*n, words, by.Map(block*n*64)/64/n*n)
}

// gatherBlock is GatherBlock word by word. Word numbers are those of the whole set: dst begins
// at word to, and words at word from.
func gatherBlock(dst []uint64, by statespace.WordSymmetry, to uint64, words []uint64, from uint64) {
	read := func(word uint64) uint64 { return words[word-from] }
	for i := range dst {
		dst[i] = by.Gather(to+uint64(i), read)
	}
}

// Fill fills dst with the words of the set from word first on.
func (u Unfolded) Fill(dst []uint64, first uint64) error {
	n := uint64(1) << (u.Bits() - 6)
	for len(dst) > 0 {
		block, at := first/n, first%n
		part := dst[:min(uint64(len(dst)), n-at)]
		representative, by := Represent(u.Symmetries, u.Bits(), block)
		words, err := u.Representative(representative)
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
			gatherBlock(part, by, first, words, representative*n)
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
func (u Unfolded) Has(x statespace.Index) (bool, error) {
	representative, by := Represent(u.Symmetries, u.Bits(), x>>u.Bits())
	words, err := u.Representative(representative)
	if words == nil || err != nil {
		return false, err
	}
	if by != nil {
		x = by.Map(x)
	}
	x &= 1<<u.Bits() - 1
	return words[x/64]>>(x%64)&1 == 1, nil
}
