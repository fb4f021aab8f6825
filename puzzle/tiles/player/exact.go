package player

import (
	"strings"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/statespace"
)

// Of returns the game of an exact solution, with the start and the end that it has. It is false if the solution is
// of another game than 2048 and Threes.
func Of(exact statespace.Game) (Game, bool) {
	var g Game
	switch exact := exact.(type) {
	case *twenty48.Game:
		own := &twenty{grid: exact.Grid, p4: exact.P4}
		if exact.Options.Start != "" {
			own.start = new(drawn(exact.Grid, exact.Options.Start))
		}
		g = own
	case *threes.Game:
		o := exact.Options
		own := &three{Options: o, grid: exact.Grid, full: uint64(o.Bag) * 0x111}
		if o.Start != "" {
			s := State{Board: drawn(exact.Grid, o.Start)}
			for i, n := range exact.Left(exact.Start()[0].To) {
				s.Rest |= uint64(n) << (4 * i)
			}
			own.start = &s
		}
		g = own
	default:
		return nil, false
	}
	if target := exact.Target(); target > 0 {
		g = &until{g, uint8(target)}
	}
	return g, true
}

// drawn returns the board of the text of a start, before the sign @ if there is one.
func drawn(g *glide.Grid, text string) glide.Board {
	text, _, _ = strings.Cut(text, "@")
	b, _ := g.Parse(text) // the exact game has read it
	return b
}
