package sweep

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"pagoda/statespace"
)

// A BlockRun runs a Stream. It hands the finished blocks to a sink, in their order, while it
// makes the next ones.
type BlockRun struct {
	handing
	stream  statespace.Stream
	bits    int                 // of a number in a block
	folding *statespace.Folding // or nil, if there is orderSum
	// orderSum is that of the Blocks.
	orderSum func() uint32
	size     uint64 // of the space
	slots    uint64
	plan     func() uint32

	done   int // stages
	layers []statespace.Layer
}

// NewBlockRun returns a run of the blocks of a space. The memory is the ring: it is all 0, and
// has room for the Window or more blocks. The sink is called with the words of one block after
// another, which it must not change or keep. It may be nil.
func NewBlockRun(sp statespace.Space, memory []uint64, sink func(words []uint64) error) (*BlockRun, error) {
	blocks := BlocksOf(sp)
	if blocks == nil {
		return nil, fmt.Errorf("%s cannot be made block by block", sp.Name())
	}
	s := &BlockRun{bits: blocks.Bits, size: sp.Size()}
	s.sink = sink
	s.next = func(first, _ uint64, hand func(words []uint64) error) error { return hand(s.stream.Words(first)) }
	if blocks.Folding != nil {
		s.folding = blocks.Folding()
	} else {
		s.orderSum = blocks.OrderSum
	}
	words := uint64(1) << (blocks.Bits - 6)
	s.slots = uint64(len(memory)) / words
	if s.slots < blocks.Window || uint64(len(memory))%words != 0 {
		return nil, fmt.Errorf("%s needs memory for %d blocks of %d words at least, and has %d words", sp.Name(), blocks.Window, words, len(memory))
	}
	s.stream = blocks.Stream(memory)
	s.plan = sync.OnceValue(s.sumPlan)
	s.note(0)
	return s, nil
}

// Plan returns a checksum of the stages and of the order of the blocks: see Run.Plan. Runs with
// different amounts of memory have the same plan.
func (s *BlockRun) Plan() uint32 { return s.plan() }

func (s *BlockRun) sumPlan() uint32 {
	sum := crc32.NewIEEE()
	fmt.Fprintln(sum, "blocks of", s.bits)
	for stage := range s.stream.Stages() {
		fmt.Fprintln(sum, s.stream.Tasks(stage), s.stream.Begin(stage))
	}
	if s.folding == nil {
		fmt.Fprintln(sum, s.orderSum())
	} else {
		sumOrder(sum, s.folding)
	}
	return sum.Sum32()
}

// Done returns how many stages are done.
func (s *BlockRun) Done() int { return s.done }

// Layers returns the layers of the blocks of the stages that are done. The caller must not
// change them.
func (s *BlockRun) Layers() []statespace.Layer { return s.layers }

// Words returns the words of a block from Window to Blocks.
func (s *BlockRun) Words(i uint64) []uint64 { return s.stream.Words(i) }

// Window returns the first block that Restore needs to continue this run. The blocks from there
// to Blocks are in memory. They are all blocks if there is memory for all.
func (s *BlockRun) Window() uint64 { return s.window(s.done) }

func (s *BlockRun) window(done int) uint64 {
	switch stages := s.stream.Stages(); {
	case s.slots >= s.stream.Begin(stages):
		return 0
	case done == stages:
		return s.stream.Begin(stages)
	}
	return min(s.stream.Needs(done), s.stream.Begin(done))
}

// Restore makes a new run what another was after some stages, when it had these layers. It
// calls read to fill in the words of the blocks from Window on, in their order. The sink of
// the other run has got all blocks that are made.
func (s *BlockRun) Restore(done int, layers []statespace.Layer, read func(i uint64, words []uint64) error) error {
	if done < 0 || done > s.stream.Stages() {
		return fmt.Errorf("a run of %d stages cannot continue after stage %d", s.stream.Stages(), done)
	}
	end := s.stream.Begin(done)
	for i := s.window(done); i < end; i++ {
		if err := read(i, s.stream.Words(i)); err != nil {
			return err
		}
	}
	if err := s.stream.SetLayers(layers); err != nil {
		return err
	}
	s.note(done)
	s.handed.Store(end)
	return nil
}

// note records how many stages are done.
func (s *BlockRun) note(done int) {
	s.done, s.layers = done, slices.Clone(s.stream.Layers())
	s.made.Store(s.stream.Begin(done))
}

// Run makes the blocks of all stages that are not done, on the given number of threads, and
// hands them to the sink. It calls between, if that is not nil, between stages with the number
// of stages that are done. If between or the sink returns an error, Run stops and returns it.
// When ctx ends, Run stops soon and returns the cause. Then the run is where it was after the
// last stage that is done, and another Run continues from there.
func (s *BlockRun) Run(ctx context.Context, between func(done int) error, threads int, progress *statespace.Progress) error {
	// A Run that was stopped may have counted blocks of a stage that is not done.
	if err := s.stream.SetLayers(s.layers); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := s.makeRoom(ctx); err != nil {
		return err
	}
	more, stop := s.aside(ctx, cancel)
	defer stop()

	stages := s.stream.Stages()
	done, err := statespace.DoFrom(ctx, s.stream, s.done, func(done int) error {
		s.note(done)
		more()
		if between != nil {
			if err := between(done); err != nil {
				return err
			}
		}
		return s.makeRoom(ctx)
	}, threads, progress)
	if done == stages {
		s.note(done)
	}
	if err == nil {
		err = s.handOn(ctx, s.made.Load())
	}
	if err != nil {
		cancel(err)
	}
	return err
}

// makeRoom hands on the blocks over which the next stage writes.
func (s *BlockRun) makeRoom(ctx context.Context) error {
	if s.done == s.stream.Stages() {
		return nil
	}
	if end := s.stream.Begin(s.done + 1); end > s.slots {
		return s.handOn(ctx, end-s.slots)
	}
	return nil
}

// Set returns the set, after all stages are done. There must be a Folding, and memory for all
// blocks.
func (s *BlockRun) Set() (statespace.FoldedSet, error) {
	if s.folding == nil {
		return nil, fmt.Errorf("the blocks are too many for a set: their numbers have more than 32 bits")
	}
	blocks := s.stream.Begin(s.stream.Stages())
	if s.slots < blocks || s.made.Load() < blocks {
		return nil, fmt.Errorf("the set has %d blocks; %d of them are made, and there is memory for %d", blocks, s.made.Load(), s.slots)
	}
	set := &madeBlocks{s, make([]uint32, s.size>>s.folding.Bits)}
	for i, block := range s.folding.Order {
		set.places[block] = uint32(i) + 1
	}
	return set, nil
}

// madeBlocks is the set of a run.
type madeBlocks struct {
	*BlockRun
	places []uint32 // by block: its place in the order, plus 1, or 0
}

// Len implements FoldedSet.
func (m *madeBlocks) Len() uint64 { return m.size }

// Bits implements FoldedSet.
func (m *madeBlocks) Bits() int { return m.folding.Bits }

// Representative implements FoldedSet.
func (m *madeBlocks) Representative(block uint64) ([]uint64, error) {
	place := m.places[block]
	if place == 0 {
		return nil, nil
	}
	return m.Words(uint64(place) - 1), nil
}
