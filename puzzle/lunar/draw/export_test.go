package draw

import (
	"testing"

	"pagoda/puzzle/lunar/board"
	"pagoda/render"
)

// SolutionOf returns a film with its board and its positions.
func SolutionOf(t testing.TB, name, text string) (*board.Board, []board.Drawing, render.Film) {
	f := solution(t, name, text, nil)
	var positions []board.Drawing
	for i := range f.Moves() + 1 {
		positions = append(positions, f.Draw(i, -1).(Position).Pieces)
	}
	return boards()[name], positions, f
}
