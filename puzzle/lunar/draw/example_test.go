package draw_test

import (
	"fmt"
	"os"
	"strings"

	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/render"
)

// A page of problems.
func Example() {
	p, err := problem.Parse("5x5:12..3/...../..+../4..../...X.")
	if err != nil {
		panic(err)
	}
	panels := []render.Panel{{
		Drawing: draw.Position{Board: p.Board, Pieces: p.Drawing, Looks: p.Pieces},
		Caption: "1. 10 moves, 12 steps",
	}}

	if err := render.Text(os.Stdout, panels, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	page, err := render.Sheet(panels, 4, render.Style{Cell: 24})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(string(page.SVG()), `class="number"`), "number pieces")
	// Output:
	// 12..3
	// .....
	// ..+..
	// 4....
	// ...X.
	// 1. 10 moves, 12 steps
	// 4 number pieces
}
