package player

import (
	"math"
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
)

// TestThrees holds the rules of Threes for players to those of exact games. These list the next tiles of
// a state first, then the cells that they enter; here, a state has its next tile already.
func TestThrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, o := range []threes.Options{
		threes.Standard(2, 3), {Rows: 3, Columns: 3}, {Rows: 4, Columns: 3, Bag: 1},
		{Rows: 3, Columns: 3, Bag: 4, Stop: 6144, Bonus: true}, {Rows: 2, Columns: 5, Bag: 0, Stop: 6144, Bonus: true},
		{Rows: 2, Columns: 3, Bag: 2, Hidden: true}, {Rows: 3, Columns: 3, Bag: 4, Stop: 6144, Bonus: true, Hidden: true},
	} {
		exact, err := threes.NewGame("threes", o)
		if err != nil {
			t.Fatal(err)
		}
		g, err := NewThrees(o)
		if err != nil {
			t.Fatal(err)
		}
		// key is the exact state of a board and a bag; a full bag has all bits 0.
		key := func(b glide.Board, bag uint64) uint64 {
			if bag == uint64(o.Bag)*0x111 {
				bag = 0
			}
			return uint64(exact.Canonical(b)) | bag<<(4*exact.Cells())
		}
		rules, raised := exact.NewRules(), 0
		for range 3000 {
			// A random board, and any next tile that its bag may give.
			var b glide.Board
			for c := range exact.Cells() {
				b = b.With(c, uint8(max(0, r.IntN(13)-2)))
			}
			bag := uint64(o.Bag) * 0x111
			if o.Bag > 1 && r.IntN(2) > 0 {
				bag = uint64(1+r.IntN(o.Bag)) * 0x101
			}
			hinted := g.(*three).hinted(nil, b, bag, g.(*three).Hidden, 1)
			now := hinted[r.IntN(len(hinted))]
			next := now.To.Rest >> 12 & 15
			d := glide.Direction(r.IntN(glide.Directions))
			after, _, moved := g.Slide(now.To, d)
			layer, state, known, symmetry := g.Exact(now.To)
			if state != key(b, bag) || layer != threes.Tiles.Sum(b) || !o.Hidden && uint64(known)+1 != next || o.Hidden && known+uint8(next) != 0 {
				t.Fatalf("%s: %#x with the bag %#x is the state %#x of layer %d, case %d", g.Name(), b, bag, state, layer, known)
			}
			want := map[uint64]float64{}
			found := false
			for _, m := range rules.Moves(nil, state) {
				if glide.Direction(m.Number) != exact.ImageDirection(symmetry, d) || m.Case != known {
					continue
				}
				found = true
				if math.Abs(m.Chance-now.Chance) > 1e-12 {
					t.Fatalf("%s: next tile %d of %#x has chance %v, want %v", g.Name(), next, b, now.Chance, m.Chance)
				}
				for _, draw := range rules.Draws(nil, m.After) {
					want[draw.To] += draw.Chance
				}
			}
			if found != moved {
				t.Fatalf("%s: %#x, %v: moved %v, want %v", g.Name(), b, d, moved, found)
			}
			if !moved {
				continue
			}
			if (next == bonusHint || o.Hidden) && glide.Max(after.Board) > glide.Max(b) {
				raised++
			}
			got := map[uint64]float64{}
			for _, draw := range g.Draws(nil, after) {
				// Take the next tile back.
				rest := draw.To.Rest & 0xfff
				if h := draw.To.Rest >> 12; h >= 1 && h <= 3 && o.Bag > 0 {
					rest += 1 << (4 * (h - 1))
				}
				got[key(draw.To.Board, rest)] += draw.Chance
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %#x, %v: %d states follow, want %d", g.Name(), b, d, len(got), len(want))
			}
			for to, chance := range want {
				if math.Abs(got[to]-chance) > 1e-12 {
					t.Fatalf("%s: %#x, %v: %#x has chance %v, want %v", g.Name(), b, d, to, got[to], chance)
				}
			}
		}
		if o.Bonus && raised == 0 {
			t.Errorf("%s: no slide made a higher tile when a bonus tile was next", g.Name())
		}
	}
}
