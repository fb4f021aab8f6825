package spacetest_test

import (
	"context"
	"errors"
	"fmt"

	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// oneWay is a board that does not know from where jumps lead to a position.
type oneWay struct{ *peg.Space }

func (oneWay) Predecessors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge { return dst }

// A space that keeps the laws, and one that breaks one of them.
func ExampleCheck() {
	sp, err := peg.Lookup("peg/3x4")
	if err != nil {
		panic(err)
	}
	fmt.Println(spacetest.Check(context.Background(), sp, 100))

	var broken *spacetest.LawError
	if errors.As(spacetest.Check(context.Background(), oneWay{sp}, 100), &broken) {
		fmt.Println(broken.Law)
		fmt.Println(broken.Detail)
	}
	// Output:
	// <nil>
	// Successors and Predecessors are inverse
	// at number 191, "ooo/o.o/ooo/ooo": move 17 leads to number 95, "ooo/ooo/o.o/o.o"; it is listed 1 times here, and 0 times among the Predecessors there
}
