package slide

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

func TestSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	puzzles := make(map[string]*Puzzle)
	for _, name := range []string{"slide/dads", "slide/klotski", "slide/rushhour", "slide/n3x2"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		puzzles[name] = p
	}
	for i := range 30 {
		puzzles["random "+string(rune('A'+i))] = randomPuzzle(rng)
	}
	for name, p := range puzzles {
		for _, m := range []Metric{Steps, Lines, Moves} {
			sp, err := NewSpace(name, p, m)
			if err != nil {
				t.Fatal(err)
			}
			if sp.Size() > 1<<17 {
				continue
			}
			spacetest.Test(t, sp, 50)
			set := bitset.New(sp.Size())
			if err := statespace.Search(t.Context(), sp, set); err != nil {
				t.Fatal(err)
			}
			if p.States != 0 && set.Count() != p.States {
				t.Errorf("%s: %d positions, want %d", name, set.Count(), p.States)
			}
			again, err := Define(sp.Definition())
			if err != nil {
				t.Fatal(err)
			}
			if again.Size() != sp.Size() || again.Roots()[0] != sp.Roots()[0] || !again.Definition().SamePuzzle(sp.Definition()) {
				t.Errorf("%s: its definition makes another space", name)
			}
			for _, e := range sp.Successors(nil, sp.Roots()[0]) {
				if text := sp.Describe(e.Move).String(); !strings.Contains(text, " to ") {
					t.Errorf("%s: move %d is %q", name, e.Move, text)
				}
			}
		}
	}
	if _, err := NewSpace("super", puzzles["slide/dads"], Supermoves); err == nil {
		t.Error("a space of supermoves was made")
	}
}

func TestParsePosition(t *testing.T) {
	p, err := ParsePuzzle("rushhour:\ntray:\nAA..#\n#B..C\n#B..C\n")
	if err != nil {
		t.Fatal(err)
	}
	sp, err := NewSpace("small", p, Steps)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sp.Parse(".AA.\n#B..C\n#B..C"); err != nil {
		t.Error(err)
	}
	spacetest.MustFail(t, sp, "AA../#.B.C/#.B.C", true) // B cannot leave its column
	for _, text := range []string{"", "AA..", "AA../#B..C/#B..", "AA../#B..C/#...C", "AA../#B..C/#B..D", "AA../#B..C/#.B.C", "AA../.B..C/#B..C", "AA..B/#...C/#...C", "A#A./#B..C/#B..C", "..../#B..C/#B..C", "AA../#B..C/#B..C/"} {
		spacetest.MustFail(t, sp, text, false)
	}
}
