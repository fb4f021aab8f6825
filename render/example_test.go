package render_test

import (
	"fmt"
	"os"
	"strings"

	"pagoda/render"
	"pagoda/statespace/peg"
	"pagoda/statespace/slide"
)

func Example() {
	board, err := peg.Triangle(4)
	if err != nil {
		panic(err)
	}
	pattern, err := board.ParsePattern("./oo/o?o/oooo")
	if err != nil {
		panic(err)
	}
	from, _ := board.Number(peg.Cell{Row: 2, Col: 2})
	over, _ := board.Number(peg.Cell{Row: 1, Col: 1})
	position := render.Position{Board: board, Pattern: pattern, Jump: &peg.Jump{From: from, Over: over, To: 0}}
	panels := []render.Panel{{Drawing: position, Caption: position.Pegs()}}

	if err := render.Text(os.Stdout, panels, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	picture, err := render.Sheet(panels, 0, render.Style{Cell: 60})
	if err != nil {
		fmt.Println(err)
	}
	var svg strings.Builder
	if err := picture.WriteSVG(&svg); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Count(svg.String(), `class="peg"`), "pegs")
	// Output:
	//    .
	//   o x
	//  o ? ^
	// o o o o
	// 8 to 9 pegs
	// 8 pegs
}

func ExampleTraySolution() {
	puzzle, err := slide.ParsePuzzle("AA.B/CC.. ..../..AA")
	if err != nil {
		panic(err)
	}
	solution := render.TraySolution{Puzzle: puzzle, Moves: []slide.Move{{Pieces: "C", Path: "RR"}, {Pieces: "A", Path: "D"}}}
	panels, err := solution.Panels()
	if err != nil {
		fmt.Println(err)
	}
	if err := render.Text(os.Stdout, panels, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	frames, err := solution.Frames(render.Timing{})
	if err != nil {
		fmt.Println(err)
	}
	var gif strings.Builder
	if err := render.WriteGIF(&gif, frames, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(frames), "frames")
	// Output:
	// AA.B            AA.B            ...B
	// CC..            ..CC            AACC
	// 1. C RR         2. A D          end, 2 moves
	// 22 frames
}
