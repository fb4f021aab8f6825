package run

import (
	"context"

	"pagoda/bitset"
	"pagoda/internal/disk"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

// An enumeration is a run of an engine.
type enumeration interface {
	// begin makes what the engine needs besides its memory.
	begin() error
	// division is a checksum of how the work is divided: see layers.Checkpoint.
	division() uint32
	// restore takes over what save has put into a checkpoint, which it may read in the map. An error that is not
	// of the system says why no run can have saved that.
	restore(ctx context.Context, checkpoint *layers.File) error
	// run goes on to the end. It calls between when a checkpoint can be written.
	run(ctx context.Context, between func() error, progress *statespace.Progress) error
	// advanced reports whether something is done that is worth a checkpoint.
	advanced() bool
	// save writes a checkpoint in place of the one before. It adds what is done, the state and the sections.
	save(ctx context.Context, meta *layers.Meta) error
	// finish fills in the result and writes the file, if there is to be one.
	finish(ctx context.Context, r *Result) error
	// close gives back the memory, and the file unless it is finished.
	close()
}

// closeOnError closes an enumeration that could not be opened.
func closeOnError(e enumeration, err *error) {
	if *err != nil {
		e.close()
	}
}

// A work is what all enumerations have.
type work struct {
	*job
	writer *layers.Writer // or nil
	memory *mapped.Memory // or nil
}

// begin implements enumeration, if nothing is to be made.
func (w *work) begin() error { return nil }

// division implements enumeration for levels or layers: they are those of the space.
func (w *work) division() uint32 { return 0 }

// close implements enumeration.
func (w *work) close() {
	if w.memory != nil {
		w.memory.Free()
	}
	if w.writer != nil {
		w.writer.Abort()
	}
}

// create takes the disk space for the file, if there is to be one.
func (w *work) create() (err error) {
	if w.Output == "" {
		return nil
	}
	w.writer, err = layers.Create(w.Output, w.store.FileSize(w.sp), w.Overwrite)
	if err != nil || w.from != nil || !w.Overwrite || w.checkpoint == "" {
		return err
	}
	// The run begins again: the checkpoint of an earlier run is no longer needed.
	if own, _, _ := w.leftCheckpoint(); own {
		err = disk.Remove(w.checkpoint)
	}
	return err
}

// write writes the file, if there is to be one, and fills in the result.
func (w *work) write(ctx context.Context, sp statespace.Space, members bitset.Reader, meta *layers.Meta, r *Result) error {
	if w.writer == nil {
		r.describe(sp, meta)
		return nil
	}
	meta.Store = w.store.Name
	size, err := finishFile(ctx, w.writer, sp, members, meta, w.Options)
	r.describe(sp, meta)
	r.FileBytes = uint64(size)
	return err
}

// finishFile writes the states of a space in the store that meta names. It returns the size of
// the file.
func finishFile(ctx context.Context, w *layers.Writer, sp statespace.Space, members bitset.Reader, meta *layers.Meta, o Options) (int64, error) {
	write := layers.WriteOptions{Threads: o.Threads, Progress: new(statespace.Progress)}
	defer o.Meter("writing "+meta.Store, sp.Size(), "numbers", write.Progress.Read)()
	return w.Finish(ctx, sp, members, meta, write)
}
