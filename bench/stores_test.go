package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/statespace/paths"
	"pagoda/statespace/patterns"
)

// BenchmarkStores makes the file of the 5x7 board in each store and asks it the same
// questions: how many bytes it has; how many seconds it takes to make from the set in
// memory, flushed to the disk, and to read back as a set; and in nanoseconds membership
// of random numbers, whole solutions of random members, and the members nearest to
// random patterns, the first 20 of a distance and all within 4. It leaves out
// the pointers of all patterns, which are 24 GiB.
func BenchmarkStores(b *testing.B) {
	sp, set := reached(b, "peg/5x7")
	rng := rand.New(rand.NewPCG(1, 1))
	var numbers, members []uint64
	for len(numbers) < 1<<17 { // more than caches remember
		x := rng.Uint64N(sp.Size())
		if numbers = append(numbers, x); set.Has(x) && len(members) < 1000 {
			members = append(members, x)
		}
	}
	var near, within4 []cells.Query
	for range 200 {
		t, err := cells.NewTarget(sp, nil, sp.Pattern(board.Pattern{Pegs: rng.Uint64() & sp.Board().Full()}))
		if err != nil {
			b.Fatal(err)
		}
		near = append(near, cells.Query{Targets: []*cells.Target{t}, Within: cells.Nearest, Limit: 20, Layers: cells.AllLayers})
		within4 = append(within4, cells.Query{Targets: []*cells.Target{t}, Within: 4, Layers: cells.AllLayers})
	}
	for _, store := range layers.Stores {
		if store.Name == layers.RawBackptrStore || store.Fits(sp) != nil {
			continue
		}
		b.Run(store.Name, func(b *testing.B) {
			for range b.N {
				begin := time.Now()
				f := writeFont(b, sp, set, store.Name)
				b.ReportMetric(float64(f.Size()), "bytes")
				b.ReportMetric(time.Since(begin).Seconds(), "make-s")
				begin = time.Now()
				again, free, err := layers.LoadSet(b.Context(), f.Members(), 2)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(time.Since(begin).Seconds(), "load-s")
				if again.Count() != set.Count() {
					b.Fatal("not the same set")
				}
				free()
				each := func(unit string, n int, ask func(i int) error) {
					for i := range n { // what is made once is made
						if err := mapped.Guard(func() error { return ask(i) }); err != nil {
							b.Fatal(err)
						}
					}
					begin := time.Now()
					for i := range n {
						if err := ask(i); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(time.Since(begin).Nanoseconds())/float64(n), unit)
				}
				each("has-ns", len(numbers), func(i int) error {
					_, err := bitset.Has(f.Members(), numbers[i])
					return err
				})
				member := func(x uint64) (bool, error) { return bitset.Has(f.Members(), x) }
				each("path-ns", len(members), func(i int) error {
					if _, ok, err := f.PointerPath(members[i]); ok || err != nil {
						return err
					}
					_, err := paths.Find(sp, member, members[i])
					return err
				})
				each("near-ns", len(near), func(i int) error {
					_, _, err := patterns.Near(b.Context(), sp, f.Members(), near[i])
					return err
				})
				each("within4-ns", len(within4), func(i int) error {
					_, _, err := patterns.Near(b.Context(), sp, f.Members(), within4[i])
					return err
				})
			}
		})
	}
}
