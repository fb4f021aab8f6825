package library_test

import (
	"fmt"
	"strings"

	"pagoda/statespace/slide/library"
)

func Example() {
	fmt.Println(strings.Join(library.Names()[:3], ", "))
	for _, name := range []string{"slide/dads", "slide/n2x4"} {
		puzzle, err := library.Lookup(name)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s, starts at %s\n", name, puzzle.Title, puzzle.FormatPosition(puzzle.Start()))
	}
	// Output:
	// slide/century, slide/century-and-a-half, slide/dads
	// slide/dads: Dad's Puzzler, starts at AABB/AACC/12../DEFF/DEGG
	// slide/n2x4: the 7-puzzle, 2 x 4, starts at 1234/567.
}
