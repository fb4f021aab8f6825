package sweep

import (
	"context"
	"sync"
	"sync/atomic"
)

// handing hands the finished blocks of a run to its sink, in their order and each once. Any goroutine
// may hand on; one at a time does.
type handing struct {
	sink func(words []uint64) error // or nil
	// next calls hand with the words of one or more blocks, one after another, the first of them first.
	// They are all before end. It returns the first error of hand.
	next func(first, end uint64, hand func(words []uint64) error) error
	made atomic.Uint64 // blocks of the stages that are done

	mu     sync.Mutex    // held while blocks are handed on
	handed atomic.Uint64 // blocks
	failed error         // of the sink
}

// Blocks returns how many blocks the stages have that are done.
func (h *handing) Blocks() uint64 { return h.made.Load() }

// HandOn hands all blocks of the stages that are done to the sink.
func (h *handing) HandOn() error { return h.handOn(context.Background(), h.made.Load()) }

// handOn returns after the blocks before end have been handed on. If another goroutine does that
// already, handOn helps.
func (h *handing) handOn(ctx context.Context, end uint64) error {
	for h.sink != nil && h.handed.Load() < end {
		if err := h.handNext(ctx, end); err != nil {
			return err
		}
	}
	return nil
}

func (h *handing) handNext(ctx context.Context, end uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	first := h.handed.Load()
	if h.failed != nil || first >= end {
		return h.failed
	}
	return h.next(first, end, func(words []uint64) error {
		if h.failed = h.sink(words); h.failed == nil {
			h.handed.Add(1)
		}
		return h.failed
	})
}

// aside hands on what is made in a goroutine of its own, each time that more is called. An error
// cancels. The caller calls stop in the end, which waits for the goroutine.
func (h *handing) aside(ctx context.Context, cancel context.CancelCauseFunc) (more, stop func()) {
	calls := make(chan struct{}, 1)
	var group sync.WaitGroup
	group.Go(func() {
		for range calls {
			if err := h.handOn(ctx, h.made.Load()); err != nil {
				cancel(err)
			}
		}
	})
	more = func() {
		select {
		case calls <- struct{}{}:
		default: // the goroutine has not started on the stage before
		}
	}
	return more, func() {
		close(calls)
		group.Wait()
	}
}
