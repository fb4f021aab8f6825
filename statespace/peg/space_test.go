package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

func lookup(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := catalog.Lookup(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sp.(*peg.Space)
}

func TestLaws(t *testing.T) {
	for _, e := range catalog.Entries() {
		t.Run(e.Name, func(t *testing.T) { spacetest.Test(t, lookup(t, e.Name), 200) })
	}
	for _, name := range []string{"peg/1x1", "peg/2x2", "peg/1x7", "peg/3x3@0,0", "peg/4x5@0,1", "peg/8x8"} {
		t.Run(name, func(t *testing.T) { spacetest.Test(t, lookup(t, name), 200) })
	}
}

// randomBoard draws a connected or scattered board with few cells and any start.
func randomBoard(rng *rand.Rand) (*peg.Board, peg.Position) {
	for {
		rows, cols := 1+rng.IntN(6), 1+rng.IntN(6)
		lattice := peg.Lattice(rng.IntN(2))
		density := []float64{1, 0.9, 0.7, 0.5}[rng.IntN(4)]
		var cells []peg.Cell
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					cells = append(cells, peg.Cell{Row: r, Col: c})
				}
			}
		}
		if len(cells) == 0 || len(cells) > 22 {
			continue
		}
		b, err := peg.NewBoard(lattice, cells)
		if err != nil {
			panic(err)
		}
		start := b.Full()
		for holes := 1 + rng.IntN(4); holes > 0; holes-- {
			start &^= 1 << rng.IntN(len(cells))
		}
		if rng.IntN(4) == 0 {
			start = rng.Uint64() & b.Full()
		}
		return b, start
	}
}

func TestRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 35))
	engines := make(map[string]int)
	for range 400 {
		b, start := randomBoard(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range sp.Engines() {
			engines[e]++
		}
		spacetest.Test(t, sp, 10)
		if t.Failed() {
			t.Fatalf("board:\n%s", b.Text(start))
		}
	}
	t.Log(engines)
	if engines[peg.SweepEngine] < 100 {
		t.Errorf("the sweep was tried on %d boards only", engines[peg.SweepEngine])
	}
}
