package peg_test

import (
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

func pointers(t *testing.T, n uint64, width int) *bitset.Planes {
	t.Helper()
	p, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Pointers, 64 at a time, are those that are found state by state, and lead to the
// start.
func TestPoint(t *testing.T) {
	for _, sp := range boards(t) {
		set := enumerate(t, sp, statespace.Engines(sp)[0], 2)
		want := pointers(t, sp.Size(), sp.PointerBits())
		statespace.PointPlain(sp, set, want)
		for _, threads := range []int{1, 3} {
			got := pointers(t, sp.Size(), sp.PointerBits())
			if err := statespace.Point(t.Context(), sp, set, got, threads, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Words(), want.Words()) {
				t.Errorf("%s: pointers on %d threads differ from those state by state", sp.Name(), threads)
			}
		}
		n := 0
		for x := range set.All() {
			way, err := statespace.FollowPath(sp, func(x uint64) (uint8, error) { return want.Get(x), nil }, x)
			if err != nil {
				t.Fatal(err)
			}
			at := way.From
			for _, step := range way.Steps {
				if !slices.Contains(sp.Successors(nil, at), statespace.Edge{To: step.State, Move: step.Move}) {
					t.Fatalf("%s: no move %d from %s", sp.Name(), step.Move, sp.Format(at))
				}
				at = step.State
			}
			if at != x {
				t.Fatalf("%s: a way ends in %s, not %s", sp.Name(), sp.Format(at), sp.Format(x))
			}
			if n++; n > 2000 {
				break
			}
		}
	}
	if bits := lookup(t, "peg/5x7").PointerBits(); bits != 6 {
		t.Errorf("a pointer of 5x7 takes %d bits, want 6", bits)
	}
	if bits := lookup(t, "peg/8x8").PointerBits(); bits != 7 {
		t.Errorf("a pointer of 8x8 takes %d bits, want 7", bits)
	}
}
