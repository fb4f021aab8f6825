package best

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pagoda/statespace/peg/weighted/internal/weightedtest"
)

// plainCover is the least weight of pegs that can be chosen so that all others can be removed where they
// stand. It tries all choices, from the definition.
func plainCover(f *field) int64 {
	least := int64(math.MaxInt64)
	for choice := range 1 << len(f.start) {
		var weight int64
		stands := make([]bool, len(f.start))
		for cell, k := range f.start {
			if k != 0 && choice>>cell&1 == 1 {
				weight += max(0, f.weights[k])
			} else {
				stands[cell] = k != 0
			}
		}
		for again := true; again; {
			again = false
			for _, h := range f.jumps {
				if stands[h.over] && !stands[h.from] && !stands[h.to] {
					stands[h.over], again = false, true
				}
			}
		}
		if reflect.DeepEqual(stands, make([]bool, len(stands))) {
			least = min(least, weight)
		}
	}
	return least
}

// coverOf is the cover of the start, in sets of a size.
func coverOf[S set](f *field) int64 {
	c := newCover[S](f, math.MaxInt32)
	var pegs S
	for cell, k := range f.start {
		if k != 0 {
			add(&pegs, int(c.place[cell]))
			c.weights[c.place[cell]] = max(0, f.weights[k])
		}
	}
	c.nodes = c.most
	return c.search(pegs, pegs, 0, math.MaxInt64)
}

// TestCover: the search for a cover finds the least one, in sets of all sizes.
func TestCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	more := 0
	for i := range 300 {
		f, err := newField(weightedtest.Random(rng, 12), nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.weights[len(f.weights)-1] < 0 {
			continue
		}
		want := plainCover(f)
		for _, found := range []int64{coverOf[[2]uint64](f), coverOf[[4]uint64](f), coverOf[[8]uint64](f), coverOf[[64]uint64](f)} {
			if found != want {
				t.Fatalf("board %d: %d, want %d\n%s", i, found, want, f.game.Format())
			}
		}
		if f.places() <= 64 {
			if found := coverOf[[1]uint64](f); found != want {
				t.Fatalf("board %d, one word: %d, want %d", i, found, want)
			}
		}
		if want > 0 {
			more++
		}
	}
	if more < 50 {
		t.Errorf("%d covers are not empty", more)
	}
}

// TestCoverSizes: sets of different sizes give the same cover, where rows lie across their words.
func TestCoverSizes(t *testing.T) {
	for _, name := range []string{"peg/8x8", "peg/9x9", "peg/triangle28", "peg/wiegleb"} {
		for seed := range uint64(3) {
			f, err := newField(random(t, name, seed), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := coverOf[[64]uint64](f)
			if found := coverOf[[2]uint64](f); found != want {
				t.Errorf("%s: two words %d, 64 words %d", name, found, want)
			}
			if f.places() <= 64 {
				if found := coverOf[[1]uint64](f); found != want {
					t.Errorf("%s: one word %d, 64 words %d", name, found, want)
				}
			}
		}
	}
}
