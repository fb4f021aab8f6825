package run

import (
	"context"
	"errors"

	"pagoda/bitset"
	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// PlainEngine is the name of Plain.
const PlainEngine = "plain"

// Plain searches breadth-first, one state at a time. It is there to compare with.
var Plain = Engine{Name: PlainEngine, About: "the plain search, one state at a time, to compare with", fit: func(sp statespace.Space) []*method {
	if sp.Parts().Codes.Graph != nil {
		return nil
	}
	m := &method{name: PlainEngine, kind: named, need: needPlain, open: openPlain}
	if isLayered(sp) {
		m.version, m.threads = setVersion, 1
		m.open = func(ctx context.Context, j *job) (enumeration, error) { return openSet(ctx, j, nil) }
	}
	return []*method{m}
}}

// needPlain is method.need.
func needPlain(j *job) need {
	// The search lists the states of two layers, 8 bytes each, in slices that are
	// copied as they grow. On 5x7 this was 3.3 bytes for each number.
	bytes, whole := SetBytes(j.sp)+4*j.sp.Size(), !isLayered(j.sp) && bfs.FindsWhole(j.sp)
	if whole {
		bytes += depthBytes(j.sp)
	}
	return need{bytes: bytes, most: of(bytes, "%s numbers", amount.Comma(j.sp.Size())), unfolds: !isLayered(j.sp), asFound: j.asFound(whole)}
}

// A plainRun is the plain search of a space without layers. It writes no checkpoints.
type plainRun struct {
	searched
	marks  *bitset.Planes
	depths *bfs.Depths // or nil
}

// openPlain is method.open.
func openPlain(ctx context.Context, j *job) (_ enumeration, err error) {
	r := &plainRun{searched: searched{work: work{job: j}}}
	defer closeOnError(r, &err)
	if err = r.create(); err != nil {
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

func (r *plainRun) restore(_ context.Context, checkpoint *layers.File) error {
	return otherDivision(checkpoint)
}

func (r *plainRun) advanced() bool { return false }

func (r *plainRun) run(ctx context.Context, _ func() error, progress *statespace.Progress) (err error) {
	r.result, r.depths, err = bfs.SearchPlain(ctx, r.sp, r.marks, r.Threads, progress)
	r.members = bfs.NewMembers(r.marks, r.depths)
	if isValued(r.sp) && err == nil { // it has whole distances
		var values *bfs.Values
		values, err = bfs.FindValuesPlain(ctx, r.sp, r.members, r.Threads)
		r.members = r.members.Valued(values)
	}
	return err
}

// save is not called: see method.version.
func (r *plainRun) save(context.Context, *layers.Meta) error { return errors.ErrUnsupported }

func (r *plainRun) close() {
	r.searched.close()
	r.depths.Free()
}
