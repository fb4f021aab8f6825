package purges

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
)

// made returns a board, and fails the test with its error.
func made[B any](t testing.TB) func(B, error) B {
	return func(b B, err error) B {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// play plays jumps from a position on, and fails the test if one cannot be made.
func play(t testing.TB, b *board.Board, p board.Position, jumps []board.Jump) board.Position {
	t.Helper()
	for _, j := range jumps {
		if !slices.Contains(b.Lines(), board.Line{A: j.From, B: j.Over, C: j.To}) && !slices.Contains(b.Lines(), board.Line{A: j.To, B: j.Over, C: j.From}) {
			t.Fatalf("%v is no jump of the board", j)
		}
		if p>>j.From&1 == 0 || p>>j.Over&1 == 0 || p>>j.To&1 == 1 {
			t.Fatalf("%v cannot be made in %s", j, b.FormatPosition(p))
		}
		p ^= 1<<j.From | 1<<j.Over | 1<<j.To
	}
	return p
}

// checkSteps replays steps, and checks that packages need and do what they say.
func checkSteps(t testing.TB, b *board.Board, from, to board.Position, steps []Step) {
	t.Helper()
	at := from
	for i, s := range steps {
		before := at
		at = play(t, b, at, s.Jumps)
		if at != s.After {
			t.Fatalf("step %d leads to %s, it says %s", i+1, b.FormatPosition(at), b.FormatPosition(s.After))
		}
		if s.Placement == nil {
			if len(s.Jumps) != 1 {
				t.Fatalf("step %d is no package, and has %d jumps", i+1, len(s.Jumps))
			}
			continue
		}
		for cell, c := range s.Cells {
			if before>>c&1 != s.Package.Start>>cell&1 || at>>c&1 != s.Package.Goal>>cell&1 || slices.Contains(s.Pegs, c) != (before>>c&1 == 1) || slices.Contains(s.Holes, c) != (before>>c&1 == 0) {
				t.Fatalf("step %d: %v lies wrong in %s", i+1, s.Package, b.FormatPosition(before))
			}
		}
		for _, j := range s.Jumps {
			for _, c := range []int{j.From, j.Over, j.To} {
				if !slices.Contains(s.Cells, c) {
					t.Fatalf("step %d: jump %v leaves the block of %v", i+1, j, s.Package)
				}
			}
		}
	}
	if at != to {
		t.Fatalf("the steps lead to %s, expected %s", b.FormatPosition(at), b.FormatPosition(to))
	}
}

// The central game on the English board is five purges of six pegs and a jump.
func TestEnglish(t *testing.T) {
	b := made[*board.Board](t)(board.OfShape(board.CrossShape(7)))
	from, to := b.Full()&^(1<<16), board.Position(1<<16)
	steps, err := Explain(t.Context(), b, from, to, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	checkSteps(t, b, from, to, steps)
	if len(steps) != 6 {
		t.Errorf("%d steps, want 6", len(steps))
	}
	if steps, err := Explain(t.Context(), b, from, to, 100); err != nil || steps != nil {
		t.Errorf("with little room: %v, %v", steps, err)
	}
	if steps, err := Explain(t.Context(), b, to, from, 100); err != nil || steps != nil {
		t.Errorf("backwards: %v, %v", steps, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Explain(ctx, b, from, to, 1<<20); !errors.Is(err, stop) {
		t.Errorf("%v, want %v", err, stop)
	}
}

// From a full board with one hole to one peg in that hole: the steps that the documents report. From the
// middle of a side it takes 13, and a search of 2^24 positions.
func TestComplements(t *testing.T) {
	if !long.Tests {
		t.Skip("large searches")
	}
	b := made[*board.Board](t)(board.OfShape(board.CrossShape(7)))
	for cell, want := range map[board.Cell]int{{Row: 0, Col: 2}: 6, {Row: 1, Col: 2}: 7, {Row: 1, Col: 3}: 9, {Row: 2, Col: 2}: 6, {Row: 2, Col: 3}: 7, {Row: 3, Col: 3}: 6} {
		n, _ := b.Number(cell)
		from, to := b.Full()&^(1<<n), board.Position(1)<<n
		steps, err := Explain(t.Context(), b, from, to, 1<<20)
		if err != nil || len(steps) != want {
			t.Errorf("%v: %d steps, %v; want %d", cell, len(steps), err, want)
		}
		checkSteps(t, b, from, to, steps)
	}
}

// fewest returns the fewest steps from a position to all others, level by level.
func fewest(b *board.Board, from board.Position) map[board.Position]int {
	all := slices.Collect(Placements(&b.Shape, append([]*Package{jumpPackage()}, Named()...)))
	depth, list := map[board.Position]int{from: 0}, []board.Position{from}
	for i := 0; i < len(list); i++ {
		for _, p := range all {
			at, fits := list[i], true
			for cell, c := range p.Cells {
				fits = fits && at>>c&1 == p.Package.Start>>cell&1
			}
			if !fits {
				continue
			}
			for _, j := range p.Jumps {
				at ^= 1<<j.From | 1<<j.Over | 1<<j.To
			}
			if _, ok := depth[at]; !ok {
				depth[at], list = depth[list[i]]+1, append(list, at)
			}
		}
	}
	return depth
}

// Explain finds as few steps as a plain search, for all positions that can be reached.
func TestExplainPlain(t *testing.T) {
	for _, b := range []*board.Board{made[*board.Board](t)(board.Rectangle(4, 4)), made[*board.Board](t)(board.OfShape(board.TriangleShape(4))), made[*board.Board](t)(board.Rectangle(5, 4))} {
		from := b.Full() &^ (1 << 5)
		if len(b.Cells()) > 16 && !long.Tests {
			continue
		}
		depths := fewest(b, from)
		rng := rand.New(rand.NewPCG(1, uint64(len(depths))))
		packages, tried := 0, 200
		if !long.Tests {
			tried = 30
		}
		for to, depth := range depths {
			if rng.IntN(len(depths)) > tried {
				continue
			}
			steps, err := Explain(t.Context(), b, from, to, 1<<20)
			if err != nil || len(steps) != depth {
				t.Fatalf("to %s: %d steps, %v; want %d", b.FormatPosition(to), len(steps), err, depth)
			}
			checkSteps(t, b, from, to, steps)
			for _, s := range steps {
				if s.Placement != nil {
					packages++
				}
			}
		}
		if packages == 0 {
			t.Errorf("no package on the board of %d cells", len(b.Cells()))
		}
	}
}

// randomGame makes random jumps.
func randomGame(rng *rand.Rand, b *board.Board, p board.Position) (jumps []board.Jump) {
	for {
		var can []board.Jump
		for k := range b.Jumps() {
			if j := b.Jump(k); p&j.Mask() == 1<<j.From|1<<j.Over {
				can = append(can, j)
			}
		}
		if len(can) == 0 {
			return jumps
		}
		j := can[rng.IntN(len(can))]
		jumps, p = append(jumps, j), p^j.Mask()
	}
}

// Annotate keeps the jumps, and makes steps of them that can be played.
func TestAnnotate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found, games := map[Kind]int{}, 20
	if !long.Tests {
		games = 3
	}
	for _, b := range []*board.Board{made[*board.Board](t)(board.OfShape(board.CrossShape(7))), made[*board.Board](t)(board.OfShape(board.TriangleShape(6))), made[*board.Board](t)(board.Rectangle(8, 8))} {
		for range games {
			from := b.Full() &^ (1 << rng.IntN(len(b.Cells())))
			jumps := randomGame(rng, b, from)
			steps := Annotate(b, from, jumps)
			checkSteps(t, b, from, play(t, b, from, jumps), steps)
			var all []board.Jump
			for _, s := range steps {
				all = append(all, s.Jumps...)
				if s.Placement != nil {
					found[s.Package.Kind()]++
				}
			}
			if len(all) != len(jumps) || slices.ContainsFunc(jumps, func(j board.Jump) bool { return count(jumps, j) != count(all, j) }) {
				t.Errorf("the steps have the jumps %v, the game %v", all, jumps)
			}
		}
	}
	if found[Purge] < games || found[Mover] < games {
		t.Errorf("%d purges and %d movers in all games", found[Purge], found[Mover])
	}
	if steps := Annotate(made[*board.Board](t)(board.OfShape(board.CrossShape(7))), 1, nil); steps != nil {
		t.Errorf("no jumps are the steps %v", steps)
	}
}

// count counts a jump.
func count(jumps []board.Jump, j board.Jump) (n int) {
	for _, k := range jumps {
		if k == j {
			n++
		}
	}
	return n
}

// Annotate finds what was put into a game, if jumps that share no cell have changed places.
func TestAnnotateShuffled(t *testing.T) {
	b := made[*board.Board](t)(board.OfShape(board.CrossShape(7)))
	from, to := b.Full()&^(1<<16), board.Position(1<<16)
	steps, err := Explain(t.Context(), b, from, to, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var jumps []board.Jump
	for _, s := range steps {
		jumps = append(jumps, s.Jumps...)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	cases := 20
	if !long.Tests {
		cases = 5
	}
	for range cases {
		for range 1000 {
			if i := rng.IntN(len(jumps) - 1); jumps[i].Mask()&jumps[i+1].Mask() == 0 {
				jumps[i], jumps[i+1] = jumps[i+1], jumps[i]
			}
		}
		again := Annotate(b, from, jumps)
		checkSteps(t, b, from, to, again)
		if len(again) > len(steps) {
			t.Errorf("%d steps are found again in %v, want %d", len(again), jumps, len(steps))
		}
	}
}

// Annotate finds the best choice of groups: as good as all ways to divide the jumps.
func TestAnnotatePlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	b := made[*board.Board](t)(board.Rectangle(4, 3))
	better := 0
	for range 60 {
		from := b.Full() &^ (1 << rng.IntN(12))
		jumps := randomGame(rng, b, from)
		if len(jumps) > 8 {
			continue
		}
		saved := 0
		for _, s := range Annotate(b, from, jumps) {
			saved += savings(s)
		}
		want := bestOrder(b, from, jumps)
		if saved != want {
			t.Errorf("%s, %v: the steps save %d, the best ones %d", b.FormatPosition(from), jumps, saved, want)
		}
		if want > 0 {
			better++
		}
	}
	if better == 0 {
		t.Error("no game has a purge")
	}
}

// savings is what a step saves, as Annotate counts it.
func savings(s Step) int {
	if s.Placement == nil {
		return 0
	}
	return saves(s.Placement)
}

// bestOrder tries all orders of jumps, and all ways to cut them into steps.
func bestOrder(b *board.Board, at board.Position, jumps []board.Jump) (best int) {
	if len(jumps) == 0 {
		return 0
	}
	var extend func(p board.Position, step, rest []board.Jump)
	extend = func(p board.Position, step, rest []board.Jump) {
		if len(step) > 0 {
			saved := 0
			if len(step) > 1 {
				cells := uint64(0)
				for _, j := range step {
					cells |= j.Mask()
				}
				pl, ok := recognize(&b.Shape, cells, at&cells, p&cells)
				if !ok {
					saved = -1
				} else {
					pl.Jumps = step
					saved = saves(&pl)
				}
			}
			if saved >= 0 {
				best = max(best, saved+bestOrder(b, p, rest))
			}
		}
		for i, j := range rest {
			// Only orders in which jumps that share a cell stay in order.
			if p&j.Mask() != 1<<j.From|1<<j.Over || slices.ContainsFunc(rest[:i], func(k board.Jump) bool { return k.Mask()&j.Mask() != 0 }) {
				continue
			}
			extend(p^j.Mask(), append(slices.Clone(step), j), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	extend(at, nil, jumps)
	return best
}
