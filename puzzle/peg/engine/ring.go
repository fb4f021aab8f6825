package engine

import (
	"pagoda/puzzle/peg/board"
)

// A ring is the memory of a pass for the blocks that are still needed. The block at place
// i in order takes the slot of the block at place i-slots. Only representatives are made;
// their positions are counted for all images.
type ring struct {
	slots     uint32
	folds     []*fold
	root      uint64 // the number of the start
	rootPlace int    // of its block, which all folds leave as it is

	counter
}

// A side is a scratch block for a fold: it collects the jumps into an image of the current
// block, before they are mapped back.
type side struct {
	words   []uint64
	used    bool
	block   uint64         // 1 + the block for which outside holds; 0 for none
	outside board.Position // the first position of the image of that block
}

func (p *pass) newSides() []side {
	sides := make([]side, 1+len(p.ring.folds))
	for i := range p.ring.folds {
		sides[i+1].words = make([]uint64, p.words)
	}
	return sides
}

// open returns the words, which are cleared when a block uses the side first.
func (s *side) open() []uint64 {
	if !s.used {
		s.used = true
		clear(s.words)
	}
	return s.words
}

// begin makes the words those of a block into which nothing was pulled.
func (p *pass) begin(words []uint64, place int) {
	clear(words)
	if place == p.ring.rootPlace {
		in := p.ring.root & (1<<p.bits - 1)
		words[in/64] |= 1 << (in % 64)
	}
}

// mapSidesBack adds to the words of a block what its sides have collected.
func (w *worker) mapSidesBack(words []uint64, block uint32) {
	for i := range w.sides {
		if side := &w.sides[i]; side.used {
			side.used = false
			f := w.ring.folds[i-1]
			f.collect(w.kernel, words, side.words, w.arranged, f.Map(uint64(block)<<w.bits)&(1<<w.bits-1))
		}
	}
}

// A stream is a pass with a ring. It implements statespace.Stream.
type stream struct{ *pass }

// newStream returns the work of making the representatives of a folding, in memory for
// at least the blocks of its window.
func newStream(f *folding, k *kernel, root uint64, memory []uint64) stream {
	p := newFoldedPass(f, k, root)
	p.memory = memory
	// There are no more slots than blocks, so that their numbers have 32 bits.
	p.ring.slots = uint32(min(len(memory)/f.words, max(1, len(f.order))))
	return stream{p}
}

// newFoldedPass returns a pass with a ring that has no memory yet.
func newFoldedPass(f *folding, k *kernel, root uint64) *pass {
	p := newPass(f.blocks, f.layout, k)
	p.schedule = f.schedule
	p.ring = &ring{folds: f.folds, root: root, counter: counter{kinds: newKinds(f.blocks), folds: len(f.folds)}}
	p.ring.rootPlace = int(f.places[root>>f.bits]>>f.viaBits) - 1
	return p
}

// Begin implements statespace.Stream.
func (s stream) Begin(stage int) uint64 { return uint64(s.stages[stage]) }

// Needs implements statespace.Stream.
func (s stream) Needs(stage int) uint64 { return uint64(s.needs[stage]) }

// Words implements statespace.Stream.
func (s stream) Words(i uint64) []uint64 { return s.wordsAt(int(i)) }
