package run

import (
	"context"
	"errors"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// A plainRun is the plain search of a space without layers, one state at a time. It writes no
// checkpoints: it is there to compare with.
type plainRun struct {
	*job
	writer *layers.Writer // or nil
	memory *mapped.Memory
	marks  *bitset.Planes
	depths *bfs.Depths // or nil
	found  *bfs.Result
	values *bfs.Values // or nil
}

func (j *job) openPlain(ctx context.Context) (_ enumeration, err error) {
	r := &plainRun{job: j}
	defer closeOnError(r, &err)
	if r.writer, err = j.create(); err != nil {
		return nil, err
	}
	r.memory, r.marks, err = newMarks(ctx, j.sp, j.Threads)
	return r, err
}

// newMarks returns the marks of all numbers of a space, all of them 0, and their memory.
func newMarks(ctx context.Context, sp statespace.Space, threads int) (*mapped.Memory, *bitset.Planes, error) {
	memory, err := mapped.Alloc(ctx, bitset.PlaneWords(sp.Size(), bfs.MarkBits), threads)
	if err != nil {
		return nil, nil, err
	}
	marks, err := bitset.PlanesOver(memory.Words(), sp.Size(), bfs.MarkBits)
	return memory, marks, err
}

func (r *plainRun) begin() error { return nil }

func (r *plainRun) division() uint32 { return 0 }

func (r *plainRun) restore(_ context.Context, checkpoint *layers.File) error {
	return otherDivision(checkpoint)
}

func (r *plainRun) advanced() bool { return false }

func (r *plainRun) run(ctx context.Context, _ func() error, progress *statespace.Progress) (err error) {
	r.found, r.depths, err = bfs.SearchPlain(ctx, r.sp, r.marks, r.Threads, progress)
	if isValued(r.sp) && err == nil { // it has whole distances
		r.values, err = bfs.FindValuesPlain(ctx, r.sp, bfs.NewMembers(r.marks, r.depths), r.Threads)
	}
	return err
}

// save is not called: see engine.keepsCheckpoints.
func (r *plainRun) save(context.Context, *layers.Meta) error { return errors.ErrUnsupported }

func (r *plainRun) finish(ctx context.Context, result *Result) error {
	members := bfs.NewMembers(r.marks, r.depths).Valued(r.values)
	meta, err := DescribeSearch(ctx, r.sp, r.found, members.Distances(), valuesOf(members), r.Threads)
	if err != nil {
		return err
	}
	return r.write(ctx, r.sp, members, meta, r.writer, result)
}

func (r *plainRun) close() {
	r.values.Free()
	if r.depths != nil {
		r.depths.Free()
	}
	if r.memory != nil {
		r.memory.Free()
	}
	if r.writer != nil {
		r.writer.Abort()
	}
}
