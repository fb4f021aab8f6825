package draw_test

import (
	"fmt"
	"io"
	"os"

	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

func Example() {
	puzzle, err := formats.Parse("AA.B/CC.. ..../..AA")
	if err != nil {
		panic(err)
	}
	film, err := draw.NewFilm(puzzle, nil, []tray.Move{{Pieces: "C", Path: "RR"}, {Pieces: "A", Path: "D"}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := render.Text(os.Stdout, film.Strip(), 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	scenes, err := render.Play(0, film)
	if err != nil {
		fmt.Println(err)
	}
	if err := render.WriteGIF(io.Discard, scenes, 0, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(scenes), "scenes")
	// Output:
	// AA.B            AA.B            ...B
	// CC..            ..CC            AACC
	// 1. C RR         2. A D          end, 2 moves
	// 22 scenes
}
