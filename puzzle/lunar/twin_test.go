package lunar

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace/bfs"
)

// TestTwin draws problems of groups, from each distance as many. It compares the values of the group,
// the solver and a plain search in all that they say; and the moves of all solutions with the rules.
func TestTwin(t *testing.T) {
	each := 60
	if !long.Tests {
		each = 20
	}
	groups := 0
	var solved, several, unsolvable atomic.Int64
	t.Run("groups", func(t *testing.T) {
		for i, c := range []struct {
			board            string // "" is a random one
			letters, numbers int
			most             int // moves
		}{
			{"5x5", 1, 4, 6}, {"5x5", 2, 3, 6}, {"5x5", 3, 3, 7}, {"5x5", 1, 5, 6}, {"3x5", 2, 5, 6}, {"3x5", 3, 3, 6}, {"cross", 1, 4, 6}, {"cross", 2, 3, 7},
			{"octagon", 1, 4, 5}, {"octagon", 2, 3, 6}, {"7x7", 1, 3, 6}, {"7x7", 2, 2, 6}, {"7x7", 2, 3, 6}, {"7x7", 1, 4, 6}, {"", 1, 4, 6}, {"", 2, 3, 6}, {"", 2, 3, 6}, {"", 3, 2, 6}, {"", 1, 3, 6}, {"", 1, 5, 6},
		} {
			if !long.Tests && i%4 > 0 {
				continue
			}
			groups++
			t.Run(fmt.Sprintf("%d:%s_%d-%d", i, c.board, c.letters, c.numbers), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(7, uint64(i)))
				b := randomBoard(t, rng)
				if c.board != "" {
					b = boardOf(t, c.board)
				}
				g, err := New(t.Context(), "lunar/twin", b, c.letters, c.numbers, 0)
				if err != nil {
					t.Fatal(err)
				}
				_, v := solve(t, g, 1)
				for distance, problems := range g.draw(rng, v, c.most, each) {
					for _, x := range problems {
						if distance > 0 {
							solved.Add(1)
							if g.compareSolved(t, rng, v, x, distance) > 1 {
								several.Add(1)
							}
						} else if g.compareUnsolvable(t, x) {
							unsolvable.Add(1)
						}
					}
				}
			})
		}
	})
	t.Logf("%d problems are solved, %d in several ways; %d are not", solved.Load(), several.Load(), unsolvable.Load())
	if n := int64(each * groups); solved.Load() < 4*n || several.Load() < n || unsolvable.Load() < n*3/4 {
		t.Errorf("only %d problems are solved, %d in several ways; %d are not", solved.Load(), several.Load(), unsolvable.Load())
	}
}

// draw draws problems with all letters, some of each number of moves from 1; in place 0 are problems
// with a move and without a solution.
func (g *Group) draw(rng *rand.Rand, v *bfs.Values, most, each int) [][]uint64 {
	drawn, met := make([][]uint64, most+1), make([]int, most+1)
	r := board.NewRays(g.b)
	for x := g.start[g.letters]; x < g.orbitSize(); x++ {
		distance := max(0, int(v.Entry(x))-1)
		if distance > most {
			continue
		}
		if p, ok := g.representative(x); distance == 0 && !(ok && r.CanMove(p)) {
			continue
		}
		met[distance]++
		if problems := drawn[distance]; len(problems) < each {
			drawn[distance] = append(problems, x)
		} else if at := rng.IntN(met[distance]); at < each {
			problems[at] = x
		}
	}
	return drawn
}

// compareSolved compares the values of a problem with the answers for one of its images. It returns
// the number of solutions.
func (g *Group) compareSolved(t *testing.T, rng *rand.Rand, v *bfs.Values, x uint64, distance int) int {
	t.Helper()
	p, _ := g.representative(x)
	turn := g.turns[rng.IntN(len(g.turns))]
	d := drawingOf(t, g.b, p.Turned(turn))
	want, ok := solvePlain(g.b, d, distance)
	if !ok {
		t.Fatalf("%s: the plain search finds no solution of %d moves", g.b.Format(d), distance)
	}
	comparePlain(t, g.b, d, solveBy(t, g.b, d.Position(), 1), want)
	values := make([]uint64, len(columns))
	v.Get(values, x)
	pieces := func(bit uint64) (set board.Set) {
		for i, left := 0, p.Numbers; left != 0; i, left = i+1, left&(left-1) {
			set |= bit >> i & 1 << bits.TrailingZeros64(left)
		}
		return board.Turned(set, turn)
	}
	if always, some := pieces(values[AlwaysColumn]), pieces(values[SomeColumn]); distance != want.Moves || values[StepsColumn] != uint64(want.Steps) ||
		values[SolutionsColumn] != uint64(len(want.Solutions)) || always != want.Always || some != want.Some {
		t.Fatalf("%s: the group has %d moves, %v; the plain search %+v", g.b.Format(d), distance, values, want)
	}
	return len(want.Solutions)
}

// compareUnsolvable is false if too many positions can be reached.
func (g *Group) compareUnsolvable(t *testing.T, x uint64) bool {
	t.Helper()
	const most = 1000
	p, _ := g.representative(x)
	solved, all := reachPlain(g.b, drawingOf(t, g.b, p), most)
	if r := solveBy(t, g.b, p, 1); solved || r.Solved || r.Reason == "" || r.Solutions.Sign() != 0 {
		t.Fatalf("%s: the group has no solution; solved by the plain search: %t; the solver has %+v", g.Format(x), solved, r)
	}
	return all
}
