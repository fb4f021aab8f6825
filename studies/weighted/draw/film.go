package draw

import (
	"fmt"

	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/studies/weighted"
)

// maxDrawnCells bounds the cells that the positions of a weighted film have together.
const maxDrawnCells = 1 << 22

// NewFilm returns the film of a weighted game: a move of it is consecutive jumps of a peg.
// The error says which jump cannot be made, or that the game is too long to be drawn.
func NewFilm(g *weighted.Game, jumps []board.Jump) (film render.Film, err error) {
	moves := weighted.Moves(jumps)
	most := min(render.MaxMoves, maxDrawnCells/len(g.Shape.Cells())-1)
	if n := len(moves); n > most {
		return film, fmt.Errorf("the game has %d moves; on a board of %d cells at most %d are drawn", n, len(g.Shape.Cells()), most)
	}
	s, err := g.Start()
	if err != nil {
		return film, err
	}
	positions := [][]int{pegsOf(g, s)} // before each move, and after the last
	scores := []string{score(s)}
	c := &film.Captions
	for i, move := range moves {
		for _, j := range move {
			if err := s.Jump(j); err != nil {
				return film, err
			}
		}
		c.Strip = append(c.Strip, fmt.Sprintf("move %d, %s", i+1, scores[i]))
		positions, scores = append(positions, pegsOf(g, s)), append(scores, score(s))
		film.Lengths = append(film.Lengths, len(move))
	}
	end := scores[len(moves)]
	if len(moves) > 0 {
		end = "end, " + end
	}
	// The score changes at the end of a move.
	c.Strip, c.States, c.Flight = append(c.Strip, end), scores, scores
	film.Draw = func(i int, share float64) render.Drawing {
		d := Position{Game: g, Pegs: positions[i]}
		if share >= 0 {
			d.Move, d.flight = moves[i], share*float64(len(moves[i]))
		}
		return d
	}
	return film, nil
}

// score is the caption of a state.
func score(s *weighted.State) string { return fmt.Sprintf("score %d", s.Score().Score) }

// pegsOf returns the peg of each cell, or -1.
func pegsOf(g *weighted.Game, s *weighted.State) []int {
	pegs := make([]int, len(g.Pegs))
	for cell := range pegs {
		pegs[cell] = -1
		if peg, ok := s.Peg(cell); ok {
			pegs[cell] = peg
		}
	}
	return pegs
}
