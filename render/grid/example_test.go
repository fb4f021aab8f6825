package grid_test

import (
	"fmt"
	"os"

	"pagoda/puzzle/peg"
	"pagoda/render"
	"pagoda/render/grid"
	"pagoda/statespace"
)

// Any space with cells can be drawn, also a peg board.
func Example() {
	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		panic(err)
	}
	start := sp.Roots()[0]
	jump := sp.Successors(nil, start)[0]
	film, err := grid.Drawer{}.Film(sp, statespace.Path{From: start, Steps: []statespace.Step{{Move: jump.Move, State: jump.To}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := render.Text(os.Stdout, film.Strip(), 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// oooo                                 oooo
	// o.oo                                 oo..
	// oooo                                 oooo
	// oooo                                 oooo
	// move 1: (1,3) over (1,2) to (1,1)    end, 1 move
}
