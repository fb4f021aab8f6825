package sorted_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/sorted"
)

// TestCache: a Cache, also a small one, answers as the list does.
func TestCache(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, words := range []int{1, 2, 3} {
		codes := make([]uint64, 5000*words)
		for i := range codes {
			codes[i] = rng.Uint64N(40)
			if words == 1 {
				codes[i] = rng.Uint64N(20000)
			}
		}
		codes = sorted.Distinct(codes, words)
		var b bytes.Buffer
		w, err := sorted.NewWriter(&b, words)
		if err == nil {
			err = w.Append(codes)
		}
		if err == nil {
			_, err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := sorted.Over(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []uint64{0, 20000, 1 << 20} {
			cache, err := list.Cache(memory)
			if err != nil || cache.Len() != list.Len() {
				t.Fatalf("%d codes: %v", cache.Len(), err)
			}
			for range 2000 {
				rank := rng.Uint64N(list.Len())
				code, err := cache.At(nil, rank)
				if err != nil || !slices.Equal(code, codes[int(rank)*words:][:words]) {
					t.Fatalf("code %d is %v: %v", rank, code, err)
				}
				code[rng.IntN(words)] += rng.Uint64N(3) - 1
				wantRank, want, err := list.Rank(code)
				if err != nil {
					t.Fatal(err)
				}
				if rank, found, err := cache.Rank(code); rank != wantRank || found != want || err != nil {
					t.Fatalf("%v has rank %d, %v: %v; want %d, %v", code, rank, found, err, wantRank, want)
				}
			}
			if _, err := cache.At(nil, list.Len()); err == nil {
				t.Error("there is a code beyond the last")
			}
			if _, _, err := cache.Rank(make([]uint64, words+1)); err == nil {
				t.Error("a code of another length was sought")
			}
		}
	}
}
