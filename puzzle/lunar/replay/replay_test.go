package replay_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/replay"
)

func Example() {
	b, _ := board.Named("5x5")
	start, err := b.ParseDrawing("1...2/..3../..+../...../..X..")
	if err != nil {
		panic(err)
	}
	fmt.Println(replay.Solution(b, start, "1-R X-U"))
	_, err = replay.Solution(b, start, "1-R")
	fmt.Println(err)
	// Output:
	// [1...2/..3../..+../...../..X.. ...12/..3../..+../...../..X.. ...12/..3../..+../...../.....] <nil>
	// move 2: the moves leave letters on the board
}

// TestMoves checks that the checker allows exactly the ways that are moves.
func TestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	names := board.Names()
	allowed := 0
	for n := range 300 {
		b, _ := board.Named(names[n%len(names)])
		d := make(board.Drawing, len(b.Cells()))
		for _, name := range []byte("XY1234567")[rng.IntN(2) : 5+rng.IntN(5)] {
			if i := rng.IntN(len(d)); d[i] == 0 && (name < 'A' || b.Exits()>>i&1 == 0) {
				d[i] = name
			}
		}
		if d.Position().Solved() { // in which Moves has none
			continue
		}
		made := make(map[string]string)
		for _, m := range b.Moves(nil, d.Position()) {
			after, play := b.Make(d, m)
			made[play.String()] = b.Format(after)
		}
		allowed += len(made)
		for move, after := range made {
			drawings, err := replay.Moves(b, d, move)
			if err != nil || drawings[0] != b.Format(d) || drawings[1] != after {
				t.Fatalf("%s: %s makes %s, the checker: %v, %v", b.Format(d), move, after, drawings, err)
			}
		}
		for i, name := range d {
			for _, way := range []string{"U", "D", "L", "R"} {
				if move := string(name) + "-" + way; d[i] != 0 {
					if _, err := replay.Moves(b, d, move); (err == nil) != (made[move] != "") {
						t.Fatalf("%s: %s is a move: %t, the checker: %v", b.Format(d), move, made[move] != "", err)
					}
				}
			}
		}
	}
	if allowed < 300 {
		t.Errorf("only %d moves were made", allowed)
	}
}

func TestErrors(t *testing.T) {
	b, _ := board.Named("5x5")
	d, err := b.ParseDrawing("1...2/..3../..+../...../..X..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		moves, want string
		at          int
	}{
		{"1-R 1-R", "it stands next to a piece already", 2},
		{"3-D X-D", "no piece is in its way", 2},
		{"1-U", "no piece is in its way", 1},
		{"4-U", "there is no piece 4", 1},
		{"1-RL", "turns by 90 degrees", 1},
		{"1-RR", "turns by 90 degrees", 1},
		{"X-UL", "has left the board before step 2", 1},
		{"X-U X-U", "there is no piece X", 2},
		{"1R", "expected a piece", 1},
		{"1-", "expected a piece", 1},
		{"12-R", "expected a piece", 1},
		{"1-A", "expected U, D, L or R", 1},
		{"", "letters on the board", 1},
	} {
		_, err := replay.Solution(b, d, c.moves)
		var at *replay.Error
		if !errors.As(err, &at) || at.Move != c.at || !strings.Contains(at.Reason, c.want) {
			t.Errorf("%s: %v, want move %d: %s", c.moves, err, c.at, c.want)
		}
	}
}
