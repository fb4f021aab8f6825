package lunar

import (
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar/problem"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/slide/formats"
)

// No text that this family claims can be read by another one.
func TestClaims(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	cases := 100_000
	if !long.Tests {
		cases = 10_000
	}
	claimed := 0
	for range cases {
		text := []string{"", "", "lunar:\n", "5x5:", "cross:"}[rng.IntN(5)]
		for range 1 + rng.IntN(12) {
			text += string("..+oX1a/\n #A-*x:="[rng.IntN(17)])
		}
		if !problem.Is(text) {
			continue
		}
		claimed++
		if _, err := formats.Parse(text); err == nil {
			t.Fatalf("%q draws a tray, too", text)
		}
		if _, _, err := board.ParseBoard(text); err == nil {
			t.Fatalf("%q draws a board of pegs, too", text)
		}
	}
	if claimed < cases/5 {
		t.Errorf("only %d texts are of this family", claimed)
	}
}

// A text with a board and a group makes a space, and its definition the same one.
func TestRead(t *testing.T) {
	f := Family()
	sp, err := f.Read(t.Context(), "mine", "lunar:\ngroup: 1-2\n.+.\n. .\n...\n", puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Define(t.Context(), sp.Definition(), 0)
	if err != nil || again.Size() != sp.Size() || sp.Name() != "mine" {
		t.Errorf("its definition makes %v, %v", again, err)
	}
	// A problem stands for its group.
	if sp, err := f.Read(t.Context(), "mine", "lunar:\n.X\n1.\n", puzzle.Choice{}); err == nil {
		t.Errorf("a board without a centre of its own is the space %v", sp)
	}
	sp, err = f.Read(t.Context(), "mine", "...\n.+1\n.X.\n", puzzle.Choice{})
	if err != nil || sp.Name() != "mine:1-1" {
		t.Errorf("one problem is the space %v, %v", sp, err)
	}
}
