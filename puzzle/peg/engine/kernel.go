package engine

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/lists"
)

// A kernel is an implementation of the inner loops of the sweep. All kernels make the
// same set.
type kernel struct {
	name string
	// lanes is the number of blocks that are closed side by side. They go through the
	// same steps, so that they share the cost of reading a step, and the steps of
	// different blocks overlap in the processor or are one instruction.
	lanes int
	// interleave puts the words of this many blocks side by side, separate puts them back.
	interleave, separate func(scratch []uint64, blocks [][]uint64)
	// close closes the blocks that lie side by side.
	close func(p *program, scratch []uint64)
	// pull makes a jump from one block to another; nil for wordPull.pull.
	pull func(to, from []uint64, pull *vectorPull)
	// count adds the bits of the blocks that lie side by side to the sums.
	count func(sums *laneCounts, kinds []blockKind, scratch []uint64)
	// arrange and exchange are the steps of a blockMap.
	arrange  func(m *blockMap, to, from []uint64, zero imagePlace)
	exchange func(e *exchange, words []uint64)
}

// maxLanes is the most lanes of a kernel.
const maxLanes = vectorWords

// GenericKernel is the name of the kernel in Go, which every processor can run.
const GenericKernel = "generic"

// kernelNames lists all kernels there are, best first.
var kernelNames = []string{"avx512", "avx2", GenericKernel}

var genericKernel = kernel{
	name: GenericKernel, lanes: 4, interleave: interleaveGeneric, separate: separateGeneric, close: (*program).close,
	count: countLanes, arrange: (*blockMap).arrange, exchange: (*exchange).apply,
}

// kernels returns the kernels that this processor can run, best first.
func kernels() []*kernel { return append(vectorKernels(), &genericKernel) }

func namesOf(all []*kernel) []string {
	return lists.Map(all, func(k *kernel) string { return k.name })
}

// checkKernel returns an error if this processor has no kernel of the given name.
func checkKernel(name string) error {
	have := namesOf(kernels())
	switch {
	case slices.Contains(have, name):
		return nil
	case slices.Contains(kernelNames, name):
		return fmt.Errorf("the kernel %s cannot run here: this processor, or this build, has %s", name, strings.Join(have, ", "))
	}
	return fmt.Errorf("there is no kernel %q: there are %s", name, strings.Join(kernelNames, ", "))
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
