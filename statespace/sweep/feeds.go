package sweep

import "pagoda/statespace"

// Feeds say which blocks of a Folding each block is made from. With them, processes that share
// no memory can make the blocks: each process needs only the sources of its blocks.
//
// Blocks are counted by their place in the order, as in a Stream, and have the same stages.
// Several goroutines may use Feeds at once.
type Feeds interface {
	// Stages returns the number of stages.
	Stages() int
	// Begin returns the first block of a stage. After the last stage it returns the number of
	// blocks.
	Begin(stage int) uint64
	// Needs returns the first block that this stage or a later one reads, as in a Stream.
	Needs(stage int) uint64
	// Sources appends the blocks that a block reads, each once, in ascending order. They
	// belong to earlier stages. If the representative of a source is another block, that block
	// stands for it.
	Sources(dst []uint64, i uint64) []uint64
	// Targets appends the blocks that read a block, each once, in ascending order. They belong
	// to later stages.
	Targets(dst []uint64, i uint64) []uint64
	// NewMaker returns a maker for one goroutine. Its memory is about that of sixteen blocks
	// and of one more for each symmetry.
	NewMaker() Maker
}

// A Maker makes blocks from their sources.
type Maker interface {
	// Make fills in the words of blocks and returns the layers of these blocks alone; see
	// statespace.LayerCounts.Add for their sum. Each block is listed once, and none of them is a
	// source of another, as in a stage.
	//
	// Make calls words for each listed block and for its sources, maybe several times. The
	// result is the memory of the block: 2^Bits/64 words, and always the same. In a listed
	// block, the words before do not matter. Those of a source must be complete, and Make does
	// not change them. Make does not use any of this memory after it returns.
	//
	// It is fastest to list several blocks at a time, neighbours in the order if possible.
	//
	// Make returns an error if one block is a source of another, or if words returns another
	// number of words, nil for example. Then the listed blocks are not made.
	Make(blocks []uint64, words func(i uint64) []uint64) ([]statespace.Layer, error)
	// Seeds fills dst with the seeds of a finished block: the members to which no move leads from
	// another member of the block. In large blocks they are few.
	Seeds(dst []uint64, i uint64, words []uint64)
	// Grow makes finished blocks of their seeds, which are in the words of the listed blocks. The
	// blocks may be of any stages. It is fastest to list many at a time.
	Grow(blocks []uint64, words func(i uint64) []uint64)
}

// Chains returns, by block, how many blocks the longest chain of sources behind it has. Blocks
// with chains of the same length do not depend on each other. So they can be made like a stage,
// after all blocks with shorter chains. No other division has fewer stages.
func Chains(f Feeds) []uint16 {
	chains := make([]uint16, f.Begin(f.Stages()))
	var sources []uint64
	for i := range chains {
		sources = f.Sources(sources[:0], uint64(i))
		for _, from := range sources {
			chains[i] = max(chains[i], chains[from]+1)
		}
	}
	return chains
}
