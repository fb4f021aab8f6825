package layers

import (
	"context"

	"golang.org/x/sync/errgroup"

	"pagoda/internal/mapped"
)

// inOrder makes n parts on several threads and hands them to take in their order. When ctx
// ends, it stops soon and returns the cause.
func inOrder[T any](ctx context.Context, threads int, n uint64, produce func(i uint64) (T, error), take func(T) error) error {
	type order struct {
		i   uint64
		out chan T
	}
	threads = max(1, threads)
	group, ctx := errgroup.WithContext(ctx)
	orders := make(chan order)
	queue := make(chan chan T, 2*threads)
	group.Go(func() error {
		defer close(orders)
		defer close(queue)
		for i := range n {
			o := order{i, make(chan T, 1)}
			select {
			case queue <- o.out:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	for range threads {
		group.Go(func() error {
			return mapped.Guard(func() error {
				for o := range orders {
					part, err := produce(o.i)
					if err != nil {
						return err
					}
					o.out <- part
				}
				return nil
			})
		})
	}
	group.Go(func() error {
		return mapped.Guard(func() error {
			for out := range queue {
				select {
				case part := <-out:
					if err := take(part); err != nil {
						return err
					}
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	})
	return group.Wait()
}
