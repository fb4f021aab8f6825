package slide_test

import (
	"context"
	"fmt"

	"pagoda/statespace/slide"
)

func Example() {
	puzzle, err := slide.ParsePuzzle(`
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
	result, err := slide.Solve(context.Background(), puzzle, slide.Moves, slide.Options{})
	if err != nil {
		panic(err)
	}
	drawings, err := puzzle.CheckSolution(slide.Moves, result.Moves)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d moves, %v ways, %d positions\n", result.Length, result.Solutions, result.States)
	fmt.Println(result.Moves[0], drawings[1])
	fmt.Println(drawings[len(drawings)-1])
	// Output:
	// 59 moves, 864 ways, 1398 positions
	// 2 RR AABB/AACC/1..2/DEFF/DEGG
	// EDCC/EDBB/..21/AAGG/AAFF
}

func ExampleFindBB() {
	// One piece in a row of three cells: of the three positions each is a move from each.
	puzzle, err := slide.ParsePuzzle("tray: A..\ngoal: ..A")
	if err != nil {
		panic(err)
	}
	bb, err := slide.FindBB(context.Background(), puzzle, slide.Moves, slide.BBOptions{Width: slide.BBWidth})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d vertices, mean length %v, BB metric %v\n", bb.Vertices, bb.ExactLength, bb.ExactValue())
	// Output:
	// 3 vertices, mean length 4/3, BB metric 2/3
}
