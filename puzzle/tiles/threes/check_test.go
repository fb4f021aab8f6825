package threes

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/glide"
)

// Check takes the states of games, and no number that Format and Parse do not keep.
func TestCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	sizes := [][2]int{{2, 2}, {1, 3}, {3, 3}, {3, 4}}
	if long.Tests {
		sizes = append(sizes, [2]int{1, 5}) // a table of all lines of five
	}
	for _, size := range sizes {
		for _, o := range variants(size[0], size[1]) {
			g := mustNew(t, o)
			rules := g.NewRules()
			good, bad := 0, 0
			for k := range 200 {
				state := g.random(r, 8)
				if k%2 == 1 {
					state ^= 1 << r.IntN(64)
				}
				layer := g.Sum(g.Board(state))
				same := bits.Len64(state) <= int(g.shift)+12
				if same {
					_, image, err := g.Parse(g.Format(layer, state))
					same = err == nil && image == state
				}
				err := g.Check(layer, state)
				if same && err != nil {
					t.Fatalf("%v: %x: %v", o, state, err)
				}
				if err == nil {
					good++
					rules.Images(state) // panics for what is no board
				} else {
					bad++
				}
				if g.Check(layer+1, state) == nil {
					t.Fatalf("%v: %x has another sum than %d", o, state, layer+1)
				}
			}
			if good < 10 || bad < 10 {
				t.Errorf("%v: %d states and %d others: too few to compare", o, good, bad)
			}
		}
	}
}

// Follow finds the move and its answer on every image of a state: the tile enters a line that moved, where the slide
// comes from.
func TestFollow(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	sizes := [][2]int{{2, 2}, {3, 3}, {1, 3}, {2, 4}}
	if long.Tests {
		sizes = append(sizes, [2]int{1, 5})
	}
	for _, size := range sizes {
		for _, o := range variants(size[0], size[1]) {
			g := mustNew(t, o)
			rules := g.NewRules()
			for range 20 {
				state := g.random(r, 8)
				for _, m := range rules.Moves(nil, state) {
					for _, d := range rules.Draws(nil, m.After) {
						image := uint64(g.Grid.Image(r.IntN(g.Symmetries()), g.Board(state))) | state&^g.board
						move, next := g.Follow(image, m, d)
						direction := glide.Direction(move.Number)
						slid, _ := g.Slide(g.Board(image), direction)
						cell, one := g.NewTile(slid, g.Board(next))
						if move.After != m.After || move.Case != m.Case || uint64(g.Canonical(g.Board(next)))|next&^g.board != d.To ||
							!one || cell < 0 || g.Entries(direction, g.MovedLines(g.Board(image), slid, direction))>>cell&1 == 0 {
							t.Fatalf("%v: %s %v leads to %s, expected an image of %s", o, g.Format(0, image), direction, g.Format(0, next), g.Format(0, d.To))
						}
					}
				}
			}
		}
	}
}
