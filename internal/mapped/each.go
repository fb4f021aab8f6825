package mapped

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls do with all numbers below n, on several threads. Each thread has a Guard. When ctx ends or do
// returns an error, Each stops soon and returns the cause or the error.
func Each(ctx context.Context, threads int, n uint64, do func(i uint64) error) error {
	return EachWith(ctx, make([]struct{}, max(1, threads)), n, func(_ struct{}, i uint64) error { return do(i) })
}

// EachWith is Each with a worker for each thread, which has what its calls need, such as buffers.
func EachWith[W any](ctx context.Context, workers []W, n uint64, do func(w W, i uint64) error) error {
	var next atomic.Uint64
	group, ctx := errgroup.WithContext(ctx)
	for _, w := range workers {
		group.Go(func() error {
			return Guard(func() error {
				for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					if err := do(w, i); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	return group.Wait()
}

// Parts is Each for the numbers below n in parts of some size: do gets the first number of a part and its end.
func Parts(ctx context.Context, threads int, n, size uint64, do func(first, end uint64) error) error {
	return Each(ctx, threads, (n+size-1)/size, func(i uint64) error { return do(i*size, min((i+1)*size, n)) })
}
