package font_test

import (
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/font"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

func TestSolutions(t *testing.T) {
	sp, err := peg.Lookup(font.Space)
	if err != nil {
		t.Fatal(err)
	}
	members := bitset.New(0)
	if long.Tests {
		members = bitset.New(sp.Size())
		if err := sweep.Enumerate(t.Context(), sp, members, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range font.Glyphs() {
		x, err := sp.Parse(g.Pattern)
		if err != nil {
			t.Errorf("%q: %v", g.Rune, err) // it is of another class than the start
			continue
		}
		if !long.Tests {
			continue
		}
		if !members.Has(x) {
			t.Errorf("%q cannot be reached", g.Rune)
			continue
		}
		path, err := paths.Find(sp, func(x statespace.Index) (bool, error) { return members.Has(x), nil }, x)
		if err != nil {
			t.Errorf("%q: %v", g.Rune, err)
			continue
		}
		var board [font.Height][font.Width]bool
		for r := range font.Height {
			for c := range font.Width {
				board[r][c] = r != font.Height/2 || c != font.Width/2
			}
		}
		for _, step := range path.Steps {
			j, all := sp.Board().Jump(step.Move), sp.Board().Cells()
			at := func(cell int) [2]int { return [2]int{all[cell].Row, all[cell].Col} }
			if board, err = font.Play(board, at(j.From), at(j.Over), at(j.To)); err != nil {
				t.Fatalf("%q: %v", g.Rune, err)
			}
		}
		var pegs uint64
		for r := range font.Height {
			for c := range font.Width {
				if board[r][c] {
					pegs |= 1 << (r*font.Width + c)
				}
			}
		}
		if pegs != font.CellsOf(t, g.Pattern) {
			t.Errorf("%q: the solution ends in %s", g.Rune, sp.Format(path.Steps[len(path.Steps)-1].State))
		}
	}
}
