package tray_test

import (
	"fmt"

	"pagoda/puzzle/slide/tray"
)

func Example() {
	puzzle, err := tray.Parse(`
title: a small puzzle
tray:
AAB
1.2
goal:
...
.AA
`)
	if err != nil {
		panic(err)
	}
	start := puzzle.Start()
	fmt.Printf("%d cells, pieces %s of %d kinds\n", len(puzzle.Cells()), puzzle.Pieces(), len(puzzle.Kinds()))
	for _, s := range puzzle.Successors(tray.Moves, start) {
		fmt.Printf("%v leads to %s\n", puzzle.Move(s), puzzle.FormatPosition(s.To))
	}
	_, err = puzzle.ParsePosition("AAB/12#")
	fmt.Println(err)
	// Output:
	// 6 cells, pieces AB12 of 2 kinds
	// 1 R leads to AAB/.12
	// 2 L leads to AAB/12.
	// line 1, column 7: unexpected '#': the tray has no wall here
}
