package statespace

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"
	"sync/atomic"
)

// StreamerOf returns a space as a Streamer if the engine makes a Stream: it is the first
// of the engines of a Streamer that has a folding. Else it returns nil.
func StreamerOf(sp Space, engine string) Streamer {
	s, ok := sp.(Streamer)
	if !ok || engine != Engines(sp)[0] || s.BlockBits() == 0 {
		return nil
	}
	return s
}

// A Streaming runs a Stream, and hands the blocks on in their order while it makes the
// next ones.
type Streaming struct {
	stream  Stream
	folding *Folding
	size    uint64 // of the space
	slots   uint64
	sink    func(words []uint64) error // or nil
	plan    func() uint32

	done  int // stages
	tally []Layer
	made  atomic.Uint64 // blocks of the stages that are done

	handing sync.Mutex // held while a block is handed on
	handed  atomic.Uint64
	failed  error // by the sink
}

// NewStreaming returns the streaming of a space in memory, which is all 0, and for as many
// blocks as the streaming is to hold: Slots at least. The sink is called with the words of
// one block after another; it must not change or keep them. It may be nil.
func NewStreaming(sp Streamer, memory []uint64, sink func(words []uint64) error) (*Streaming, error) {
	s := &Streaming{folding: sp.Folding(), size: sp.Size(), sink: sink}
	words := uint64(1) << (s.folding.Bits - 6)
	s.slots = uint64(len(memory)) / words
	if least := sp.Slots(); s.slots < least || uint64(len(memory))%words != 0 {
		return nil, fmt.Errorf("%s needs memory for %d blocks of %d words at least, and has %d words", sp.Name(), least, words, len(memory))
	}
	s.stream = sp.Stream(memory)
	s.plan = sync.OnceValue(s.sumPlan)
	s.note(0)
	return s, nil
}

// Plan tells different ways apart to divide the work: see Enumeration.Plan. The number of
// slots is no part of it.
func (s *Streaming) Plan() uint32 { return s.plan() }

func (s *Streaming) sumPlan() uint32 {
	sum := crc32.NewIEEE()
	fmt.Fprintln(sum, "blocks of", s.folding.Bits)
	for stage := range s.stream.Stages() {
		fmt.Fprintln(sum, s.stream.Tasks(stage), s.stream.Begin(stage))
	}
	const some = 1 << 16
	for blocks := range slices.Chunk(s.folding.Order, some) {
		binary.Write(sum, binary.LittleEndian, blocks)
	}
	return sum.Sum32()
}

// Done returns how many stages are done.
func (s *Streaming) Done() int { return s.done }

// Blocks returns the number of blocks of the stages that are done.
func (s *Streaming) Blocks() uint64 { return s.made.Load() }

// Tally returns what was counted in the blocks of the stages that are done. The caller
// must not change it.
func (s *Streaming) Tally() []Layer { return s.tally }

// Words returns the words of a block from Window on.
func (s *Streaming) Words(i uint64) []uint64 { return s.stream.Words(i) }

// Window returns the first of the blocks before Blocks that are in memory and that it takes
// to go on: all of them if there is memory for all blocks.
func (s *Streaming) Window() uint64 { return s.window(s.done) }

func (s *Streaming) window(done int) uint64 {
	switch stages := s.stream.Stages(); {
	case s.slots >= s.stream.Begin(stages):
		return 0
	case done == stages:
		return s.stream.Begin(stages)
	}
	return min(s.stream.Needs(done), s.stream.Begin(done))
}

// Restore makes a streaming what another was that had so many stages done, before Run. Read
// fills in the words of the blocks from Window on, in their order; the sink has been given
// all of them.
func (s *Streaming) Restore(done int, tally []Layer, read func(i uint64, words []uint64) error) error {
	if done < 0 || done > s.stream.Stages() {
		return fmt.Errorf("%d stages are done, of %d", done, s.stream.Stages())
	}
	end := s.stream.Begin(done)
	for i := s.window(done); i < end; i++ {
		if err := read(i, s.stream.Words(i)); err != nil {
			return err
		}
	}
	if err := s.stream.SetTally(tally); err != nil {
		return err
	}
	s.note(done)
	s.handed.Store(end)
	return nil
}

