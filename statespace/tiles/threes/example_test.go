package threes_test

import (
	"fmt"

	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/threes"
)

// On 2x2, three tiles have been dealt from a full bag: 1, 2 and 3.
func Example() {
	game, err := threes.New(threes.Standard(2, 2))
	if err != nil {
		panic(err)
	}
	layer, state, err := game.Parse("1,2/.,3@111222333")
	if err != nil {
		panic(err)
	}
	fmt.Println(layer, game.Format(layer, state))
	for _, m := range game.Moves(nil, state)[:2] {
		fmt.Printf("next tile %d with %.3f, slide %v:\n", m.Case+1, m.Chance, tiles.Direction(m.Number))
		for _, d := range game.Draws(nil, m.After) {
			fmt.Printf("  %s with %.1f\n", game.Format(layer+d.Step, d.To), d.Chance)
		}
	}
	// Output:
	// 6 2,3/1,.@111222333
	// next tile 1 with 0.333, slide up:
	//   3,3/1,.@11222333 with 1.0
	// next tile 1 with 0.333, slide down:
	//   3,3/1,.@11222333 with 0.5
	//   3,3/1,.@11222333 with 0.5
}
