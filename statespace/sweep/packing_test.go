package sweep

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Blocks of any density come back from their packed form, and damaged ones make no panic.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 3000 {
		words := make([]uint64, 1<<rng.IntN(9))
		n := rng.IntN(1 + 64*len(words))
		if rng.IntN(3) == 0 {
			n = rng.IntN(4)
		}
		for range n {
			x := rng.IntN(64 * len(words))
			words[x/64] |= 1 << (x % 64)
		}
		if rng.IntN(20) == 0 {
			for i := range words {
				words[i] = ^uint64(0)
			}
		}
		packed := appendPacked([]byte("head"), words)[4:]
		if most := 8*len(words) + 8; len(packed) > most {
			t.Errorf("%d words with %d members take %d bytes", len(words), n, len(packed))
		}
		got := make([]uint64, len(words))
		for i := range got {
			got[i] = rng.Uint64()
		}
		if err := unpack(got, packed); err != nil || !slices.Equal(got, words) {
			t.Fatalf("%x became %x, %v", words, got, err)
		}
		if len(packed) == 0 {
			continue
		}
		if err := unpack(got, packed[:rng.IntN(len(packed))]); err == nil && slices.Equal(got, words) {
			t.Errorf("%x is whole without its end", words)
		}
		bad := slices.Clone(packed)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		unpack(got, bad)
	}
}

func BenchmarkPacking(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 7))
	words := make([]uint64, 4096)
	for range 1360 {
		x := rng.IntN(64 * len(words))
		words[x/64] |= 1 << (x % 64)
	}
	packed := appendPacked(nil, words)
	b.Run("pack", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		var buf []byte
		for b.Loop() {
			buf = appendPacked(buf[:0], words)
		}
		b.ReportMetric(float64(8*len(words))/float64(len(packed)), "ratio")
	})
	b.Run("unpack", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		for b.Loop() {
			unpack(words, packed)
		}
	})
}
