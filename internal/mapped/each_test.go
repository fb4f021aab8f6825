package mapped_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"pagoda/internal/mapped"
)

func TestEach(t *testing.T) {
	for _, threads := range []int{0, 1, 4} {
		for _, n := range []uint64{0, 1, 1000} {
			calls := make([]atomic.Int32, n)
			err := mapped.Each(t.Context(), threads, n, func(i uint64) error {
				calls[i].Add(1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("%d threads: %d calls with %d of %d", threads, c, i, n)
				}
			}
		}
	}
}

// An error, one that is thrown, and the end of the context stop it.
func TestEachStops(t *testing.T) {
	wrong := errors.New("wrong")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(wrong)
	for name, c := range map[string]struct {
		ctx context.Context
		do  func(i uint64) error
	}{
		"error":   {t.Context(), func(uint64) error { return wrong }},
		"thrown":  {t.Context(), func(uint64) error { mapped.Throw(wrong); return nil }},
		"context": {ended, func(uint64) error { t.Error("called after the context has ended"); return nil }},
	} {
		var calls atomic.Int32
		err := mapped.Each(c.ctx, 3, 1<<40, func(i uint64) error {
			calls.Add(1)
			return c.do(i)
		})
		if !errors.Is(err, wrong) || calls.Load() > 3 {
			t.Errorf("%s: %d calls, %v", name, calls.Load(), err)
		}
	}
}
