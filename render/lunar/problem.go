package lunar

import (
	"fmt"

	"pagoda/render"
	"pagoda/statespace/lunar/board"
)

// A Problem is a panel of a deck of problems: a position above its number and the length of its best
// solutions. render.Sheet puts problems on a page.
type Problem struct {
	Number       int
	Board        *board.Board
	Pieces       board.Drawing
	Looks        Looks
	Moves, Steps int
}

// Panel returns the problem as a panel of a page.
func (p Problem) Panel() render.Panel {
	return render.Panel{
		Drawing: Position{Board: p.Board, Pieces: p.Pieces, Looks: p.Looks},
		Caption: fmt.Sprintf("%d. %s, %s", p.Number, count(p.Moves, "move"), count(p.Steps, "step")),
	}
}
