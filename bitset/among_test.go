package bitset_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/bitset"
)

// Planes that lie among others hold what plain arrays hold, and leave the others alone.
func TestAmong(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 300 {
		n := 1 + rng.Uint64N(300)
		var widths []int
		stride := 0
		for range 1 + rng.IntN(5) {
			widths = append(widths, 1+rng.IntN(bitset.MaxWidth))
			stride += widths[len(widths)-1]
		}
		words := make([]uint64, bitset.PlaneWords(n, stride))
		var planes []*bitset.Planes
		var plain [][]uint16
		first := 0
		for _, width := range widths {
			p, err := bitset.Among(words, n, first, width, stride)
			if err != nil {
				t.Fatal(err)
			}
			if p.Len() != n || p.Width() != width || p.Stride() != stride {
				t.Fatalf("%d entries of %d bits, %d words apart: want %d of %d, %d apart", p.Len(), p.Width(), p.Stride(), n, width, stride)
			}
			planes, plain = append(planes, p), append(plain, make([]uint16, n))
			first += width
		}
		for range rng.IntN(100) {
			k := rng.IntN(len(planes))
			v := uint16(rng.Uint32())
			kept := v & uint16(1<<widths[k]-1)
			if rng.IntN(2) == 0 {
				group, mask := rng.Uint64N((n+63)/64), uint64(0)
				wanted := rng.Uint64()
				for i := range min(64, n-64*group) {
					if wanted>>i&1 != 0 && plain[k][64*group+i] == 0 {
						mask |= 1 << i
						plain[k][64*group+i] = kept
					}
				}
				planes[k].SetAll(group, mask, v)
				continue
			}
			i := rng.Uint64N(n)
			planes[k].Set(i, v)
			plain[k][i] = kept
		}
		for k, p := range planes {
			for i, want := range plain[k] {
				if got := p.Get(uint64(i)); got != want {
					t.Fatalf("entry %d of array %d is %d, want %d", i, k, got, want)
				}
			}
			at := 0
			for _, width := range widths[:k] {
				at += width
			}
			for group := range bitset.Words(n) {
				notZero := uint64(0)
				for i := range min(64, n-64*group) {
					if plain[k][64*group+i] != 0 {
						notZero |= 1 << i
					}
				}
				if got := p.NotZero(group); got != notZero {
					t.Fatalf("group %d of array %d has %x, want %x", group, k, got, notZero)
				}
				words := p.Group(group)
				if group+1 < bitset.Words(n) && len(words) != stride || len(words) < stride-at {
					t.Fatalf("group %d of array %d has %d words", group, k, len(words))
				}
				for b := range widths[k] {
					for i := range min(64, n-64*group) {
						if words[b]>>i&1 != uint64(plain[k][64*group+i]>>b&1) {
							t.Fatalf("bit %d of entry %d of array %d differs", b, 64*group+i, k)
						}
					}
				}
			}
		}
	}
}

// Planes of no array are refused.
func TestNotAmong(t *testing.T) {
	for _, c := range []struct{ words, first, width, stride int }{
		{6, 0, 0, 3}, {6, 0, 17, 20}, {6, -1, 2, 3}, {6, 2, 2, 3}, {6, 0, 4, 3}, {5, 0, 2, 3}, {7, 0, 2, 3}, {0, 0, 1, 0}, {6, 3, 1, 3},
	} {
		if _, err := bitset.Among(make([]uint64, c.words), 100, c.first, c.width, c.stride); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	if _, err := bitset.Among(make([]uint64, 6), 100, 2, 1, 3); err != nil {
		t.Error(err)
	}
	if p, err := bitset.Among(nil, 0, 2, 1, 3); err != nil || p.Len() != 0 {
		t.Errorf("no entries: %v", err)
	}
}
