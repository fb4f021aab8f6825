package twenty48_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/twenty48"
)

// Check takes what Parse returns, and nothing else: other numbers are other images, other sums, or no boards.
func TestCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range [][2]int{{2, 2}, {1, 5}, {3, 3}, {4, 4}, {1, 16}} {
		g, err := twenty48.NewGame("test", twenty48.Options{Rows: size[0], Columns: size[1], P4: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		good, bad := 0, 0
		for range 3000 {
			state := r.Uint64() >> (4 * r.IntN(16)) & r.Uint64() & r.Uint64()
			layer := twenty48.Tiles.Sum(glide.Board(state))
			inside := bits.Len64(state) <= 4*g.Cells()
			same := false
			if inside {
				_, image, err := g.Parse(g.Format(layer, state))
				same = err == nil && image == state
			}
			if err := g.Check(layer, state); (err == nil) != same {
				t.Fatalf("%dx%d: %x: %v, expected a state: %t", size[0], size[1], state, err, same)
			}
			if g.Check(layer+2, state) == nil {
				t.Fatalf("%dx%d: %x has another sum than %d", size[0], size[1], state, layer+2)
			}
			if same {
				good++
			} else {
				bad++
			}
		}
		if good < 10 || bad < 10 {
			t.Errorf("%dx%d: %d states and %d others: too few to compare", size[0], size[1], good, bad)
		}
		if all := ^uint64(0); g.Check(twenty48.Tiles.Sum(glide.Board(all)), all) == nil {
			t.Errorf("%dx%d: a board of 16 tiles of 32768 is a state", size[0], size[1])
		}
	}
}
