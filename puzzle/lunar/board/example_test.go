package board_test

import (
	"fmt"

	"pagoda/puzzle/lunar/board"
)

// X goes left over the exit until 1 stops it, and may go on down from there, where 3 stops it.
func Example() {
	b, err := board.Find("5x5")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := b.ParseDrawing("...../..2../1.+.X/...../.3...")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range b.Moves(nil, d.Position()) {
		after, play := b.Make(d, m)
		fmt.Printf("%-5v %s\n", play, b.Format(after))
	}
	// Output:
	// 1-R   ...../..2../..+1X/...../.3...
	// X-L   ...../..2../1X+../...../.3...
	// X-LD  ...../..2../1.+../.X.../.3...
}
