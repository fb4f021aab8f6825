package run

import (
	"context"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A setRun enumerates a space with layers in a set of all numbers: by an engine of the space, or
// by the plain search.
type setRun struct {
	*job
	writer    *layers.Writer // or nil
	memory    *mapped.Memory
	set       *bitset.Set
	engineRun *sweep.Run // nil: the plain search
	done      int        // stages, or levels of the plain search
}

func (j *job) openSet(ctx context.Context) (_ enumeration, err error) {
	if j.from != nil && (j.from.Meta().Checkpoint.Stream != nil || j.from.Meta().Checkpoint.Search != nil) {
		return nil, otherDivision(j.from)
	}
	r := &setRun{job: j}
	defer closeOnError(r, &err)
	if r.writer, err = j.create(); err != nil {
		return nil, err
	}
	if r.memory, err = mapped.Alloc(ctx, bitset.Words(j.sp.Size()), j.Threads); err != nil {
		return nil, err
	}
	r.set, err = bitset.Over(r.memory.Words(), j.sp.Size())
	return r, err
}

func (r *setRun) begin() (err error) {
	if r.engine.own != nil {
		r.engineRun, err = sweep.NewRun(r.sp, r.engine.name, r.set)
	}
	return err
}

func (r *setRun) division() uint32 {
	if r.engineRun == nil {
		return 0
	}
	return r.engineRun.Plan()
}

func (r *setRun) restore(_ context.Context, checkpoint *layers.File) error {
	r.done = checkpoint.Meta().Checkpoint.Done
	return checkpoint.Read(func() error {
		from, free, err := layers.LoadSet(context.Background(), checkpoint.Members(), 1)
		if err == nil {
			copy(r.set.Words(), from.Words())
			free()
		}
		return err
	})
}

func (r *setRun) advanced() bool { return r.done > 0 }

func (r *setRun) run(ctx context.Context, between func() error, progress *statespace.Progress) (err error) {
	if r.engineRun == nil {
		return statespace.Search(ctx, r.sp, r.set, func() error {
			r.done++
			return between()
		})
	}
	from := r.done
	r.done, err = r.engineRun.Do(ctx, from, func(done int) error {
		r.done = done
		return between()
	}, r.Threads, progress)
	if r.done < from { // there are fewer stages
		return &layers.FileError{Path: r.from.Path(), Err: layers.ErrDamaged, Detail: err.Error(), Advice: "put back what the run has left, or begin again in another file"}
	}
	return err
}

func (r *setRun) save(ctx context.Context, meta *layers.Meta) error {
	w, err := layers.Create(r.checkpoint, setBytes(r.sp), true)
	if err != nil {
		return err
	}
	meta.Checkpoint.Done = r.done
	_, err = w.Finish(ctx, r.sp, r.set, meta, layers.WriteOptions{Threads: r.Threads})
	return err
}

func (r *setRun) finish(ctx context.Context, result *Result) error {
	counts, err := sweep.CountLayers(ctx, r.sp, r.set, r.Threads)
	if err != nil {
		return err
	}
	return r.write(ctx, r.sp, r.set, Describe(r.sp, counts), r.writer, result)
}

func (r *setRun) close() {
	if r.memory != nil {
		r.memory.Free()
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}

// Describe makes the metadata of the states of a space, given their layers.
func Describe(sp statespace.Space, counts []statespace.Layer) *layers.Meta {
	meta := &layers.Meta{Space: sp.Definition(), Size: sp.Size(), Layer: "depth", Layers: counts}
	if l := sp.Parts().Layers; l != nil {
		meta.Layer = l.LayerName()
	}
	if of := sp.Parts().Codes.Of; of != nil {
		sp = of
	}
	if values := sp.Parts().Values; values.Any() {
		meta.Layer = values.DistanceName
	}
	for _, c := range counts {
		meta.States += c.States
	}
	return meta
}

// write writes the file, if there is to be one, and fills in the result.
func (j *job) write(ctx context.Context, sp statespace.Space, members bitset.Reader, meta *layers.Meta, writer *layers.Writer, r *Result) error {
	if writer == nil {
		r.describe(sp, meta)
		return nil
	}
	meta.Store = j.store.Name
	size, err := finishFile(ctx, writer, sp, members, meta, j.Options)
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
