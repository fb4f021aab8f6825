package packing_test

import (
	"context"
	"fmt"
	"slices"

	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
)

// Piece A has four places, and then the interchangeable pieces 1 and 2 have six.
func Example() {
	puzzle, err := tray.Parse("tray: AA./12.\ngoal: .../.AA")
	if err != nil {
		panic(err)
	}
	numbers, err := packing.New(context.Background(), puzzle, 0)
	if err != nil {
		panic(err)
	}
	x, _ := numbers.Rank(puzzle.Start())
	fmt.Printf("%s is number %d of %d\n", puzzle.FormatPosition(puzzle.Start()), x, numbers.Size())
	next := numbers.Graph(tray.Steps).NewExpander().Expand(nil, x&^63, 1<<(x%64), nil)
	slices.Sort(next)
	for _, y := range next {
		fmt.Printf("a step leads to number %d, %s\n", y, puzzle.FormatPosition(numbers.Unrank(y)))
	}
	// Output:
	// AA./12. is number 11 of 24
	// a step leads to number 4, .AA/12.
	// a step leads to number 10, AA./1.2
}
