package bfs_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// The certificate accepts whole distances, and refuses them if any entry is another one.
func TestCertify(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range 60 {
		n := 1 + rng.IntN(40)
		sp := toys.RandomGraph(rng, n, rng.IntN(3*n), i%2 == 0)
		for _, toGoal := range []bool{false, true} {
			s := run(t, bfs.Of(sp), bfs.Options{ToGoal: toGoal, Whole: true})
			last := -1
			if toGoal && len(s.Goals) > 0 {
				last = s.Length
			}
			good := s.Distances().At
			if x, wrong, err := bfs.Certify(t.Context(), sp, good, last, 1+i%3, nil); wrong || err != nil {
				t.Fatalf("the distances are refused at number %d, %v", x, err)
			}
			for x := range sp.Size() {
				is, _ := good(x)
				for _, e := range []uint16{0, 1, 2, 3, is - 1, is + 1, uint16(len(s.Layers)), uint16(len(s.Layers) + 1), 1<<16 - 1} {
					if e == is || e == 0 && is == 0 {
						continue
					}
					changed := func(y uint64) (uint16, error) {
						if y == x {
							return e, nil
						}
						return good(y)
					}
					if at, wrong, err := bfs.Certify(t.Context(), sp, changed, last, 1+i%3, nil); !wrong || err != nil || at >= sp.Size() {
						t.Fatalf("the entry %d of number %d is accepted, it is %d: %v", e, x, is, err)
					}
				}
			}
		}
	}
}

// Two entries that agree with each other are not enough: a cycle does not hold itself up.
func TestCertifyCycle(t *testing.T) {
	sp := toys.NewGraph(4, [][2]int{{0, 1}, {2, 3}, {3, 2}}, false, []uint64{0}, nil)
	entries := []uint16{1, 2, 3, 4}
	at := func(x uint64) (uint16, error) { return entries[x], nil }
	if x, wrong, err := bfs.Certify(t.Context(), sp, at, -1, 1, nil); !wrong || x != 2 || err != nil {
		t.Errorf("number %d, wrong: %t, %v; want 2", x, wrong, err)
	}
}

func TestCertifyStops(t *testing.T) {
	sp := toys.Line(1<<14, false)
	s := run(t, bfs.Of(sp), bfs.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, _, err := bfs.Certify(ctx, sp, s.Distances().At, -1, 2, nil); !errors.Is(err, errStop) {
		t.Errorf("it goes on after the end of its context: %v", err)
	}
	var progress statespace.Progress
	if _, wrong, err := bfs.Certify(t.Context(), sp, s.Distances().At, -1, 2, &progress); wrong || err != nil {
		t.Error(wrong, err)
	}
	if done, total := progress.Read(); done != total || total == 0 {
		t.Errorf("%d of %d parts are done", done, total)
	}
	for _, x := range []uint64{0, 77, 1<<14 - 1} {
		unread := func(y uint64) (uint16, error) {
			if y == x {
				return 0, errStop
			}
			return s.Distances().At(y)
		}
		if _, _, err := bfs.Certify(t.Context(), sp, unread, -1, 2, nil); !errors.Is(err, errStop) {
			t.Errorf("the entry of number %d, which cannot be read, became %v", x, err)
		}
	}
}
