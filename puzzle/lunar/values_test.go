package lunar

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/lunar/board"
)

// TestValueOf compares the values of random problems, given random values of the problems that follow, with those in
// the words of the rules. Both look at the same problems.
func TestValueOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	for i := range 200 {
		b := randomBoard(t, rng)
		if i%2 == 0 {
			b = b.BySlides()
		}
		g, err := New(t.Context(), "lunar/values", b, 1+rng.IntN(3), rng.IntN(5), 0)
		if err != nil {
			continue // the pieces have no place
		}
		seed := rng.Uint64()
		for range 50 {
			p, _ := g.representative(rng.Uint64N(g.orbitSize()))
			values := make([]uint64, Columns)
			var looked [2][]uint64
			near := func(k int) func(q board.Position) ([]uint64, board.Set, []int) {
				return func(q board.Position) ([]uint64, board.Set, []int) {
					y, turn := g.orbitBy(q)
					looked[k] = append(looked[k], y)
					of := rand.New(rand.NewPCG(seed, y))
					if of.IntN(3) == 0 {
						return nil, 0, nil
					}
					values[StepsColumn], values[SolutionsColumn] = of.Uint64N(4), 1<<(of.Uint64N(34))-1
					values[AlwaysColumn], values[SomeColumn] = of.Uint64N(32), of.Uint64N(32)
					return values, g.turn.set(q.Numbers, turn), g.turns[turn]
				}
			}
			var got, want [Columns]uint64
			g.valueOf(got[:], p, near(0))
			g.valueByMoves(want[:], p, near(1))
			slices.Sort(looked[0])
			slices.Sort(looked[1])
			if got != want || !slices.Equal(looked[0], looked[1]) {
				t.Fatalf("%s has the values %v from %v, want %v from %v", b.FormatPosition(p), got, looked[0], want, looked[1])
			}
		}
	}
}

// valueByMoves is valueOf in the words of the rules, move by move. Next returns those of a problem one
// move nearer to its solution, and the bit of the number piece in each of its cells, or nil.
func (n *numbering) valueByMoves(dst []uint64, p board.Position, next func(p board.Position) (values []uint64, numbers board.Set, turn []int)) {
	clear(dst)
	if p.Solved() {
		dst[SolutionsColumn] = 1
		return
	}
	dst[StepsColumn] = ^uint64(0)
	for _, m := range n.b.Moves(nil, p) {
		after := p.After(m)
		values, numbers, turn := next(after)
		if values == nil {
			continue
		}
		var always, some uint64
		used, i := p.Used(m), 0
		for left := p.Numbers; left != 0; left &= left - 1 {
			cell := bits.TrailingZeros64(left)
			use := used >> cell & 1
			if cell == m.From {
				cell = m.To
			}
			b := bits.OnesCount64(numbers & (1<<turn[cell] - 1))
			always |= (use | values[AlwaysColumn]>>b&1) << i
			some |= (use | values[SomeColumn]>>b&1) << i
			i++
		}
		steps := values[StepsColumn] + uint64(len(m.Steps))
		switch cmp.Compare(steps, dst[StepsColumn]) {
		case -1:
			dst[StepsColumn], dst[SolutionsColumn], dst[AlwaysColumn], dst[SomeColumn] = steps, values[SolutionsColumn], always, some
		case 0:
			dst[SolutionsColumn] = min(mostSolutions, dst[SolutionsColumn]+values[SolutionsColumn])
			dst[AlwaysColumn] &= always
			dst[SomeColumn] |= some
		}
	}
}
