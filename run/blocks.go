package run

import (
	"context"
	"errors"
	"fmt"

	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

const sweepEngine = "sweep"

// Blocks makes a space block by block, by an engine of the space that sweeps it. It packs blocks which do not fit into
// memory.
var Blocks = Engine{Name: sweepEngine, About: "block by block, for peg boards: memory for a window of blocks", fit: fitBlocks}

// fitBlocks returns the engines of a space that make blocks.
func fitBlocks(sp statespace.Space) (all []*method) {
	for _, own := range sweep.Engines(sp) {
		if !makesBlocks(sp, own) {
			continue
		}
		b, m := &blocks{sweep.BlocksOf(sp), own.Memory}, methodOf(own)
		m.version = 1
		if own.Fill == nil {
			m.dear, m.noFile = true, fmt.Sprintf("the engine %s makes %s in %s blocks of %s numbers, and a file can number 2^32 blocks: run it without a file, or choose another engine",
				own.Name, sp.Name(), amount.Comma(sp.Size()>>b.Bits), amount.Comma(1<<b.Bits))
		}
		m.need, m.open, m.instead, m.predict = b.need, b.open, b.instead, b.predict
		all = append(all, m)
	}
	return all
}

// makesBlocks reports whether an engine of a space makes blocks, and does not only fill a set.
func makesBlocks(sp statespace.Space, own statespace.SweepEngine) bool {
	return isLayered(sp) && own.Streams && sweep.BlocksOf(sp) != nil
}

// methodOf returns what the methods have in common that a space hands over.
func methodOf(own statespace.SweepEngine) *method { return &method{name: own.Name, kernels: &own} }

// blocks are the blocks of a space, for one job.
type blocks struct {
	*statespace.SweepBlocks
	tables uint64 // bytes of the engine
}

// need returns what a run takes.
func (b *blocks) need(j *job) need {
	if b.packs(j) {
		bytes, beside := b.packedNeed(j)
		return need{bytes: bytes + beside, most: of(bytes, "%s of %s blocks, packed", amount.Comma(b.Window), amount.Comma(b.Representatives)), unfolds: true}
	}
	bytes := b.slots(j) << b.Bits / 8
	return need{bytes: bytes + b.beside(j), most: of(bytes, "%s of %s blocks", amount.Comma(b.slots(j)), amount.Comma(b.Representatives)), unfolds: true}
}

// streamsToFile reports whether blocks go to the file while they are made.
func (j *job) streamsToFile() bool { return j.Output != "" && j.store.Streams }

// slots returns the number of blocks that have memory.
func (b *blocks) slots(j *job) uint64 {
	if j.Output == "" || j.streamsToFile() {
		return b.Window
	}
	return b.Representatives
}

// beside returns what a run takes besides the blocks, if it does not pack them.
func (b *blocks) beside(j *job) uint64 {
	if j.Output != "" && !j.streamsToFile() {
		return b.tables + j.sp.Size()>>b.Bits*4 // where each block is: see sweep.BlockRun.Set
	}
	return b.tables
}

// wholeNeed returns the need of a run that does not pack its blocks.
func (b *blocks) wholeNeed(j *job) uint64 { return b.slots(j)<<b.Bits/8 + b.beside(j) + Program }

// instead is method.instead: with a scratch directory, packed blocks need less memory.
func (b *blocks) instead(j *job, allowed uint64) string {
	if j.Scratch != "" || !b.packs(j) {
		return ""
	}
	other := *j
	other.Scratch = "."
	if need, _ := other.need(); need <= allowed {
		return "name a scratch directory (" + memory.EnoughBytes(need) + ")"
	}
	return ""
}

// predict is method.predict.
func (b *blocks) predict(ctx context.Context, j *job, p *Prediction) error {
	bytes := uint64(1) << b.Bits / 8
	p.BlockPrediction = &BlockPrediction{Representatives: b.Representatives, WindowBlocks: b.Window, BlockBytes: bytes, RingBytes: b.slots(j) * bytes, TableBytes: b.tables}
	if b.packs(j) {
		p.Packing = b.packing(j)
	}
	if j.engine.noFile != "" {
		p.FileBytes = 0
	}
	if b.Estimate == nil {
		return nil
	}
	took, err := b.Estimate(ctx, j.Threads)
	p.Seconds = took.Seconds()
	if k := p.Packing; k != nil {
		// What it takes to pack a block, and to unpack one, in parts of the time to make it:
		// measured on peg/5x8.
		p.Seconds *= 1.5 + 0.32*k.Unpacked
	}
	return err
}

// A blockRun makes a space block by block. If the store streams, the blocks go to the file while
// they are made. For another store all of them stay in memory. Without a file only those of the
// window do.
type blockRun struct {
	work   // its writer is for a store that does not stream
	of     *blocks
	out    *layers.StreamWriter // for a store that streams, or nil
	blocks blockMaker
	packed *sweep.PackedRun // is blocks if they are packed, or nil
	state  *blockState      // of the checkpoint to go on from, or nil
}

// A blockMaker is a sweep.BlockRun or a sweep.PackedRun.
type blockMaker interface {
	Done() int
	Blocks() uint64
	Layers() []statespace.Layer
	Plan() uint32
	HandOn() error
	Restore(done int, layers []statespace.Layer, read func(i uint64, words []uint64) error) error
	Run(ctx context.Context, between func(done int) error, threads int, progress *statespace.Progress) error
}

// PackedStats say what a run that packed its blocks has done.
type PackedStats = sweep.PackedStats

// open is method.open.
func (b *blocks) open(ctx context.Context, j *job) (_ enumeration, err error) {
	r := &blockRun{work: work{job: j}, of: b}
	defer closeOnError(r, &err)
	if j.from != nil {
		if r.state, err = b.saved(j.from); err == nil && (r.state.InFile != j.streamsToFile() || r.state.Packed != b.packs(j)) {
			err = otherDivision(j.from)
		}
		if err != nil {
			return nil, err
		}
	}
	if j.from != nil && j.streamsToFile() {
		r.out, err = r.reopen(ctx)
	} else if err = r.create(); err == nil && j.streamsToFile() {
		r.out, r.writer = r.writer.Stream(r.sp), nil
	}
	if err != nil {
		return nil, err
	}
	if b.packs(j) {
		return r, r.openPacked(ctx)
	}
	r.memory, err = mapped.Alloc(ctx, b.slots(j)<<b.Bits/64, j.Threads)
	return r, err
}

// sink returns what the blocks go to, or nil.
func (r *blockRun) sink() func(words []uint64) error {
	if r.out == nil {
		return nil
	}
	return r.out.Append
}

func (r *blockRun) begin() error {
	if r.of.Planned != nil {
		defer r.Meter("planning", r.sp.Size()>>r.of.Bits, "blocks", r.of.Planned)()
	}
	if r.packed != nil {
		return nil
	}
	blocks, err := sweep.NewBlockRun(r.sp, r.memory.Words(), r.sink())
	r.blocks = blocks
	return err
}

func (r *blockRun) division() uint32 { return r.blocks.Plan() }

// A blockState says how many blocks a run has made, and where they are.
type blockState struct {
	BlockBits int    `json:"block_bits"` // a block has 2^BlockBits numbers
	Blocks    uint64 `json:"blocks"`     // how many were made
	// Ring is how many blocks the section "ring" holds, the last ones.
	Ring uint64 `json:"ring"`
	// InFile says that all blocks are in the partial file of the output. The section "sums" then holds the
	// checksums of that file.
	InFile bool `json:"in_file,omitempty"`
	// Packed says that the run packs its blocks. Without InFile the section "packed" then holds those that
	// are still needed, and Ring is 0.
	Packed bool               `json:"packed,omitempty"`
	Tally  []statespace.Layer `json:"tally"` // the layers of all blocks
}

// bytes returns the size of some blocks in bytes.
func (s *blockState) bytes(blocks uint64) uint64 { return blocks << s.BlockBits / 8 }

// savedBlocks is the state of a run of blocks in a checkpoint. Before there was a Stream, a sweep kept a set.
type savedBlocks struct {
	Stream *blockState `json:"stream"`
}

// saved returns the state of a run of these blocks.
func (b *blocks) saved(checkpoint *layers.File) (*blockState, error) {
	var saved savedBlocks
	if err := checkpoint.State(&saved); err != nil {
		return nil, err
	}
	s, size := saved.Stream, checkpoint.Meta().Size
	if s == nil {
		return nil, otherDivision(checkpoint)
	}
	if s.BlockBits != b.Bits || s.Blocks > size>>b.Bits || s.Ring > s.Blocks {
		return nil, checkpoint.Damaged("%d blocks of 2^%d numbers, %d of them here, cannot be those of %d numbers in blocks of 2^%d", s.Blocks, s.BlockBits, s.Ring, size, b.Bits)
	}
	return s, nil
}

// reopen takes back the partial file of the run that the checkpoint is of.
func (r *blockRun) reopen(ctx context.Context) (*layers.StreamWriter, error) {
	bytes := r.state.bytes(r.state.Blocks)
	sums, err := r.from.Section("sums", layers.SumsLength(bytes))
	if err != nil {
		return nil, err
	}
	return layers.Reopen(ctx, r.sp, r.Output, r.Overwrite, bytes, sums, r.Threads)
}

func (r *blockRun) restore(_ context.Context, checkpoint *layers.File) error {
	done := checkpoint.Meta().Checkpoint.Done
	if err := r.readBlocks(done, checkpoint); err != nil {
		return err
	}
	if want, found := r.blocks.Blocks(), r.state.Blocks; found != want {
		return fmt.Errorf("after %d stages it should have %d blocks, and has %d", done, want, found)
	}
	return nil
}

// readBlocks takes back the blocks after some stages.
func (r *blockRun) readBlocks(done int, checkpoint *layers.File) error {
	if r.out != nil {
		return r.blocks.Restore(done, r.state.Tally, r.out.ReadBlock)
	}
	if r.packed != nil {
		data, err := checkpoint.Section("packed", layers.AnyLength)
		if err != nil {
			return err
		}
		return r.packed.RestorePacked(done, r.state.Tally, data)
	}
	ring, err := checkpoint.Section("ring", r.state.bytes(r.state.Ring))
	if err != nil {
		return err
	}
	return r.blocks.Restore(done, r.state.Tally, func(i uint64, words []uint64) error {
		first := r.state.Blocks - r.state.Ring
		if i < first || i >= r.state.Blocks {
			return fmt.Errorf("it should have block %d of the run, and has %d blocks from %d on", i, r.state.Ring, first)
		}
		copy(mapped.Bytes(words), ring[r.state.bytes(i-first):])
		return nil
	})
}

func (r *blockRun) advanced() bool { return r.blocks.Done() > 0 }

func (r *blockRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	err := r.blocks.Run(ctx, func(int) error { return between() }, r.Threads, progress)
	if errors.Is(err, sweep.ErrRoom) && r.Scratch == "" { // packed blocks have outgrown the memory
		return fmt.Errorf("%w: allow more, or name a scratch directory", err)
	}
	return err
}

func (r *blockRun) save(ctx context.Context, meta *layers.Meta) error {
	state := blockState{BlockBits: r.of.Bits, Blocks: r.blocks.Blocks(), InFile: r.out != nil, Packed: r.packed != nil, Tally: r.blocks.Layers()}
	var blocks layers.Section
	if whole, ok := r.blocks.(*sweep.BlockRun); r.out != nil {
		if err := r.blocks.HandOn(); err != nil {
			return err
		}
		sums, err := r.out.Sums()
		if err != nil {
			return err
		}
		blocks = layers.SectionOf("sums", sums)
	} else if ok {
		state.Ring = whole.Blocks() - whole.Window()
		blocks = layers.Section{Name: "ring", Bytes: state.bytes(state.Ring), Write: func(write func([]byte) error) error { return writeRing(write, whole) }}
	} else {
		blocks = layers.Section{Name: "packed", Bytes: r.packed.PackedBytes(), Write: r.packed.Save}
	}
	meta.Checkpoint.Done = r.blocks.Done()
	err := layers.WriteCheckpoint(ctx, r.checkpoint, meta, savedBlocks{&state}, blocks)
	if err == nil && r.out != nil {
		r.out.Keep()
	}
	return err
}

// writeRing writes the blocks of a run that are in memory.
func writeRing(write func([]byte) error, s *sweep.BlockRun) error {
	const some = 1 << 12 // words: to write each small block takes longer than to copy it
	var words []uint64
	for i := s.Window(); i < s.Blocks(); i++ {
		if words = append(words, s.Words(i)...); len(words) < some && i+1 < s.Blocks() {
			continue
		}
		if err := write(mapped.Bytes(words)); err != nil {
			return err
		}
		words = words[:0]
	}
	return nil
}

func (r *blockRun) finish(ctx context.Context, result *Result) error {
	meta := Describe(r.sp, r.blocks.Layers())
	if len(statespace.Symmetries(r.sp)) == 0 {
		meta.Layers = layers.WithoutOrbits(meta.Layers)
	}
	if r.packed != nil {
		result.Own = new(r.packed.Stats())
	}
	if whole, ok := r.blocks.(*sweep.BlockRun); ok && r.out == nil && r.writer != nil {
		set, err := whole.Set()
		if err != nil {
			return err
		}
		return r.write(ctx, r.sp, sweep.Unfolded{FoldedSet: set, Symmetries: sweep.Symmetries(r.sp)}, meta, result)
	}
	result.describe(r.sp, meta)
	if r.out == nil {
		return nil
	}
	size, err := r.out.Finish(ctx, meta)
	result.FileBytes = uint64(size)
	return err
}

func (r *blockRun) close() {
	r.work.close()
	if r.packed != nil {
		r.packed.Close()
	}
	if r.out != nil {
		r.out.Abort()
	}
}
