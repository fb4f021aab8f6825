package sorted_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/sorted"
)

// plainSort is sorted.Sort by the library.
func plainSort(codes []uint64, words int) []uint64 {
	all := slices.Collect(slices.Chunk(codes, words))
	slices.SortFunc(all, slices.Compare)
	return slices.Concat(all...)
}

func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for words := 1; words <= 4; words++ {
		for _, n := range []int{0, 1, 2, 24, 25, 300, 20000, 100000} {
			for _, mask := range []uint64{^uint64(0), 7, 1<<40 | 1, 0x1f03e0001f} {
				codes := make([]uint64, n*words)
				for i := range codes {
					codes[i] = rng.Uint64() & mask
				}
				want := plainSort(codes, words)
				if words == 1 {
					beside := slices.Clone(codes)
					if sorted.SortWith(beside, make([]uint64, n)); !slices.Equal(beside, want) {
						t.Fatalf("%d codes with bits %x are not sorted with room beside them", n, mask)
					}
				}
				if sorted.Sort(codes, words); !slices.Equal(codes, want) {
					t.Fatalf("%d codes of %d words with bits %x are not sorted", n, words, mask)
				}
			}
		}
	}
}

// TestMerge holds Merger, Distinct and Cursor.Has against the library.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range long.Or(200, 50) {
		words := 1 + rng.IntN(3)
		var all []uint64
		var sources []sorted.Source
		var lists [][]uint64
		for range rng.IntN(6) {
			codes := make([]uint64, rng.IntN(2000)*words)
			for i := range codes {
				codes[i] = uint64(rng.IntN(1 + rng.IntN(3000)))
			}
			want := plainSort(codes, words)
			if words == 1 && rng.IntN(2) == 0 {
				codes = sorted.DistinctWith(codes, make([]uint64, len(codes)))
			} else {
				codes = sorted.Distinct(codes, words)
			}
			if once := slices.CompactFunc(slices.Collect(slices.Chunk(want, words)), slices.Equal); !slices.Equal(codes, slices.Concat(once...)) {
				t.Fatalf("the distinct codes are %d, want %d", codes, once)
			}
			all = append(all, codes...)
			lists = append(lists, codes)
		}
		first := make([]uint64, words)
		first[0] = uint64(rng.IntN(500))
		for i, codes := range lists {
			if i%2 == 0 {
				sources = append(sources, sorted.Array(codes))
				continue
			}
			sources = append(sources, newPlain(words, slices.Collect(slices.Chunk(codes, words))).list(t).Cursor(100).Next)
		}
		m, err := sorted.NewMerger(words, sources, first)
		if err != nil {
			t.Fatal(err)
		}
		var merged []uint64
		for {
			code, from := m.Peek()
			if code == nil {
				break
			}
			if at := sorted.Search(lists[from], code); !slices.Equal(lists[from][at:at+words], code) {
				t.Fatalf("%d is not from list %d", code, from)
			}
			merged = append(merged, code...)
			if err := m.Pop(); err != nil {
				t.Fatal(err)
			}
		}
		all = plainSort(all, words)
		if all = all[sorted.Search(all, first):]; !slices.Equal(merged, all) {
			t.Fatalf("%d codes are merged, want %d", len(merged)/words, len(all)/words)
		}
		if len(lists) == 0 {
			continue
		}
		c := newPlain(words, slices.Collect(slices.Chunk(lists[0], words))).list(t).Cursor(100)
		for code := range slices.Chunk(sorted.Distinct(all, words), words) {
			at := sorted.Search(lists[0], code)
			want := at < len(lists[0]) && slices.Equal(lists[0][at:at+words], code)
			if has, err := c.Has(code); has != want || err != nil {
				t.Fatalf("%d: %t, want %t: %v", code, has, want, err)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name  string
		words int
		mask  uint64
	}{{"bits45", 1, 1<<45 - 1}, {"fields", 1, 0x3fffffffffffff}, {"words2", 2, ^uint64(0)}} {
		for _, n := range []int{1 << 14, 1 << 20} {
			codes := make([]uint64, n*c.words)
			for i := range codes {
				codes[i] = rng.Uint64() & c.mask
			}
			scratch := make([]uint64, len(codes))
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					copy(scratch, codes)
					sorted.Sort(scratch, c.words)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(n), "ns/code")
			})
			if c.words == 1 {
				room := make([]uint64, n)
				b.Run(fmt.Sprintf("%s/%d/with", c.name, n), func(b *testing.B) {
					for b.Loop() {
						copy(scratch, codes)
						sorted.SortWith(scratch, room)
					}
					b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(n), "ns/code")
				})
				b.Run(fmt.Sprintf("%s/%d/slices", c.name, n), func(b *testing.B) {
					for b.Loop() {
						copy(scratch, codes)
						slices.Sort(scratch)
					}
					b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(n), "ns/code")
				})
			}
		}
	}
}
