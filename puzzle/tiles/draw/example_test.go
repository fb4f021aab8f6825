package draw_test

import (
	"fmt"
	"os"
	"strings"

	"pagoda/puzzle/tiles/draw"
	boards "pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/render"
)

// A move of 2048, as a film strip in text and as an SVG.
func Example() {
	g, err := boards.New(2, 3, twenty48.Tiles)
	if err != nil {
		panic(err)
	}
	start, err := g.Parse("2,2,4/.,16,.")
	if err != nil {
		panic(err)
	}
	slid, _ := g.Slide(start, boards.Left)
	step := draw.Step{Direction: boards.Left, After: slid.With(5, 1)}

	film, err := draw.NewFilm(g, start, []draw.Step{step}, draw.Doubling)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := render.Text(os.Stdout, film.Strip(), 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	picture, err := render.Sheet(film.Strip(), 0, render.Style{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(string(picture.SVG()), `class="tile"`), "tiles")
	// Output:
	//  2  2  4                 4  4  .
	//  . 16  .                16  .  2
	// 1. left, score 0        end, 1 move, score 4
	// 8 tiles
}
