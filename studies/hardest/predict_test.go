package hardest

import (
	"context"
	"errors"
	"testing"

	"pagoda/puzzle/slide/tray"
)

// A prediction has the placements of the search.
func TestPredict(t *testing.T) {
	b := Rectangle(1, 3, 3)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: 2, MaxPieces: 7}
	parts := 0
	results, err := Search(t.Context(), p, Options{Threads: 1, Keep: func(string, Result) error { parts++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Predict(t.Context(), p, Options{Threads: 2})
	if err != nil || len(r.Counts) != len(results) || r.Parts != parts || r.Seconds <= 0 || r.Memory == 0 {
		t.Fatalf("%+v, %v; the search has %d results in %d parts", r, err, len(results), parts)
	}
	total := uint64(0)
	for i, c := range r.Counts {
		if c.Pieces != results[i].Pieces || c.Placements != results[i].Placements {
			t.Errorf("%+v, want %+v", c, results[i])
		}
		total += c.Placements
	}
	if r.Placements != total || r.Largest == 0 || r.Largest > total {
		t.Errorf("%+v, want %d placements", r, total)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("mine")
	cancel(mine)
	if _, err := Predict(ctx, p, Options{}); !errors.Is(err, mine) {
		t.Errorf("%v, want the cause", err)
	}
	if r, err := Predict(t.Context(), &Problem{Board: b, Metric: tray.Moves}, Options{}); err != nil || r.Parts != 0 || r.Seconds != 0 {
		t.Errorf("without goals: %+v, %v", r, err)
	}
}
