package draw

import "pagoda/puzzle/slide/tray"

// What tests with spaces compare with.
var Puzzles, SolutionOf = puzzles, solution

// EndOf returns the last position of a film.
func EndOf(f *film) tray.Position { return f.positions[len(f.moves)] }
