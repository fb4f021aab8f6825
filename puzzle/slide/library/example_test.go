package library_test

import (
	"fmt"
	"slices"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

func Example() {
	fmt.Println(slices.Contains(library.Names(), "slide/century"))
	for _, name := range []string{"slide/dads", "slide/n2x4"} {
		puzzle, err := library.Lookup(name)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s, starts at %s\n", name, puzzle.Title, puzzle.FormatPosition(puzzle.Start()))
	}
	moves := library.Computed()["slide/dads"][tray.Moves]
	fmt.Printf("%d moves, %v solutions\n", moves.Length, moves.Solutions)
	// Output:
	// true
	// slide/dads: Dad's Puzzler, starts at AABB/AACC/12../DEFF/DEGG
	// slide/n2x4: the 7-puzzle, 2 x 4, starts at 1234/567.
	// 59 moves, 864 solutions
}
