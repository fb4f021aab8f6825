package peg

import (
	"math/bits"
	"slices"
)

// blocks cuts the numbers of a class into blocks of consecutive ones. The lowest
// bits of a number are the filling of the cells inside; the others tell the block.
type blocks struct {
	class  *Class
	bits   int    // of a number inside a block
	words  int    // in a block
	inside []int  // the pivots inside; all others are the same in a whole block
	cells  uint64 // all cells inside

	masks  cellMasks
	firsts []Position // of each word of a block, ^ that of the first
}

// newBlocks makes blocks of 2^bits numbers. The cells inside are the free cells of
// these bits, and pivots, among them all that depend on these bits.
func newBlocks(c *Class, bits int, cells uint64) *blocks {
	b := &blocks{class: c, bits: bits, words: 1 << max(0, bits-6), cells: cells, masks: newCellMasks(c)}
	for _, p := range c.pivots {
		if cells>>p&1 == 1 {
			b.inside = append(b.inside, p)
		}
	}
	for w := range b.words {
		b.firsts = append(b.firsts, c.Position(uint64(w)<<6)^c.zero)
	}
	return b
}

// outside returns the first position of a block.
func (b *blocks) outside(block uint64) Position { return b.class.Position(block << b.bits) }

// of returns the words of a block in a set.
func (b *blocks) of(set []uint64, block uint64) []uint64 {
	return set[block*uint64(b.words):][:b.words]
}

// program returns the state of the pivots inside in the first position of a block. It tells
// which program closes the block.
func (b *blocks) program(block uint32) int { return int(gather(b.inside, b.outside(uint64(block)))) }

// A blockPull is a jump seen from the block it leads to.
type blockPull struct {
	cells, want uint64 // it leads to blocks whose cells outside are so
	flip        uint64 // the block it comes from ^ flip is the block it leads to
	pivots      []int  // the pivots inside that it depends on
	// By the state of these pivots, in one of two forms:
	parts   [][]blockPart
	vectors [][]vectorPart
}

// A blockPart is the words of a block to which a blockPull does the same.
type blockPart struct {
	mask  uint64   // of the source's word: where the jump can be made
	turn  int      // then rotated left by this
	flip  uint16   // source word ^ flip is the word
	words []uint16 // which words; nil for all, and then flip is 0
	quads bool     // words lists the first of each four
}

// pull compiles a jump, to be made by words or by vectors.
func (b *blocks) pull(j Jump, byVectors bool) blockPull {
	flip, turn := b.class.flip(j), b.class.turn(j)
	outside := j.mask() &^ b.cells
	p := blockPull{cells: outside, want: 1 << j.To & outside, flip: flip >> b.bits}
	for _, pivot := range b.inside {
		if j.mask()>>pivot&1 == 1 {
			p.pivots = append(p.pivots, pivot)
		}
	}
	wordFlip := uint16(flip >> 6 & uint64(b.words-1))
	for state := range 1 << len(p.pivots) {
		pivots := scatter(p.pivots, uint64(state))
		if byVectors {
			p.vectors = append(p.vectors, b.vectorParts(j, pivots))
			continue
		}
		var parts []blockPart
		for w, first := range b.firsts {
			mask := bits.RotateLeft64(b.masks.jumped(j, b.cells, first^pivots), -turn)
			if mask == 0 {
				continue
			}
			i := slices.IndexFunc(parts, func(p blockPart) bool { return p.mask == mask })
			if i < 0 {
				i = len(parts)
				parts = append(parts, blockPart{mask: mask, turn: turn, flip: wordFlip})
			}
			parts[i].words = append(parts[i].words, uint16(w))
		}
		for i := range parts {
			parts[i].pack(b.words)
		}
		p.parts = append(p.parts, parts)
	}
	return p
}

// pack shortens the list of words, in a block of the given number.
func (p *blockPart) pack(block int) {
	if len(p.words) == block && p.flip == 0 {
		p.words = nil
		return
	}
	for i, w := range p.words {
		if w != p.words[i&^3]&^3+uint16(i&3) {
			return
		}
	}
	if len(p.words)%4 == 0 && p.flip%4 == 0 {
		p.quads = true
		var firsts []uint16
		for i := 0; i < len(p.words); i += 4 {
			firsts = append(firsts, p.words[i])
		}
		p.words = firsts
	}
}

// pull makes the jump from one block to another.
func (p *blockPart) pull(to, from []uint64) {
	mask, turn := p.mask, p.turn
	from = from[:len(to)]
	switch {
	case p.quads:
		for _, w := range p.words {
			to, from := (*[4]uint64)(to[w:]), (*[4]uint64)(from[w^p.flip:])
			to[0] |= bits.RotateLeft64(from[0]&mask, turn)
			to[1] |= bits.RotateLeft64(from[1]&mask, turn)
			to[2] |= bits.RotateLeft64(from[2]&mask, turn)
			to[3] |= bits.RotateLeft64(from[3]&mask, turn)
		}
	case p.words != nil:
		for _, w := range p.words {
			to[w] |= bits.RotateLeft64(from[w^p.flip]&mask, turn)
		}
	case mask == ^uint64(0):
		for i := range to {
			to[i] |= from[i]
		}
	default:
		for i := range to {
			to[i] |= bits.RotateLeft64(from[i]&mask, turn)
		}
	}
}
