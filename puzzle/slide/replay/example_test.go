package replay_test

import (
	"errors"
	"fmt"

	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
)

func Example() {
	puzzle, err := tray.Parse("AAB./.... .AA.")
	if err != nil {
		panic(err)
	}
	solution := []tray.Move{{Pieces: "B", Path: "R"}, {Pieces: "A", Path: "R"}}
	fmt.Println(replay.Solution(puzzle, tray.Moves, solution))
	fmt.Println(replay.Solution(puzzle, tray.Moves, solution[1:]))
	_, err = replay.Solution(puzzle, tray.Moves, solution[:1])
	fmt.Println(err, errors.Is(err, replay.ErrNotSolved))
	// Output:
	// [AAB./.... AA.B/.... .AAB/....] <nil>
	// [AAB./....] move 1: piece A cannot go R: piece B is in the way
	// move 2: the moves do not lead to a goal true
}
