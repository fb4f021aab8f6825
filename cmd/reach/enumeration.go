package main

import (
	"context"
	"io"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

// An enumeration is a run under way: in a set, or as a stream of blocks.
type enumeration interface {
	// begin makes what the engine needs besides the memory.
	begin() error
	// plan tells apart how the work is divided; see statespace.Enumeration.
	plan() uint32
	// restore takes what a checkpoint has.
	restore(checkpoint *layers.File) error
	// run goes on to the end. It calls between after each stage.
	run(ctx context.Context, between func() error, progress *statespace.Progress) error
	// save writes a checkpoint, of which meta tells but for what was made.
	save(ctx context.Context, meta *layers.Meta) error
	// finish fills in the result and writes the file, if there is to be one.
	finish(ctx context.Context, stderr io.Writer, result *runResult) error
	// close gives back the memory, and the file if it was not finished.
	close()
}

// A setRun enumerates in a set of all numbers.
type setRun struct {
	*job
	writer *layers.Writer // or nil
	set    *bitset.Set
	free   func()
	e      *statespace.Enumeration
	done   int // stages
}

func (j *job) openSet(ctx context.Context) (_ enumeration, err error) {
	if j.from != nil && j.from.Meta().Checkpoint.Stream != nil {
		return nil, otherPlan(j.from)
	}
	r := &setRun{job: j, free: func() {}}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if r.writer, err = j.create(); err != nil {
		return nil, err
	}
	set, free, err := cli.NewSet(ctx, j.sp.Size(), j.threads)
	if err != nil {
		return nil, err
	}
	r.set, r.free = set, free
	return r, nil
}

func (r *setRun) begin() (err error) {
	r.e, err = statespace.NewEnumeration(r.sp, r.engine, r.set)
	return err
}

func (r *setRun) plan() uint32 { return r.e.Plan() }

func (r *setRun) restore(checkpoint *layers.File) error {
	r.done = checkpoint.Meta().Checkpoint.Done
	return mapped.Guard(func() error {
		from, _, err := layers.LoadSet(context.Background(), checkpoint.Members(), 1)
		if err == nil {
			copy(r.set.Words(), from.Words())
		}
		return err
	})
}

func (r *setRun) run(ctx context.Context, between func() error, progress *statespace.Progress) (err error) {
	r.done, err = r.e.Run(ctx, r.done, func(done int) error {
		r.done = done
		return between()
	}, r.threads, progress)
	return err
}

func (r *setRun) save(ctx context.Context, meta *layers.Meta) error {
	w, err := layers.Create(r.checkpoint, setFileSize(r.sp), true)
	if err != nil {
		return err
	}
	meta.Checkpoint.Done = r.done
	_, err = w.Finish(ctx, r.sp, r.set, meta, layers.Making{Threads: r.threads})
	return err
}

func (r *setRun) finish(ctx context.Context, stderr io.Writer, result *runResult) error {
	counts, err := statespace.CountLayers(ctx, r.sp, r.set, r.threads)
	if err != nil {
		return err
	}
	return r.write(ctx, stderr, r.set, describe(r.sp, counts), r.writer, result)
}

func (r *setRun) close() {
	r.free()
	if r.writer != nil {
		r.writer.Abort()
	}
}

// A streamRun makes a stream of blocks. They go to a file of the store folded while they are
// made; for another store all of them are kept in memory, and for none those that the run
// still needs.
type streamRun struct {
	*job
	sp     statespace.Streamer
	out    *layers.StreamWriter // of the store folded, or nil
	writer *layers.Writer       // of another store, or nil
	memory *mapped.Memory
	s      *statespace.Streaming
}

// streamer returns the space if its blocks are made as a stream, else nil.
func (j *job) streamer() statespace.Streamer { return statespace.StreamerOf(j.sp, j.engine) }

// streamsToFile reports whether the blocks of a stream go to the file while they are made.
func (j *job) streamsToFile() bool { return j.output != "" && j.store.Name == layers.FoldedStore }

// slots returns for how many blocks a stream is given memory.
func (j *job) slots(sp statespace.Streamer) uint64 {
	if j.output == "" || j.streamsToFile() {
		return sp.Slots()
	}
	return sp.KeptBlocks()
}

func (j *job) openStream(ctx context.Context) (_ enumeration, err error) {
	if j.from != nil {
		if c := j.from.Meta().Checkpoint.Stream; c == nil || c.InFile != j.streamsToFile() {
			return nil, otherPlan(j.from)
		}
	}
	r := &streamRun{job: j, sp: j.streamer()}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if j.from != nil && j.streamsToFile() {
		r.out, err = layers.Reopen(ctx, j.from, r.sp, j.output, j.overwrite, j.threads)
	} else if r.writer, err = j.create(); err == nil && j.streamsToFile() {
		r.out, r.writer = r.writer.Stream(r.sp), nil
	}
	if err != nil {
		return nil, err
	}
	r.memory, err = mapped.Alloc(ctx, j.slots(r.sp)<<r.sp.BlockBits()/64, j.threads)
	return r, err
}

func (r *streamRun) begin() (err error) {
	var sink func(words []uint64) error
	if r.out != nil {
		sink = r.out.Append
	}
	r.s, err = statespace.NewStreaming(r.sp, r.memory.Words(), sink)
	return err
}

func (r *streamRun) plan() uint32 { return r.s.Plan() }

func (r *streamRun) restore(checkpoint *layers.File) error {
	return checkpoint.Restore(r.sp, r.s, r.out)
}

func (r *streamRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	return r.s.Run(ctx, func(int) error { return between() }, r.threads, progress)
}

func (r *streamRun) save(ctx context.Context, meta *layers.Meta) error {
	w, err := layers.Create(r.checkpoint, 0, true)
	if err != nil {
		return err
	}
	_, err = w.FinishStreaming(ctx, r.sp, r.s, r.out, meta)
	return err
}

func (r *streamRun) finish(ctx context.Context, stderr io.Writer, result *runResult) error {
	meta := describe(r.sp, r.s.Tally())
	if len(r.sp.Symmetries()) == 0 {
		meta.Layers = layers.WithoutOrbits(meta.Layers)
	}
	if r.out == nil && r.writer != nil {
		set, err := r.s.Set()
		if err != nil {
			return err
		}
		return r.write(ctx, stderr, statespace.Unfolded{FoldedSet: set, Symmetries: r.sp.Symmetries()}, meta, r.writer, result)
	}
	result.tellLayers(meta)
	if r.out == nil {
		return nil
	}
	size, err := r.out.Finish(ctx, meta)
	result.FileBytes = uint64(size)
	return err
}

func (r *streamRun) close() {
	if r.memory != nil {
		r.memory.Free()
	}
	if r.out != nil {
		r.out.Abort()
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}
