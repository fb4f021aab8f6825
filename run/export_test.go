package run

import (
	"context"
	"time"

	"pagoda/statespace"
)

// StartSparse is Start with the engine sparse, as if the caller had asked for it, or Start had
// chosen it. When the run begins, memory replaces the limit of the options.
func StartSparse(ctx context.Context, sp statespace.Space, o Options, memory uint64, asked bool) error {
	o.Engine = SparseEngine
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return err
	}
	if other := engines(sp)[0]; !asked {
		j.bounded = true
		if other.name != SparseEngine {
			j.insteadOf = &other
		}
	}
	if err := j.placeCheckpoint(); err != nil {
		return err
	}
	j.Meter = func(string, uint64, string, func() (int64, int64)) func() {
		j.Memory = memory
		return func() {}
	}
	_, err = j.do(ctx, "", time.Now())
	return err
}
