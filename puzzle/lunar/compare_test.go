package lunar

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace/cells"
)

// boardOf returns the board of a name.
func boardOf(t testing.TB, name string) *board.Board {
	t.Helper()
	b, err := board.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomBoard returns a board with gaps and one or two exits.
func randomBoard(t testing.TB, rng *rand.Rand) *board.Board {
	t.Helper()
	var all []cells.Cell
	for r := range 5 {
		for c := range 6 {
			if rng.IntN(6) > 0 {
				all = append(all, cells.Cell{Row: r, Col: c})
			}
		}
	}
	b, err := board.New(all, []cells.Cell{all[rng.IntN(len(all))], all[rng.IntN(len(all))]})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomPosition sets pieces on random cells, letters on no exit.
func randomPosition(rng *rand.Rand, b *board.Board, letters, numbers int) (p board.Position) {
	free := b.All()
	take := func(from board.Set) board.Set {
		for range rng.IntN(bits.OnesCount64(from)) {
			from &= from - 1
		}
		free &^= from & -from
		return from & -from
	}
	for range letters {
		p.Letters |= take(free &^ b.Exits())
	}
	for range numbers {
		p.Numbers |= take(free)
	}
	return p
}

// drawingOf gives the pieces of a position names.
func drawingOf(t testing.TB, b *board.Board, p board.Position) board.Drawing {
	t.Helper()
	d, err := b.NewDrawing(p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// plays writes a solution as the article does.
func plays(b *board.Board, d board.Drawing, moves []board.Move) string {
	var text []string
	for _, m := range moves {
		var play board.Play
		d, play = b.Make(d, m)
		text = append(text, play.String())
	}
	return strings.Join(text, " ")
}

// comparePlain holds what the solver has found against the answer of the plain search: figures, solutions,
// and which pieces are significant. It replays each solution.
func comparePlain(t testing.TB, b *board.Board, d board.Drawing, r *solver.Result, want plainAnswer) {
	t.Helper()
	drawn := b.Format(d)
	if !r.Solved || r.Moves != want.Moves || r.Steps != want.Steps || !r.Solutions.IsInt64() || r.Solutions.Int64() != int64(len(want.Solutions)) {
		t.Fatalf("%s: solved %t, %d moves, %d steps, %v solutions; the plain search: %d, %d, %d", drawn, r.Solved, r.Moves, r.Steps, r.Solutions, want.Moves, want.Steps, len(want.Solutions))
	}
	if r.Always != want.Always || r.Ever != want.Some {
		t.Fatalf("%s: significant are %x always and %x in some, the plain search: %x and %x", drawn, r.Always, r.Ever, want.Always, want.Some)
	}
	significant := make(map[string]board.Set)
	var found, expected []string
	for s := range r.All() {
		text := plays(b, d, s.Moves)
		if _, err := replay.Solution(b, d, text); err != nil {
			t.Fatalf("%s: the solution %s is wrong: %v", drawn, text, err)
		}
		found = append(found, text)
		significant[text] = s.Significant
	}
	for _, s := range want.Solutions {
		expected = append(expected, s.Moves)
		if set, ok := significant[s.Moves]; ok && set != s.Significant(d) {
			t.Fatalf("%s: in %s, %x are significant, the plain search: %x", drawn, s.Moves, set, s.Significant(d))
		}
	}
	slices.Sort(found)
	slices.Sort(expected)
	if !slices.Equal(found, expected) {
		t.Fatalf("%s: found %q, the plain search %q", drawn, found, expected)
	}
}
