package statespace

import (
	"context"
	"math/big"
	"time"

	"pagoda/bitset"
)

// A Sweep is the kernels of a space. Everything in it can be nil. The functions of this package
// and of package paths then work one state at a time instead, with the same results. The
// kernels may be called by several goroutines at once.
type Sweep struct {
	// Engines lists the ways to fill a set, best first.
	Engines func() []SweepEngine
	// Certify returns the work of Certify, and Count that of
	// CountLayers.
	Certify func(set *bitset.Set) Certification
	Count   func(set *bitset.Set) Counting
	// CertifyFolded and CountFolded do the same for folded sets. The set is read fastest in
	// the given order of blocks. It may lack blocks; these come last.
	CertifyFolded func(set FoldedSet, order []uint32) Certification
	CountFolded   func(set FoldedSet, order []uint32) Counting
	// SweepBlocks says how the space is cut into blocks that are made one after another. It
	// returns nil if that is not possible.
	Blocks func() *SweepBlocks
	// Between does the same as paths.Between. The symmetries are given by their numbers.
	Between func(ctx context.Context, symmetries []int, members bitset.Reader, to Index, set *bitset.Set, threads int, progress *Progress) error
	// Ways counts paths from the roots: see paths.CountWays. The answer is nil if the space
	// cannot do that by these kernels.
	Ways func(ctx context.Context, q WaysQuestion) (*Ways, error)
	// Places returns the places, below 64, from which and to which a move takes its piece: those of Parts.Cells.
	// With them, moves of the same piece in a row can count as one.
	Places func(move int) (from, to int)
	// PlaceImage returns the place to which symmetry i of the space takes a place. It may be
	// nil.
	PlaceImage func(i, place int) int
	// Pointers are what a file can keep of the move that led to a state. Patterns are what
	// it can number instead of states.
	Pointers *Pointers
	Patterns *Patterns
	// BitOrder returns an order of the bits of numbers in which bits that belong together
	// are side by side. It makes tries small, and words compress well.
	BitOrder func() bitset.Order
}

// A SweepEngine is a way to fill a set.
type SweepEngine struct {
	// Name is the name of the engine. Those of a space are different.
	Name string
	// Memory is about how many bytes it takes besides the set.
	Memory uint64
	// Fill returns the work that fills a set. Only the roots are members before. It is nil if
	// the engine makes Blocks only.
	Fill func(set *bitset.Set) Work
	// Streams says that this engine makes Blocks.
	Streams bool
	// Kernels lists the kinds of processor instructions that the engine can use on this
	// machine, best first. Kernel is the one in use. All of them make the same set.
	Kernels []string
	Kernel  string
	// UseKernel makes the space use one of Kernels from now on. It must not be called while
	// the space is in use.
	UseKernel func(name string) error
}

// SweepBlocks say how a set is cut into blocks that are made one after another.
type SweepBlocks struct {
	// Bits is the size of a block: 2^Bits numbers.
	Bits int
	// Representatives is how many blocks the Order of the Folding has. Window is how many of
	// them a Stream needs in memory at a time.
	Representatives, Window uint64
	// Folding returns the order. Making it can take long, and much memory. It is nil if the
	// numbers of blocks have more than 32 bits. Then no file can have them, and OrderSum is a checksum
	// of the order.
	Folding  func() *Folding
	OrderSum func() uint32
	// Planned returns how much of that is done, while Folding or Stream makes it; the total is 0
	// before that. It may be nil.
	Planned func() (done, total int64)
	// Stream returns the work. The memory holds at least Window blocks and is all 0.
	Stream func(memory []uint64) Stream
	// Feeds returns what it takes to make blocks without a ring. It may be nil. Making it
	// takes as long as making the Folding and a Stream.
	Feeds func() Feeds
	// Ratio is how many times smaller the blocks of a space with blocks of this size were when a
	// PackedRun had packed them, and RatioOf is the name of that space. Ratio is 0 if it is not known.
	Ratio   float64
	RatioOf string
	// Estimate predicts how long a run takes. It may be nil.
	Estimate func(ctx context.Context, threads int) (time.Duration, error)
}

// A Certification is the work of checking a set.
type Certification interface {
	Work
	// Faults returns what is wrong with the set, after the work is done.
	Faults() Faults
}

// A Counting is the work of counting the members of a set by layer.
type Counting interface {
	Work
	// Layers returns the layers that have members, after the work is done.
	Layers() []Layer
}

