//go:build long

package deck_test

import (
	"context"
	"fmt"

	"pagoda/studies/rushhour/deck"
)

// A small deck.
func Example() {
	cards, err := deck.Make(context.Background(), deck.Options{Seed: 1, Count: 4, Threads: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cards {
		fmt.Printf("%d %-12s %v %2d moves %.1f\n", c.Number, c.Level, c.Board, c.Moves, float64(c.Difficulty)/10)
	}
	// Output:
	// 1 beginner     BoCoDDBoCoEoBAAoEooFGGHHoFooIIoFoooo  7 moves 17.4
	// 2 intermediate oBBCCDooEFoDAAEFGoHIIIGoHJKKLLHJoooo 16 moves 29.9
	// 3 advanced     BCCoDDBEEEFoGHAAFIGHJJFIoHoKLLMMMKoo 26 moves 55.5
	// 4 expert       BBCDDEFoCGHEFAAGHIFJKKKILJooooLoooMM 33 moves 77.9
}
