package run

import (
	"context"
	"time"

	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// KeepLevels makes searches keep no marks if their levels take at least this many bytes, until the test
// ends.
func KeepLevels(t interface{ Cleanup(func()) }, least uint64) {
	before := leastLevels
	leastLevels = least
	t.Cleanup(func() { leastLevels = before })
}

// StartSparse is Start with the engine sparse, as if the caller had asked for it, or Start had
// chosen it. When the run begins, memory replaces the limit of the options.
func StartSparse(ctx context.Context, sp statespace.Space, o Options, memory uint64, asked bool) error {
	o.Engine = SparseEngine
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return err
	}
	if other := j.offer(methods(sp)[0]); !asked {
		j.bounded = true
		if other.method.kind != listing {
			j.insteadOf = other
		}
	}
	if err := j.placeCheckpoint(); err != nil {
		return err
	}
	return j.doIn(ctx, memory)
}

// ResumeIn is Resume with a memory that replaces the limit of the options when the run begins.
func ResumeIn(ctx context.Context, path string, define layers.Define, o Options, memory uint64) error {
	f, err := layers.OpenCheckpoint(ctx, path, define, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	j, _, err := resumedJob(ctx, f, o)
	if err != nil {
		return err
	}
	return j.doIn(ctx, memory)
}

func (j *job) doIn(ctx context.Context, memory uint64) error {
	j.Meter = func(string, uint64, string, func() (int64, int64)) func() {
		j.Memory = memory
		return func() {}
	}
	_, err := j.do(ctx, "", time.Now())
	return err
}

// Needs returns what a run that makes blocks needs if they stay whole, and if they are packed.
func Needs(ctx context.Context, sp statespace.Space, o Options) (whole, packed uint64, err error) {
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return 0, 0, err
	}
	b := &blocks{sweep.BlocksOf(sp), j.engine.kernels.Memory}
	bytes, beside := b.packedNeed(j)
	return b.wholeNeed(j), bytes + beside + Program, nil
}

// OnlyUse gives the program other engines until the test ends.
func OnlyUse(t interface{ Cleanup(func()) }, engines ...Engine) {
	before := inUse
	inUse = nil
	Use(engines...)
	t.Cleanup(func() { inUse = before })
}

// Backwards is an engine that is new: all that there is to it is here.
var Backwards = Engine{Name: "backwards", fit: func(sp statespace.Space) []*method {
	if isLayered(sp) {
		return nil
	}
	return []*method{{name: "backwards", need: needPlain, open: openPlain}}
}}

// Saves reports whether runs of an engine write checkpoints.
func Saves(sp statespace.Space, engine string) bool {
	e, err := (&job{sp: sp}).findEngine(engine)
	return err == nil && e.version != 0
}
