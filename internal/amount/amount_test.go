package amount_test

import (
	"fmt"

	"pagoda/internal/amount"
)

func Example() {
	fmt.Println(amount.Of(0, "move"), amount.Of(uint64(1), "move"), amount.Of(2000, "move"))
	// Output: 0 moves 1 move 2000 moves
}
