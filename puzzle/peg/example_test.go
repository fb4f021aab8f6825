package peg_test

import (
	"fmt"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
)

func Example() {
	cross, start, err := board.ParseBoard(`
 ooo
 ooo
ooooooo
ooo.ooo
ooooooo
  ooo
  ooo
`)
	if err != nil {
		panic(err)
	}
	sp, err := peg.New("bent cross", cross, start)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d cells, %d invariants, 2^%d numbers\n", len(cross.Cells()), len(cross.Invariants()), sp.Class().Dim())

	_, err = sp.Parse(cross.FormatPosition(cross.Full()))
	fmt.Println(err)
	// Output:
	// 33 cells, 4 invariants, 2^29 numbers
	// of another class than the start: on the 16 marked cells of #.oo/#.oo/......./o.oo.oo/o.oo.oo/##.../##oo. it has an even number of pegs, the start an odd one, and no jump changes that
}
