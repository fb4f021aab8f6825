package purges_test

import (
	"fmt"

	"pagoda/puzzle/peg/board"
	"pagoda/studies/purges"
)

func Example() {
	p := purges.ByName(purges.Library(), "3-purge")
	fmt.Println(p)
	fmt.Println(p.Draw()) // x is cleared, o and . are the catalyst

	english, err := board.OfShape(board.CrossShape(7))
	if err != nil {
		panic(err)
	}
	n := 0
	for range purges.Placements(&english.Shape, []*purges.Package{p}) {
		n++
	}
	fmt.Println(n, "places on the English board")
	// Output:
	// 3-purge: oo./#o/#o to o../#./#. by a1-c1 b3-b1 c1-a1
	// ox./#x/#x
	// 104 places on the English board
}
