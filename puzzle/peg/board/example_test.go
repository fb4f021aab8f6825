package board_test

import (
	"fmt"
	"math/bits"

	"pagoda/puzzle/peg/board"
)

// A class numbers the positions that agree with the start on all parities that no jump
// changes. A single peg in the corner is not among them.
func ExampleClass() {
	b, start, err := board.ParseBoard("ooo\no.o\nooo\n")
	if err != nil {
		panic(err)
	}
	c, err := board.NewClass(b, start, b.FreeCells(b.ByLines(b.Full())))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d cells, %d of them pivots, %d numbers\n", len(b.Cells()), len(c.Pivots()), 1<<c.Dim())
	x, _ := c.Number(start)
	fmt.Println(c.Position(x) == start)

	corner, err := b.ParsePosition("o../.../...")
	if err != nil {
		panic(err)
	}
	if _, ok := c.Number(corner); !ok {
		broken := c.Broken(corner)
		fmt.Printf("no jump changes whether the pegs on %s are even: the start has %d, the corner %d\n",
			b.FormatPosition(broken), bits.OnesCount64(broken&start), bits.OnesCount64(broken&corner))
	}
	// Output:
	// 9 cells, 4 of them pivots, 32 numbers
	// true
	// no jump changes whether the pegs on o.o/.../o.o are even: the start has 4, the corner 1
}
