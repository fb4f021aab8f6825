package permutation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace/permutation"
)

// inOrder returns all permutations in lexicographic order.
func inOrder(items int) (all [][]uint8) {
	var extend func(p []uint8)
	extend = func(p []uint8) {
		if len(p) == items {
			all = append(all, slices.Clone(p))
			return
		}
		for item := range uint8(items) {
			if !slices.Contains(p, item) {
				extend(append(p, item))
			}
		}
	}
	extend(nil)
	return all
}

// parity counts inversions.
func parity(p []uint8) (odd int) {
	for i, a := range p {
		for _, b := range p[:i] {
			if b > a {
				odd ^= 1
			}
		}
	}
	return odd
}

// Ranks are the places of permutations in a list of all, and of all with their parity.
func TestRanks(t *testing.T) {
	for items := range 8 {
		all, halves := inOrder(items), [2]uint64{}
		if n := permutation.Count(items); n != uint64(len(all)) {
			t.Fatalf("there are %d permutations of %d items, and %d are counted", len(all), items, n)
		}
		for x, p := range all {
			got := slices.Repeat([]uint8{99}, items) // what is in it does not matter
			permutation.Unrank(got, uint64(x))
			if y := permutation.Rank(p); y != uint64(x) || !slices.Equal(got, p) {
				t.Fatalf("%v has the rank %d, want %d, whose permutation is %v", p, y, x, got)
			}
			if items < 2 {
				continue
			}
			odd := parity(p)
			half, found := permutation.RankHalf(p)
			permutation.UnrankHalf(got, halves[odd], odd)
			if half != halves[odd] || found != odd || !slices.Equal(got, p) {
				t.Fatalf("%v has the parity %d and the rank %d in its half, want %d and %d, whose permutation is %v", p, found, half, odd, halves[odd], got)
			}
			halves[odd]++
		}
		if items > 1 && halves[0] != halves[1] {
			t.Fatalf("of %d items %d permutations are even and %d odd", items, halves[0], halves[1])
		}
	}
}

// Long permutations, up to the longest, come back, and those next to each other in rank are in order.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for items := 8; items <= permutation.MaxItems; items++ {
		p, next, again := make([]uint8, items), make([]uint8, items), make([]uint8, items)
		for range 1000 {
			x := rng.Uint64N(permutation.Count(items) - 1)
			permutation.Unrank(p, x)
			permutation.Unrank(next, x+1)
			half, odd := permutation.RankHalf(p)
			permutation.UnrankHalf(again, half, odd)
			if permutation.Rank(p) != x || permutation.Rank(next) != x+1 || slices.Compare(p, next) != -1 || !slices.Equal(again, p) || odd != parity(p) || half != x/2 {
				t.Fatalf("rank %d of %d items is %v, the next one %v; it is number %d of parity %d, which is %v", x, items, p, next, half, odd, again)
			}
		}
	}
	if n := permutation.Count(permutation.MaxItems); n != 20922789888000 {
		t.Errorf("%d permutations of %d items", n, permutation.MaxItems)
	}
}

// The even permutations of three items.
func Example() {
	p := make([]uint8, 3)
	for x := range permutation.Count(3) / 2 {
		permutation.UnrankHalf(p, x, 0)
		fmt.Println(x, p, "of all:", permutation.Rank(p))
	}
	// Output:
	// 0 [0 1 2] of all: 0
	// 1 [1 2 0] of all: 3
	// 2 [2 0 1] of all: 4
}
