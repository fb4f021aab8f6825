package packages_test

import (
	"context"
	"fmt"

	"pagoda/studies/packages"
)

// The 6-purge takes two rows of three pegs away. The row above them is the catalyst.
func Example() {
	block, err := packages.Parse("#..o/ooo#/ooo#", "#..o/...#/...#")
	if err != nil {
		panic(err)
	}
	p, err := packages.Find(context.Background(), block, packages.Options{Threads: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.States, "positions,", p.Jumps, "jumps,", p.Sequences, "sequences")

	at, jumps, _ := p.Example()
	for _, k := range jumps {
		at ^= block.Board.Jump(k).Mask()
	}
	fmt.Println("the end of one:", block.Board.FormatPosition(at))
	// Output:
	// 11 positions, 15 jumps, 6 sequences
	// the end of one: #..o/.../...
}
