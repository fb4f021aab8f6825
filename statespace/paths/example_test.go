package paths_test

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

// How a position of peg solitaire is reached, and in how many ways.
func Example() {
	ctx := context.Background()
	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		panic(err)
	}
	set := bitset.New(sp.Size())
	if err := sweep.Enumerate(ctx, sp, set, 2, nil); err != nil {
		panic(err)
	}
	to, err := sp.Parse("..../.o../..../o...")
	if err != nil {
		panic(err)
	}
	path, err := paths.Find(sp, func(x statespace.Index) (bool, error) { return set.Has(x), nil }, to)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(path.Steps), "jumps")

	between := bitset.New(sp.Size())
	if err := paths.Between(ctx, sp, paths.Keeping(sp, to), set, to, between, 1, nil); err != nil {
		panic(err)
	}
	counts, err := paths.Count(ctx, sp, paths.Keeping(sp, to), between, to, 1<<20, 1, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(counts.Total(), "ways through", between.Count(), "positions")

	places := sweep.Of(sp).Places
	fewest, err := paths.FewestMoves(ctx, sp, places, sweep.Of(sp).PlaceImage, paths.Keeping(sp, to), between, to, 1<<20, 1, nil)
	if err != nil {
		panic(err)
	}
	solutions, err := fewest.Total(ctx)
	fmt.Println(fewest.Moves, "moves in", solutions, "of the ways", err)
	// Output:
	// 13 jumps
	// 89237 ways through 707 positions
	// 8 moves in 5 of the ways <nil>
}
