package peg_test

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

func lookup(t testing.TB, name string) *peg.Space {
	t.Helper()
	sp, err := catalog.Lookup(name, nil, catalog.Sliding{})
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

// Boards that fall apart have many invariants.
func TestScatteredBoards(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("oo. .oo\n\n", 4),                   // 8 lines
		strings.Repeat("o.o \n\n", 7),                      // 7
		strings.Repeat("o o o o o o o o\n\n", 8),           // 64 cells and no line
		"oo.\n\n" + strings.Repeat("o o o o o o o\n\n", 8), // 57 invariants of single cells
		strings.Repeat("oo. oo. oo. oo.\n\n", 5),
		"oo.o.oo.o.o.o.oo.ooo.oooo.o.oo.oo.oo.oo.o.\n",
	} {
		b, start, err := peg.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New("scattered", b, start)
		if err != nil {
			t.Fatal(err)
		}
		spacetest.Test(t, sp, 20)
	}
}

// No position of a class is broken, and any other is, on a set of cells whose parity
// no jump changes.
func TestBroken(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, name := range []string{"peg/5x7", "peg/english", "peg/triangle15", "peg/2x2"} {
		sp := lookup(t, name)
		for range 1000 {
			p := rng.Uint64() & sp.Board().Full()
			_, ok := sp.Class().Number(p)
			cells := sp.Class().Broken(p)
			if ok != (cells == 0) {
				t.Fatalf("%s: %s is broken on %x, of the class: %t", name, sp.Board().FormatPosition(p), cells, ok)
			}
			if !ok && bits.OnesCount64(cells&p)&1 == bits.OnesCount64(cells&sp.Start())&1 {
				t.Fatalf("%s: %s agrees with the start on %x", name, sp.Board().FormatPosition(p), cells)
			}
			for _, l := range sp.Board().Lines() {
				if bits.OnesCount64(cells&(1<<l.A|1<<l.B|1<<l.C))&1 == 1 {
					t.Fatalf("%s: a jump on %v changes the parity of %x", name, l, cells)
				}
			}
		}
	}
}
