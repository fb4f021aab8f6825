package npuzzle_test

import (
	"context"
	"fmt"
	"slices"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/bfs"
)

// A search of the 8-puzzle from the tiles in order. No position is more than 31 moves away.
func Example() {
	puzzle, err := library.NPuzzle(3, 3)
	if err != nil {
		panic(err)
	}
	numbers, err := npuzzle.New(puzzle)
	if err != nil {
		panic(err)
	}
	start, _ := numbers.Rank(puzzle.Start())
	graph := numbers.Graph(tray.Steps)
	graph.Roots = slices.Values([]uint64{start})
	ctx := context.Background()
	search, err := bfs.New(ctx, graph, bfs.Options{Threads: 2})
	if err != nil {
		panic(err)
	}
	defer search.Close()
	if err := search.Run(ctx, nil, nil); err != nil {
		panic(err)
	}
	last := len(search.Layers) - 1
	fmt.Printf("%d positions, %d of them %d moves from %s\n", search.States(), search.Layers[last], last, puzzle.FormatPosition(puzzle.Start()))
	// Output:
	// 181440 positions, 2 of them 31 moves from 123/456/78.
}
