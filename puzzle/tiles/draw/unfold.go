package draw

import (
	"fmt"

	"pagoda/puzzle/tiles/glide"
)

// Unfold makes a game of boards that each stand for all their images under the symmetries of the grid, as in
// a solved game: it turns every board so that a slide of the one before it and at most one new tile make
// it. The first is left as it is. If there are several ways, it prefers a new tile at the edge that the slide
// comes from, in a line that moved, as the rules of Threes have it. The error says which board no slide makes.
func Unfold(g *glide.Grid, boards []glide.Board) (start glide.Board, steps []Step, err error) {
	if len(boards) == 0 {
		return 0, nil, fmt.Errorf("a game has a board at least")
	}
	now := boards[0]
	for i, b := range boards[1:] {
		step, ok := follow(g, now, b)
		if !ok {
			return 0, nil, fmt.Errorf("move %d of the game: no slide of %s and one new tile make an image of %s", i+1, g.Format(now), g.Format(b))
		}
		steps = append(steps, step)
		now = step.After
	}
	return boards[0], steps, nil
}

// follow finds the step from a board to an image of another.
func follow(g *glide.Grid, now, to glide.Board) (found Step, ok bool) {
	for _, edge := range []bool{true, false} {
		for d := range glide.Direction(glide.Directions) {
			if after, ok := g.Follow(now, d, to, edge); ok {
				return Step{d, after}, true
			}
		}
	}
	return Step{}, false
}
