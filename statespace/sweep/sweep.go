package sweep

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Of returns the kernels of a space. A space without them has none of their functions.
func Of(sp statespace.Space) *statespace.Sweep {
	if s := sp.Parts().Sweep; s != nil {
		return s
	}
	return new(statespace.Sweep)
}

// Engines lists the engines of a space that fill a set, best first.
func Engines(sp statespace.Space) []statespace.SweepEngine {
	if s := Of(sp); s.Engines != nil {
		return s.Engines()
	}
	return nil
}

// BlocksOf returns the blocks of a space, or nil if it has none.
func BlocksOf(sp statespace.Space) *statespace.SweepBlocks {
	if s := Of(sp); s.Blocks != nil {
		return s.Blocks()
	}
	return nil
}

// A Run fills a set in stages. It can be stopped, and another Run can continue.
type Run struct {
	sp   statespace.Space
	set  *bitset.Set
	work statespace.Work
}

// NewRun returns the run of an engine. The set is empty, or it has what a run has added that
// was stopped.
func NewRun(sp statespace.Space, e statespace.SweepEngine, set *bitset.Set) (*Run, error) {
	if err := statespace.CheckLen(sp, set); err != nil {
		return nil, err
	}
	if e.Fill == nil {
		return nil, fmt.Errorf("the engine %s fills no set of %s: it makes blocks only", e.Name, sp.Name())
	}
	return &Run{sp, set, e.Fill(set)}, nil
}

// Plan returns a checksum of the stages of the work. A run can only continue another one with
// the same plan.
func (r *Run) Plan() uint32 {
	sum := crc32.NewIEEE()
	for s := range r.work.Stages() {
		fmt.Fprintln(sum, r.work.Tasks(s))
	}
	return sum.Sum32()
}

// Do fills the set by all stages from the given one on. The stages before it are done already.
// It calls between, if that is not nil, between stages with the number of stages that are done.
// If between returns an error, Do stops and returns it. When ctx ends, Do stops soon and returns
// the cause. Do always returns how many stages are done. Another Do can continue from there,
// with any number of threads.
func (r *Run) Do(ctx context.Context, from int, between func(done int) error, threads int, progress *statespace.Progress) (done int, err error) {
	if n := r.work.Stages(); from < 0 || from > n {
		return 0, fmt.Errorf("a run of %d stages cannot continue after stage %d", n, from)
	}
	for _, root := range r.sp.Roots() {
		r.set.Add(root)
	}
	return statespace.DoFrom(ctx, r.work, from, between, threads, progress)
}

// Enumerate adds to an empty set all states that can be reached from the roots: by the best
// engine that fills sets, or one state at a time if the space has none. The result does not depend on the
// number of threads. When ctx ends, Enumerate stops soon and returns the cause. The set must
// not be used then.
func Enumerate(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int, progress *statespace.Progress) error {
	engines := Engines(sp)
	best := slices.IndexFunc(engines, func(e statespace.SweepEngine) bool { return e.Fill != nil })
	if best < 0 {
		if err := statespace.CheckLen(sp, set); err != nil {
			return err
		}
		return statespace.Search(ctx, sp, set, nil)
	}
	r, err := NewRun(sp, engines[best], set)
	if err == nil {
		_, err = r.Do(ctx, 0, nil, threads, progress)
	}
	return err
}

// CountLayers counts the members of a set by layer.
func CountLayers(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int) ([]statespace.Layer, error) {
	if err := statespace.CheckLen(sp, set); err != nil {
		return nil, err
	}
	s := Of(sp)
	if s.Count == nil {
		return statespace.CountLayers(sp, set), context.Cause(ctx)
	}
	work := s.Count(set)
	err := statespace.Do(ctx, work, threads, nil)
	return work.Layers(), err
}

// Verify is statespace.Certify on any number of threads, for a space with layers. It is a proof because
// they show that the space has no cycles.
func Verify(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int, progress *statespace.Progress) (statespace.Faults, error) {
	if err := statespace.CheckLen(sp, set); err != nil {
		return statespace.Faults{}, err
	}
	s := Of(sp)
	if s.Certify == nil {
		return statespace.Certify(ctx, sp, set)
	}
	work := s.Certify(set)
	err := statespace.Do(ctx, work, threads, progress)
	return work.Faults(), err
}
