package lunar

import (
	"fmt"

	"pagoda/render"
	"pagoda/statespace/lunar/problem"
)

// A Card is a problem of a deck: a position above its number and the length of its best solutions.
// render.Sheet puts the panels of cards on a page.
type Card struct {
	Number       int
	Problem      *problem.Problem
	Moves, Steps int
}

// Panel returns the card as a panel of a page.
func (c Card) Panel() render.Panel {
	return render.Panel{
		Drawing: OfProblem(c.Problem),
		Caption: fmt.Sprintf("%d. %s, %s", c.Number, count(c.Moves, "move"), count(c.Steps, "step")),
	}
}

// OfProblem returns the position of a problem, with the colours that its text gave.
func OfProblem(p *problem.Problem) Position {
	return Position{Board: p.Board, Pieces: p.Drawing, Looks: p.Pieces}
}
