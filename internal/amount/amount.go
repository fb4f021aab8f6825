// Package amount writes numbers, and numbers of things: "1 move", "2 moves".
package amount

import (
	"fmt"
	"math/big"

	"github.com/dustin/go-humanize"
)

// Of writes a number of things, without separators between digits.
func Of[N int | uint64 | *big.Int](n N, thing string) string {
	number := fmt.Sprint(n)
	if number != "1" {
		thing += "s"
	}
	return number + " " + thing
}

// Comma writes a number in groups of three digits.
func Comma(n uint64) string {
	if n > 1<<62 {
		return fmt.Sprint(n)
	}
	return humanize.Comma(int64(n))
}
