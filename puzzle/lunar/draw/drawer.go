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
func (Drawer) Film(sp statespace.Space, path statespace.Path) (render.Film, error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return nil, err
	}
	moves, states, err := statespace.Narrate(sp, path)
	if err != nil {
		return nil, err
	}
	plays := make([]board.Play, len(moves))
	for i, m := range moves {
		var ok bool
		if plays[i], ok = m.(board.Play); !ok {
			return nil, fmt.Errorf("move %d of the path is a %T, expected a play of the board", i+1, m)
		}
	}
	start, err := s.Board().ParseDrawing(states[0])
	if err != nil {
		return nil, err
	}
	return NewFilm(s.Board(), start, plays, nil)
}

// Letters implements render.Drawer: pieces have names.
func (Drawer) Letters() bool { return true }

// A film is plays that are made from a start position on. It implements render.Film.
type film struct {
	board     *board.Board
	looks     Looks
	plays     []board.Play
	positions []board.Drawing // before each play, and after the last
}

// NewFilm returns the film of at most render.MaxMoves plays from a start position on. The error says which
// play cannot be made. The looks may be nil.
func NewFilm(b *board.Board, start board.Drawing, plays []board.Play, looks Looks) (render.Film, error) {
	if len(plays) > render.MaxMoves {
		return nil, fmt.Errorf("the solution has %d moves, expected at most %d", len(plays), render.MaxMoves)
	}
	if err := (Position{Board: b, Pieces: start, Looks: looks}).Check(); err != nil {
		return nil, err
	}
	f := &film{board: b, looks: looks, plays: plays, positions: []board.Drawing{start}}
	for i, play := range plays {
		at := f.positions[i]
		if _, err := way(b, at, play.Move); err != nil {
			return nil, fmt.Errorf("move %d of the solution: %w", i+1, err)
		}
		after, made := b.Make(at, play.Move)
		if made.Piece != play.Piece {
			return nil, fmt.Errorf("move %d of the solution is %v, and piece %c stands there in %s", i+1, play, made.Piece, b.Format(at))
		}
		f.positions = append(f.positions, after)
	}
	return f, nil
}

func (f *film) Moves() int { return len(f.plays) }

// Panel implements render.Film.
func (f *film) Panel(i int) render.Panel {
	d := f.position(i)
	if i == len(f.plays) {
		return render.Panel{Drawing: d, Caption: f.end()}
	}
	d.Move = &f.plays[i].Move
	return render.Panel{Drawing: d, Caption: f.caption(i)}
}

// Frame implements render.Film: the caption is the move under way, or else the move before.
func (f *film) Frame(i int, share float64) render.Panel {
	d := f.position(i)
	switch {
	case share > 0:
		d.Move, d.flight = &f.plays[i].Move, share
		return render.Panel{Drawing: d, Caption: f.caption(i)}
	case i == len(f.plays):
		return render.Panel{Drawing: d, Caption: f.end()}
	case i == 0:
		return render.Panel{Drawing: d, Caption: "start"}
	}
	return render.Panel{Drawing: d, Caption: f.caption(i - 1)}
}

// Length implements render.Film.
func (f *film) Length(i int) (n int) {
	cells, _ := way(f.board, f.positions[i], f.plays[i].Move) // NewFilm has made it
	for k := range cells[1:] {
		p, q := f.board.Cells()[cells[k]], f.board.Cells()[cells[k+1]]
		n += max(p.Row-q.Row, q.Row-p.Row) + max(p.Col-q.Col, q.Col-p.Col)
	}
	if f.plays[i].Leaves {
		n += fade
	}
	return n
}

func (f *film) position(i int) Position {
	return Position{Board: f.board, Pieces: f.positions[i], Looks: f.looks}
}

// caption returns the caption of a move: "3. X-LU", with the name of the piece if it has one.
func (f *film) caption(i int) string {
	caption := fmt.Sprintf("%d. %v", i+1, f.plays[i])
	if name := f.looks.name(f.plays[i].Piece); name != "" {
		caption += " " + name
	}
	return caption
}

// end returns the caption of the last position.
func (f *film) end() string {
	if len(f.plays) == 0 || !f.positions[len(f.plays)].Position().Solved() {
		return render.EndCaption(len(f.plays))
	}
	steps := 0
	for _, p := range f.plays {
		steps += len(p.Steps)
	}
	return "solved: " + amount.Of(len(f.plays), "move") + ", " + amount.Of(steps, "step")
}
