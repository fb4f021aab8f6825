package peg_test

import (
	"fmt"

	"pagoda/statespace/peg"
)

func Example() {
	board, start, err := peg.ParseBoard(`
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
	sp, err := peg.New("bent cross", board, start)
	if err != nil {
		panic(err)
	}
	cells, dim := sp.Dimensions()
	fmt.Printf("%d cells, %d invariants, 2^%d numbers\n", cells, len(board.Invariants()), dim)

	_, err = sp.Parse(board.FormatPosition(board.Full()))
	fmt.Println(err)
	// Output:
	// 33 cells, 4 invariants, 2^29 numbers
	// of another class than the start: on the 13 marked cells of #o.o/#.oo/oo.oo.o/o.oo.oo/.oo.oo./##o.o/##.oo it has an odd number of pegs, the start an even one, and no jump changes that
}
