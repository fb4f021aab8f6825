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

// A film is a game. It implements render.Film.
type film struct {
	steps  []Step
	boards []Position // before each step, and after the last
	scores []int      // at these
	scored bool       // the rule has a score
}

// NewFilm returns the film of a game of at most render.MaxMoves moves. The error says which move is none of the grid:
// a slide must change the board, and then at most one tile comes. A game whose slides have a gain has
// its score in the captions.
func NewFilm(g *glide.Grid, start glide.Board, steps []Step, look *Look) (render.Film, error) {
	if len(steps) > render.MaxMoves {
		return nil, fmt.Errorf("the game has %s, expected at most %d", amount.Of(len(steps), "move"), render.MaxMoves)
	}
	f := &film{steps: steps, boards: []Position{{Grid: g, Board: start, Look: look}}, scores: []int{0}}
	if err := f.boards[0].Check(); err != nil {
		return nil, err
	}
	for i, step := range steps {
		d := Position{Grid: g, Board: step.After, Look: look}
		slid, gain, err := slide(f.boards[i], step.Direction)
		if err == nil {
			err = d.Check()
		}
		if _, one := g.NewTile(slid, step.After); err == nil && !one {
			err = fmt.Errorf("the slide makes %s, and then one tile comes: found %s", g.Format(slid, look.Names), d.Title())
		}
		if err != nil {
			return nil, fmt.Errorf("move %d of the game, %v: %w", i+1, step.Direction, err)
		}
		f.boards = append(f.boards, d)
		f.scores = append(f.scores, f.scores[i]+gain)
		f.scored = f.scored || gain > 0
	}
	return f, nil
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

func (f *film) Moves() int { return len(f.steps) }

// Panel implements render.Film.
func (f *film) Panel(i int) render.Panel {
	d := f.boards[i]
	if i == len(f.steps) {
		return render.Panel{Drawing: d, Caption: render.EndCaption(i) + f.score(i)}
	}
	d.Move = &f.steps[i].Direction
	return render.Panel{Drawing: d, Caption: f.caption(i, i)}
}

// Frame implements render.Film: the caption is the move under way, or else the move before.
func (f *film) Frame(i int, share float64) render.Panel {
	d := f.boards[i]
	switch {
	case share > 0:
		d.Move, d.after, d.flight = &f.steps[i].Direction, f.steps[i].After, share
		return render.Panel{Drawing: d, Caption: f.caption(i, i)}
	case i == len(f.steps):
		return render.Panel{Drawing: d, Caption: render.EndCaption(i) + f.score(i)}
	case i == 0:
		return render.Panel{Drawing: d, Caption: "start"}
	}
	return render.Panel{Drawing: d, Caption: f.caption(i-1, i)}
}

// caption returns the caption of a move, with the score at a state: "3. left, score 12".
func (f *film) caption(move, state int) string {
	return fmt.Sprintf("%d. %v", move+1, f.steps[move].Direction) + f.score(state)
}

func (f *film) score(state int) string {
	if !f.scored {
		return ""
	}
	return fmt.Sprintf(", score %d", f.scores[state])
}

// pop is the time in which tiles that have joined swell and the new one grows, in that of a slide by a cell.
const pop = 1

// Length implements render.Film.
func (f *film) Length(i int) int {
	d := f.boards[i]
	return farthest(d.Grid, d.Grid.Glides(nil, d.Board, f.steps[i].Direction)) + pop
}

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
				l.tile(render.Pt(math.Round(at.X), math.Round(at.Y)), one.Tile, 1, d.Look)
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
		l.tile(d.corner(c, l.cell), tile, size, d.Look)
	}
}
