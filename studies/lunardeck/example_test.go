package lunardeck_test

import (
	"context"
	"fmt"

	"pagoda/puzzle/lunar/board"
	"pagoda/studies/lunardeck"
)

// A small deck on a small board.
func Example() {
	b, err := board.Find("3x3")
	if err != nil {
		fmt.Println(err)
		return
	}
	cards, err := lunardeck.Make(context.Background(), b, "lunar/3x3", lunardeck.Options{Seed: 1, Count: 4, Threads: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cards {
		fmt.Printf("%d %-12s %s  %.1f %v\n", c.Number, c.Level, b.Format(c.Start), float64(c.Difficulty)/10, c.Solution)
	}
	// Output:
	// 1 beginner     ..1/X+./..2  2.0 [1-D X-R]
	// 2 intermediate X.1/.+./2.3  4.1 [1-D X-DR]
	// 3 advanced     1.2/.+X/3.Y  7.1 [1-D X-L Y-UL]
	// 4 expert       1.2/.+3/XYZ  11.2 [2-L Y-U Z-LU X-UR]
}
