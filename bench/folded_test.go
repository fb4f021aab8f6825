package main

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/statespace/paths"
	"pagoda/statespace/patterns"
)

// BenchmarkFolded asks a folded file and the whole set of the same board the same questions, by turns,
// and reports the least time of the processor for each: in nanoseconds, and as a ratio.
func BenchmarkFolded(b *testing.B) {
	for _, name := range []string{"peg/5x7", "peg/english", "peg/european"} {
		b.Run(strings.TrimPrefix(name, "peg/"), func(b *testing.B) {
			sp, set := reached(b, name)
			rng := rand.New(rand.NewPCG(1, 1))
			var numbers, members []uint64
			for len(numbers) < 1<<17 { // more than caches remember
				x := rng.Uint64N(sp.Size())
				if numbers = append(numbers, x); set.Has(x) && len(members) < 1000 {
					members = append(members, x)
				}
			}
			queries := func(n int, weighted bool, within uint64, limit int) (all []cells.Query) {
				for range n {
					var weights []uint64
					for weighted && len(weights) < len(sp.Cells()) {
						weights = append(weights, 100+rng.Uint64N(900))
					}
					t, err := cells.NewTarget(sp, weights, sp.Pattern(board.Pattern{Pegs: rng.Uint64() & sp.Board().Full()}))
					if err != nil {
						b.Fatal(err)
					}
					all = append(all, cells.Query{Targets: []*cells.Target{t}, Within: within, Limit: limit, Layers: cells.AllLayers})
				}
				return all
			}
			files := []*layers.File{writeFont(b, sp, set, layers.SetStore), writeFont(b, sp, set, layers.FoldedStore)}
			near := func(all []cells.Query) (int, func(f *layers.File, i int) error) {
				return len(all), func(f *layers.File, i int) error {
					_, _, err := patterns.Near(b.Context(), sp, f.Members(), all[i])
					return err
				}
			}
			measure := func(name string, n int, ask func(f *layers.File, i int) error) {
				b.Run(name, func(b *testing.B) {
					var times [2][]float64
					for turn := 0; turn < 2 || b.Loop(); turn++ { // what is made once is made in the first turn
						for k, f := range files {
							begin := cpuSeconds()
							err := mapped.Guard(func() (err error) {
								for i := 0; i < n && err == nil; i++ {
									err = ask(f, i)
								}
								return err
							})
							if err != nil {
								b.Fatal(err)
							}
							times[k] = append(times[k], 1e9*(cpuSeconds()-begin)/float64(n))
						}
					}
					whole, folded := slices.Min(times[0]), slices.Min(times[1])
					b.ReportMetric(whole, "set-ns")
					b.ReportMetric(folded, "folded-ns")
					b.ReportMetric(folded/whole, "ratio")
				})
			}
			runtime.GC()
			measure("has", len(numbers), func(f *layers.File, i int) error {
				_, err := bitset.Has(f.Members(), numbers[i])
				return err
			})
			measure("path", len(members), func(f *layers.File, i int) error {
				_, err := paths.Find(sp, func(x uint64) (bool, error) { return bitset.Has(f.Members(), x) }, members[i])
				return err
			})
			for _, q := range []struct {
				name    string
				queries []cells.Query
			}{
				{"nearest", queries(1000, false, cells.Nearest, 20)},
				{"within2", queries(1000, false, 2, 0)},
				{"within4", queries(200, false, 4, 0)},
				{"within6", queries(20, false, 6, 0)},
				{"weighted", queries(200, true, cells.Nearest, 20)},
			} {
				n, ask := near(q.queries)
				measure(q.name, n, ask)
			}
		})
	}
}
