package run

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// Sets fills a set of all numbers, by an engine of the space with layers that does so.
var Sets = Engine{Name: "layers", About: "layer by layer, for peg boards: a bit for each number", fit: func(sp statespace.Space) (all []*method) {
	for _, own := range sweep.Engines(sp) {
		if !isLayered(sp) || makesBlocks(sp, own) {
			continue
		}
		m := methodOf(own)
		m.version = setVersion
		m.need = func(*job) need {
			set := setBytes(sp)
			return need{bytes: set + own.Memory, most: of(set, "one bit for each of %s numbers", amount.Comma(sp.Size()))}
		}
		m.open = func(ctx context.Context, j *job) (enumeration, error) {
			return openSet(ctx, j, func(set *bitset.Set) (*sweep.Run, error) { return sweep.NewRun(sp, own, set) })
		}
		all = append(all, m)
	}
	return all
}}

// setVersion is the version of the checkpoints of a setRun: the section "set", a bit for each number.
const setVersion = 1

// A setRun enumerates a space with layers in a set of all numbers: by an engine of the space, or
// by the plain search.
type setRun struct {
	work
	set       *bitset.Set
	sweeps    func(set *bitset.Set) (*sweep.Run, error) // nil: the plain search
	engineRun *sweep.Run
	done      int // stages, or levels of the plain search
}

// openSet opens a run that sweeps makes, or the plain search if it is nil.
func openSet(ctx context.Context, j *job, sweeps func(set *bitset.Set) (*sweep.Run, error)) (_ enumeration, err error) {
	r := &setRun{work: work{job: j}, sweeps: sweeps}
	defer closeOnError(r, &err)
	if err = r.create(); err != nil {
		return nil, err
	}
	if r.memory, err = mapped.Alloc(ctx, bitset.Words(j.sp.Size()), j.Threads); err != nil {
		return nil, err
	}
	r.set, err = bitset.Over(r.memory.Words(), j.sp.Size())
	return r, err
}

func (r *setRun) begin() (err error) {
	if r.sweeps != nil {
		r.engineRun, err = r.sweeps(r.set)
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
	data, err := checkpoint.Section("set", setBytes(r.sp))
	if err != nil {
		return err
	}
	copy(mapped.Bytes(r.set.Words()), data)
	if n := r.sp.Size(); n%64 != 0 && r.set.Words()[n/64]>>(n%64) != 0 {
		return fmt.Errorf("its set has members beyond %d, the last number", n-1)
	}
	return nil
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
	meta.Checkpoint.Done = r.done
	return layers.WriteCheckpoint(ctx, r.checkpoint, meta, nil, layers.SectionOf("set", mapped.Bytes(r.set.Words())))
}

func (r *setRun) finish(ctx context.Context, result *Result) error {
	counts, err := sweep.CountLayers(ctx, r.sp, r.set, r.Threads)
	if err != nil {
		return err
	}
	return r.write(ctx, r.sp, r.set, Describe(r.sp, counts), result)
}
