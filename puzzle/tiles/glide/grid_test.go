package glide_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/twenty48"
)

var shapes = [][2]int{{1, 1}, {1, 5}, {1, 8}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {3, 4}, {4, 3}, {3, 5}, {4, 4}, {2, 8}, {8, 2}, {1, 16}}

func newGrid(t testing.TB, shape [2]int) *glide.Grid {
	g, err := glide.New(shape[0], shape[1], twenty48.Tiles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randomBoard(r *rand.Rand, cells int) (b glide.Board) {
	for i := range cells {
		if r.IntN(3) > 0 {
			b = b.With(i, uint8(1+r.IntN(1+r.IntN(14))))
		}
	}
	return b
}

// slide is Grid.Slide, cell by cell.
func slide(rows, columns int, b glide.Board, d glide.Direction) (after glide.Board, gain int32) {
	lines, length := rows, columns
	if d <= glide.Down {
		lines, length = columns, rows
	}
	for l := range lines {
		var cells []int
		for i := range length {
			if d <= glide.Down {
				cells = append(cells, i*columns+l)
			} else {
				cells = append(cells, l*columns+i)
			}
		}
		if d == glide.Down || d == glide.Right {
			slices.Reverse(cells)
		}
		to, fresh := 0, false
		for _, c := range cells {
			tile := b.At(c)
			switch {
			case tile == 0:
			case to > 0 && !fresh && tile < 15 && after.At(cells[to-1]) == tile:
				after = after.With(cells[to-1], tile+1)
				gain += 1 << (tile + 1)
				fresh = true
			default:
				after = after.With(cells[to], tile)
				to, fresh = to+1, false
			}
		}
	}
	return after, gain
}

func TestSlideAndSymmetries(t *testing.T) {
	for _, shape := range shapes {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			g, r := newGrid(t, shape), rand.New(rand.NewPCG(1, uint64(shape[0])))
			for range 2000 {
				b := randomBoard(r, g.Cells())
				var images [8]glide.Board
				n := g.Images(b, &images)
				if n != g.Symmetries() || images[0] != b {
					t.Fatalf("%x: %d images, expected %d, the first the board itself", b, n, g.Symmetries())
				}
				for d := range glide.Direction(glide.Directions) {
					after, gain := g.Slide(b, d)
					if want, score := slide(shape[0], shape[1], b, d); after != want || gain != score {
						t.Fatalf("%x %v: %x with %d, expected %x with %d", b, d, after, gain, want, score)
					}
					for s, image := range images[:n] {
						if want := g.Image(s, b); image != want {
							t.Fatalf("image %d of %x is %x, expected %x", s, b, image, want)
						}
						if got, _ := g.Slide(image, g.ImageDirection(s, d)); got != g.Image(s, after) {
							t.Fatalf("%x %v: under symmetry %d the slide leads to %x, expected %x", b, d, s, got, g.Image(s, after))
						}
						if g.Canonical(image) != g.Canonical(b) {
							t.Fatalf("%x and its image %x have different canonical boards", b, image)
						}
					}
				}
				different := slices.Clone(images[:n])
				slices.Sort(different)
				if want := len(slices.Compact(different)); g.Orbit(b) != want {
					t.Fatalf("%x has %d images, expected %d", b, g.Orbit(b), want)
				}
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, shape := range [][2]int{{0, 4}, {4, 0}, {-1, 3}, {5, 4}, {17, 1}, {1 << 40, 1 << 40}} {
		if _, err := glide.New(shape[0], shape[1], twenty48.Tiles); err == nil {
			t.Errorf("a board of %v was made", shape)
		}
	}
}

func BenchmarkSlide(b *testing.B) {
	for _, shape := range [][2]int{{3, 3}, {4, 3}, {4, 4}} {
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			g, r := newGrid(b, shape), rand.New(rand.NewPCG(1, 2))
			boards := make([]glide.Board, 1024)
			for i := range boards {
				boards[i] = randomBoard(r, g.Cells())
			}
			sum := glide.Board(0)
			for i := 0; b.Loop(); i++ {
				after, _ := g.Slide(boards[i%1024], glide.Direction(i/1024%4))
				sum += after
			}
			_ = sum
		})
	}
}
