package slide_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/slide/trees"
)

func Example() {
	puzzle, err := tray.Parse(`
tray:
AABB
AACC
12..
DEFF
DEGG
goal:
....
....
....
AA..
AA..
`)
	if err != nil {
		panic(err)
	}
	result, err := slide.Solve(context.Background(), puzzle, tray.Moves, slide.Options{})
	if err != nil {
		panic(err)
	}
	drawings, err := replay.Solution(puzzle, tray.Moves, result.Moves)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d moves, %v solutions, %d positions\n", result.Length, result.Solutions, result.States)
	fmt.Println(result.Moves[0], drawings[1])
	fmt.Println(drawings[len(drawings)-1])
	// Output:
	// 59 moves, 864 solutions, 1398 positions
	// 2 RR AABB/AACC/1..2/DEFF/DEGG
	// EDCC/EDBB/..21/AAGG/AAFF
}

func ExampleFindBB() {
	// One piece in a row of three cells: each position is a move away from the other two.
	puzzle, err := tray.Parse("tray: A..\ngoal: ..A")
	if err != nil {
		panic(err)
	}
	bb, err := slide.FindBB(context.Background(), puzzle, tray.Moves, trees.Options{Width: slide.BBWidth})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d vertices, mean length %v, BB metric %v\n", bb.Vertices, bb.Exact, bb.ExactValue())
	// Output:
	// 3 vertices, mean length 4/3, BB metric 2/3
}
