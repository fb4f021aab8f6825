package bitset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
)

// A Mover does to a set what Number does to its members one by one, in parts or at once,
// and the inverse order undoes it.
func TestMover(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 200 {
		o := bitset.Order(rng.Perm(6 + i%9))
		if i%17 == 0 {
			o = bitset.PlainOrder(len(o))
		}
		if err := o.Check(); err != nil || o.Plain() != slices.IsSorted(o) {
			t.Fatalf("%v: plain %t, %v", o, o.Plain(), err)
		}
		n := uint64(1) << len(o)
		set, want := bitset.New(n), bitset.New(n)
		for range n / 3 {
			path := rng.Uint64N(n)
			set.Add(o.Number(path))
			want.Add(path)
		}
		words := uint64(len(set.Words()))
		m := o.Mover()
		part := 1 + rng.Uint64N(m.Groups())
		paths, back := make([]uint64, words), make([]uint64, words)
		for first := uint64(0); first < m.Groups(); first += part {
			m.Move(paths, set.Words(), first, min(first+part, m.Groups()))
		}
		if !slices.Equal(paths, want.Words()) {
			t.Fatalf("%v in parts of %d: %x, want %x", o, part, paths, want.Words())
		}
		inverse := o.Inverse().Mover()
		inverse.Move(back, paths, 0, inverse.Groups())
		if !slices.Equal(back, set.Words()) {
			t.Fatalf("%v and back: %x, want %x", o, back, set.Words())
		}
	}
	for _, o := range []bitset.Order{{1}, {0, 0}, {0, -1}, {0, 1, 3}} {
		if o.Check() == nil {
			t.Errorf("%v was taken for an order", o)
		}
	}
}
