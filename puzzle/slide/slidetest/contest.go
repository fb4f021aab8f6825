package slidetest

import (
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
)

// RandomProblem makes a small problem of the contest: a box of at most rows times cols with some
// walls, up to three free shapes of at most three cells, and a goal piece of at most four. Some
// shapes are in several parts, some are there twice. The goal piece may not fit at its goal.
func RandomProblem(rng *rand.Rand, rows, cols int) *contest.Problem {
	p := new(contest.Problem)
	rows, cols = 1+rng.IntN(rows), 1+rng.IntN(cols)
	for range rows {
		row := make([]bool, cols)
		for c := range row {
			row[c] = rng.IntN(8) > 0
		}
		p.Box = append(p.Box, row)
	}
	p.Goal = randomShape(rng, 4)
	for range rng.IntN(4) {
		if f := randomShape(rng, 3); !slices.Equal(f, p.Goal) {
			p.Free = append(p.Free, f)
		}
	}
	p.X, p.Y = rng.IntN(cols), rng.IntN(rows)
	if at := p.Places(len(p.Free)); len(at) > 0 && rng.IntN(4) > 0 {
		i := rng.IntN(len(at))
		p.X, p.Y = at[i].Col, at[i].Row
	}
	return p
}

// randomShape makes a shape of some cells of a square.
func randomShape(rng *rand.Rand, most int) contest.Shape {
	const side = 3
	at := tray.Cell{Row: 1, Col: 1}
	cells := []tray.Cell{at}
	for range rng.IntN(most) {
		next, _ := tray.Direction(rng.IntN(tray.FlatDirections)).Beside(cells[rng.IntN(len(cells))], side)
		if rng.IntN(12) == 0 { // another part
			next = tray.Cell{Row: rng.IntN(side), Col: rng.IntN(side)}
		}
		if 0 <= next.Row && next.Row < side && 0 <= next.Col && next.Col < side && !slices.Contains(cells, next) {
			cells = append(cells, next)
		}
	}
	return contest.NewShape(cells)
}
