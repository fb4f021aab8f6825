package draw

import (
	"fmt"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/render"
	"pagoda/statespace"
)

// A space is one of Lunar Lockout.
type space interface {
	statespace.Space
	Board() *board.Board
}

// Drawer draws the positions and solutions of the spaces of Lunar Lockout. It implements
// render.Drawer.
type Drawer struct{}

var _ render.Drawer = Drawer{}

// Still implements render.Drawer. The text is a position or a pattern of the board; the caption counts
// its pieces.
func (Drawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	s, err := render.SpaceOf[space](sp)
	if err != nil {
		return render.Panel{}, err
	}
	d, err := Parse(s.Board(), text)
	if err != nil {
		return render.Panel{}, err
	}
	return render.Panel{Drawing: d, Caption: d.Caption()}, nil
}

// Film implements render.Drawer.
func (Drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return film, err
	}
	moves, states, err := statespace.Narrate(sp, path)
	if err != nil {
		return film, err
	}
	plays := make([]board.Play, len(moves))
	for i, m := range moves {
		var ok bool
		if plays[i], ok = m.(board.Play); !ok {
			return film, fmt.Errorf("move %d of the path is a %T, expected a play of the board", i+1, m)
		}
	}
	start, err := s.Board().ParseDrawing(states[0])
	if err != nil {
		return film, err
	}
	return NewFilm(s.Board(), start, plays, nil)
}

// Letters implements render.Drawer: pieces have names.
func (Drawer) Letters() bool { return true }

// NewFilm returns the film of at most render.MaxMoves plays from a start position on. The error says which
// play cannot be made. The looks may be nil.
func NewFilm(b *board.Board, start board.Drawing, plays []board.Play, looks Looks) (film render.Film, err error) {
	if len(plays) > render.MaxMoves {
		return film, fmt.Errorf("the solution has %d moves, expected at most %d", len(plays), render.MaxMoves)
	}
	if err := (Position{Board: b, Pieces: start, Looks: looks}).Check(); err != nil {
		return film, err
	}
	positions := []board.Drawing{start} // before each play, and after the last
	var captions []string
	steps := 0
	for i, play := range plays {
		at := positions[i]
		cells, err := way(b, at, play.Move)
		if err != nil {
			return film, fmt.Errorf("move %d of the solution: %w", i+1, err)
		}
		after, made := b.Make(at, play.Move)
		if made.Piece != play.Piece {
			return film, fmt.Errorf("move %d of the solution is %v, and piece %c stands there in %s", i+1, play, made.Piece, b.Format(at))
		}
		positions, steps = append(positions, after), steps+len(play.Steps)
		film.Lengths = append(film.Lengths, length(b, cells, play.Leaves))
		caption := fmt.Sprintf("%d. %v", i+1, play)
		if name := looks.name(play.Piece); name != "" {
			caption += " " + name
		}
		captions = append(captions, caption)
	}
	end := render.EndCaption(len(plays))
	if len(plays) > 0 && positions[len(plays)].Position().Solved() {
		end = "solved: " + amount.Of(len(plays), "move") + ", " + amount.Of(steps, "step")
	}
	film.Captions = render.CaptionMoves(captions, end)
	film.Draw = func(i int, share float64) render.Drawing {
		d := Position{Board: b, Pieces: positions[i], Looks: looks}
		if share >= 0 {
			d.Move, d.flight = &plays[i].Move, share
		}
		return d
	}
	return film, nil
}

// length returns how many cells a piece goes on its way. One that leaves takes the time of some more.
func length(b *board.Board, cells []int, leaves bool) (n int) {
	for k := range cells[1:] {
		p, q := b.Cells()[cells[k]], b.Cells()[cells[k+1]]
		n += max(p.Row-q.Row, q.Row-p.Row) + max(p.Col-q.Col, q.Col-p.Col)
	}
	if leaves {
		n += fade
	}
	return n
}
