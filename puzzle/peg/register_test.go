package peg

import (
	"context"
	"errors"
	"testing"

	"pagoda/puzzle"
)

// A plan that nobody waits for any more is given up.
func TestPlanEnds(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	begun, end := make(chan bool), make(chan bool)
	go func() {
		<-begun
		cancel(stop)
	}()
	sp, err := space(ctx, func() (*Space, error) {
		close(begun)
		<-end
		return nil, nil
	})
	close(end)
	if sp != nil || !errors.Is(err, stop) {
		t.Errorf("%v, %v", sp, err)
	}
	if sp, err := Family().Lookup(t.Context(), "peg/4x4@b2", puzzle.Choice{}); err != nil || sp.Name() != "peg/4x4@b2" {
		t.Errorf("%v, %v", sp, err)
	}
	if sp, err := Family().Lookup(t.Context(), "peg/4x4@b9", puzzle.Choice{}); err == nil || sp != nil {
		t.Errorf("%v, %v", sp, err)
	}
}