// note takes down that so many stages are done.
func (s *Streaming) note(done int) {
	s.done, s.tally = done, slices.Clone(s.stream.Tally())
	s.made.Store(s.stream.Begin(done))
}

// Run makes the blocks of all stages that are not done, on the given number of threads, and
// hands them on. Between, if not nil, is called between stages with the number of those that
// are done; where it returns an error, Run stops and returns it, and so it does with an
// error of the sink. When ctx ends, Run stops soon and returns the cause. What Done,
// Blocks, Tally, Window and HandOn tell and do is then as it was between the last two stages,
// and another Run goes on from there.
func (s *Streaming) Run(ctx context.Context, between func(done int) error, threads int, progress *Progress) error {
	// A Run that was stopped may have counted blocks of a stage that is not done.
	if err := s.stream.SetTally(s.tally); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := s.makeRoom(ctx); err != nil {
		return err
	}
	more := make(chan struct{}, 1)
	var group sync.WaitGroup
	group.Go(func() {
		for range more {
			if err := s.handOn(ctx, s.made.Load()); err != nil {
				cancel(err)
			}
		}
	})
	defer group.Wait()
	defer close(more)

	stages := s.stream.Stages()
	done, err := DoFrom(ctx, s.stream, s.done, func(done int) error {
		s.note(done)
		select {
		case more <- struct{}{}:
		default: // it has not yet heard of what was made before
		}
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

// makeRoom hands on the blocks that are where the next stage writes: one turn of the ring
// before.
func (s *Streaming) makeRoom(ctx context.Context) error {
	if s.done == s.stream.Stages() {
		return nil
	}
	if end := s.stream.Begin(s.done + 1); end > s.slots {
		return s.handOn(ctx, end-s.slots)
	}
	return nil
}

// HandOn hands on all blocks of the stages that are done.
func (s *Streaming) HandOn() error { return s.handOn(context.Background(), s.made.Load()) }

// handOn returns when the blocks before end have been handed on. Whoever waits for that may
// as well do it.
func (s *Streaming) handOn(ctx context.Context, end uint64) error {
	for s.sink != nil && s.handed.Load() < end {
		if err := s.handNext(ctx, end); err != nil {
			return err
		}
	}
	return nil
}

func (s *Streaming) handNext(ctx context.Context, end uint64) error {
	s.handing.Lock()
	defer s.handing.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	i := s.handed.Load()
	if s.failed == nil && i < end {
		if s.failed = s.sink(s.stream.Words(i)); s.failed == nil {
			s.handed.Store(i + 1)
		}
	}
	return s.failed
}

// Set returns what was made as a set, when all stages are done, of a streaming with memory
// for all blocks.
func (s *Streaming) Set() (FoldedSet, error) {
	blocks := s.stream.Begin(s.stream.Stages())
	if s.slots < blocks || s.made.Load() < blocks {
		return nil, fmt.Errorf("%d blocks are made, and there is memory for %d; it takes all %d to have the set", s.made.Load(), s.slots, blocks)
	}
	set := &madeBlocks{s, make([]uint32, s.size>>s.folding.Bits)}
	for i, block := range s.folding.Order {
		set.places[block] = uint32(i) + 1
	}
	return set, nil
}

// madeBlocks is the set of a streaming.
type madeBlocks struct {
	*Streaming
	places []uint32 // by block: its place in the order and 1, or 0
}

// Len implements FoldedSet.
func (m *madeBlocks) Len() uint64 { return m.size }

// Bits implements FoldedSet.
func (m *madeBlocks) Bits() int { return m.folding.Bits }

// Kept implements FoldedSet.
func (m *madeBlocks) Kept(block uint64) ([]uint64, error) {
	place := m.places[block]
	if place == 0 {
		return nil, nil
	}
	return m.Words(uint64(place) - 1), nil
}
