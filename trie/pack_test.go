package trie

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/trie/zstd"
)

// small returns tries of all sorts for tests of damage.
func small(t testing.TB, rng *rand.Rand) (all []*Trie) {
	ss, orders := sets(rng, 1<<13)
	for i, s := range ss {
		all = append(all, build(t, s, orders[i]))
	}
	return all
}

// use asks everything of a trie that may be corrupt: there may be errors and wrong
// answers, but no panic.
func use(t testing.TB, tr *Trie) {
	ok := func(err error) {
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, bitset.ErrRank) {
			t.Fatalf("%v is not ErrCorrupt", err)
		}
	}
	_, err := tr.Has(tr.Len() / 2)
	ok(err)
	_, err = tr.Word(tr.Len() / 64 / 3)
	ok(err)
	if tr.Len() > 0 {
		block, err := tr.Block(0)
		ok(err)
		if err == nil && uint64(len(block)) > bitset.Words(tr.Len()) {
			t.Fatalf("a block of %d words", len(block))
		}
	}
	_, err = tr.Rank(tr.Len() / 3)
	ok(err)
	_, err = tr.Select(tr.States() / 2)
	ok(err)
	q := NearQuery{Within: 1 << 20, Limit: 3}
	for bit := range tr.order {
		q.Terms = append(q.Terms, Term{1 << bit, bit%2 == 0})
		q.Costs = append(q.Costs, [2]uint64{uint64(bit % 3), 1})
	}
	q.Most = len(q.Terms) - 1
	_, err = tr.Count(t.Context(), Pattern{Terms: q.Terms[:min(8, len(q.Terms))], Values: slices.Repeat([]Values{One, Zero}, 4)[:min(8, len(q.Terms))], Most: 99})
	ok(err)
	for m, err := range tr.Near(t.Context(), q) {
		if ok(err); err == nil && m.State>>(len(tr.order)-1)>>1 != 0 {
			t.Fatalf("found %d among numbers below %d", m.State, tr.Len())
		}
	}
	ok(tr.Check(t.Context()))
	ok(tr.Pack(io.Discard, zstd.Coder{}))
}

func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, tr := range small(t, rng) {
		for n := range tr.Words() {
			if _, err := Over(tr.Words()[:n]); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%d of %d words: %v", n, len(tr.Words()), err)
			}
		}
		if _, err := Over(append(slices.Clone(tr.Words()), 0)); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("a word too many: %v", err)
		}
		for range 200 {
			words := slices.Clone(tr.Words())
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(words))
				if rng.IntN(2) == 0 {
					at = rng.IntN(min(len(words), 20))
				}
				switch rng.IntN(3) {
				case 0:
					words[at] ^= 1 << rng.IntN(64)
				case 1:
					words[at] = rng.Uint64()
				case 2:
					words[at] += uint64(rng.IntN(5)) - 2
				}
			}
			if damaged, err := Over(words); err == nil {
				use(t, damaged)
			} else if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
		}
	}
}

// Every number that may be too large is.
func TestOverHeaders(t *testing.T) {
	for _, words := range [][]uint64{
		{1 << 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 << 63},
		{^uint64(0), 0, 0},
		append([]uint64{^uint64(0)}, make([]uint64, headWords+58)...),
		{128, 0, 1 << 32, 0x0504030201_00, 6 << 48, 0, 0, 0, 0, 0, 0, 0, 0},
		{100, 100, 1, 0x050403020100, 6 << 48, 0, 0, 0, 0, 0, 0, 0, 0},
		{1, 1, 1, 0x050403020100, 0, 0, 0, 0, 0, 0, 0, 0},
		{1, 1, 2, 0x050403020100, 0, 0, 0, 0, 0, 0, 0, 1, 3},
	} {
		if tr, err := Over(words); err == nil {
			t.Errorf("%x was taken: %d members", words, tr.States())
		}
	}
}

func TestPack(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	ss, orders := sets(rng, 1<<21)
	big := bitset.New(1 << 24) // more than one chunk on a level
	for i := range big.Words() {
		big.Words()[i] = rng.Uint64()
	}
	ss, orders = append(ss, big), append(orders, nil)
	for i, s := range ss {
		tr := build(t, s, orders[i])
		var packed bytes.Buffer
		if err := tr.Pack(&packed, zstd.Coder{}); err != nil {
			t.Fatal(err)
		}
		size := uint64(8 * len(tr.Words()))
		u, err := Unpack(iotest.OneByteReader(bytes.NewReader(packed.Bytes())), zstd.Coder{}, size)
		if err != nil || !slices.Equal(u.Words(), tr.Words()) {
			t.Fatalf("set %d: unpacked, it is another trie: %v", i, err)
		}
		if _, err := Unpack(bytes.NewReader(packed.Bytes()), zstd.Coder{}, size-1); !errors.Is(err, ErrSize) {
			t.Fatalf("set %d: too large: %v", i, err)
		}
		if _, err := Unpack(bytes.NewReader(append(packed.Bytes(), 0)), zstd.Coder{}, size); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("set %d: a byte more: %v", i, err)
		}
		if err := tr.Pack(&failing{packed.Len() / 2}, zstd.Coder{}); err != io.ErrClosedPipe && !errors.Is(err, io.ErrClosedPipe) {
			t.Fatalf("set %d: a writer that fails: %v", i, err)
		}
	}
	// Nodes in another order are not packed.
	s := bitset.New(128)
	s.Add(0)
	s.Add(65)
	words := build(t, s, nil).Words()
	words[len(words)-1] = bits32(3, 2)
	words[len(words)-2], words[len(words)-3] = words[len(words)-3], words[len(words)-2]
	tr, err := Over(words)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Pack(io.Discard, zstd.Coder{}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("nodes in another order: %v", err)
	}
}

