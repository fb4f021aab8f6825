package sweep_test

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/puzzle/peg"
	"pagoda/statespace/sweep"
)

// All positions of a board of peg solitaire, and the proof that they are all.
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
	fmt.Println(set.Count(), "positions")
	faults, err := sweep.Verify(ctx, sp, set, 2, nil)
	fmt.Println(faults.Count, "faults", err)

	layers, err := sweep.CountLayers(ctx, sp, set, 2)
	fmt.Println(layers[:4], err)

	set.Flip(1000)
	faults, err = sweep.Verify(ctx, sp, set, 2, nil)
	fmt.Println("faults with a position changed:", faults.Count > 0, err)
	// Output:
	// 2115 positions
	// 0 faults <nil>
	// [{15 1 0} {14 2 0} {13 6 0} {12 20 0}] <nil>
	// faults with a position changed: true <nil>
}

// Of positions that are images of each other by a symmetry of the board, Fold keeps one.
func ExampleFold() {
	ctx := context.Background()
	sp, err := peg.Lookup("peg/5x5")
	if err != nil {
		panic(err)
	}
	set := bitset.New(sp.Size())
	if err := sweep.Enumerate(ctx, sp, set, 1, nil); err != nil {
		panic(err)
	}
	fmt.Println(set.Count(), "positions")
	symmetries := sweep.Symmetries(sp)
	for i, members := range set.Words() {
		set.Words()[i] = sweep.Fold(symmetries, uint64(i), members)
	}
	fmt.Println(set.Count(), "up to symmetry")
	// Output:
	// 1183924 positions
	// 149419 up to symmetry
}
