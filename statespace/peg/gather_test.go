package peg

import (
	"math/rand/v2"
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
