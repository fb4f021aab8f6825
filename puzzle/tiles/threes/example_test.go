package threes_test

import (
	"fmt"

	"pagoda/puzzle/tiles/threes"
)

// On 2x2, three tiles have been dealt from a full bag: 1, 2 and 3.
func Example() {
	game, err := threes.NewGame("threes/2x2", threes.Standard(2, 2))
	if err != nil {
		panic(err)
	}
	layer, state, err := game.Parse("1,2/.,3@111222333")
	if err != nil {
		panic(err)
	}
	fmt.Println(layer, game.Format(layer, state))
	rules := game.NewRules()
	for _, m := range rules.Moves(nil, state)[:2] {
		fmt.Printf("%s, of chance %.3f:\n", game.FormatChoice(m), m.Chance)
		for _, d := range rules.Draws(nil, m.After) {
			fmt.Printf("  %s with %.1f\n", game.Format(layer+d.Step, d.To), d.Chance)
		}
	}
	// Output:
	// 6 2,3/1,.@111222333
	// up, with 1 next, of chance 0.333:
	//   3,3/1,.@11222333 with 1.0
	// down, with 1 next, of chance 0.333:
	//   3,3/1,.@11222333 with 0.5
	//   3,3/1,.@11222333 with 0.5
}
