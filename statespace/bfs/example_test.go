package bfs_test

import (
	"context"
	"fmt"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// All states of the Tower of Hanoi, by their distance from the start, and a shortest solution.
func Example() {
	sp := toys.NewHanoi(3)
	ctx := context.Background()
	s, err := bfs.New(ctx, bfs.Of(sp), bfs.Options{Threads: 2})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if err := s.Run(ctx, nil, nil); err != nil {
		panic(err)
	}
	fmt.Println(s.States(), "states, by distance", s.Layers)

	path, err := bfs.ShortestPath(sp, s.Distances(), s.Goals[0], len(s.Layers))
	if err != nil {
		panic(err)
	}
	moves, _, err := statespace.Narrate(sp, path)
	fmt.Println(len(moves), "moves:", moves[:3], err)
	// Output:
	// 27 states, by distance [1 2 2 4 2 4 4 8]
	// 7 moves: [disk 1 to peg C disk 2 to peg B disk 1 to peg B] <nil>
}
