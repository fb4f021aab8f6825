// Package amount writes numbers, numbers of things, and rough times: "1 move", "2 moves", "3 hours".
package amount

import (
	"fmt"
	"math/big"
	"strings"
	"time"

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

// Roughly writes a time with the digits that an estimate has.
func Roughly(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < 100*time.Second:
		return fmt.Sprintf("%.2g s", seconds)
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	case d < 100*time.Hour:
		return fmt.Sprintf("%.0f hours", d.Hours())
	default:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
}
