package replay

import "pagoda/puzzle/lunar/board"

// Moves is Solution for moves after which letters may be left.
func Moves(b *board.Board, start board.Drawing, moves string) ([]string, error) {
	_, drawings, err := replay(b, start, moves)
	return drawings, err
}
