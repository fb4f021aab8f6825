// Package amount writes numbers, and numbers of things: "1 move", "2 moves".
package amount

import (
	"fmt"
	"math/big"
	"strings"

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

// Commas is Of with the digits in groups of three.
func Commas[N int | uint64 | *big.Int](n N, thing string) string {
	digits, things, _ := strings.Cut(Of(n, thing), " ")
	number, _ := new(big.Int).SetString(digits, 10)
	return humanize.BigComma(number) + " " + things
}

// Comma writes a number in groups of three digits.
func Comma(n uint64) string {
	if n > 1<<62 {
		return fmt.Sprint(n)
	}
	return humanize.Comma(int64(n))
}
