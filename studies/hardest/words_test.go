package hardest

import (
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/slide/tray"
)

// Searches with few tails, with no tails of several words and with all find what the plain search finds.
func TestTails(t *testing.T) {
	size, bytes := maxTail, maxTailBytes
	defer func() { maxTail, maxTailBytes = size, bytes }()
	var twins []*twin
	for m := range tray.Supersteps {
		twins = append(twins, cornerTwins(t, Rectangle(1, 2, 4), m)...)
	}
	twins = append(twins, cornerTwins(t, Rectangle(1, 3, 3), tray.Moves)...)
	r := rand.New(rand.NewPCG(3, 4))
	for range 15 {
		data := make([]byte, 120)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		twins = append(twins, newTwin(t, problemOf(data)))
	}
	for _, limit := range []struct {
		size  uint32
		bytes uint64
	}{{64, 0}, {100, 1 << 20}, {1 << 10, 0}, {1 << 20, 1 << 30}} {
		maxTail, maxTailBytes = limit.size, limit.bytes
		for _, w := range twins {
			w.compare(t, Options{Threads: 2})
		}
	}
}

// carry keeps the rank of each bit.
func TestCarry(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		from, to := r.Uint64()&r.Uint64(), uint64(0)
		set, want := from&r.Uint64(), uint64(0)
		for at := range 64 { // as many bits, at the lowest cells
			if from>>at&1 != 0 {
				want |= set >> at & 1 << bitsIn(to)
				to = to<<1 | 1
			}
		}
		if got := carry(set, from, to); got != want {
			t.Fatalf("carry(%x, %x, %x) is %x, want %x", set, from, to, got, want)
		}
		if got := carry(want, to, from); got != set {
			t.Fatalf("carry(%x, %x, %x) is %x, want %x", want, to, from, got, set)
		}
	}
}

func bitsIn(word uint64) (n int) {
	for ; word != 0; word &= word - 1 {
		n++
	}
	return n
}
