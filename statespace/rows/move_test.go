package rows

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// The fast ways to move columns are the plain ones, for few and for many columns, and for those that fill no word.
func TestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 2000 {
		columns := 1 + rng.IntN(200)
		words := (columns + 63) / 64
		by := make([]uint16, columns)
		for i, to := range rng.Perm(columns) {
			by[i] = uint16(to)
		}
		some := func() []uint64 {
			set, share := make([]uint64, words), rng.Float64()
			for column := range columns {
				if rng.Float64() < share*share {
					set[column>>6] |= 1 << (column & 63)
				}
			}
			return set
		}
		from, unseen, to := some(), some(), some()
		want, got := slices.Clone(to), slices.Clone(to)
		pushPlain(want, from, by)
		pushBy(got, from, by)
		if !slices.Equal(got, want) {
			t.Fatalf("pushed %x by %d to %x: found %x, want %x", from, by, to, got, want)
		}
		want, got = slices.Clone(to), slices.Clone(to)
		left, unseenGot := slices.Clone(unseen), slices.Clone(unseen)
		n, m := pullPlain(want, left, from, by), pullBy(got, unseenGot, from, by)
		if n != m || !slices.Equal(got, want) || !slices.Equal(left, unseenGot) {
			t.Fatalf("pulled %x by %d from %x: found %x, %x left, want %x, %x", unseen, by, from, got, unseenGot, want, left)
		}
		for i := range words { // what is moved and what is left is what was there
			if bits.OnesCount64(left[i]|want[i]) < bits.OnesCount64(unseen[i]|to[i]) {
				t.Fatalf("columns of word %d are lost", i)
			}
		}
	}
}
