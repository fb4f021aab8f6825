package draw

import (
	"fmt"
	"slices"

	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/statespace"
)

// A space is one of package peg.
type space interface {
	statespace.Space
	Board() *board.Board
	Class() *board.Class
	JumpsOf(path statespace.Path) ([]int, error)
}

// Drawer draws the positions and solutions of the spaces of package peg. It implements render.Drawer.
type Drawer struct{}

var _ render.Drawer = Drawer{}

// Still implements render.Drawer. The text is a pattern of the board, in the class of the
// start or not; the caption is its number of pegs.
func (Drawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	s, err := render.SpaceOf[space](sp)
	if err != nil {
		return render.Panel{}, err
	}
	p, err := s.Board().ParsePattern(text)
	if err != nil {
		return render.Panel{}, err
	}
	return Position{Board: s.Board(), Pattern: p}.panel(), nil
}

// Film implements render.Drawer.
func (Drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return film, err
	}
	jumps, err := s.JumpsOf(path)
	if err != nil {
		return film, err
	}
	return NewFilm(s.Board(), s.Class().Position(path.From), jumps)
}

// Letters implements render.Drawer: pegs have no names.
func (Drawer) Letters() bool { return false }

// NewFilm returns the film of jumps from a start position on, by their numbers on the board. The
// error says which jump cannot be made.
func NewFilm(b *board.Board, start board.Position, jumps []int) (film render.Film, err error) {
	if b == nil {
		return film, fmt.Errorf("a solution has no board")
	}
	if start&^b.Full() != 0 {
		return film, fmt.Errorf("the start %#x has pegs beyond the board's %d cells", start, len(b.Cells()))
	}
	positions := []board.Position{start} // before each jump, and after the last
	made := make([]board.Jump, len(jumps))
	for i, k := range jumps {
		if k < 0 || k >= b.Jumps() {
			return film, fmt.Errorf("jump %d of the solution is number %d of the board, which has 0 to %d", i+1, k, b.Jumps()-1)
		}
		p, j := positions[i], b.Jump(k)
		if p>>j.From&1 == 0 || p>>j.Over&1 == 0 || p>>j.To&1 == 1 {
			c := b.Cells()
			return film, fmt.Errorf("jump %d of the solution, %v over %v to %v, cannot be made in %s",
				i+1, c[j.From], c[j.Over], c[j.To], b.FormatPosition(p))
		}
		made[i], positions = j, append(positions, p^j.Mask())
	}
	at := func(i int) Position { return Position{Board: b, Pattern: board.Pattern{Pegs: positions[i]}} }
	c := &film.Captions
	for i := range positions {
		c.States = append(c.States, at(i).Pegs())
		c.Strip = append(c.Strip, fmt.Sprintf("jump %d, %s", i+1, c.States[i]))
	}
	c.Strip[len(jumps)] = "end, " + c.States[len(jumps)]
	c.Flight = c.States
	film.Lengths = slices.Repeat([]int{1}, len(jumps))
	film.Draw = func(i int, share float64) render.Drawing {
		d := at(i)
		if share >= 0 {
			d.Jump, d.flight = &made[i], share
		}
		return d
	}
	return film, nil
}
