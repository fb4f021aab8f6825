package draw

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/render"
)

// Boards of a game, each turned anyhow, unfold to a game with the same boards up to symmetry, and the
// same score.
func TestUnfold(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 70))
	for _, shape := range [][2]int{{4, 4}, {2, 3}, {3, 3}, {1, 6}, {2, 2}} {
		for range 20 {
			f := game(t, r, shape[0], shape[1], twenty48.Tiles, Doubling, 30)
			// at returns a state, and the score in its caption.
			at := func(f render.Film, i int) (Position, string) {
				_, score, _ := strings.Cut(f.Captions.States[i], "score")
				return f.Draw(i, -1).(Position), score
			}
			first, _ := at(f, 0)
			g := first.Grid
			var boards []glide.Board
			for i := range f.Moves() + 1 {
				d, _ := at(f, i)
				boards = append(boards, g.Image(r.IntN(g.Symmetries()), d.Board))
			}
			start, steps, err := Unfold(g, boards)
			if err != nil {
				t.Fatal(err)
			}
			other, err := NewFilm(g, start, steps, Doubling)
			if err != nil {
				t.Fatal(err)
			}
			for i := range f.Moves() + 1 {
				d, score := at(other, i)
				before, want := at(f, i)
				if g.Canonical(d.Board) != g.Canonical(boards[i]) || score != want {
					t.Errorf("%v: state %d is %s with score %s, want an image of %s with %s", shape, i, d.Title(), score, before.Title(), want)
				}
			}
		}
	}
}

// In Threes, tiles enter at the edge, in a line that moved.
func TestUnfoldEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for range 200 {
		g := grid(t, 3, 3, threes.Tiles)
		var boards []glide.Board
		b := glide.Board(0x1_0203_0104)
		for len(boards) < 20 && moves(g, b) {
			boards = append(boards, g.Image(r.IntN(8), b))
			d := glide.Direction(r.IntN(glide.Directions))
			slid, _ := g.Slide(b, d)
			if slid == b {
				boards = boards[:len(boards)-1]
				continue
			}
			for moved := g.MovedLines(b, slid, d); ; {
				if cell := r.IntN(9); slid.At(cell) == 0 && g.Entries(d, moved)>>cell&1 != 0 {
					b = slid.With(cell, uint8(1+r.IntN(3)))
					break
				}
			}
		}
		start, steps, err := Unfold(g, boards)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			slid, _ := g.Slide(start, step.Direction)
			if cell, ok := g.NewTile(slid, step.After); !ok || cell < 0 || g.Entries(step.Direction, g.MovedLines(start, slid, step.Direction))>>cell&1 == 0 {
				t.Fatalf("%x %v: a tile enters cell %d of %x", start, step.Direction, cell, step.After)
			}
			start = step.After
		}
	}
}

func TestUnfoldErrors(t *testing.T) {
	g := grid(t, 2, 2, twenty48.Tiles)
	for want, boards := range map[string][]glide.Board{
		"a game has a board at least": nil,
		"move 1 of the game: no slide of 2,2/.,. and one new tile make an image of 2,2/2,2": {0x11, 0x1111},
		"move 2 of the game: no slide of 2,2/.,2 and one new tile make an image of .,./.,.": {0x11 << 8, 0x1110, 0},
	} {
		if _, _, err := Unfold(g, boards); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
