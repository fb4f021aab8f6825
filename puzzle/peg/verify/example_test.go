package verify_test

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/engine"
	"pagoda/puzzle/peg/verify"
	"pagoda/statespace"
)

// The certificate accepts the set of all positions that can be reached, and finds out when
// the start is missing.
func Example() {
	b, err := board.Rectangle(4, 4)
	if err != nil {
		panic(err)
	}
	start := b.Full() &^ 1
	c, err := board.NewClass(b, start, b.FreeCells(b.ByLines(b.Full())))
	if err != nil {
		panic(err)
	}
	root, _ := c.Number(start)
	set := bitset.New(1 << c.Dim())
	set.Add(root)
	do := func(work statespace.Work) {
		if err := statespace.Do(context.Background(), work, 2, nil); err != nil {
			panic(err)
		}
	}
	do(engine.Levels(c, []uint64{root}, set.Words()))

	proof := verify.Certificate(c, root, set)
	do(proof)
	fmt.Println(set.Count(), "positions,", proof.Faults().Count, "faults")
	count := verify.Count(c, set)
	do(count)
	fmt.Println(count.Layers()[:3])

	set.Flip(root)
	proof = verify.Certificate(c, root, set)
	do(proof)
	fmt.Println(proof.Faults().Count, "faults: the start is missing, and nothing leads to its successors")
	// Output:
	// 1687 positions, 0 faults
	// [{15 1 0} {14 2 0} {13 4 0}]
	// 3 faults: the start is missing, and nothing leads to its successors
}
