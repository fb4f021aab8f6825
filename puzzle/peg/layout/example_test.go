package layout_test

import (
	"fmt"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// The layout of the 5x7 board with a hole in the centre: the block is the border, and the
// other cells are weighed.
func Example() {
	b, err := board.Rectangle(5, 7)
	if err != nil {
		panic(err)
	}
	start := b.Full() &^ (1 << 17)
	l := layout.New(b, b.Stabilizer(start))
	for cell, c := range b.Cells() {
		if l.Block>>cell&1 == 1 {
			fmt.Print("  .")
		} else {
			fmt.Printf("%3d", l.BlockWeights[cell])
		}
		if c.Col == 4 {
			fmt.Println()
		}
	}
	all := l.Representatives(start)
	fmt.Printf("blocks of 2^%d numbers; a jump loses up to %d of the weight\n", l.BlockBits, l.Drop)
	fmt.Printf("%d blocks to make, %d of them in memory at a time\n", lists.Sum(all), l.Window(all))
	// Output:
	//   .  .  .  .  .
	//   .  9  2  9  .
	//   .  2  1  2  .
	//   .  8  2  8  .
	//   .  2  1  2  .
	//   .  9  2  9  .
	//   .  .  .  .  .
	// blocks of 2^16 numbers; a jump loses up to 11 of the weight
	// 8638 blocks to make, 3388 of them in memory at a time
}
