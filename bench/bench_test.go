package main

import (
	"fmt"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

// BenchmarkEnumerate times enumeration alone, the memory for the set in hand.
func BenchmarkEnumerate(b *testing.B) {
	for _, name := range []string{"peg/5x5", "peg/5x6", "peg/5x7", "peg/6x6", "peg/english", "peg/european"} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", name, threads), func(b *testing.B) {
				enumerate(b, name, threads)
			})
		}
	}
}

// BenchmarkKernels times enumeration on one thread by each kernel of this processor; the
// processor's time tells more than the clock where others use it too.
func BenchmarkKernels(b *testing.B) {
	for _, name := range []string{"peg/5x5", "peg/5x6", "peg/5x7", "peg/6x6", "peg/english", "peg/european"} {
		sp, set := emptySet(b, name)
		engine := sweep.Engines(sp)[0]
		for _, kernel := range engine.Kernels {
			b.Run(name+"/"+kernel, func(b *testing.B) {
				if err := engine.UseKernel(kernel); err != nil {
					b.Fatal(err)
				}
				var used float64
				for b.Loop() {
					b.StopTimer()
					clear(set.Words())
					before := cpuSeconds()
					b.StartTimer()
					if err := sweep.Enumerate(b.Context(), sp, set, 1, nil); err != nil {
						b.Fatal(err)
					}
					used += cpuSeconds() - before
				}
				b.ReportMetric(1000*used/float64(b.N), "cpu-ms/op")
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
				if faults, err := sweep.Verify(b.Context(), sp, set, 2, nil); err != nil || faults.Count > 0 {
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
		if _, err := sweep.CountLayers(b.Context(), sp, set, 2); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFold times folding and unfolding of a whole set, and the plain ways on its
// first part.
func BenchmarkFold(b *testing.B) {
	for _, name := range []string{"peg/5x7", "peg/english"} {
		sp, set := reached(b, name)
		_, folded := emptySet(b, name)
		symmetries := statespace.Symmetries(sp)
		part := set.Words()[:len(set.Words())/256]
		read := func(word uint64) uint64 { return folded.Words()[word] }
		perNumber := func(b *testing.B, words []uint64) {
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(64*len(words)), "ns/number")
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/fold/threads=%d", name, threads), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					copy(folded.Words(), set.Words())
					b.StartTimer()
					if err := spacetest.FoldSet(b.Context(), sp, folded, threads); err != nil {
						b.Fatal(err)
					}
				}
				perNumber(b, set.Words())
			})
		}
		b.Run(name+"/fold/plain", func(b *testing.B) {
			for b.Loop() {
				for i, word := range part {
					for _, s := range symmetries {
						word &= sweep.Plain(s, sp.Size()).Least(uint64(i))
					}
					if word != folded.Words()[i] {
						b.Fatalf("word %d differs", i)
					}
				}
			}
			perNumber(b, part)
		})
		_, unfolded := emptySet(b, name)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/unfold/threads=%d", name, threads), func(b *testing.B) {
				for b.Loop() {
					if err := sweep.UnfoldSet(b.Context(), sp, folded, unfolded, threads, nil); err != nil {
						b.Fatal(err)
					}
				}
				perNumber(b, set.Words())
			})
		}
		b.Run(name+"/unfold/plain", func(b *testing.B) {
			for b.Loop() {
				for i, want := range part {
					word := read(uint64(i))
					for _, s := range symmetries {
						word |= sweep.Plain(s, sp.Size()).Gather(uint64(i), read)
					}
					if word != want {
						b.Fatalf("word %d differs", i)
					}
				}
			}
			perNumber(b, part)
		})
	}
}

// emptySet returns a space and an empty set of its numbers, its memory in hand.
func emptySet(b testing.TB, name string) (*peg.Space, *bitset.Set) {
	sp, err := peg.Lookup(name)
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
	return sp, set
}

// reached returns a space and the set of what can be reached in it.
func reached(b testing.TB, name string) (*peg.Space, *bitset.Set) {
	sp, set := emptySet(b, name)
	if err := sweep.Enumerate(b.Context(), sp, set, 2, nil); err != nil {
		b.Fatal(err)
	}
	return sp, set
}

func enumerate(b *testing.B, name string, threads int) {
	sp, set := emptySet(b, name)
	for b.Loop() {
		b.StopTimer()
		clear(set.Words())
		b.StartTimer()
		if err := sweep.Enumerate(b.Context(), sp, set, threads, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(set.Count())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mstates/s")
}
