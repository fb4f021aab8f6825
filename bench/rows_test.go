package main

import (
	"testing"

	"pagoda/bitset"
	"pagoda/puzzle"
	"pagoda/puzzle/twist"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// BenchmarkRows searches permutation puzzles on one thread: by rows and columns; by the same search, one state at a time; and by
// the plain search of all spaces, which applies moves to states. It reports the processor's time.
func BenchmarkRows(b *testing.B) {
	for _, name := range []string{"twist/ivy", "twist/pyraminx", "twist/2x2x2"} {
		sp, err := twist.Family().Lookup(b.Context(), name, puzzle.Choice{})
		if err != nil {
			b.Fatal(err)
		}
		states := func(g statespace.Graph) uint64 {
			found, err := bfs.New(b.Context(), g, bfs.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer found.Close()
			if err := found.Run(b.Context(), nil, nil); err != nil {
				b.Fatal(err)
			}
			return found.States()
		}
		for _, c := range []struct {
			by     string
			search func() uint64
		}{
			{"rows", func() uint64 { return states(bfs.Of(sp)) }},
			{"states", func() uint64 {
				g := bfs.Of(sp)
				g.NewStepper = nil
				return states(g)
			}},
			{"plain", func() uint64 {
				found := bitset.New(sp.Size())
				if err := statespace.Search(b.Context(), sp, found, nil); err != nil {
					b.Fatal(err)
				}
				return found.Count()
			}},
		} {
			b.Run(name+"/"+c.by, func(b *testing.B) {
				before := cpuSeconds()
				for b.Loop() {
					if n := c.search(); n != sp.Size() {
						b.Fatalf("%d states, want %d", n, sp.Size())
					}
				}
				used := (cpuSeconds() - before) / float64(b.N)
				b.ReportMetric(1000*used, "cpu-ms/op")
				b.ReportMetric(float64(sp.Size())/used/1e6, "Mstates/cpu-s")
			})
		}
	}
}
