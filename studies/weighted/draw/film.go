package draw

import (
	"fmt"

	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/studies/weighted"
)

// maxDrawnCells bounds the cells that the positions of a weighted film have together.
const maxDrawnCells = 1 << 22

// A film is a weighted game by moves. It implements render.Film.
type film struct {
	game      *weighted.Game
	moves     [][]board.Jump
	positions [][]int // before each move, and after the last
	scores    []weighted.Score
}

// NewFilm returns the film of a weighted game: a move of it is consecutive jumps of a peg.
// The error says which jump cannot be made, or that the game is too long to be drawn.
func NewFilm(g *weighted.Game, jumps []board.Jump) (render.Film, error) {
	f := &film{game: g, moves: weighted.Moves(jumps)}
	most := min(render.MaxMoves, maxDrawnCells/len(g.Shape.Cells())-1)
	if n := len(f.moves); n > most {
		return nil, fmt.Errorf("the game has %d moves; on a board of %d cells at most %d are drawn", n, len(g.Shape.Cells()), most)
	}
	s, err := g.Start()
	if err != nil {
		return nil, err
	}
	f.add(s)
	for _, move := range f.moves {
		for _, j := range move {
			if err := s.Jump(j); err != nil {
				return nil, err
			}
		}
		f.add(s)
	}
	return f, nil
}

// add adds a position.
func (f *film) add(s *weighted.State) {
	pegs := make([]int, len(f.game.Pegs))
	for cell := range pegs {
		pegs[cell] = -1
		if peg, ok := s.Peg(cell); ok {
			pegs[cell] = peg
		}
	}
	f.positions, f.scores = append(f.positions, pegs), append(f.scores, s.Score())
}

func (f *film) Moves() int { return len(f.moves) }

// Panel implements render.Film: the caption has the score of a game that stops there.
func (f *film) Panel(i int) render.Panel {
	d, score := f.position(i), fmt.Sprintf("score %d", f.scores[i].Score)
	switch {
	case i < len(f.moves):
		d.Move = f.moves[i]
		return render.Panel{Drawing: d, Caption: fmt.Sprintf("move %d, %s", i+1, score)}
	case i == 0:
		return render.Panel{Drawing: d, Caption: score}
	}
	return render.Panel{Drawing: d, Caption: "end, " + score}
}

// Frame implements render.Film. The score changes at the end of a move.
func (f *film) Frame(i int, share float64) render.Panel {
	d := f.position(i)
	if share > 0 {
		d.Move = f.moves[i]
		d.flight = share * float64(len(d.Move))
	}
	return render.Panel{Drawing: d, Caption: fmt.Sprintf("score %d", f.scores[i].Score)}
}

// Length implements render.Film.
func (f *film) Length(i int) int { return len(f.moves[i]) }

func (f *film) position(i int) Position { return Position{Game: f.game, Pegs: f.positions[i]} }
