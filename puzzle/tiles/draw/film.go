package draw

import (
	"errors"
	"fmt"
	"math"

	"pagoda/internal/amount"
	"pagoda/puzzle/tiles/glide"
	"pagoda/render"
)

// A Step is a move of a game: a slide, and the board when the new tile has come.
type Step struct {
	Direction glide.Direction
	After     glide.Board
}

// NewFilm returns the film of a game of at most render.MaxMoves moves. The error says which move is none of the grid:
// a slide must change the board, and then at most one tile comes. A game whose slides have a gain has
// its score in the captions.
func NewFilm(g *glide.Grid, start glide.Board, steps []Step, p Palette) (film render.Film, err error) {
	if len(steps) > render.MaxMoves {
		return film, fmt.Errorf("the game has %s, expected at most %d", amount.Of(len(steps), "move"), render.MaxMoves)
	}
	boards := []Position{{Grid: g, Board: start, Palette: p}} // before each step, and after the last
	if err := boards[0].Check(); err != nil {
		return film, err
	}
	var moves []string
	scores, scored := []int{0}, false // at the boards, and whether the rule has a score
	for i, step := range steps {
		d := Position{Grid: g, Board: step.After, Palette: p}
		slid, gain, err := slide(boards[i], step.Direction)
		if err == nil {
			err = d.Check()
		}
		if _, one := g.NewTile(slid, step.After); err == nil && !one {
			err = fmt.Errorf("the slide makes %s, and then one tile comes: found %s", g.Format(slid), d.Title())
		}
		if err != nil {
			return film, fmt.Errorf("move %d of the game, %v: %w", i+1, step.Direction, err)
		}
		moves = append(moves, fmt.Sprintf("%d. %v", i+1, step.Direction))
		film.Lengths = append(film.Lengths, farthest(g, g.Glides(nil, boards[i].Board, step.Direction))+pop)
		boards, scores = append(boards, d), append(scores, scores[i]+gain)
		scored = scored || gain > 0
	}
	film.Captions = render.CaptionMoves(moves, render.EndCaption(len(moves)))
	if scored {
		for i, score := range scores {
			text := fmt.Sprintf(", score %d", score)
			film.Captions.Strip[i] += text
			if i > 0 {
				film.Captions.States[i] += text
			}
		}
		film.Captions.Flight = film.Captions.Strip
	}
	film.Draw = func(i int, share float64) render.Drawing {
		d := boards[i]
		if share >= 0 {
			d.Move = &steps[i].Direction
		}
		if share > 0 {
			d.after, d.flight = steps[i].After, share
		}
		return d
	}
	return film, nil
}

func slide(d Position, to glide.Direction) (slid glide.Board, gain int, err error) {
	if to >= glide.Directions {
		return 0, 0, errors.New("expected a direction")
	}
	slid, points := d.Grid.Slide(d.Board, to)
	if slid == d.Board {
		return 0, 0, fmt.Errorf("this changes nothing on %s", d.Title())
	}
	return slid, int(points), nil
}

// pop is the time in which tiles that have joined swell and the new one grows, in that of a slide by a cell.
const pop = 1

// farthest returns how many cells the tiles go at most.
func farthest(g *glide.Grid, glides []glide.Glide) (n int) {
	for _, one := range glides {
		rows, columns := one.From/g.Columns()-one.To/g.Columns(), one.From%g.Columns()-one.To%g.Columns()
		n = max(n, rows, -rows, columns, -columns)
	}
	return n
}

// drawFlight draws a move under way. All tiles glide for the same time, slowly at both ends. Then the
// joined ones swell, and the new one grows.
func (d Position) drawFlight(l lens) {
	glides := d.Grid.Glides(nil, d.Board, *d.Move)
	far := float64(farthest(d.Grid, glides))
	if time := d.flight * (far + pop); time < far {
		part := time / far
		part *= part * (3 - 2*part)
		// Tiles that rest come first: so those that move are in front.
		for _, moves := range []bool{false, true} {
			for _, one := range glides {
				if moves != (one.From != one.To) {
					continue
				}
				at := d.corner(one.From, l.cell).Towards(d.corner(one.To, l.cell), part)
				d.drawTile(l, render.Pt(math.Round(at.X), math.Round(at.Y)), one.Tile, 1)
			}
		}
		return
	}
	time := d.flight*(far+pop) - far
	slid, _ := d.Grid.Slide(d.Board, *d.Move)
	joined := make(map[int]bool)
	for _, one := range glides {
		if one.Joins {
			joined[one.To] = true
		}
	}
	for c := range d.Grid.Cells() {
		tile, size := d.after.At(c), 1.0
		switch {
		case tile == 0:
			continue
		case slid.At(c) == 0:
			size = 0.2 + 0.8*time
		case joined[c]:
			size += 0.1 * math.Sin(math.Pi*time)
		}
		d.drawTile(l, d.corner(c, l.cell), tile, size)
	}
}
