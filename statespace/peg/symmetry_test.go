package peg_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

// hexagon is a triangular lattice's board of all cells at most so far from the middle.
func hexagon(t testing.TB, radius int) *peg.Board {
	t.Helper()
	var cells []peg.Cell
	for r := range 2*radius + 1 {
		for c := range 2*radius + 1 {
			if r-c <= radius && c-r <= radius {
				cells = append(cells, peg.Cell{Row: r, Col: c})
			}
		}
	}
	b, err := peg.NewBoard(peg.Triangular, cells)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSymmetries(t *testing.T) {
	type group struct{ board, start int } // with the identity
	check := func(sp *peg.Space, want group) {
		t.Helper()
		if got := (group{len(sp.Board().Symmetries()), 1 + len(sp.Symmetries())}); got != want {
			t.Errorf("%s: %+v, want %+v", sp.Name(), got, want)
		}
	}
	for name, want := range map[string]group{
		"peg/5x7":            {4, 4},
		"peg/5x7@0,0":        {4, 1},
		"peg/5x7@0,2":        {4, 2},
		"peg/english":        {8, 8},
		"peg/english@0,2":    {8, 1},
		"peg/4x4@0,0":        {8, 2},
		"peg/4x4@0,1":        {8, 1},
		"peg/triangle15":     {6, 2},
		"peg/triangle21@1,0": {6, 1},
		"peg/1x9":            {2, 2}, // to reflect a line in itself changes nothing
		"peg/2x2":            {8, 1}, // the class has but the start
	} {
		check(lookup(t, name), want)
	}
	for text, want := range map[string]group{
		"oo.\noo\no\n":                          {2, 1},
		"oo.o\n oo\noo\n":                       {1, 1},
		" o o\noooo\n oo.\noooo\n o o\n":        {2, 2}, // about the row of the hole
		"  o\n  o\noo.oo\n  o\n  o\n":           {8, 8},
		" o\n oo\nooo.ooo\n    oo\n     o":      {2, 2}, // a half turn
		" oo\n  oo\no  .  o\n   oo\n    oo\n":   {2, 1}, // no jump at all
		"lattice: triangular\nooo\noooo\noo.oo": {2, 2},
	} {
		b, start, err := peg.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New(text, b, start)
		if err != nil {
			t.Fatal(err)
		}
		check(sp, want)
	}
	hex := hexagon(t, 2)
	for cell, want := range map[int]group{9: {12, 12}, 4: {12, 2}, 0: {12, 2}, 1: {12, 2}} {
		sp, err := peg.New("hexagon", hex, hex.Full()&^(1<<cell))
		if err != nil {
			t.Fatal(err)
		}
		check(sp, want)
		if len(sp.Symmetries()) == 11 {
			spacetest.Test(t, sp, 20)
		}
	}
}

// Symmetries of a board take its lines to its lines.
func TestSymmetriesOfLines(t *testing.T) {
	for _, b := range []*peg.Board{lookup(t, "peg/5x7").Board(), lookup(t, "peg/european").Board(),
		lookup(t, "peg/triangle15").Board(), hexagon(t, 3)} {
		lines := make(map[uint64]bool)
		for _, l := range b.Lines() {
			lines[1<<l.A|1<<l.B|1<<l.C] = true
		}
		for _, s := range b.Symmetries() {
			for _, l := range b.Lines() {
				if !lines[1<<s[l.A]|1<<s[l.B]|1<<s[l.C]] {
					t.Errorf("%v is taken to no line by %v", l, s)
				}
			}
		}
	}
}

// symmetricBoard draws a board and a start that some symmetries keep.
func symmetricBoard(rng *rand.Rand) (*peg.Board, peg.Position) {
	lattice := peg.Lattice(rng.IntN(2))
	middle := []int{3, 4, 5}[rng.IntN(3)] // in halves of a cell
	if lattice == peg.Triangular {
		middle = 4
	}
	turn := func(c peg.Cell) peg.Cell {
		r, q := 2*c.Row-middle, 2*c.Col-middle
		if lattice == peg.Triangular {
			r, q = q, q-r
		} else {
			r, q = q, -r
		}
		return peg.Cell{Row: (r + middle) / 2, Col: (q + middle) / 2}
	}
	// Some turns, and perhaps a turn and a reflection.
	turns, mixed := rng.IntN(6), rng.IntN(12)
	orbit := func(c peg.Cell) (all []peg.Cell) {
		for todo := []peg.Cell{c}; len(todo) > 0; {
			c, todo = todo[0], todo[1:]
			if slices.Contains(all, c) {
				continue
			}
			all = append(all, c)
			d := c
			for range turns {
				d = turn(d)
			}
			todo = append(todo, d)
			if mixed < 6 {
				d = peg.Cell{Row: c.Col, Col: c.Row}
				for range mixed {
					d = turn(d)
				}
				todo = append(todo, d)
			}
		}
		return all
	}
	in := func(c peg.Cell) bool {
		d := c.Row - c.Col
		return c.Row >= 0 && c.Col >= 0 && c.Row <= middle && c.Col <= middle &&
			(lattice == peg.Square || 2*d <= middle && -2*d <= middle)
	}
	for {
		density := []float64{1, 0.8, 0.5}[rng.IntN(3)]
		pegs := make(map[peg.Cell]bool)
		seen := make(map[peg.Cell]bool)
		for r := range middle + 1 {
			for q := range middle + 1 {
				c := peg.Cell{Row: r, Col: q}
				if seen[c] || !in(c) {
					continue
				}
				cell, isPeg := rng.Float64() < density, rng.IntN(6) > 0
				for _, d := range orbit(c) {
					seen[d] = true
					if cell {
						pegs[d] = isPeg
					}
				}
			}
		}
		b, err := peg.NewBoard(lattice, slices.Collect(maps.Keys(pegs)))
		if err != nil || len(pegs) > 17 {
			continue
		}
		var start peg.Position
		for i, c := range b.Cells() {
			if pegs[c] {
				start |= 1 << i
			}
		}
		return b, start
	}
}

func TestSymmetricBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 12))
	groups := make(map[int]int)
	boards := 300
	if testing.Short() {
		boards = 100
	}
	for range boards {
		b, start := symmetricBoard(rng)
		sp, err := peg.New("symmetric", b, start)
		if err != nil {
			t.Fatal(err)
		}
		groups[1+len(sp.Symmetries())]++
		spacetest.Test(t, sp, 5)
		if t.Failed() {
			t.Fatalf("board:\n%s", b.Text(start))
		}
	}
	t.Log(groups)
	for _, n := range []int{2, 3, 4, 6, 8, 12} {
		if groups[n] == 0 {
			t.Errorf("no group of %d was tried", n)
		}
	}
}

// A set of another space is refused.
func TestFoldSizes(t *testing.T) {
	sp := lookup(t, "peg/4x4")
	right, wrong := bitset.New(sp.Size()), bitset.New(5)
	if err := statespace.FoldSet(t.Context(), sp, wrong, 1, nil); err == nil {
		t.Error("a set of another space was folded")
	}
	if err := statespace.UnfoldSet(t.Context(), sp, right, wrong, 1, nil); err == nil {
		t.Error("a set was unfolded into one of another space")
	}
	if err := statespace.UnfoldSet(t.Context(), sp, wrong, right, 1, nil); err == nil {
		t.Error("a set of another space was unfolded")
	}
}
