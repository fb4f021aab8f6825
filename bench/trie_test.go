package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
	"pagoda/statespace/sweep"
	"pagoda/trie"
	"pagoda/trie/zstd"
)

// terms returns what each cell of a board holds, by number.
func terms(sp *peg.Space) (all []trie.Term) {
	zero := sp.Class().Position(0)
	for cell := range sp.Board().Cells() {
		t := trie.Term{Odd: zero>>cell&1 == 1}
		for bit := range sp.Class().Dim() {
			t.Mask |= (sp.Class().Position(1<<bit) ^ zero) >> cell & 1 << bit
		}
		all = append(all, t)
	}
	return all
}

// A trie of a board answers what the space does.
func TestTrie(t *testing.T) {
	sp, set := reached(t, "peg/5x5")
	tr, err := trie.Build(t.Context(), set, sweep.Of(sp).BitOrder(), 2)
	if err != nil {
		t.Fatal(err)
	}
	all := terms(sp)
	counts, err := sweep.CountLayers(t.Context(), sp, set, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range counts {
		pegs := want.Layer
		if n, err := tr.Count(t.Context(), trie.Pattern{Terms: all, Least: pegs, Most: pegs}); n != want.States || err != nil {
			t.Errorf("%d positions with %d pegs, %v; want %d", n, pegs, err, want.States)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 200 {
		weights := make([]uint64, len(all))
		p := board.Pattern{Pegs: rng.Uint64() & sp.Board().Full()}
		q := trie.NearQuery{Pattern: trie.Pattern{Terms: all, Most: len(all)}, Within: 1 << 40, Limit: 50}
		for cell := range weights {
			weights[cell] = [3]uint64{1, rng.Uint64N(1000), 1e9 * rng.Uint64N(2)}[i%3]
			var c [2]uint64
			c[^p.Pegs>>cell&1] = weights[cell]
			q.Costs = append(q.Costs, c)
		}
		pegs := cells.AllLayers
		if i%2 == 0 {
			pegs.Least = rng.IntN(20)
			pegs.Most = pegs.Least + rng.IntN(3)
			q.Least, q.Most = pegs.Least, pegs.Most
		}
		target, err := cells.NewTarget(sp, weights, sp.Pattern(p))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := patterns.Near(t.Context(), sp, set, cells.Query{Targets: []*cells.Target{target}, Within: q.Within, Limit: q.Limit, Layers: pegs})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for m, err := range tr.Near(t.Context(), q) {
			if err != nil || n == len(want) || m.State != want[n].State || m.Distance != want[n].Distance {
				t.Fatalf("question %d, match %d: %v, %v; want %v", i, n, m, err, want[n:])
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("question %d: %d matches, want %d", i, n, len(want))
		}
	}
}

// fontTrie makes the trie of the 5x7 board.
func fontTrie(b *testing.B) (*trie.Trie, *bitset.Set, *peg.Space) {
	sp, set := reached(b, "peg/5x7")
	t, err := trie.Build(b.Context(), set, sweep.Of(sp).BitOrder(), 2)
	if err != nil {
		b.Fatal(err)
	}
	return t, set, sp
}

// BenchmarkTrieBuild makes tries of the 5x7 board, in two orders of the bits: that of the
// numbers, and that of the cells.
func BenchmarkTrieBuild(b *testing.B) {
	sp, set := reached(b, "peg/5x7")
	for name, order := range map[string]trie.Order{"order=numbers": nil, "order=cells": sweep.Of(sp).BitOrder()} {
		b.Run(name, func(b *testing.B) {
			var t *trie.Trie
			var err error
			for b.Loop() {
				if t, err = trie.Build(b.Context(), set, order, 2); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(t.Nodes()), "nodes")
			b.ReportMetric(float64(8*len(t.Words())), "bytes")
		})
	}
}

// BenchmarkTrie asks the trie of the 5x7 board.
func BenchmarkTrie(b *testing.B) {
	t, set, sp := fontTrie(b)
	begin := time.Now()
	if err := t.Check(b.Context()); err != nil {
		b.Fatal(err)
	}
	check := time.Since(begin)
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := make([]uint64, 1<<16)
	for i := range numbers {
		numbers[i] = rng.Uint64N(t.Len())
		if has, err := t.Has(numbers[i]); err != nil || has != set.Has(numbers[i]) {
			b.Fatalf("Has(%d) = %t, %v", numbers[i], has, err)
		}
	}
	each := func(name string, do func(x uint64) error) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if err := do(numbers[i%len(numbers)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	each("Has", func(x uint64) error { _, err := t.Has(x); return err })
	each("Word", func(x uint64) error { _, err := t.Word(x / 64); return err })
	each("Block", func(x uint64) error { _, err := t.Block(x >> bitset.BlockBits); return err })
	each("Rank", func(x uint64) error { _, err := t.Rank(x); return err })
	each("Select", func(x uint64) error { _, err := t.Select(x % t.States()); return err })
	b.Run("Over", func(b *testing.B) {
		for b.Loop() {
			if _, err := trie.Over(t.Words()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(check.Seconds()*1e3, "check-ms")
	})

	var packed bytes.Buffer
	b.Run("Pack", func(b *testing.B) {
		for b.Loop() {
			packed.Reset()
			if err := t.Pack(&packed, zstd.Coder{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(packed.Len()), "bytes")
	})
	b.Run("Unpack", func(b *testing.B) {
		for b.Loop() {
			u, err := trie.Unpack(bytes.NewReader(packed.Bytes()), zstd.Coder{}, 1<<30)
			if err != nil || !slices.Equal(u.Words(), t.Words()) {
				b.Fatal("it is another trie: ", err)
			}
		}
	})

	all := terms(sp)
	query := func(weighted bool, within uint64, limit int) (q trie.NearQuery) {
		q = trie.NearQuery{Pattern: trie.Pattern{Terms: all, Most: len(all)}, Within: within, Limit: limit}
		for range all {
			cost := uint64(1)
			if weighted {
				cost = 100 + rng.Uint64N(900)
			}
			var c [2]uint64
			c[rng.IntN(2)] = cost
			q.Costs = append(q.Costs, c)
		}
		return q
	}
	near := func(name string, make func() trie.NearQuery) {
		var queries []trie.NearQuery
		for range 1000 {
			queries = append(queries, make())
		}
		b.Run("Near/"+name, func(b *testing.B) {
			var times []time.Duration
			matches := 0
			for i := 0; b.Loop(); i++ {
				begin := time.Now()
				for _, err := range t.Near(b.Context(), queries[i%len(queries)]) {
					if err != nil {
						b.Fatal(err)
					}
					matches++
				}
				times = append(times, time.Since(begin))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2]), "median-ns")
			b.ReportMetric(float64(times[len(times)*99/100]), "99%-ns")
			b.ReportMetric(float64(matches)/float64(b.N), "matches/op")
		})
	}
	const far = ^uint64(0)
	for _, limit := range []int{1, 20, 1000} {
		near(fmt.Sprintf("unit,first%d", limit), func() trie.NearQuery { return query(false, far, limit) })
		near(fmt.Sprintf("weighted,first%d", limit), func() trie.NearQuery { return query(true, far, limit) })
	}
	near("unit,within=4,first20", func() trie.NearQuery { return query(false, 4, 20) })
	near("unit,within=4", func() trie.NearQuery { return query(false, 4, 0) })
	near("pegs=5,first20", func() trie.NearQuery {
		q := query(false, far, 20)
		q.Least, q.Most = 5, 5
		return q
	})
	near("any,weighted,first20", func() trie.NearQuery {
		q := query(true, far, 20)
		for i := range q.Costs {
			if rng.IntN(2) == 0 {
				q.Costs[i] = [2]uint64{}
			}
		}
		return q
	})
	near("huge,first20", func() trie.NearQuery {
		q := query(false, far, 20)
		for i, c := range q.Costs {
			if rng.IntN(3) == 0 {
				q.Costs[i] = [2]uint64{c[0] * 1e9, c[1] * 1e9}
			}
		}
		return q
	})
	near("many pegs,first20", func() trie.NearQuery { // where few positions can be reached
		q := query(true, far, 20)
		for i, c := range q.Costs {
			q.Costs[i] = [2]uint64{max(c[0], c[1]), 0}
		}
		q.Costs[17] = [2]uint64{0, 5000}
		return q
	})

	count := func(name string, make func() trie.Pattern) {
		b.Run("Count/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := t.Count(b.Context(), make()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	half := func() trie.Pattern {
		p := trie.Pattern{Terms: all, Most: len(all)}
		for range all {
			p.Values = append(p.Values, trie.Values(max(0, rng.IntN(4)-1)))
		}
		return p
	}
	count("half", half)
	count("half,pegs=17", func() trie.Pattern { p := half(); p.Least, p.Most = 17, 17; return p })
	count("pegs=17", func() trie.Pattern { return trie.Pattern{Terms: all, Least: 17, Most: 17} })
}
