package draw_test

import (
	"fmt"
	"os"
	"strings"

	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/render"
)

func Example() {
	triangle, err := board.OfShape(board.TriangleShape(4))
	if err != nil {
		panic(err)
	}
	pattern, err := triangle.ParsePattern("./oo/o?o/oooo")
	if err != nil {
		panic(err)
	}
	from, _ := triangle.Number(board.Cell{Row: 2, Col: 2})
	over, _ := triangle.Number(board.Cell{Row: 1, Col: 1})
	position := draw.Position{Board: triangle, Pattern: pattern, Jump: &board.Jump{From: from, Over: over, To: 0}}
	panels := []render.Panel{{Drawing: position, Caption: position.Pegs()}}

	if err := render.Text(os.Stdout, panels, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	picture, err := render.Sheet(panels, 0, render.Style{Cell: 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(string(picture.SVG()), `class="peg"`), "pegs")
	// Output:
	//    .
	//   o x
	//  o ? ^
	// o o o o
	// 8 to 9 pegs
	// 8 pegs
}
