package ordinals

import (
	"math/rand/v2"
	"testing"
)

// pair is a key of two words.
type pair struct{ x, y uint64 }

func (p pair) hash() uint64 { return HashPair(p.x, p.y) }

// A table agrees with a map, with hashes that are good, that are few and that are all the same.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, hash := range []func(pair) uint64{pair.hash, func(p pair) uint64 { return Hash(p.x + p.y) }, func(p pair) uint64 { return p.x % 3 << 62 }, func(pair) uint64 { return ^uint64(0) }} {
		table := New(hash)
		for round := range 6 {
			most := []uint64{4, 40, 10, 60, 1, 30}[round]
			known := make(map[pair]uint32)
			if round == 3 {
				table.Grow(500)
			}
			for range 2000 {
				key := pair{rng.Uint64N(most), rng.Uint64N(most) << 40}
				want, ok := known[key]
				if got := table.Find(key, hash(key)); ok != (got != None) || ok && got != want {
					t.Fatalf("key %v has the number %d, expected %d, %v", key, got, want, ok)
				}
				if rng.IntN(3) == 0 {
					continue
				}
				n, fresh := table.Number(key, hash(key))
				if !ok {
					want = uint32(len(known))
					known[key] = want
				}
				if fresh == ok || n != want || table.Keys[n] != key || len(table.Keys) != len(known) {
					t.Fatalf("key %v gets the number %d, new: %v, expected %d, new: %v; there are %d keys of %d", key, n, fresh, want, !ok, len(table.Keys), len(known))
				}
				if guess := table.Guess(hash(key)); guess == None || int(guess) >= len(table.Keys) {
					t.Fatalf("key %v is guessed to be %d of %d keys", key, guess, len(table.Keys))
				}
			}
			table.Reset()
			if key := (pair{}); table.Find(key, hash(key)) != None || len(table.Keys) != 0 || table.Guess(hash(key)) != None {
				t.Fatal("a table has keys after a reset")
			}
		}
	}
}

// Numbers of many keys stay when a table grows.
func TestTableGrows(t *testing.T) {
	hash := func(x uint64) uint64 { return Hash(x) }
	table := New(hash)
	for x := range uint64(100000) {
		if n, fresh := table.Number(x*x, hash(x*x)); !fresh || uint64(n) != x {
			t.Fatalf("%d gets number %d, new: %v", x*x, n, fresh)
		}
	}
	for x := range uint64(100000) {
		if n := table.Find(x*x, hash(x*x)); uint64(n) != x {
			t.Fatalf("%d has number %d, expected %d", x*x, n, x)
		}
	}
}
