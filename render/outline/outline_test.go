package outline

import (
	"image/color"
	"math/rand/v2"
	"testing"

	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/statespace/cells"
)

// An outline around cells, moved inwards, holds the points that are so far from all other
// cells, corners included. Moved outwards, it holds those that are so near to a cell.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	black, white := color.RGBA{A: 255}, color.RGBA{255, 255, 255, 255}
	const side, cell, by = 5, 9, 2
	for range 300 {
		in := make(map[cells.Cell]bool)
		var set []cells.Cell
		for i := range side * side {
			if c := (cells.Cell{Row: i / side, Col: i % side}); r.IntN(5) < 3 {
				set = append(set, c)
				in[c] = true
			}
		}
		if len(set) == 0 {
			continue
		}
		for _, inset := range []int{0, by, -by} {
			p := render.NewPicture(side*cell, side*cell, white)
			p.Add(Around(set).Shape(render.Point{}, cell, Even(float64(inset)), 0, 0, black, ""))
			img := rendertest.Image(t, p)
			for y := range side * cell {
				for x := range side * cell {
					all, some := true, false
					for dy := -by; dy <= by; dy++ {
						for dx := -by; dx <= by; dx++ {
							if max(dx, -dx, dy, -dy) <= max(inset, -inset) {
								is := x+dx >= 0 && y+dy >= 0 && in[cells.Cell{Row: (y + dy) / cell, Col: (x + dx) / cell}]
								all, some = all && is, some || is
							}
						}
					}
					want := white
					if all || inset < 0 && some {
						want = black
					}
					if got := img.RGBAAt(x, y); got != want {
						t.Fatalf("cells %v, %d inwards: %d,%d is %v, want %v", set, inset, x, y, got, want)
					}
				}
			}
		}
	}
}
