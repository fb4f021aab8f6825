package gf2

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/sweep"
)

// Gather and Least agree with their plain twins for any affine map, not only for the
// symmetries of boards.
func TestGatherAnyMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		const dim = 9
		a := NewAffine(invertible(rng, dim), rng.Uint64N(1<<dim))
		var set [1 << dim / 64]uint64
		for i := range set {
			set[i] = rng.Uint64() & rng.Uint64()
		}
		read := func(word uint64) uint64 { return set[word] }
		plain := sweep.Plain(a, 1<<dim)
		for word := range uint64(len(set)) {
			if got, want := a.Gather(word, read), plain.Gather(word, read); got != want {
				t.Fatalf("Gather(%d) = %x, want %x", word, got, want)
			}
			if got, want := a.Least(word), plain.Least(word); got != want {
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

// GatherBlock agrees with Gather, word by word, for any map that takes blocks to blocks.
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
		a := NewAffine(columns, rng.Uint64N(1<<dim))
		if !a.TakesBlocks(inside) {
			t.Fatal("the map does not take blocks to blocks")
		}
		words, got := make([]uint64, 1<<(inside-6)), make([]uint64, 1<<(inside-6))
		for i := range words {
			words[i] = rng.Uint64() & rng.Uint64()
		}
		block := rng.Uint64N(1 << (dim - inside))
		n := uint64(len(words))
		image := a.Map(block*n*64) / 64 / n * n
		read := func(word uint64) uint64 { return words[word-image] }
		if !a.GatherBlock(got, words, block) {
			t.Fatalf("a block of %d words is not gathered", n)
		}
		plain := sweep.Plain(a, 1<<dim)
		for i, w := range got {
			if want := plain.Gather(block*n+uint64(i), read); w != want {
				t.Fatalf("inside %d: word %d is %x, want %x", inside, i, w, want)
			}
		}
	}
}

// Deposit and Extract are inverse, and List gives the elements.
func TestDepositExtract(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 1000 {
		set := rng.Uint64() & rng.Uint64()
		places := List(set)
		x := rng.Uint64() & (1<<len(places) - 1)
		part := Deposit(places, x)
		if part&^set != 0 || Extract(places, part) != x || Deposit(places, ^uint64(0)) != set {
			t.Fatalf("Deposit(%v, %x) = %x, and Extract gives %x back", places, x, part, Extract(places, part))
		}
	}
}

// Orthogonal, Reduce, Rank and Sum fit together on random vectors.
func TestElimination(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 10))
	dot := func(u, v uint64) (odd int) {
		for range Elements(u & v) {
			odd ^= 1
		}
		return odd
	}
	for range 500 {
		n := 1 + rng.IntN(64)
		full := ^uint64(0) >> (64 - n)
		vectors := make([]uint64, rng.IntN(2*n))
		for i := range vectors {
			vectors[i] = rng.Uint64() & full
			if i > 2 && rng.IntN(3) == 0 {
				vectors[i] = vectors[i-1] ^ vectors[i-2]
			}
		}
		basis := Orthogonal(vectors, n)
		if len(basis) != n-Rank(vectors, full) {
			t.Fatalf("%d vectors are orthogonal to %d of rank %d, of %d bits", len(basis), len(vectors), Rank(vectors, full), n)
		}
		for _, u := range basis {
			for _, v := range vectors {
				if dot(u, v) != 0 {
					t.Fatalf("%x and %x are not orthogonal", u, v)
				}
			}
		}
		rows, pivots := Reduce(basis, rng.Perm(n))
		if len(rows) != len(basis) {
			t.Fatalf("%d independent vectors are reduced to %d rows", len(basis), len(rows))
		}
		for i, row := range rows {
			for j, pivot := range pivots {
				if (row>>pivot&1 == 1) != (i == j) {
					t.Fatalf("row %d is %x, and the pivots are %v", i, row, pivots)
				}
			}
			which, ok := Sum(basis, row)
			sum := uint64(0)
			for k := range Elements(which) {
				sum ^= basis[k]
			}
			if !ok || sum != row {
				t.Fatalf("row %x is said to be the sum %x of the vectors: %t", row, which, ok)
			}
		}
		if v := rng.Uint64() & full; len(basis) < n {
			if _, ok := Sum(basis, v); ok != (Rank(append(basis, v), full) == len(basis)) {
				t.Fatalf("a sum that makes %x is found: %t", v, ok)
			}
		}
	}
}
