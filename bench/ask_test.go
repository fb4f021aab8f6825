package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/paths"
	"pagoda/statespace/patterns"
	"pagoda/statespace/sweep"
)

// openFont makes the file of the 5x7 board in the store set and opens it, all of it in
// memory.
func openFont(b *testing.B) (*layers.File, *peg.Space) {
	sp, set := reached(b, "peg/5x7")
	return writeFont(b, sp, set, layers.SetStore), sp
}

// writeFont writes the file in a store and opens it.
func writeFont(b *testing.B, sp statespace.Space, set *bitset.Set, store string) *layers.File {
	path := filepath.Join(b.TempDir(), "5x7.reach")
	w, err := layers.Create(path, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	n := set.Count()
	meta := &layers.Meta{Space: sp.Definition(), Store: store, Size: sp.Size(), States: n, Layer: statespace.LayerName(sp),
		Layers: []statespace.Layer{{States: n}}}
	if _, err := w.Finish(b.Context(), sp, set, meta, layers.WriteOptions{Threads: 2}); err != nil {
		b.Fatal(err)
	}
	f, err := layers.Open(b.Context(), path, func(_ context.Context, _ statespace.Definition, _ uint64) (statespace.Space, error) { return sp, nil }, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	if err := f.Check(b.Context(), 2, nil); err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkHas looks up random numbers.
func BenchmarkHas(b *testing.B) {
	f, sp := openFont(b)
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := make([]uint64, 1<<16)
	for i := range numbers {
		numbers[i] = rng.Uint64N(sp.Size())
	}
	for i := 0; b.Loop(); i++ {
		if _, err := bitset.Has(f.Members(), numbers[i%len(numbers)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPath finds whole solutions, to random members.
func BenchmarkPath(b *testing.B) {
	f, sp := openFont(b)
	rng := rand.New(rand.NewPCG(1, 1))
	var members []uint64
	for len(members) < 1000 {
		x := rng.Uint64N(sp.Size())
		if has, err := bitset.Has(f.Members(), x); err != nil {
			b.Fatal(err)
		} else if has {
			members = append(members, x)
		}
	}
	member := func(x uint64) (bool, error) { return bitset.Has(f.Members(), x) }
	steps := 0
	for i := 0; b.Loop(); i++ {
		path, err := paths.Find(sp, member, members[i%len(members)])
		if err != nil {
			b.Fatal(err)
		}
		steps += len(path.Steps)
	}
	b.ReportMetric(float64(steps)/float64(b.N), "jumps/op")
}

// BenchmarkNear asks for what is near to random patterns. The metrics are of single
// questions.
func BenchmarkNear(b *testing.B) {
	f, sp := openFont(b)
	rng := rand.New(rand.NewPCG(1, 1))
	queries := func(weighted, any bool, within uint64, limit int) (all []cells.Query) {
		for range 1000 {
			var weights []uint64
			if weighted {
				for range sp.Cells() {
					weights = append(weights, 100+rng.Uint64N(900))
				}
			}
			p := board.Pattern{Pegs: rng.Uint64() & sp.Board().Full()}
			if any { // an eighth of the cells
				p.Any = rng.Uint64() & rng.Uint64() & rng.Uint64() & sp.Board().Full()
				p.Pegs &^= p.Any
			}
			t, err := cells.NewTarget(sp, weights, sp.Pattern(p))
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, cells.Query{Targets: []*cells.Target{t}, Within: within, Limit: limit, Layers: cells.AllLayers})
		}
		return all
	}
	for _, bm := range []struct {
		name    string
		queries []cells.Query
	}{
		{"nearest", queries(false, false, cells.Nearest, 20)},
		{"within=2", queries(false, false, 2, 0)},
		{"within=4", queries(false, false, 4, 0)},
		{"within=6", queries(false, false, 6, 0)},
		{"first20", queries(false, false, 35, 20)},
		{"any", queries(false, true, cells.Nearest, 20)},
		{"weighted", queries(true, false, cells.Nearest, 20)},
		{"weighted,any", queries(true, true, cells.Nearest, 20)},
		{"weighted,any,first20", queries(true, true, 1e6, 20)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			ask(b, f, bm.queries, func(ctx context.Context, members bitset.Reader, q cells.Query) (int, error) {
				found, _, err := patterns.Near(ctx, sp, members, q)
				return len(found), err
			})
		})
	}
	for _, bm := range []struct {
		name   string
		within uint64
	}{{"nearest", cells.Nearest}, {"within=2", 2}, {"within=4", 4}, {"within=6", 6}} {
		b.Run("count/"+bm.name, func(b *testing.B) {
			ask(b, f, queries(false, false, bm.within, 0), func(ctx context.Context, members bitset.Reader, q cells.Query) (int, error) {
				n, _, err := patterns.CountNear(ctx, sp, members, q)
				return int(n), err
			})
		})
	}
	// The plain way: every member is looked at.
	b.Run("scan", func(b *testing.B) {
		ask(b, f, queries(false, false, cells.Nearest, 0), func(ctx context.Context, members bitset.Reader, q cells.Query) (int, error) {
			found, _, err := patterns.NearPlain(ctx, sp, members, q)
			return len(found), err
		})
	})
}

// ask asks one query after the other and reports how long single ones take.
func ask(b *testing.B, f *layers.File, queries []cells.Query, near func(context.Context, bitset.Reader, cells.Query) (int, error)) {
	var times []time.Duration
	matches, cpu := 0, cpuSeconds()
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		found, err := near(b.Context(), f.Members(), queries[i%len(queries)])
		if err != nil {
			b.Fatal(err)
		}
		matches += found
		times = append(times, time.Since(begin))
	}
	b.ReportMetric((cpuSeconds()-cpu)/float64(b.N)*1e9, "cpu-ns")
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2]), "median-ns")
	b.ReportMetric(float64(times[len(times)*99/100]), "99%-ns")
	b.ReportMetric(float64(matches)/float64(b.N), "matches/op")
}

// BenchmarkPointers finds the pointers of all members, and follows them to random ones.
func BenchmarkPointers(b *testing.B) {
	sp, set := reached(b, "peg/5x7")
	kind := sweep.Of(sp).Pointers
	memory, err := mapped.Alloc(b.Context(), bitset.PlaneWords(sp.Size(), kind.Bits), 2)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { memory.Free() })
	pointers, err := bitset.PlanesOver(memory.Words(), sp.Size(), kind.Bits)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("find/threads=2", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			clear(pointers.Words())
			b.StartTimer()
			if err := sweep.FillPointers(b.Context(), kind, sp, set, pointers, 2, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	rng := rand.New(rand.NewPCG(1, 1))
	var members []uint64
	for len(members) < 1000 {
		if x := rng.Uint64N(sp.Size()); set.Has(x) {
			members = append(members, x)
		}
	}
	b.Run("follow", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := sweep.FollowPointers(kind, sp, func(x uint64) (uint16, error) { return pointers.Get(x), nil }, members[i%len(members)], sp.Size()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
