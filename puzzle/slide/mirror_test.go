package slide

import (
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestTurned: a puzzle in a mirror, or turned, has the same answers. So floors are like rows and
// columns, and a flat tray is as one that stands.
func TestTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	names, n := []string{"slide/dads", "slide/record4x4", "slide/rushhour", "slide/mas-anywhere"}, 150
	if !long.Tests {
		names, n = names[:1], 10
	}
	for _, name := range names {
		compareTurned(t, rng, slidetest.Lookup(t, name))
	}
	for range n {
		if p := slidetest.Random(rng); mustPack(t, p).Size() <= 20000 {
			compareTurned(t, rng, p)
		}
	}
}

func compareTurned(t *testing.T, rng *rand.Rand, p *tray.Puzzle) {
	t.Helper()
	var turned []*tray.Puzzle
	for _, turn := range []tilt{
		{Axes: [3]int{0, 1, 2}, Back: [3]bool{2: true}}, // left and right exchanged
		{Axes: [3]int{0, 2, 1}},                         // rows and columns exchanged
		{Axes: [3]int{1, 0, 2}},                         // rows become floors
		randomTilt(rng),
	} {
		turned = append(turned, slidetest.Parse(t, tilted(p, turn)))
	}
	for m := range tray.Metric(tray.Metrics) {
		want := mustSolve(t, p, m, Options{})
		for _, q := range turned {
			if got := mustSolve(t, q, m, Options{}); !sameAnswers(got, want) {
				t.Fatalf("%s%v: %+v\n%s%+v", p.Format(), m, want, q.Format(), got)
			}
		}
	}
}
