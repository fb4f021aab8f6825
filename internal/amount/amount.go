// Package amount writes numbers of things: "1 move", "2 moves".
package amount

import "fmt"

// Of writes a number of things, without separators between digits.
func Of[N int | uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
