package peg

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// A kernel is a way to do the inner loops of the sweep. All make the same set.
type kernel struct {
	name string
	// lanes is the number of blocks that are closed side by side. They go through the
	// same steps, so that the cost of reading a step is shared and the steps of
	// different blocks overlap in the processor, or are the same instruction.
	lanes int
	// interleave puts the words of so many blocks side by side, separate puts them back.
	interleave, separate func(scratch []uint64, blocks [][]uint64)
	// run closes the blocks that lie side by side.
	run func(p *program, scratch []uint64)
	// pull makes a jump from one block to another; nil for blockPart.pull.
	pull func(to, from []uint64, part *vectorPart)
	// count adds the bits of the blocks that lie side by side to the sums.
	count func(sums *laneCounts, kinds []blockKind, scratch []uint64)
	// arrange and exchange are the steps of a blockMap.
	arrange  func(m *blockMap, to, from []uint64, zero imagePlace)
	exchange func(e *exchange, words []uint64)
}

// maxLanes is the most lanes of a kernel.
const maxLanes = vectorWords

// GenericKernel is the kernel in Go, which all processors have.
const GenericKernel = "generic"

// kernelNames lists all kernels there are, best first.
var kernelNames = []string{"avx512", "avx2", GenericKernel}

var genericKernel = kernel{
	name: GenericKernel, lanes: 4, interleave: interleaveGeneric, separate: separateGeneric, run: (*program).run,
	count: countLanes, arrange: (*blockMap).arrange, exchange: (*exchange).apply,
}

// kernels returns the kernels that this processor has, best first.
func kernels() []*kernel { return append(vectorKernels(), &genericKernel) }

// CheckKernel returns an error if this processor has no kernel of the given name.
func CheckKernel(name string) error {
	var have []string
	for _, k := range kernels() {
		have = append(have, k.name)
	}
	switch {
	case slices.Contains(have, name):
		return nil
	case slices.Contains(kernelNames, name):
		return fmt.Errorf("the kernel %s cannot run here: this processor, or this build, has %s", name, strings.Join(have, ", "))
	}
	return fmt.Errorf("there is no kernel %q: there are %s", name, strings.Join(kernelNames, ", "))
}

// Kernels implements statespace.Vectorized. Blocks of fewer words than a vector, and
// engines other than the sweep, have the generic one alone.
func (s *Space) Kernels() []string {
	names := []string{GenericKernel}
	if s.canSweep() && s.layout().blockBits >= 6+vectorBits {
		names = nil
		for _, k := range kernels() {
			names = append(names, k.name)
		}
	}
	return names
}

// UseKernel implements statespace.Vectorized.
func (s *Space) UseKernel(name string) error {
	if err := CheckKernel(name); err != nil {
		return err
	}
	if !s.canSweep() {
		return fmt.Errorf("%s has no kernels: they are of the engine %s, which cannot enumerate it", s.name, SweepEngine)
	}
	if !slices.Contains(s.Kernels(), name) {
		return fmt.Errorf("%s has no kernel %s: its blocks are smaller than a vector of %d bytes", s.name, name, 8*vectorWords)
	}
	s.kernel = name
	return nil
}

// Kernel implements statespace.Vectorized.
func (s *Space) Kernel(engine string) string {
	if engine != SweepEngine {
		return ""
	}
	return s.sweepKernel().name
}

// sweepKernel returns the kernel that was asked for, or the best.
func (s *Space) sweepKernel() *kernel {
	name := s.kernel
	if name == "" {
		name = s.Kernels()[0]
	}
	all := kernels()
	return all[slices.IndexFunc(all, func(k *kernel) bool { return k.name == name })]
}

// run closes the blocks that lie side by side in the scratch memory, four of them.
func (p *program) run(scratch []uint64) {
	pulls := p.pulls
	for i := range p.runs {
		r := &p.runs[i]
		word := (*[4]uint64)(scratch[4*r.word:])
		a, b, c, d := word[0], word[1], word[2], word[3]
		for k := range pulls[:r.pulls] {
			q := &pulls[k]
			from, mask, turn := (*[4]uint64)(scratch[4*q.word:]), q.mask, int(q.turn)
			a |= bits.RotateLeft64(from[0], turn) & mask
			b |= bits.RotateLeft64(from[1], turn) & mask
			c |= bits.RotateLeft64(from[2], turn) & mask
			d |= bits.RotateLeft64(from[3], turn) & mask
		}
		pulls = pulls[r.pulls:]
		if a|b|c|d != 0 {
			for k := range p.steps[r.first:r.last] {
				q := &p.steps[r.first:r.last][k]
				a |= bits.RotateLeft64(a, q.turn) & q.mask
				b |= bits.RotateLeft64(b, q.turn) & q.mask
				c |= bits.RotateLeft64(c, q.turn) & q.mask
				d |= bits.RotateLeft64(d, q.turn) & q.mask
			}
		}
		word[0], word[1], word[2], word[3] = a, b, c, d
	}
}

func interleaveGeneric(scratch []uint64, blocks [][]uint64) {
	for lane, words := range blocks {
		for i, w := range words {
			scratch[i*len(blocks)+lane] = w
		}
	}
}

func separateGeneric(scratch []uint64, blocks [][]uint64) {
	for lane, words := range blocks {
		for i := range words {
			words[i] = scratch[i*len(blocks)+lane]
		}
	}
}

// Vectors are eight words that lie together, in memory and by number.
const vectorBits, vectorWords = 3, 8

// A vectorPart is the vectors of a block to which a blockPull does the same. The
// kernels know its fields by their places.
type vectorPart struct {
	masks [vectorWords]uint64 // of each word: where the jump can lead to
	turn  uint64              // the source's words are rotated left by this
	flip  uint64              // source word ^ flip is the word
	at    []uint16            // first words of the vectors
}

// vectorParts compiles a jump for blocks with a state of the pivots inside.
func (b *blocks) vectorParts(j Jump, pivots Position) []vectorPart {
	var parts []vectorPart
	for w := 0; w < b.words; w += vectorWords {
		var masks [vectorWords]uint64
		for i := range masks {
			masks[i] = b.masks.jumped(j, b.cells, b.firsts[w+i]^pivots)
		}
		if masks == [vectorWords]uint64{} {
			continue
		}
		i := slices.IndexFunc(parts, func(p vectorPart) bool { return p.masks == masks })
		if i < 0 {
			i = len(parts)
			flip := b.class.flip(j) >> 6 & uint64(b.words-1)
			parts = append(parts, vectorPart{masks: masks, turn: uint64(b.class.turn(j)) & 63, flip: flip})
		}
		parts[i].at = append(parts[i].at, uint16(w))
	}
	return parts
}

// pull makes the jump from one block to another: what the kernels do by vectors.
func (p *vectorPart) pull(to, from []uint64) {
	for _, at := range p.at {
		for i, mask := range p.masks {
			w := uint64(at) + uint64(i)
			to[w] |= bits.RotateLeft64(from[w^p.flip], int(p.turn)) & mask
		}
	}
}
