package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

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
		check(pegtest.Lookup(t, name), want)
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
		b, start, err := board.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New(text, b, start)
		if err != nil {
			t.Fatal(err)
		}
		check(sp, want)
	}
	hex, _, err := board.ParseBoard("lattice: triangular\nooo\noooo\nooooo\n#oooo\n##ooo")
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[int]group{9: {12, 12}, 4: {12, 2}, 0: {12, 2}, 1: {12, 2}} {
		sp, err := peg.New("hexagon", hex, hex.Full()&^(1<<cell))
		if err != nil {
			t.Fatal(err)
		}
		check(sp, want)
		if len(sp.Symmetries()) == 11 && long.Tests {
			spacetest.Test(t, sp, 20)
		}
	}
}

func TestSymmetricBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 108))
	groups := make(map[int]int)
	boards := 200
	if !long.Tests {
		boards = 12
	}
	for range boards {
		b, start := pegtest.SymmetricBoard(rng)
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

// UnfoldSet refuses the sets of another space.
func TestFoldSizes(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4")
	right, wrong := bitset.New(sp.Size()), bitset.New(5)
	if err := sweep.UnfoldSet(t.Context(), sp, right, wrong, 1, nil); err == nil {
		t.Error("a set was unfolded into one of another space")
	}
	if err := sweep.UnfoldSet(t.Context(), sp, wrong, right, 1, nil); err == nil {
		t.Error("a set of another space was unfolded")
	}
}
