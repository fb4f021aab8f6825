package peg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
)

// Any affine map of the numbers is gathered as its plain twin gathers it, not only those of
// boards.
func TestGatherAnyMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		const dim = 9
		s := newSymmetry(invertible(rng, dim), rng.Uint64N(1<<dim))
		var set [1 << dim / 64]uint64
		for i := range set {
			set[i] = rng.Uint64() & rng.Uint64()
		}
		read := func(word uint64) uint64 { return set[word] }
		for word := range uint64(len(set)) {
			if got, want := s.Gather(word, read), statespace.GatherPlain(s, word, 1<<dim, read); got != want {
				t.Fatalf("Gather(%d) = %x, want %x", word, got, want)
			}
			if got, want := s.Least(word), statespace.LeastPlain(s, word, 1<<dim); got != want {
				t.Fatalf("Least(%d) = %x, want %x", word, got, want)
			}
		}
	}
}

// Any linear map is gathered by blocks as number by number, with every kernel.
func TestBlockMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 12))
	for _, k := range kernels() {
		for i := range 400 {
			dim := 6 + rng.IntN(7)
			if k != &genericKernel {
				dim = max(dim, 6+vectorBits)
			}
			columns := invertible(rng, dim)
			if i%2 == 0 { // as those of a board: most bits go to one bit
				for i, bit := range rng.Perm(dim) {
					columns[i] = 1 << bit
				}
				for range rng.IntN(4) {
					if to, from := rng.IntN(dim), rng.IntN(dim); to != from {
						columns[to] ^= columns[from]
					}
				}
			}
			zero := rng.Uint64N(1 << dim)
			words := 1 << (dim - 6)
			to, from := randomWords(rng, words+1, 3), randomWords(rng, words, rng.IntN(5))
			want := slices.Clone(to)
			sy := newSymmetry(columns, zero)
			for w := range words {
				want[w] |= statespace.GatherPlain(sy, uint64(w), 1<<dim, func(word uint64) uint64 { return from[word] })
			}
			newBlockMap(columns).gather(k, to[:words], from, randomWords(rng, max(4, words), 0), zero)
			if !slices.Equal(to, want) {
				t.Fatalf("%s: by the map %b to %b from 0, another block is gathered", k.name, columns, zero)
			}
		}
	}
}

// invertible returns the columns of a random matrix that has an inverse.
func invertible(rng *rand.Rand, dim int) (columns []uint64) {
	var basis []uint64
	for len(columns) < dim {
		v := rng.Uint64N(1 << dim)
		rest := v
		for _, b := range basis {
			rest = min(rest, rest^b)
		}
		if rest != 0 {
			columns, basis = append(columns, v), append(basis, rest)
		}
	}
	return columns
}

// Any affine map of the numbers inside blocks is gathered by whole blocks as word by word.
func TestGatherBlockAnyMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		const dim = 13
		inside := 6 + rng.IntN(dim-5)
		columns := invertible(rng, inside)
		if rng.IntN(2) == 0 { // few words are mixed
			columns = nil
			for _, bit := range rng.Perm(inside) {
				columns = append(columns, 1<<bit)
			}
		}
		for range dim - inside {
			columns = append(columns, rng.Uint64N(1<<inside)|1<<len(columns))
		}
		s := newSymmetry(columns, rng.Uint64N(1<<dim))
		if !s.TakesBlocks(inside) {
			t.Fatal("no blocks")
		}
		words, got := make([]uint64, 1<<(inside-6)), make([]uint64, 1<<(inside-6))
		for i := range words {
			words[i] = rng.Uint64() & rng.Uint64()
		}
		block := rng.Uint64N(1 << (dim - inside))
		n := uint64(len(words))
		image := s.Map(block*n*64) / 64 / n * n
		read := func(word uint64) uint64 { return words[word-image] }
		if !s.GatherBlock(got, words, block) {
			t.Fatalf("a block of %d words is not gathered", n)
		}
		for i, w := range got {
			if want := statespace.GatherPlain(s, block*n+uint64(i), 1<<dim, read); w != want {
				t.Fatalf("inside %d: word %d is %x, want %x", inside, i, w, want)
			}
		}
	}
}
