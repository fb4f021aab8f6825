package best

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/studies/weighted/internal/weightedtest"
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
	c := newCover[S](f, math.MaxInt32, nil)
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
		f, err := newField(weightedtest.Random(rng, 12))
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
			f, err := newField(random(t, name, seed))
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

// plainShrink is shrink peg by peg.
func (c *cover[S]) plainShrink(region, free S, rest []int64) S {
	for w := range len(free) {
		free[w] &= region[w]
	}
	order := appendPlaces(nil, free)
	slices.SortStableFunc(order, func(p, q int32) int { return cmp.Compare(rest[p], rest[q]) })
	for _, p := range order {
		if smaller := peel(c.axes, without(region, int(p))); has(region, int(p)) && !isEmpty(smaller) {
			region = smaller
		}
	}
	return region
}

// TestShrink: regions shrink as they do peg by peg, also if some pegs are not free.
func TestShrink(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, name := range []string{"peg/8x8", "peg/12x12", "peg/triangle28", "peg/20x20", "peg/23x22"} {
		for _, heaviest := range []int64{1, 5, 1000} {
			f, err := newField(named(t, name, func(int) int64 { return 1 + rng.Int64N(heaviest) }))
			if err != nil {
				t.Fatal(err)
			}
			c := newCover[[64]uint64](f, 0, nil)
			var pegs, free [64]uint64
			for cell, k := range f.start {
				if place := int(c.place[cell]); k != 0 {
					c.weights[place] = f.weights[k]
					add(&pegs, place)
					if rng.IntN(8) > 0 {
						add(&free, place)
					}
				}
			}
			for _, free := range [][64]uint64{pegs, free} {
				region := peel(c.axes, pegs)
				got, want := c.shrink(region, free, c.weights), c.plainShrink(region, free, c.weights)
				if got != want || isEmpty(got) {
					t.Errorf("%s, weights up to %d: %v, want %v", name, heaviest, got, want)
				}
			}
		}
	}
}
