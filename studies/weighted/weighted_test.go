package weighted_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/internal/weightedtest"
)

// magicOn is a board of a name with the weights of the magic square.
func magicOn(t testing.TB, name string) *weighted.Game {
	t.Helper()
	shape, pegs, err := peg.LookupShape(name)
	if err != nil {
		t.Fatal(err)
	}
	return &weighted.Game{Shape: shape, Pegs: pegs, Weights: weighted.MagicWeights(shape)}
}

func play(t testing.TB, g *weighted.Game, text string) weighted.Score {
	t.Helper()
	jumps, err := weighted.ParseJumps(g.Shape, text)
	if err != nil {
		t.Fatal(err)
	}
	score, err := g.Play(jumps)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

// TestPublished replays the game of 407 by L. Cetto on magic(7) over the English board.
func TestPublished(t *testing.T) {
	text, err := os.ReadFile("testdata/cetto.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := magicOn(t, "peg/english")
	if score := play(t, g, string(text)); score.Score != 407 || score.Jumps != 31 || score.Pegs != 1 || score.Costs+score.Left != 407 {
		t.Errorf("%+v, want a score of 407 with 31 jumps and 1 peg left", score)
	}
	jumps, _ := weighted.ParseJumps(g.Shape, string(text))
	if again, err := weighted.ParseJumps(g.Shape, weighted.FormatJumps(g.Shape, jumps)); err != nil || !slices.Equal(again, jumps) {
		t.Errorf("its text is read as %v, %v", again, err)
	}
}

// TestBest replays a game of 342 on the same board, the least score, as peg/weighted/best proves.
func TestBest(t *testing.T) {
	text, err := os.ReadFile("testdata/magic-342.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := weighted.Score{Score: 342, Costs: 237, Left: 105, Jumps: 27, Moves: 17, Pegs: 5}
	if score := play(t, magicOn(t, "peg/english"), string(text)); score != want {
		t.Errorf("%+v, want %+v", score, want)
	}
}

// TestRules: a game with the weights and scores of the example in the rules of the contest, 31, 25
// and 18. The board is laid out anew, as the rules show it in a picture only.
func TestRules(t *testing.T) {
	g, err := weighted.ParseGame("2 8 0 4\n-1 -1 7 3\n7 0 0 0")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int64{"": 31, "1 1 1 3": 25, "1 1 1 3; 1 3 3 3": 18, "1 1 1 3; 1 3 3 3; 1 4 3 4": 19} {
		if score := play(t, g, text); score.Score != want {
			t.Errorf("%q: %+v, want %d", text, score, want)
		}
	}
	// The peg of weight 4 takes those of 3 and 2.
	best, jumps := weightedtest.Plain(g)
	if text := weighted.FormatJumps(g.Shape, jumps); best.Score != 17 || play(t, g, text) != best {
		t.Errorf("the least score is %d by %q, want 17", best.Score, text)
	}
}

// TestScore: the score of each beginning of a game, from its definition.
func TestScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		g := weightedtest.Random(rng, 22)
		s, err := g.Start()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Clone(g.Weights) // by cell: the weight of its peg
		pegs := slices.Clone(g.Pegs)
		var played []board.Jump
		var costs int64
		moves := 0
		for {
			var left int64
			n := 0
			for cell, peg := range pegs {
				if peg {
					left, n = left+at[cell], n+1
				}
				start, ok := s.Peg(cell)
				if ok != peg || ok && g.Weights[start] != at[cell] {
					t.Fatalf("cell %d has peg %d, %t", cell, start, ok)
				}
			}
			want := weighted.Score{Score: costs + left, Costs: costs, Left: left, Jumps: len(played), Moves: moves, Pegs: n}
			if score, err := g.Play(played); err != nil || score != want || s.Score() != want {
				t.Fatalf("%v: %+v, %+v, %v; want %+v", played, score, s.Score(), err, want)
			}
			var can []board.Jump
			for k := range g.Shape.Jumps() {
				j := g.Shape.Jump(k)
				_, err := g.Play(append(slices.Clip(played), j))
				if allowed := pegs[j.From] && pegs[j.Over] && !pegs[j.To]; allowed != (err == nil) {
					t.Fatalf("jump %v after %v: %v", j, played, err)
				}
				if err == nil {
					can = append(can, j)
				}
			}
			if len(can) == 0 {
				break
			}
			j := can[rng.IntN(len(can))]
			if len(played) == 0 || played[len(played)-1].To != j.From {
				costs, moves = costs+at[j.From], moves+1
			}
			if err := s.Jump(j); err != nil {
				t.Fatal(err)
			}
			at[j.To], pegs[j.From], pegs[j.Over], pegs[j.To] = at[j.From], false, false, true
			played = append(played, j)
		}
	}
}

func TestWrongGames(t *testing.T) {
	g := magicOn(t, "peg/english")
	triangle := magicOn(t, "peg/triangle15")
	for _, tt := range []struct {
		game       *weighted.Game
		text, want string
	}{
		{g, "2 4 4 4; 2 4 4 4", "jump 2, 2 4 4 4: expected a peg in row 2, column 4, found a hole"},
		{g, "4 4 2 4", "jump 1, 4 4 2 4: expected a peg in row 4, column 4, found a hole"},
		{g, "2 4 4 4; 4 4 2 4", "jump 2, 4 4 2 4: expected a peg to jump over in row 3, column 4, found a hole"},
		{g, "3 3 5 3", "jump 1, 3 3 5 3: expected a hole in row 5, column 3, found a peg"},
		{g, "3 3 5 5", "jump 1, 3 3 5 5: expected cells two places apart in a row or a column"},
		{g, "3 3 4 3", "jump 1, 3 3 4 3: expected cells two places apart in a row or a column"},
		{g, "3 3 3 3", "jump 1, 3 3 3 3: expected cells two places apart in a row or a column"},
		{g, "3 3 1 5", "jump 1, 3 3 1 5: expected cells two places apart in a row or a column"},
		{g, "3 3 5 4", "jump 1, 3 3 5 4: expected cells two places apart in a row or a column"},
		{g, "1 1 1 3", "jump 1, 1 1 1 3: the board has no cell in row 1, column 1"},
		{g, "1 3 1 1", "jump 1, 1 3 1 1: the board has no cell in row 1, column 1"},
		{g, "0 3 2147483647 -2147483648", "jump 1, 0 3 2147483647 -2147483648: the board has no cell in row 0, column 3"},
		{triangle, "3 1 1 3", "jump 1, 3 1 1 3: the board has no cell in row 1, column 3"},
		{triangle, "5 3 3 1", "jump 1, 5 3 3 1: expected a hole in row 3, column 1, found a peg"},
		{triangle, "4 1 2 1; 5 1 4 3", "jump 2, 5 1 4 3: expected cells two places apart in a row, a column or a falling diagonal"},
	} {
		jumps, err := weighted.ParseJumps(tt.game.Shape, tt.text)
		if err == nil {
			_, err = tt.game.Play(jumps)
		}
		var jump *weighted.JumpError
		if !errors.As(err, &jump) || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
	for _, j := range []board.Jump{{From: -1, Over: 0, To: 1}, {From: 0, Over: 99, To: 1}} {
		if _, err := g.Play([]board.Jump{j}); err == nil || !strings.Contains(err.Error(), "the board has cells 0 to 32") {
			t.Errorf("%v: %v", j, err)
		}
	}
	first := g.Shape.Jump(0)
	if _, err := g.Play([]board.Jump{{From: first.From, Over: first.To, To: first.To}}); err == nil || !strings.Contains(err.Error(), "it goes over row 1, column 4, found row 1, column 5") {
		t.Errorf("a jump over another cell: %v", err)
	}
	if score := play(t, triangle, "3 3 1 1"); score.Moves != 1 || score.Pegs != 13 {
		t.Errorf("a jump along a diagonal: %+v", score)
	}
}

func TestCheck(t *testing.T) {
	shape, err := board.RectangleShape(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pegs    []bool
		weights []int64
		want    string
	}{
		{make([]bool, 2), make([]int64, 3), "the board has 3 cells, the start 2"},
		{make([]bool, 3), nil, "the board has 3 cells, there are 0 weights"},
		{[]bool{true, true, false}, []int64{0, weighted.MaxWeight + 1, 0}, "the peg in row 1, column 2: the weight is 1000000000001, expected -1000000000000"},
		{[]bool{true, true, false}, []int64{0, -weighted.MaxWeight - 1, 0}, "the weight is -1000000000001, expected -1000000000000"},
		{[]bool{true, true, false}, []int64{-weighted.MaxWeight, weighted.MaxWeight, weighted.MaxWeight + 1}, ""},
	} {
		g := &weighted.Game{Shape: shape, Pegs: tt.pegs, Weights: tt.weights}
		_, err := g.Play(nil)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt, err, tt.want)
		}
	}
}

// TestPlain: the plain search finds the least score of a few games that can be checked by hand.
func TestPlain(t *testing.T) {
	for text, want := range map[string]int64{
		"0":                       0,
		"3 5 0":                   3 + 3, // 3 jumps over 5
		"5 3 0":                   5 + 3, // no jump pays
		"1 9 0 9 0":               1 + 1, // 1 jumps twice and pays once
		"1 9 0\n-1 -1 9\n-1 -1 0": 2,     // and around a corner
		"-1 -1 -1":                0,
	} {
		g, err := weighted.ParseGame(text)
		if text == "-1 -1 -1" {
			var syntax *cells.SyntaxError
			if !errors.As(err, &syntax) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		best, jumps := weightedtest.Plain(g)
		if again, err := g.Play(jumps); best.Score != want || again != best || err != nil {
			t.Errorf("%q: %+v by %v, replayed %+v, %v; want %d", text, best, jumps, again, err, want)
		}
	}
}
