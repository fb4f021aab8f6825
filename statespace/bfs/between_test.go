package bfs_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// ShortestBetween finds the paths that FindShortest finds, without distances.
func TestShortestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	several := 0
	for range 200 {
		n := 2 + rng.IntN(60)
		sp := toys.RandomGraph(rng, n, rng.IntN(3*n), true)
		k := find(sp, false)
		// Some states at the same distance.
		length := rng.IntN(len(k.layers))
		var to []uint64
		for x, at := range k.at {
			if at == length && (len(to) == 0 || rng.IntN(3) == 0) {
				to = append(to, x)
			}
		}
		slices.Sort(to)
		s := run(t, bfs.Of(sp), bfs.Options{})
		want, err := bfs.FindShortest(t.Context(), sp, s.Distances(), to, length, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := bfs.ShortestBetween(t.Context(), bfs.Of(sp), to, length, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if got.Total().Cmp(want.Total()) != 0 {
			t.Fatalf("there are %v paths of %d moves, want %v", got.Total(), length, want.Total())
		}
		if want.Total().Int64() > 1 {
			several++
		}
	}
	if several < 50 {
		t.Errorf("only %d of the graphs have several paths", several)
	}
	if _, err := bfs.ShortestBetween(t.Context(), bfs.Of(toys.Line(9, false)), []uint64{8}, 8, 1<<20); err == nil {
		t.Error("a directed graph is no error")
	}
	if _, err := bfs.ShortestBetween(t.Context(), bfs.Of(toys.NewHanoi(5)), []uint64{242}, 31, 128); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("without memory the error is %v", err)
	}
}
