package trie

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
)

// sets returns sets of many lengths, densities and structures, and an order for each.
func sets(rng *rand.Rand, most uint64) (all []*bitset.Set, orders []Order) {
	lens := []uint64{0, 1, 2, 63, 64, 65, 127, 128, 129, 1000, 4096, 5000, 1 << 13, 1<<14 + 1, 1 << 16, 1 << 20, 1<<20 - 77}
	for _, n := range lens {
		if n > most {
			continue
		}
		for kind := range 9 {
			s := bitset.New(n)
			period := 1 + rng.Uint64N(200)
			mask := rng.Uint64()
			for x := range n {
				var in bool
				switch kind {
				case 0: // empty
				case 1:
					in = true
				case 2:
					in = rng.Uint64N(n) == 0
				case 3:
					in = rng.IntN(2) == 0
				case 4:
					in = rng.IntN(50) != 0
				case 5:
					in = bits.OnesCount64(x&mask)&1 == 0
				case 6:
					in = x%period < period/2
				case 7:
					in = bits.OnesCount64(x)%5 < 2
				case 8:
					in = x/100%7 == 3 && rng.IntN(3) > 0
				}
				if in {
					s.Add(x)
				}
			}
			all, orders = append(all, s), append(orders, nil)
			if n >= 64 && n&(n-1) == 0 {
				all, orders = append(all, s), append(orders, rng.Perm(Bits(n)))
			}
		}
	}
	return all, orders
}

func build(t testing.TB, s *bitset.Set, o Order) *Trie {
	tr, err := Build(t.Context(), s, o, 1+len(s.Words())%3)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// path is Order's path, plainly.
func path(o Order, x uint64) (p uint64) {
	if o == nil {
		return x
	}
	for i, bit := range o {
		p |= x >> bit & 1 << i
	}
	return p
}

// A trie holds what a bitset does.
func TestAgainstBitset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all, orders := sets(rng, long.Or[uint64](1<<21, 1<<16))
	for i, s := range all {
		o := orders[i]
		tr := build(t, s, o)
		name := fmt.Sprintf("set %d, %d of %d, order %v", i, s.Count(), s.Len(), o)
		if err := tr.Check(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if tr.Len() != s.Len() || tr.States() != s.Count() {
			t.Fatalf("%s: Len %d, States %d", name, tr.Len(), tr.States())
		}
		var words []uint64
		for b := uint64(0); b<<bitset.BlockBits < s.Len(); b++ {
			block, err := tr.Block(b)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, block...)
		}
		if !slices.Equal(words, s.Words()) {
			t.Fatalf("%s: blocks differ", name)
		}
		clear(words)
		if err := tr.Fill(t.Context(), words, 3); err != nil || !slices.Equal(words, s.Words()) {
			t.Fatalf("%s: Fill differs, %v", name, err)
		}
		if _, err := tr.Block((s.Len() + 1<<bitset.BlockBits - 1) >> bitset.BlockBits); err == nil {
			t.Errorf("%s: there is a block too many", name)
		}
		members := slices.Collect(s.All())
		for range 200 {
			x := rng.Uint64N(s.Len() + 70)
			has, err := tr.Has(x)
			if want := x < s.Len() && s.Has(x); has != want || err != nil {
				t.Fatalf("%s: Has(%d) = %t, %v", name, x, has, err)
			}
			var want uint64
			if x/64 < uint64(len(s.Words())) {
				want = s.Words()[x/64]
			}
			if got, err := tr.Word(x / 64); got != want || err != nil {
				t.Fatalf("%s: Word(%d) = %x, %v; want %x", name, x/64, got, err, want)
			}
			rank, err := tr.Rank(x)
			below, _ := slices.BinarySearch(members, x)
			if rank != uint64(below) || err != nil {
				t.Fatalf("%s: Rank(%d) = %d, %v; want %d", name, x, rank, err, below)
			}
			if len(members) > 0 {
				k := rng.IntN(len(members))
				if y, err := tr.Select(uint64(k)); y != members[k] || err != nil {
					t.Fatalf("%s: Select(%d) = %d, %v; want %d", name, k, y, err, members[k])
				}
			}
		}
		if _, err := tr.Select(s.Count()); !errors.Is(err, bitset.ErrRank) {
			t.Errorf("%s: Select of one too many: %v", name, err)
		}
		again, err := Over(slices.Clone(tr.Words()))
		if err != nil || !slices.Equal(again.Words(), tr.Words()) {
			t.Fatalf("%s: Over: %v", name, err)
		}
	}
}

// There are no more nodes than there are different sets, and they do not depend on how
// the words come.
func TestMinimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all, orders := sets(rng, 1<<16)
	for i, s := range all {
		tr := build(t, s, orders[i])
		h := height(s.Len())
		text := make([]byte, 64<<h)
		for x := range uint64(len(text)) {
			text[x] = '0'
		}
		for x := range s.All() {
			text[path(orders[i], x)] = '1'
		}
		for k, nodes := range tr.levels {
			different := make(map[string]bool)
			for at := 0; at < len(text); at += 64 << k {
				part := string(text[at : at+64<<k])
				if slices.Contains([]byte(part), '1') && slices.Contains([]byte(part), '0') {
					different[part] = true
				}
			}
			if len(different) != len(nodes) {
				t.Fatalf("set %d: %d nodes on level %d, want %d", i, len(nodes), k, len(different))
			}
		}
	}
}

func TestBuildErrors(t *testing.T) {
	beyond, err := bitset.Over([]uint64{1, 1 << 36}, 100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), beyond, nil, 1); err == nil {
		t.Error("a number that is not below 100")
	}
	for _, bad := range []struct {
		n uint64
		o Order
	}{{128, Order{0, 1}}, {128, Order{0, 1, 2, 3, 4, 5, 7}}, {128, Order{0, 1, 2, 3, 4, 5, 5}}, {100, Order{1, 0, 2, 3, 4, 5, 6}}, {32, Order{1, 0, 2, 3, 4, 5}}, {64, Order{-1, 1, 2, 3, 4, 5}}} {
		if _, err := Build(t.Context(), bitset.New(bad.n), bad.o, 1); err == nil {
			t.Errorf("the order %v for %d was taken", bad.o, bad.n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, bitset.New(1000), nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
