package mapped

import (
	"context"
	"iter"
	"sync"
)

// InOrder yields what produce makes of each value of a list, in the order of the list. Several threads
// make it, each under a Guard, up to some values ahead of the caller's loop. An error comes in the place of
// its value, and that of the list comes last; nothing follows an error. When the caller's loop ends, the
// context of list and produce does, and InOrder waits for both. When ctx ends, it stops soon and yields the
// cause, with what produce has made by then of the value that is next.
func InOrder[V, T any](ctx context.Context, threads, ahead int, list func(ctx context.Context, take func(v V) bool) error, produce func(ctx context.Context, v V) (T, error)) iter.Seq2[T, error] {
	type made struct {
		part T
		err  error
	}
	return func(yield func(T, error) bool) {
		var group sync.WaitGroup
		defer group.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		order, busy := make(chan chan made, ahead), make(chan struct{}, max(1, threads))
		put := func(out chan made) bool {
			select {
			case order <- out:
				return true
			case <-ctx.Done():
				return false
			}
		}
		group.Go(func() {
			defer close(order)
			err := list(ctx, func(v V) bool {
				out := make(chan made, 1)
				if !put(out) {
					return false
				}
				busy <- struct{}{}
				group.Go(func() {
					var m made
					m.err = Guard(func() (err error) {
						m.part, err = produce(ctx, v)
						return err
					})
					out <- m
					<-busy
				})
				return true
			})
			if err != nil {
				out := make(chan made, 1)
				out <- made{err: err}
				put(out)
			}
		})
		for out := range order {
			m := <-out
			if ctx.Err() != nil {
				m.err = context.Cause(ctx)
			}
			if !yield(m.part, m.err) || m.err != nil {
				return
			}
		}
		if ctx.Err() != nil {
			var none T
			yield(none, context.Cause(ctx))
		}
	}
}

// Below lists the numbers below n, for InOrder.
func Below(n uint64) func(ctx context.Context, take func(i uint64) bool) error {
	return func(_ context.Context, take func(i uint64) bool) error {
		for i := range n {
			if !take(i) {
				break
			}
		}
		return nil
	}
}
