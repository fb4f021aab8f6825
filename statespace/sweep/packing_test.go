package sweep

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pagoda/statespace"
)

// Blocks of any density come back from their packed form, and damaged ones make no panic.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 3000 {
		words := make([]uint64, 1<<rng.IntN(9))
		n := rng.IntN(1 + 64*len(words))
		if rng.IntN(3) == 0 {
			n = rng.IntN(4)
		}
		for range n {
			x := rng.IntN(64 * len(words))
			words[x/64] |= 1 << (x % 64)
		}
		if rng.IntN(20) == 0 {
			for i := range words {
				words[i] = ^uint64(0)
			}
		}
		packed := appendPacked([]byte("head"), words)[4:]
		if most := 8*len(words) + 8; len(packed) > most {
			t.Errorf("%d words with %d members take %d bytes", len(words), n, len(packed))
		}
		got := make([]uint64, len(words))
		for i := range got {
			got[i] = rng.Uint64()
		}
		if err := unpack(got, packed); err != nil || !slices.Equal(got, words) {
			t.Fatalf("%x became %x, %v", words, got, err)
		}
		if len(packed) == 0 {
			continue
		}
		if err := unpack(got, packed[:rng.IntN(len(packed))]); err == nil && slices.Equal(got, words) {
			t.Errorf("%x is whole without its end", words)
		}
		bad := slices.Clone(packed)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		unpack(got, bad)
	}
}

// oneFeed has two blocks. The second reads the first.
type oneFeed struct{ statespace.Feeds }

func (oneFeed) Stages() int                             { return 2 }
func (oneFeed) Begin(stage int) uint64                  { return uint64(stage) }
func (oneFeed) Targets(dst []uint64, i uint64) []uint64 { return append(dst, i+1) }
func (oneFeed) NewMaker() statespace.Maker              { return noMaker{} }

type noMaker struct{ statespace.Maker }

func (noMaker) Grow([]uint64, func(uint64) []uint64) {}

// After a failure, a lease that waits for a block ends while another one still makes the block whole. The
// race detector sees whether the two have to do with the same memory.
func TestLeaseEndsEarly(t *testing.T) {
	for range 50 {
		s := newPackedStore(oneFeed{}, 1, make([]uint64, 8), 1, 8, nil)
		maker, waits := s.newLease(), s.newLease()
		if err := maker.take(nil, []uint64{0}); err != nil {
			t.Fatal(err)
		}
		s.fail(errors.New("no"))
		if err := waits.take([]uint64{0}, nil); err != s.failed {
			t.Fatalf("it waits for %v", err)
		}
		var both sync.WaitGroup
		both.Go(func() { waits.giveBack(0) })
		both.Go(func() { maker.ready([]uint64{0}) })
		both.Wait()
		if k := s.where[0]; k == 0 || !s.slots[k-1].ready.Load() || s.slots[k-1].users != 1 {
			t.Fatalf("the block that is held is in slot %d: %+v", k, s.slots)
		}
		if maker.giveBack(1); s.where[0] == 0 || s.nexts[s.where[0]-1] != 2 {
			t.Errorf("the next use is in %+v", s.nexts)
		}
		if s.reset(); s.where[0] != 0 || len(s.free) != 8 || s.failed != nil {
			t.Errorf("after a failure %+v", s)
		}
	}
}

// A lease for which there was no slot does not look at the slot that another lease takes for the same block.
func TestLeaseBeside(t *testing.T) {
	for range 50 {
		s := newPackedStore(oneFeed{}, 1, make([]uint64, 1), 1, 1, nil)
		slot, beside := s.newLease(), s.newLease()
		if err := cmp.Or(slot.take([]uint64{1}, nil), beside.take([]uint64{0}, nil)); err != nil || beside.beside[0] == nil {
			t.Fatalf("both have slots: %+v, %v", s.slots, err)
		}
		slot.giveBack(0)
		var both sync.WaitGroup
		both.Go(func() {
			if err := slot.take([]uint64{0}, nil); err != nil {
				t.Error(err)
			}
		})
		both.Go(func() { beside.ready([]uint64{0}) })
		both.Wait()
		if &slot.at(0)[0] == &beside.at(0)[0] {
			t.Error("both use the same memory")
		}
	}
}

func BenchmarkPacking(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 7))
	words := make([]uint64, 4096)
	for range 1360 {
		x := rng.IntN(64 * len(words))
		words[x/64] |= 1 << (x % 64)
	}
	packed := appendPacked(nil, words)
	b.Run("pack", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		var buf []byte
		for b.Loop() {
			buf = appendPacked(buf[:0], words)
		}
		b.ReportMetric(float64(8*len(words))/float64(len(packed)), "ratio")
	})
	b.Run("unpack", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		for b.Loop() {
			unpack(words, packed)
		}
	})
}
