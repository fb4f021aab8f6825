package run

import (
	"context"

	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A blockRun makes a space block by block. If the store streams, the blocks go to the file while
// they are made. For another store all of them stay in memory. Without a file only those of the
// window do.
type blockRun struct {
	*job
	out    *layers.StreamWriter // for a store that streams, or nil
	writer *layers.Writer       // for another store, or nil
	memory *mapped.Memory
	blocks blockMaker
	packed packedMaker // is blocks if they are packed, or nil
}

// A packedMaker is a sweep.PackedRun.
type packedMaker interface {
	blockMaker
	Stats() PackedStats
	Close()
}

// A blockMaker is a sweep.BlockRun or a sweep.PackedRun.
type blockMaker interface {
	layers.BlockMaker
	Plan() uint32
	Run(ctx context.Context, between func(done int) error, threads int, progress *statespace.Progress) error
}

// PackedStats say what a run that packed its blocks has done.
type PackedStats = sweep.PackedStats

// streamsToFile reports whether blocks go to the file while they are made, if the engine makes
// blocks.
func (j *job) streamsToFile() bool { return j.Output != "" && j.store.Streams }

// slots returns the number of blocks that have memory.
func (j *job) slots() uint64 {
	blocks := j.engine.blocks()
	if j.Output == "" || j.streamsToFile() {
		return blocks.Window
	}
	return blocks.Representatives
}

// wholeNeed returns the need of a run that makes blocks and does not pack them.
func (j *job) wholeNeed() uint64 {
	return j.slots()<<j.engine.blocks().Bits/8 + j.besideBlocks() + program
}

// besideBlocks returns what a run takes besides the blocks, if it does not pack them.
func (j *job) besideBlocks() (bytes uint64) {
	bytes = j.engine.own.Memory
	if j.Output != "" && !j.streamsToFile() {
		bytes += j.sp.Size() >> j.engine.blocks().Bits * 4 // where each block is: see sweep.BlockRun.Set
	}
	return bytes
}

func (j *job) openBlocks(ctx context.Context) (_ enumeration, err error) {
	if j.from != nil {
		if c := j.from.Meta().Checkpoint.Stream; c == nil || c.InFile != j.streamsToFile() {
			return nil, otherDivision(j.from)
		}
	}
	r := &blockRun{job: j}
	defer closeOnError(r, &err)
	if j.from != nil && j.streamsToFile() {
		r.out, err = layers.Reopen(ctx, j.from, r.sp, j.Output, j.Overwrite, j.Threads)
	} else if r.writer, err = j.create(); err == nil && j.streamsToFile() {
		r.out, r.writer = r.writer.Stream(r.sp), nil
	}
	if err != nil {
		return nil, err
	}
	if j.packs() {
		return r, r.openPacked(ctx)
	}
	r.memory, err = mapped.Alloc(ctx, j.slots()<<j.engine.blocks().Bits/64, j.Threads)
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
	if r.packed != nil {
		return nil
	}
	blocks, err := sweep.NewBlockRun(r.sp, r.memory.Words(), r.sink())
	r.blocks = blocks
	return err
}

func (r *blockRun) division() uint32 { return r.blocks.Plan() }

func (r *blockRun) restore(_ context.Context, checkpoint *layers.File) error {
	return checkpoint.RestoreBlocks(r.sp, r.blocks, r.out)
}

func (r *blockRun) advanced() bool { return r.blocks.Done() > 0 }

func (r *blockRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	return r.roomAdvice(r.blocks.Run(ctx, func(int) error { return between() }, r.Threads, progress))
}

func (r *blockRun) save(ctx context.Context, meta *layers.Meta) error {
	w, err := layers.Create(r.checkpoint, 0, true)
	if err != nil {
		return err
	}
	_, err = w.FinishBlocks(ctx, r.sp, r.blocks, r.out, meta)
	return err
}

func (r *blockRun) finish(ctx context.Context, result *Result) error {
	meta := Describe(r.sp, r.blocks.Layers())
	if len(statespace.Symmetries(r.sp)) == 0 {
		meta.Layers = layers.WithoutOrbits(meta.Layers)
	}
	if r.packed != nil {
		stats := r.packed.Stats()
		result.Packed = &stats
	}
	if whole, ok := r.blocks.(*sweep.BlockRun); ok && r.out == nil && r.writer != nil {
		set, err := whole.Set()
		if err != nil {
			return err
		}
		return r.write(ctx, r.sp, sweep.Unfolded{FoldedSet: set, Symmetries: sweep.Symmetries(r.sp)}, meta, r.writer, result)
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
	if r.memory != nil {
		r.memory.Free()
	}
	if r.packed != nil {
		r.packed.Close()
	}
	if r.out != nil {
		r.out.Abort()
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}
