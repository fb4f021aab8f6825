package tray_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestSet compares sets of cells with lists of them: the pieces of a puzzle in a large tray.
func TestSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	several := 0
	for range 400 {
		p := slidetest.Enlarge(t, rng, slidetest.Random(rng))
		at := slidetest.Walk(p, rng, 10)
		var all tray.Set
		for i := range at {
			set := p.Mask(at, i)
			var cells []int
			for _, c := range p.PieceCells(at, i) {
				n, ok := p.Number(c)
				if !ok || !set.Has(n) || all.Has(n) {
					t.Fatalf("%s: piece %d lacks cell %d, or another has it", p.FormatPosition(at), i, n)
				}
				cells = append(cells, n)
			}
			if !slices.Equal(slices.Collect(set.All()), cells) || !slices.IsSorted(cells) || set.Len() != len(cells) || set.First() != cells[0] || set.IsEmpty() {
				t.Fatalf("%s: piece %d is at %v, its cells are %v", p.FormatPosition(at), i, slices.Collect(set.All()), cells)
			}
			if cells[0]/64 != cells[len(cells)-1]/64 {
				several++
			}
			if all.Meets(&set) {
				t.Fatalf("%s: piece %d meets another", p.FormatPosition(at), i)
			}
			all = all.Union(set)
			before := all.Without(set)
			if !all.Meets(&set) || before.Meets(&set) || before.Union(set) != all {
				t.Fatalf("%s: piece %d is not among all", p.FormatPosition(at), i)
			}
		}
	}
	if several < 100 {
		t.Errorf("only %d pieces are in several words", several)
	}
	var none tray.Set
	if !none.IsEmpty() || none.Len() != 0 || none.First() != tray.None || none.Has(0) || len(slices.Collect(none.All())) != 0 {
		t.Error("the empty set has a cell")
	}
}
