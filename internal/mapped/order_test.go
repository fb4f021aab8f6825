package mapped

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// Parts come in order, with at most some of them made ahead, by any number of threads.
func TestInOrder(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 20} {
		for _, ahead := range []int{0, 1, 7} {
			var made atomic.Int64
			taken := int64(0)
			for i, err := range InOrder(t.Context(), threads, ahead, Below(200), func(_ context.Context, i uint64) (uint64, error) {
				if i%5 == 0 {
					time.Sleep(10 * time.Microsecond)
				}
				made.Add(1)
				return 3 * i, nil
			}) {
				if err != nil || i != uint64(3*taken) {
					t.Fatalf("%d threads: part %d is %d, %v", threads, taken, i, err)
				}
				taken++
				if now := made.Load(); now > taken+int64(ahead)+1 {
					t.Fatalf("%d threads: %d parts are made when %d are taken, expected %d ahead", threads, now, taken, ahead)
				}
			}
			if taken != 200 {
				t.Errorf("%d threads: %d parts, want 200", threads, taken)
			}
		}
	}
}

// An error comes in its place, and nothing after it. The list and what is under way end.
func TestInOrderStops(t *testing.T) {
	broken, stop := errors.New("broken"), errors.New("stop")
	ended := 0
	forever := func(ctx context.Context, take func(i uint64) bool) error {
		for i := uint64(0); take(i); i++ {
		}
		ended++
		return errors.New("the list has ended")
	}
	waits := func(ctx context.Context, i uint64) (uint64, error) {
		switch {
		case i == 6:
			return 0, broken
		case i > 6:
			<-ctx.Done()
		}
		return i, nil
	}
	var got []uint64
	var last error
	for i, err := range InOrder(t.Context(), 4, 4, forever, waits) {
		if last != nil {
			t.Fatalf("%d, %v comes after an error", i, err)
		}
		if last = err; err == nil {
			got = append(got, i)
		}
	}
	if !slices.Equal(got, []uint64{0, 1, 2, 3, 4, 5}) || last != broken || ended != 1 {
		t.Errorf("parts %d, then %v, and the list has ended %d times", got, last, ended)
	}
	for range InOrder(t.Context(), 4, 4, forever, waits) {
		break
	}
	if ended != 2 {
		t.Error("the list goes on after the loop")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	got = nil
	for i, err := range InOrder(ctx, 4, 4, forever, waits) {
		if last = err; err == nil {
			got = append(got, i)
			cancel(stop)
		}
	}
	if len(got) != 1 || last != stop || ended != 3 {
		t.Errorf("parts %d, then %v, and the list has ended %d times", got, last, ended)
	}
	for _, err := range InOrder(t.Context(), 4, 4, func(_ context.Context, take func(i uint64) bool) error {
		take(1)
		return broken
	}, waits) {
		last = err
	}
	if last != broken {
		t.Errorf("the error of a list is %v", last)
	}
	for _, err := range InOrder(t.Context(), 4, 4, Below(3), func(context.Context, uint64) (int, error) {
		Throw(broken)
		return 0, nil
	}) {
		last = err
	}
	if last != broken {
		t.Errorf("what is thrown becomes %v", last)
	}
}
