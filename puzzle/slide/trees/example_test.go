package trees_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/slide/trees"
)

// A bridge leads from the start to a triangle. Each of its three trees has two of its edges, so
// the goal is one edge away in two of them, and two edges in one.
func Example() {
	edges := [][2]uint32{{0, 1}, {1, 2}, {2, 3}, {3, 1}}
	mean, err := trees.New(4, edges, 0, 3).MeanPath(context.Background(), trees.Options{Width: trees.MaxWidth})
	if err != nil {
		panic(err)
	}
	fmt.Println("mean length", mean.Exact)
	// Output:
	// mean length 7/3
}
