package glide_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
)

// The glides of a slide make the board after it: each tile goes once, towards the wall and past no
// other, and two tiles that join make a new one.
func TestGlides(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	join := map[string]func(a, b uint8) uint8{
		"to the wall": func(a, b uint8) uint8 { return map[bool]uint8{true: a + 1}[a == b] },
		"one step": func(a, b uint8) uint8 {
			if a+b == 3 && a != b && a*b > 0 {
				return 3
			}
			return map[bool]uint8{true: a + 1}[a == b && a >= 3]
		},
	}
	for name, tiles := range map[string]glide.Tiles{"to the wall": twenty48.Tiles, "one step": threes.Tiles} {
		for _, shape := range [][2]int{{4, 4}, {3, 3}, {2, 5}, {1, 7}, {8, 2}, {1, 1}} {
			g, err := glide.New(shape[0], shape[1], tiles)
			if err != nil {
				t.Fatal(err)
			}
			for range 500 {
				var b glide.Board
				for cell := range g.Cells() {
					b = b.With(cell, uint8(max(0, r.IntN(7)-2)))
				}
				for d := range glide.Direction(glide.Directions) {
					want, _ := g.Slide(b, d)
					all := g.Glides(nil, b, d)
					var got glide.Board
					var from []int
					for i, one := range all {
						from = append(from, one.From)
						if one.Tile != b.At(one.From) || one.Tile == 0 {
							t.Fatalf("%s: %x %v: %+v has another tile", name, b, d, one)
						}
						x0, y0, x1, y1 := one.From%g.Columns(), one.From/g.Columns(), one.To%g.Columns(), one.To/g.Columns()
						if ok := [...]bool{x0 == x1 && y1 <= y0, x0 == x1 && y1 >= y0, y0 == y1 && x1 <= x0, y0 == y1 && x1 >= x0}[d]; !ok {
							t.Fatalf("%s: %x %v: %+v goes elsewhere", name, b, d, one)
						}
						switch at := got.At(one.To); {
						case one.Joins && at == 0:
							if i+1 == len(all) || all[i+1].To != one.To || !all[i+1].Joins {
								t.Fatalf("%s: %x %v: %+v joins nothing", name, b, d, one)
							}
							got = got.With(one.To, one.Tile)
						case one.Joins && at == all[i-1].Tile && all[i-1].To == one.To:
							got = got.With(one.To, join[name](at, one.Tile))
						case at != 0:
							t.Fatalf("%s: %x %v: %+v goes to a taken cell", name, b, d, one)
						default:
							got = got.With(one.To, one.Tile)
						}
					}
					if got != want {
						t.Fatalf("%s %v: glides take %x %v to %x, want %x", name, shape, b, d, got, want)
					}
					if slices.Sort(from); len(slices.Compact(from)) != len(all) || len(all) != g.Cells()-ones(g.Empty(b)) {
						t.Fatalf("%s: %x %v: %d glides from %v", name, b, d, len(all), from)
					}
				}
			}
		}
	}
}

// ones counts the nibbles that are not 0.
func ones(b glide.Board) (n int) {
	for ; b != 0; b >>= 4 {
		if b&15 != 0 {
			n++
		}
	}
	return n
}

func ExampleGrid_Glides() {
	g, err := glide.New(1, 4, twenty48.Tiles)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := g.Parse(".,2,2,4")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, one := range g.Glides(nil, b, glide.Left) {
		fmt.Println(g.Numbers[one.Tile], "goes from", one.From, "to", one.To, one.Joins)
	}
	// Output:
	// 2 goes from 1 to 0 true
	// 2 goes from 2 to 0 true
	// 4 goes from 3 to 1 false
}
