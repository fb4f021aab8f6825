package slide

import (
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/spacetest"
)

// TestNear: the space finds the members near to a target that a look at all members finds, also
// with the numbers of n-puzzles, which are not those of the packing.
func TestNear(t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {2, 3}, {4, 2}} {
		if !long.Tests && size[0] > 2 {
			continue
		}
		p, err := library.NPuzzle(size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		spacetest.Test(t, mustSpace(t, "test", p, tray.Steps, false), 20)
	}
}