func bits32(lo, hi uint64) uint64 { return lo | hi<<32 }

// failing takes some bytes and no more.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestUnpackDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, tr := range small(t, rng) {
		var packed bytes.Buffer
		if err := tr.Pack(&packed, zstd.Coder{}); err != nil {
			t.Fatal(err)
		}
		all := packed.Bytes()
		for n := range all {
			if n > 400 && n < len(all)-20 || n%long.Or(1, 3) > 0 {
				continue
			}
			if _, err := Unpack(bytes.NewReader(all[:n]), zstd.Coder{}, 1<<20); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%d of %d bytes: %v", n, len(all), err)
			}
		}
		for range 100 {
			bad := slices.Clone(all)
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			u, err := Unpack(bytes.NewReader(bad), zstd.Coder{}, 1<<20)
			if err == nil && !slices.Equal(u.Words(), tr.Words()) {
				t.Fatalf("a bit was turned over, and it is another trie")
			} else if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
		}
	}
	if _, err := Unpack(iotest.ErrReader(io.ErrNoProgress), zstd.Coder{}, 1<<20); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that fails: %v", err)
	}
}

func wordsOf(data []byte) (words []uint64) {
	for ; len(data) >= 8; data = data[8:] {
		words = append(words, binary.LittleEndian.Uint64(data))
	}
	return words
}

func FuzzOver(f *testing.F) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, tr := range small(f, rng) {
		if len(tr.Words()) < 100 {
			var data []byte
			for _, w := range tr.Words() {
				data = binary.LittleEndian.AppendUint64(data, w)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		if tr, err := Over(wordsOf(data)); err == nil {
			use(t, tr)
		} else if !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	rng := rand.New(rand.NewPCG(19, 20))
	for _, tr := range small(f, rng) {
		var packed bytes.Buffer
		if err := tr.Pack(&packed, zstd.Coder{}); err != nil {
			f.Fatal(err)
		}
		f.Add(packed.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Unpack(bytes.NewReader(data), zstd.Coder{}, 1<<16)
		if err != nil {
			return
		}
		use(t, tr)
		var packed bytes.Buffer
		if err := tr.Pack(&packed, zstd.Coder{}); err != nil {
			t.Fatalf("packed again: %v", err)
		}
		if again, err := Unpack(&packed, zstd.Coder{}, 1<<16); err != nil || !slices.Equal(again.Words(), tr.Words()) {
			t.Fatalf("unpacked again: %v", err)
		}
	})
}

// FuzzTrie takes a set and questions from the input.
func FuzzTrie(f *testing.F) {
	f.Add([]byte("a set of numbers, such as these letters are"), uint64(1), uint16(300), true)
	f.Add(bytes.Repeat([]byte{255, 0, 0, 15}, 32), uint64(2), uint16(1024), false)
	f.Add([]byte{1}, uint64(3), uint16(64), true)
	f.Add([]byte{}, uint64(4), uint16(0), false)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, n uint16, shuffled bool) {
		n %= 1<<12 + 1
		rng := rand.New(rand.NewPCG(seed, 0))
		s := bitset.New(uint64(n))
		for x := range s.Len() {
			if len(data) > 0 && data[int(x/8)%len(data)]>>(x%8)&1 == 1 {
				s.Add(x)
			}
		}
		var o Order
		if shuffled && n >= 64 && n&(n-1) == 0 {
			o = rng.Perm(Bits(s.Len()))
		}
		tr := build(t, s, o)
		if err := tr.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		for x := range s.Len() {
			if has, err := tr.Has(x); has != s.Has(x) || err != nil {
				t.Fatalf("Has(%d) = %t, %v", x, has, err)
			}
		}
		for i := range min(s.Count(), 50) {
			x, err := tr.Select(i)
			rank, err2 := tr.Rank(x)
			if !s.Has(x) || rank != i || err != nil || err2 != nil {
				t.Fatalf("Select(%d) = %d of rank %d: %v, %v", i, x, rank, err, err2)
			}
		}
		for range 3 {
			checkQuery(t, tr, s, randomQuery(rng, Bits(s.Len())))
		}
	})
}
