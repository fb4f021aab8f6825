package draw

import (
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// What tests with spaces compare with.
var Puzzles, SolutionOf = puzzles, solution

// EndOf returns the last position of a film.
func EndOf(f render.Film) tray.Position { return f.Draw(f.Moves(), -1).(Tray).Position }
