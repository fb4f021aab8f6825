package statespace_test

import (
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
)

// A space that begins elsewhere has all parts but those that are about the roots, and keeps the laws.
func TestFrom(t *testing.T) {
	all := spacetest.Everything(toys.Countdown{Start: 20})
	spacetest.Keeps(t, all, statespace.From(all, 9), map[string]string{
		"EachRoot":       "there is one root",
		"Symmetry.Fixed": "they keep the other roots", "Symmetry.Words": "likewise", "Symmetry.Mirrors": "likewise", "Symmetry.Quotient": "it has other roots",
		"Codes.Graph": "it has the other roots", "Codes.Numbered": "likewise",
		"Chance": "a game has starts of its own",
	})
	if all.Parts().Sweep.Places == nil || statespace.From(all, 9).Parts().Sweep.Places == nil {
		t.Error("it does not know what its moves do")
	}
	for _, sp := range []statespace.Space{
		toys.Countdown{Start: 40}, toys.NewHanoi(3), toys.NewLights(2, 3, 0), toys.NewSwept(toys.Piles{N: 6}), toys.Circle{N: 30, Steps: []uint64{2, 7}},
		toys.Ring{N: 50, Add: 7, From: []uint64{3}, Goals: []uint64{20}, ToGoal: true},
	} {
		for _, root := range []uint64{0, sp.Size() / 2} {
			from, err := statespace.StartAt(t.Context(), sp, sp.Format(root))
			if err != nil || from.Roots()[0] != root {
				t.Fatalf("%s: it begins in %v, %v", sp.Name(), from, err)
			}
			spacetest.Test(t, from, 20)
		}
	}
	if _, err := statespace.StartAt(t.Context(), toys.Countdown{Start: 5}, "six"); err == nil {
		t.Error("it begins in a text that is no state")
	}
}
