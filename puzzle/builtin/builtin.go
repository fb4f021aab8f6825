// Package builtin lists the kinds of puzzles that come with this module.
package builtin

import (
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/tiles"
	"pagoda/puzzle/twist"
	_ "pagoda/run/all"
)

// Families returns the families, in the order in which help names them. The first family that claims a
// text reads it. Sliding blocks claim many, and come last.
func Families() *puzzle.Set {
	return puzzle.NewSet(peg.Family(), lunar.Family(), tiles.Twenty48(), tiles.Threes(), twist.Family(), slide.Family())
}
