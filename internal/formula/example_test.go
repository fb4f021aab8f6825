package formula_test

import (
	"fmt"

	"pagoda/internal/formula"
)

func Example() {
	f, err := formula.Compile("moves > 3 && jumps < moves / 2", map[string]formula.Field{"moves": {Place: 0}, "jumps": {Place: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	row := formula.NewRow([]func(x uint64) (int64, error){
		func(x uint64) (int64, error) { return int64(x), nil },     // moves
		func(x uint64) (int64, error) { return int64(x % 5), nil }, // jumps
	})
	var found []uint64
	for x := range uint64(8) {
		if row.Set(x); f.Truth(row) {
			found = append(found, x)
		}
	}
	fmt.Println(found)
	_, err = formula.Compile("moves > 3 and jumps < 2", map[string]formula.Field{"moves": {Place: 0}, "jumps": {Place: 1}})
	fmt.Println(err)
	// Output:
	// [5 6 7]
	// character 11: expected an operator, found "and"; write && for and
}
