package engine_test

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/engine"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// A sweep of the 5x5 board from the centre.
func Example() {
	b, err := board.Rectangle(5, 5)
	if err != nil {
		panic(err)
	}
	start := b.Full() &^ (1 << 12)
	l := layout.New(b, b.Stabilizer(start))
	c, err := board.NewClass(b, start, l.Free)
	if err != nil {
		panic(err)
	}
	e := engine.New(c, l, start, func() []*board.Symmetry { return c.Symmetries(start) })

	root, _ := c.Number(start)
	set := bitset.New(1 << c.Dim())
	set.Add(root)
	work := e.Enumeration([]uint64{root}, set.Words())
	if err := statespace.Do(context.Background(), work, 2, nil); err != nil {
		panic(err)
	}
	fmt.Println(set.Count(), "positions of", set.Len(), "in the class")

	blocks := e.Blocks()
	fmt.Printf("as a stream: %d blocks of 2^%d numbers\n", len(blocks.Folding().Order), blocks.Bits)
	// Output:
	// 1183924 positions of 2097152 in the class
	// as a stream: 101 blocks of 2^12 numbers
}
