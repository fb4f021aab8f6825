package amount_test

import (
	"fmt"
	"math/big"

	"pagoda/internal/amount"
)

func Example() {
	fmt.Println(amount.Of(0, "move"), amount.Of(uint64(1), "move"), amount.Of(2000, "move"), amount.Of(big.NewInt(1), "move"))
	fmt.Println(amount.Comma(2000), amount.Comma(1<<63))
	// Output:
	// 0 moves 1 move 2000 moves 1 move
	// 2,000 9223372036854775808
}
