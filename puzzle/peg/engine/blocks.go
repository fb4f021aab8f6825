package engine

import (
	"slices"
	"sync/atomic"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// blocks divides the numbers of a class into blocks of consecutive ones. The lowest bits
// of a number are the filling of the cells inside a block; the others number the block.
type blocks struct {
	class  *board.Class
	bits   int    // of a number inside a block
	words  int    // in a block
	cells  uint64 // all cells inside
	inside []int  // the pivots among them; the other pivots are the same in a whole block

	masks  board.CellMasks
	firsts []board.Position // by word of a block: its first position ^ that of the block

	planned atomic.Uint64 // how far newSchedule is: see Engine.planned
}

// newBlocks makes blocks of 2^bits numbers. The cells inside are the free cells of
// these bits, and pivots, among them all that depend on these bits.
func newBlocks(c *board.Class, bits int, cells uint64) *blocks {
	b := &blocks{class: c, bits: bits, words: 1 << max(0, bits-6), cells: cells, masks: board.NewCellMasks(c)}
	for _, p := range c.Pivots() {
		if cells>>p&1 == 1 {
			b.inside = append(b.inside, p)
		}
	}
	for w := range b.words {
		b.firsts = append(b.firsts, c.Position(uint64(w)<<6)^c.Position(0))
	}
	return b
}

// count returns the number of blocks.
func (b *blocks) count() uint64 { return 1 << (b.class.Dim() - b.bits) }

// outside returns the first position of a block.
func (b *blocks) outside(block uint64) board.Position { return b.class.Position(block << b.bits) }

// of returns the words of a block in a set.
func (b *blocks) of(set []uint64, block uint64) []uint64 {
	return set[block*uint64(b.words):][:b.words]
}

// program returns which program closes a block: the state of the pivots inside, in the
// first position of the block.
func (b *blocks) program(block uint32) int { return b.programOf(uint64(block)) }

// programOf is program for any number of blocks.
func (b *blocks) programOf(block uint64) int { return int(gf2.Extract(b.inside, b.outside(block))) }

// used lists the programs of the blocks. There may be far fewer blocks than programs.
func (b *blocks) used() (programs []int) {
	all := uint64(1) << len(b.inside)
	if b.count() >= all {
		for program := range all {
			programs = append(programs, int(program))
		}
		return programs
	}
	for block := range b.count() {
		programs = append(programs, b.program(uint32(block)))
	}
	slices.Sort(programs)
	return slices.Compact(programs)
}
