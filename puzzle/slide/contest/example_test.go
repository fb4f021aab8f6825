package contest_test

import (
	"fmt"
	"strings"

	"pagoda/puzzle/slide/contest"
)

func Example() {
	p, err := contest.ParseProblem("2 2\n0 0\n0 0\n-\n1\n1 1\n1\n-\n2 1\n1 1\n-\n0 1\n")
	if err != nil {
		panic(err)
	}
	z, err := contest.ParseOutput(strings.NewReader("A first try.\nBEGIN SOLUTION\n0 1 1\n1 0 0\n-\n1\n-\n1 down\nEND SOLUTION\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Replay(z))
	z.Pieces = z.Pieces[1:]
	z.Moves[0].Piece = 0
	fmt.Println(p.Replay(z))
	fmt.Print(z.Format())
	// Output:
	// line 8: move 1: piece 1 cannot go down in step 1: piece 0 is at 1 1
	// <nil>
	// BEGIN SOLUTION
	// 1 0 0
	// -
	// 1
	// -
	// 0 down
	// END SOLUTION
}
