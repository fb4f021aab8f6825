package board_test

import (
	"testing"

	"pagoda/puzzle/peg/board"
)

// hexagon returns the board of all cells of a triangular lattice that are at most radius
// steps from the middle one.
func hexagon(t testing.TB, radius int) *board.Board {
	t.Helper()
	var cells []board.Cell
	for r := range 2*radius + 1 {
		for c := range 2*radius + 1 {
			if r-c <= radius && c-r <= radius {
				cells = append(cells, board.Cell{Row: r, Col: c})
			}
		}
	}
	return made(t)(board.NewBoard(board.Triangular, cells))
}

// The symmetries of a board take its lines to its lines.
func TestSymmetriesOfLines(t *testing.T) {
	for _, b := range []*board.Board{made(t)(board.Rectangle(5, 7)), made(t)(board.OfShape(board.OctagonShape(7, 4))),
		made(t)(board.OfShape(board.TriangleShape(5))), hexagon(t, 3)} {
		lines := make(map[uint64]bool)
		for _, l := range b.Lines() {
			lines[l.Mask()] = true
		}
		for _, s := range b.Symmetries() {
			for _, l := range b.Lines() {
				if !lines[s.Image(l.Mask())] {
					t.Errorf("%v is taken to no line by %v", l, s)
				}
			}
		}
	}
}
