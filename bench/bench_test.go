package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
)

// BenchmarkEnumerate times enumeration alone, the memory for the set in hand.
func BenchmarkEnumerate(b *testing.B) {
	for _, name := range []string{"peg/5x5", "peg/5x6", "peg/5x7", "peg/6x6", "peg/english", "peg/european"} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", name, threads), func(b *testing.B) {
				enumerate(b, name, "sweep", threads)
			})
		}
	}
}

// BenchmarkVerify times the certificate.
func BenchmarkVerify(b *testing.B) {
	for _, name := range []string{"peg/5x7", "peg/english", "peg/european"} {
		b.Run(name, func(b *testing.B) {
			sp, set := reached(b, name)
			for b.Loop() {
				if faults, err := statespace.Verify(b.Context(), sp, set, 2, nil); err != nil || faults.Count > 0 {
					b.Fatal(faults, err)
				}
			}
		})
	}
}

// BenchmarkCountLayers times the counting of members by their number of pegs.
func BenchmarkCountLayers(b *testing.B) {
	sp, set := reached(b, "peg/5x7")
	for b.Loop() {
		if _, err := statespace.CountLayers(b.Context(), sp, set, 2); err != nil {
			b.Fatal(err)
		}
	}
}

// emptySet returns a space and an empty set of its numbers, its memory in hand.
func emptySet(b *testing.B, name string) (statespace.Layered, *bitset.Set) {
	sp, err := catalog.Lookup(name, nil)
	if err != nil {
		b.Fatal(err)
	}
	memory, err := mapped.Alloc(b.Context(), bitset.Words(sp.Size()), 2)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { memory.Free() })
	set, err := bitset.Over(memory.Words(), sp.Size())
	if err != nil {
		b.Fatal(err)
	}
	return sp.(statespace.Layered), set
}

// reached returns a space and the set of what can be reached in it.
func reached(b *testing.B, name string) (statespace.Layered, *bitset.Set) {
	sp, set := emptySet(b, name)
	if err := statespace.Enumerate(b.Context(), sp, statespace.Engines(sp)[0], set, 2, nil); err != nil {
		b.Fatal(err)
	}
	return sp, set
}

func enumerate(b *testing.B, name, engine string, threads int) {
	sp, set := emptySet(b, name)
	for b.Loop() {
		b.StopTimer()
		clear(set.Words())
		b.StartTimer()
		if err := statespace.Enumerate(b.Context(), sp, engine, set, threads, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(set.Count())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mstates/s")
}

// BenchmarkNear asks for what is near to random patterns on the 5x7 file, warm, on
// one core; BenchmarkScan is the plain way.
func BenchmarkNear(b *testing.B) {
	sp, set := reached(b, "peg/5x7")
	board := sp.(*peg.Space).Board()
	rng := rand.New(rand.NewPCG(1, 1))
	pattern := func() peg.Pattern { return peg.Pattern{Pegs: rng.Uint64() & board.Full()} }
	wild := func() peg.Pattern {
		p := pattern()
		p.Any = rng.Uint64() & rng.Uint64() & rng.Uint64() & board.Full()
		p.Pegs &^= p.Any
		return p
	}
	queries := func(weighted bool, pattern func() peg.Pattern, within uint64, limit int) (all []peg.NearQuery) {
		for range 1000 {
			var weights []uint64
			if weighted {
				for range board.Cells() {
					weights = append(weights, 100+rng.Uint64N(900))
				}
			}
			t, err := board.NewTarget(weights, pattern())
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, peg.NearQuery{Targets: []*peg.Target{t}, Within: within, Limit: limit, Pegs: peg.AnyPegs})
		}
		return all
	}
	for _, bm := range []struct {
		name    string
		queries []peg.NearQuery
	}{
		{"nearest", queries(false, pattern, peg.Nearest, 20)},
		{"nearest20", queries(false, pattern, 35, 20)},
		{"within=2", queries(false, pattern, 2, 0)},
		{"within=4", queries(false, pattern, 4, 0)},
		{"within=6", queries(false, pattern, 6, 0)},
		{"any", queries(false, wild, peg.Nearest, 20)},
		{"weighted", queries(true, pattern, peg.Nearest, 20)},
		{"weighted,any", queries(true, wild, peg.Nearest, 20)},
		{"weighted,any,20", queries(true, wild, 1e6, 20)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			var times []time.Duration
			var matches int
			i := 0
			for b.Loop() {
				begin := time.Now()
				m, _, err := sp.(*peg.Space).Near(b.Context(), set, bm.queries[i%len(bm.queries)])
				if err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(begin))
				matches += len(m)
				i++
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2]), "median-ns")
			b.ReportMetric(float64(times[len(times)*99/100]), "p99-ns")
			b.ReportMetric(float64(times[len(times)-1]), "max-ns")
			b.ReportMetric(float64(matches)/float64(b.N), "matches/op")
		})
	}
}
