package shards

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pagoda/sorted"
	"pagoda/statespace"
)

// random returns sorted distinct numbers below size: some alone, some in dense pages.
func random(rng *rand.Rand, size uint64, n int) []uint64 {
	var all []uint64
	for range n {
		all = append(all, rng.Uint64N(size))
	}
	for range n / 100 {
		first := rng.Uint64N(size)
		for x := first; x < min(first+2000, size); x++ {
			if rng.IntN(3) > 0 {
				all = append(all, x)
			}
		}
	}
	return sorted.Distinct(all, 1)
}

// numbersOf returns the numbers of a run.
func numbersOf(t *testing.T, l *Layout, run []byte) (all []uint64) {
	t.Helper()
	if err := l.EachCode(run, func(code []uint64) error {
		all = append(all, code...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRuns: a run has the numbers that it was made of, and takes a byte where they are dense.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []uint64{1, 64, 4096, 4097, 1 << 20, 1 << 45, 1 << 62} {
		l := Numbers(size, 10)
		want := random(rng, size, 5000)
		run := l.Run(want)
		if got := numbersOf(t, &l, run); !slices.Equal(got, want) {
			t.Errorf("below %d: %d numbers came back as %d", size, len(want), len(got))
		}
	}
	var dense []uint64
	for x := range uint64(1 << 16) {
		if rng.IntN(4) > 0 {
			dense = append(dense, x)
		}
	}
	l := Numbers(1<<16, 1)
	if n := len(l.Run(dense)); n > 1<<16/8+64 {
		t.Errorf("%d numbers below 2^16 take %d bytes", len(dense), n)
	}
}

// TestLayout: shards are ranges in order, they cover all numbers, and there are not too many.
func TestLayout(t *testing.T) {
	for _, size := range []uint64{1, 4095, 4096, 4097, 100000, 1<<20 + 1, 1 << 45} {
		for _, count := range []int{1, 2, 7, 64} {
			l := Numbers(size, count)
			if n := l.Shards(); n > count || n < 1 {
				t.Errorf("%d numbers in at most %d shards: %d", size, count, n)
			}
			next := uint64(0)
			for s := range l.Shards() {
				first, end := l.Bounds(s)
				if first != next || end <= first || l.Shard([]uint64{first}) != s || l.Shard([]uint64{min(end, size) - 1}) != s {
					t.Errorf("%d numbers, shard %d: %d to %d", size, s, first, end)
				}
				next = end
			}
			if next < size {
				t.Errorf("%d numbers: the shards end at %d", size, next)
			}
		}
	}
}

// TestMerge: the fast merge of numbers is that of sets, and so is the merge of codes.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []uint64{5000, 1 << 20, 1 << 33} {
		l := Numbers(size, 3)
		for shard := range l.Shards() {
			first, end := l.Bounds(shard)
			end = min(end, size)
			part := func(n int) (all []uint64) {
				for _, x := range random(rng, end-first, n) {
					all = append(all, first+x)
				}
				return all
			}
			set := make(map[uint64]bool)
			var runs, without [][]byte
			for range 4 {
				some := part(2000)
				runs = append(runs, l.Run(some))
				for _, x := range some {
					set[x] = true
				}
			}
			for range 2 {
				some := part(2000)
				without = append(without, l.Run(some))
				for _, x := range some {
					delete(set, x)
				}
			}
			run, n, err := l.Merge(shard, runs, without)
			if err != nil {
				t.Fatal(err)
			}
			got := numbersOf(t, &l, run)
			if n != uint64(len(set)) || len(got) != len(set) || !slices.IsSorted(got) || slices.ContainsFunc(got, func(x uint64) bool { return !set[x] }) {
				t.Errorf("shard %d of %d: %d numbers, expected %d", shard, size, len(got), len(set))
			}
			// The slow twin: the same numbers as codes of one word without a bound.
			codes := Layout{Words: 1}
			again := func(runs [][]byte) (all [][]byte) {
				for _, r := range runs {
					all = append(all, codes.Run(numbersOf(t, &l, r)))
				}
				return all
			}
			slow, m, err := codes.Merge(0, again(runs), again(without))
			if err != nil || m != n || !slices.Equal(numbersOf(t, &codes, slow), got) {
				t.Errorf("shard %d of %d: as codes %d, as numbers %d: %v", shard, size, m, n, err)
			}
		}
	}
}

// flip is the symmetry that turns numbers below n around.
type flip uint64

func (n flip) Map(x uint64) uint64 { return uint64(n) - 1 - x }

// TestCollect: a bitmap and sorted buffers hand on the same numbers, with and without symmetries,
// from several goroutines.
func TestCollect(t *testing.T) {
	const size = 1<<18 + 3
	l := Numbers(size, 9)
	for _, symmetries := range [][]statespace.Symmetry{nil, {flip(size)}} {
		set := make(map[uint64]bool)
		parts := make([][]uint64, 3)
		rng := rand.New(rand.NewPCG(5, 6))
		for i := range parts {
			for range 30000 {
				x := rng.Uint64N(size)
				parts[i] = append(parts[i], x)
				set[statespace.Representative(symmetries, x)] = true
			}
		}
		for _, memory := range []uint64{1 << 30, 1} {
			c := l.NewCollector(symmetries, memory, len(parts))
			if _, ok := c.(*bitmap); ok != (memory > 1) {
				t.Fatalf("with %d bytes it is a %T", memory, c)
			}
			for range 2 { // it is empty again after a flush
				var mu sync.Mutex
				runs := make(map[int][][]byte)
				c.Begin(func(shard int, run []byte) {
					mu.Lock()
					defer mu.Unlock()
					runs[shard] = append(runs[shard], run)
				})
				var group sync.WaitGroup
				for _, p := range parts {
					group.Go(func() {
						s := c.NewSink()
						for some := range slices.Chunk(p, 100) {
							s.Add(some)
						}
					})
				}
				group.Wait()
				c.Flush(2)
				n := 0
				for shard, all := range runs {
					run, _, err := l.Merge(shard, all, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, x := range numbersOf(t, &l, run) {
						if n++; !set[x] {
							t.Fatalf("%d was never added", x)
						}
					}
				}
				if n != len(set) {
					t.Errorf("%T with %d symmetries: %d numbers, expected %d", c, len(symmetries), n, len(set))
				}
			}
		}
	}
}

// TestCodes: codes of several words come back by shard, in order.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var sample []uint64
	for range 5000 {
		sample = append(sample, rng.Uint64N(50), rng.Uint64())
	}
	l := Codes(slices.Clone(sample), 2, 8)
	if l.Shards() != 8 {
		t.Fatalf("%d shards, expected 8", l.Shards())
	}
	runs := make(map[int][][]byte)
	c := l.NewCollector(nil, 1, 1)
	c.Begin(func(shard int, run []byte) { runs[shard] = append(runs[shard], run) })
	s := c.NewSink()
	for code := range slices.Chunk(sample, 2) {
		s.Add(code)
	}
	c.Flush(1)
	var all []uint64
	for shard := range l.Shards() {
		run, _, err := l.Merge(shard, runs[shard], nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.EachCode(run, func(code []uint64) error {
			if l.Shard(code) != shard {
				return fmt.Errorf("code %x is in shard %d, and should be in %d", code, shard, l.Shard(code))
			}
			all = append(all, code...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if want := sorted.Distinct(sample, 2); !slices.Equal(all, want) {
		t.Errorf("%d words came back, expected %d", len(all), len(want))
	}
}

// TestDamagedRuns: what is cut short or lies outside of its shard is an error.
func TestDamagedRuns(t *testing.T) {
	l := Numbers(1<<20, 4)
	var dense []uint64
	for x := range uint64(8192) {
		dense = append(dense, x)
	}
	run := l.Run(append(dense, 100000))
	visit := func(first, word uint64) error { return nil }
	for n := range len(run) {
		if n == 515 || n == 1030 || n == 0 { // whole pages
			continue
		}
		if err := l.EachWord(run[:n], visit); err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if err := l.EachWord(run[:100], visit); !errors.Is(err, ErrDamaged) {
		t.Errorf("a page cut short: %v", err)
	}
	if _, _, err := l.Merge(1, [][]byte{run}, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a run of another shard: %v", err)
	}
	if _, _, err := l.Merge(0, [][]byte{l.Run([]uint64{1, 1 << 19})}, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a number of another shard: %v", err)
	}
}

// FuzzRun: no bytes make a panic, and what can be read can be written again.
func FuzzRun(f *testing.F) {
	l := Numbers(1<<20, 1)
	f.Add(l.Run([]uint64{1, 2, 3, 1000, 99999}))
	var dense []uint64
	for x := range uint64(4096) {
		dense = append(dense, x)
	}
	f.Add(l.Run(dense))
	f.Add([]byte{0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2})
	f.Fuzz(func(t *testing.T, run []byte) {
		var all []uint64
		err := l.EachCode(run, func(code []uint64) error {
			all = append(all, code...)
			return nil
		})
		merged, n, mergeErr := l.Merge(0, [][]byte{run}, nil)
		if mergeErr == nil && (err != nil || n != uint64(len(all)) || !slices.Equal(numbersOf(t, &l, merged), all)) {
			t.Errorf("merged it has %d numbers, read %d: %v", n, len(all), err)
		}
		if err == nil && !slices.IsSorted(all) {
			t.Error("its numbers are not in order")
		}
	})
}