// A Folding cuts the numbers of a space into blocks of 2^Bits. Every symmetry takes blocks to
// blocks. The representative of an orbit of blocks is the one with the least number. The members
// in the representatives determine a symmetric set.
type Folding struct {
	Bits int // at least 6
	// Order lists the representatives in the order in which the engine makes them and a
	// file keeps them. Blocks that it lacks have no members.
	Order []uint32
}

// A FoldedSet has the representative blocks of a symmetric set. Several goroutines may use it
// at once.
type FoldedSet interface {
	// Len returns the bound: the set holds numbers below it.
	Len() uint64
	// Bits returns the Bits of the folding.
	Bits() int
	// Representative returns the words of a representative, or nil if it has no members. The
	// caller must not change them.
	Representative(block uint64) ([]uint64, error)
}

// A Stream is the work of making the representatives of a Folding in their order, in a ring.
// Blocks are counted by their place in this order. In a ring of n slots, block i lies where
// block i-n was. The blocks of a stage are consecutive, and do not depend on each other.
type Stream interface {
	Work
	// Begin returns the first block of a stage. After the last stage it returns the number of
	// blocks.
	Begin(stage int) uint64
	// Needs returns the first block that this stage or a later one reads.
	Needs(stage int) uint64
	// Words returns the words of a block that is in the ring.
	Words(i uint64) []uint64
	// Layers returns the layers of the blocks that are made. SetLayers sets from which
	// layers the count continues, and returns an error if the space cannot have them.
	Layers() []Layer
	SetLayers([]Layer) error
}

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
	// LayerCounts.Add for their sum. Each block is listed once, and none of them is a
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
	Make(blocks []uint64, words func(i uint64) []uint64) ([]Layer, error)
	// Seeds fills dst with the seeds of a finished block: the members to which no move leads from
	// another member of the block. In large blocks they are few.
	Seeds(dst []uint64, i uint64, words []uint64)
	// Grow makes finished blocks of their seeds, which are in the words of the listed blocks. The
	// blocks may be of any stages. It is fastest to list many at a time.
	Grow(blocks []uint64, words func(i uint64) []uint64)
}

// A WaysQuestion asks how many paths lead from the roots of a space to its states.
type WaysQuestion struct {
	// To lists states. The paths to each are counted.
	To []Index
	// Layers asks for the paths to all states, by layer. Without it, states that lead to none
	// of To may be left out.
	Layers bool
	// Memory is how many bytes the count may take. If they do not suffice, the error is
	// ErrMemory.
	Memory   uint64
	Threads  int
	Progress *Progress // may be nil
}

// Ways are numbers of paths. They are exact.
type Ways struct {
	To     []*big.Int  // in the order of the question; 0 for a state that is not reached
	Layers []WaysLayer // in the order of moves, if they were asked for
}

// A WaysLayer says how many paths lead from the roots to the states of a layer.
type WaysLayer struct {
	Layer    int
	States   uint64
	Paths    *big.Int // to these states
	DeadEnds uint64   // the states without a move
	Games    *big.Int // the paths that end in these
}

// Pointers note for each state which move led to it, in a few bits. A pointer is 0 if the state
// cannot be reached, and 1 if it is a root. The pointers from 2 on are moves, numbered in a way
// that the space chooses.
type Pointers struct {
	// Bits is how many bits a pointer takes, at most 16.
	Bits int
	// Follow returns the move to state x that a pointer from 2 on means. Edge.To is the state
	// in which it is made, as in Predecessors. It returns false if the pointer means none.
	Follow func(x Index, pointer uint16) (Edge, bool)
	// Point returns the work of filling the pointers of all members of a set, as Fill does.
	// If it is nil, they are filled one by one.
	Point func(set *bitset.Set, pointers *bitset.Planes) Work
	// Proof is Point by code that shares nothing with it: files are proved by it. If it is nil, they are
	// proved one member at a time.
	Proof func(set *bitset.Set, pointers *bitset.Planes) Work
}

// Patterns are another numbering: of patterns. Every state is a pattern, but not every pattern
// is a state with a number.
type Patterns struct {
	// Bits is how many bits a pattern has.
	Bits int
	// Of returns the pattern of a state. It is below 2^Bits.
	Of func(x Index) uint64
	// Numbered appends the patterns from 64*word to 64*word+63 that have a number.
	Numbered func(dst []NumberedPattern, word uint64) []NumberedPattern
}

// A NumberedPattern is pattern 64*word+Bit with its number.
type NumberedPattern struct {
	Bit    int
	Number Index
}
