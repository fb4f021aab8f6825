package sparse

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestCancelled: a search whose context ends while threads merge a level finds all states or returns
// the cause. It once took the ranges that were merged for the whole level.
func TestCancelled(t *testing.T) {
	const n, states = 8, 40320
	errEnough := errors.New("enough")
	whole := 60 * time.Millisecond
	for i := range 60 {
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(whole*time.Duration(i)/60, func() { cancel(errEnough) })
		s, err := New(pancakes(n).graph(), Options{Threads: 4})
		if err != nil {
			t.Fatal(err)
		}
		s.share.span = 512 // many ranges
		if err = s.Run(ctx, nil, nil); err == nil && s.states != states || err != nil && !errors.Is(err, errEnough) {
			t.Errorf("%d states, %v", s.states, err)
		}
		timer.Stop()
		cancel(nil)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
