package weighted_test

import (
	"fmt"

	"pagoda/studies/weighted"
)

// The peg of weight 1 jumps twice and costs its weight once. The peg of weight 4 could jump over
// the one of weight 3; that would cost more than it brings.
func Example() {
	game, err := weighted.ParseGame(`
1 8 0 4
-1 -1 7 3
-1 -1 0 0
`)
	if err != nil {
		panic(err)
	}
	jumps, err := weighted.ParseJumps(game.Shape, "1 1 1 3; 1 3 3 3")
	if err != nil {
		panic(err)
	}
	for n := range len(jumps) + 1 {
		score, err := game.Play(jumps[:n])
		fmt.Printf("%+v %v\n", score, err)
	}
	// Output:
	// {Score:23 Costs:0 Left:23 Jumps:0 Moves:0 Pegs:5} <nil>
	// {Score:16 Costs:1 Left:15 Jumps:1 Moves:1 Pegs:4} <nil>
	// {Score:9 Costs:1 Left:8 Jumps:2 Moves:1 Pegs:3} <nil>
}
