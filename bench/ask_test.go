package main

import (
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// openFont makes the file of the 5x7 board in the store set and opens it, all of it in
// memory.
func openFont(b *testing.B) (*layers.File, *peg.Space) {
	sp, set := reached(b, "peg/5x7")
	return writeFont(b, sp, set, layers.SetStore), sp.(*peg.Space)
}

// writeFont writes the file in a store and opens it.
func writeFont(b *testing.B, sp statespace.Space, set *bitset.Set, store string) *layers.File {
	path := filepath.Join(b.TempDir(), "5x7.reach")
	w, err := layers.Create(path, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	n := set.Count()
	meta := &layers.Meta{Space: sp.Definition(), Store: store, Size: sp.Size(), States: n,
		Layers: []layers.LayerCount{{States: n}}}
	if _, err := w.Finish(b.Context(), sp, set, meta, layers.Making{Threads: 2}); err != nil {
		b.Fatal(err)
	}
	f, err := layers.Open(path, func(statespace.Definition) (statespace.Space, error) { return sp, nil })
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
	for name, has := range map[string]func(x uint64) (bool, error){
		"file":    f.Has,
		"guarded": func(x uint64) (bool, error) { return bitset.Has(f.Members(), x) }, // by the caller, once for many
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := has(numbers[i%len(numbers)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPath finds whole solutions, to random members.
func BenchmarkPath(b *testing.B) {
	f, sp := openFont(b)
	rng := rand.New(rand.NewPCG(1, 1))
	var members []uint64
	for len(members) < 1000 {
		x := rng.Uint64N(sp.Size())
		if has, err := f.Has(x); err != nil {
			b.Fatal(err)
		} else if has {
			members = append(members, x)
		}
	}
	member := func(x uint64) (bool, error) { return bitset.Has(f.Members(), x) }
	steps := 0
	for i := 0; b.Loop(); i++ {
		way, err := statespace.Path(sp, member, members[i%len(members)])
		if err != nil {
			b.Fatal(err)
		}
		steps += len(way.Steps)
	}
	b.ReportMetric(float64(steps)/float64(b.N), "jumps/op")
}

// BenchmarkNear asks for what is near to random patterns. The metrics are of single
// questions.
func BenchmarkNear(b *testing.B) {
	f, sp := openFont(b)
	board := sp.Board()
	rng := rand.New(rand.NewPCG(1, 1))
	queries := func(weighted, any bool, within uint64, limit int) (all []peg.NearQuery) {
		for range 1000 {
			var weights []uint64
			if weighted {
				for range board.Cells() {
					weights = append(weights, 100+rng.Uint64N(900))
				}
			}
			p := peg.Pattern{Pegs: rng.Uint64() & board.Full()}
			if any { // an eighth of the cells
				p.Any = rng.Uint64() & rng.Uint64() & rng.Uint64() & board.Full()
				p.Pegs &^= p.Any
			}
			t, err := board.NewTarget(weights, p)
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
		{"nearest", queries(false, false, statespace.Nearest, 20)},
		{"within=2", queries(false, false, 2, 0)},
		{"within=4", queries(false, false, 4, 0)},
		{"within=6", queries(false, false, 6, 0)},
		{"first20", queries(false, false, 35, 20)},
		{"any", queries(false, true, statespace.Nearest, 20)},
		{"weighted", queries(true, false, statespace.Nearest, 20)},
		{"weighted,any", queries(true, true, statespace.Nearest, 20)},
		{"weighted,any,first20", queries(true, true, 1e6, 20)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			ask(b, bm.queries, func(q peg.NearQuery) int {
				matches, _, err := sp.Near(b.Context(), f.Members(), q)
				if err != nil {
					b.Fatal(err)
				}
				return len(matches)
			})
		})
	}
	// The plain way: every member is looked at.
	b.Run("scan", func(b *testing.B) {
		ask(b, queries(false, false, statespace.Nearest, 0), func(q peg.NearQuery) int { return scan(b, f, sp, q.Targets[0]) })
	})
}

// ask asks one query after the other and reports how long single ones take.
func ask(b *testing.B, queries []peg.NearQuery, find func(q peg.NearQuery) (matches int)) {
	var times []time.Duration
	matches := 0
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		matches += find(queries[i%len(queries)])
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2]), "median-ns")
	b.ReportMetric(float64(times[len(times)*99/100]), "99%-ns")
	b.ReportMetric(float64(matches)/float64(b.N), "matches/op")
}

// scan counts the members nearest to a target.
func scan(b *testing.B, f *layers.File, sp *peg.Space, t *peg.Target) (n int) {
	best := ^uint64(0)
	for block := range sp.Size() >> bitset.BlockBits {
		words, err := f.Members().Block(block)
		if err != nil {
			b.Fatal(err)
		}
		for i, w := range words {
			first := block<<bitset.BlockBits + uint64(i)*64
			for ; w != 0; w &= w - 1 {
				d := t.Distance(sp.Class().Position(first + uint64(bits.TrailingZeros64(w))))
				if d < best {
					best, n = d, 0
				}
				if d == best {
					n++
				}
			}
		}
	}
	return n
}

// BenchmarkPointers finds the pointers of all members, and follows them to random ones.
func BenchmarkPointers(b *testing.B) {
	space, set := reached(b, "peg/5x7")
	sp := space.(*peg.Space)
	memory, err := mapped.Alloc(b.Context(), bitset.PlaneWords(sp.Size(), sp.PointerBits()), 2)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { memory.Free() })
	pointers, err := bitset.PlanesOver(memory.Words(), sp.Size(), sp.PointerBits())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("find/threads=2", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			clear(pointers.Words())
			b.StartTimer()
			if err := statespace.Point(b.Context(), sp, set, pointers, 2, nil); err != nil {
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
			if _, err := statespace.FollowPath(sp, func(x uint64) (uint8, error) { return pointers.Get(x), nil }, members[i%len(members)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
