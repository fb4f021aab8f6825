package peg_test

import (
	"testing"

	"pagoda/puzzle/peg/pegtest"
)

// A pointer has room for every line. TestLaws and TestRandomBoards hold the pointers that are
// found 64 at a time against those found state by state.
func TestPointerBits(t *testing.T) {
	for name, want := range map[string]int{"peg/5x7": 6, "peg/8x8": 7} {
		if bits := pegtest.Lookup(t, name).Parts().Sweep.Pointers.Bits; bits != want {
			t.Errorf("a pointer of %s takes %d bits, want %d", name, bits, want)
		}
	}
}
