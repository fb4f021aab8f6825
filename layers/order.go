package layers

import (
	"context"

	"pagoda/internal/mapped"
)

// inOrder makes n parts on several threads and hands them to take in their order. When ctx
// ends, it stops soon and returns the cause.
func inOrder[T any](ctx context.Context, threads int, n uint64, produce func(i uint64) (T, error), take func(T) error) error {
	for part, err := range mapped.InOrder(ctx, threads, 2*max(1, threads), mapped.Below(n), func(_ context.Context, i uint64) (T, error) { return produce(i) }) {
		if err == nil {
			err = take(part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
