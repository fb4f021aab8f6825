package bitset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
)

func Example() {
	s := bitset.New(100)
	s.Add(7)
	s.Add(64)
	s.Flip(99)
	fmt.Println(s.Count(), s.Has(64), s.Has(65), slices.Collect(s.All()))
	// Output: 3 true false [7 64 99]
}

// A Set does what a map does.
func TestAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []uint64{1, 63, 64, 65, 1000} {
		s, m := bitset.New(n), make(map[uint64]bool)
		for range 500 {
			x := rng.Uint64N(n)
			if rng.IntN(2) == 0 {
				s.Add(x)
				m[x] = true
			} else {
				s.Flip(x)
				m[x] = !m[x]
			}
		}
		var want []uint64
		for x := range n {
			if s.Has(x) != m[x] {
				t.Fatalf("n=%d: Has(%d) = %t", n, x, s.Has(x))
			}
			if m[x] {
				want = append(want, x)
			}
		}
		if got := slices.Collect(s.All()); !slices.Equal(got, want) || s.Count() != uint64(len(want)) {
			t.Fatalf("n=%d: members %v, count %d; want %v", n, got, s.Count(), want)
		}
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 0, 1: 1, 64: 1, 65: 2, 1<<64 - 1: 1 << 58} {
		if got := bitset.Words(n); got != want {
			t.Errorf("Words(%d) = %d, want %d", n, got, want)
		}
	}
	if _, err := bitset.Over(make([]uint64, 2), 64); err == nil {
		t.Error("Over took two words for 64 bits")
	}
	if s, err := bitset.Over([]uint64{5}, 3); err != nil || s.Count() != 2 || s.Len() != 3 {
		t.Errorf("Over: %v, %v", s, err)
	}
}

// What is read block by block is what is in the set.
func TestReader(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []uint64{1, 64, 1000, 1 << bitset.BlockBits, 3<<bitset.BlockBits + 77} {
		s := bitset.New(n)
		for range 2000 {
			s.Add(rng.Uint64N(n))
		}
		members := slices.Collect(s.All())
		for range 300 {
			x := rng.Uint64N(n)
			has, err := bitset.Has(s, x)
			rank, err2 := bitset.Rank(s, x)
			i, found := slices.BinarySearch(members, x)
			if has != found || rank != uint64(i) || err != nil || err2 != nil {
				t.Fatalf("n=%d: Has(%d) = %t, Rank = %d; %v, %v", n, x, has, rank, err, err2)
			}
			k := rng.IntN(len(members))
			if y, err := bitset.Select(s, uint64(k)); y != members[k] || err != nil {
				t.Fatalf("n=%d: Select(%d) = %d, %v; want %d", n, k, y, err, members[k])
			}
		}
		if all, err := bitset.Rank(s, n); all != s.Count() || err != nil {
			t.Errorf("n=%d: Rank(%d) = %d, %v", n, n, all, err)
		}
		if _, err := bitset.Select(s, s.Count()); err == nil {
			t.Errorf("n=%d: there is a member too many", n)
		}
		if has, err := bitset.Has(s, n); has || err != nil {
			t.Errorf("n=%d: Has(n) = %t, %v", n, has, err)
		}
	}
}

// Planes do what a slice does.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for width := 1; width <= bitset.MaxWidth; width++ {
		for _, n := range []uint64{1, 64, 65, 500} {
			p, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]uint16, n)
			for range 1000 {
				i, v := rng.Uint64N(n), uint16(rng.Uint32())
				p.Set(i, v)
				want[i] = v & (1<<width - 1)
			}
			if p.Len() != n || p.Width() != width || uint64(len(p.Words())) != bitset.PlaneWords(n, width) {
				t.Errorf("width %d, n=%d: %d entries of %d bits in %d words", width, n, p.Len(), p.Width(), len(p.Words()))
			}
			group := rng.Uint64N(bitset.Words(n))
			var fill, notZero uint64
			for i := group * 64; i < min(n, group*64+64); i++ {
				if want[i] == 0 && rng.IntN(2) == 0 {
					fill |= 1 << (i % 64)
					want[i] = 1
				}
				if want[i] != 0 {
					notZero |= 1 << (i % 64)
				}
			}
			p.SetAll(group, fill, 1)
			if got := p.NotZero(group); got != notZero {
				t.Errorf("width %d, n=%d: entries %x are not 0, want %x", width, n, got, notZero)
			}
			for i := range n {
				if got := p.Get(i); got != want[i] {
					t.Fatalf("width %d, n=%d: entry %d is %d, want %d", width, n, i, got, want[i])
				}
			}
		}
	}
	for _, width := range []int{-1, 0, bitset.MaxWidth + 1} {
		if _, err := bitset.PlanesOver(nil, 0, width); err == nil {
			t.Errorf("entries of %d bits were taken", width)
		}
	}
	if _, err := bitset.PlanesOver(make([]uint64, 5), 64, 6); err == nil {
		t.Error("five words were taken for 64 entries of 6 bits")
	}
}

// The Support of Planes is the set of the entries that are not 0.
func TestSupport(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, width := range []int{1, 9, 16} {
		for _, n := range []uint64{1, 100, 1<<bitset.BlockBits + 70} {
			p, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
			if err != nil {
				t.Fatal(err)
			}
			want := bitset.New(n)
			for range 1000 {
				x := rng.Uint64N(n)
				p.Set(x, 1<<rng.IntN(width))
				want.Add(x)
			}
			s := bitset.Support{Planes: p}
			var words []uint64
			for i := range bitset.Blocks(s) {
				block, err := s.Block(i)
				if err != nil {
					t.Fatal(err)
				}
				words = append(words, block...)
			}
			if !slices.Equal(words, want.Words()) {
				t.Errorf("width %d, n=%d: the blocks differ", width, n)
			}
			for range 100 {
				x := rng.Uint64N(n)
				has, err1 := bitset.Has(s, x)
				word, err2 := s.Word(x / 64)
				if has != want.Has(x) || word != want.Words()[x/64] || err1 != nil || err2 != nil {
					t.Fatalf("width %d, n=%d: Has(%d) = %t, Word = %x; %v, %v", width, n, x, has, word, err1, err2)
				}
			}
		}
	}
}

// A finder finds single numbers, and makes words and blocks of them.
type finder struct{ *bitset.Set }

func (f finder) Has(x uint64) (bool, error)       { return f.Set.Has(x), nil }
func (f finder) Word(i uint64) (uint64, error)    { return bitset.WordByHas(f, i) }
func (f finder) Block(i uint64) ([]uint64, error) { return bitset.BlockByWord(f, i) }

func TestBlockByWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []uint64{1, 64, 100, 1<<bitset.BlockBits - 1, 1 << bitset.BlockBits, 1<<bitset.BlockBits + 65} {
		set := bitset.New(n)
		for range 1000 {
			set.Add(rng.Uint64N(n))
		}
		for i := range bitset.Blocks(set) {
			want, err := set.Block(i)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := (finder{set}).Block(i); err != nil || !slices.Equal(got, want) || bitset.BlockWords(set, i) != uint64(len(want)) {
				t.Errorf("%d numbers: block %d differs, %v", n, i, err)
			}
		}
	}
}
