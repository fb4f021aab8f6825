package draw

import (
	"fmt"

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
func (Drawer) Film(sp statespace.Space, path statespace.Path) (render.Film, error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return nil, err
	}
	jumps, err := s.JumpsOf(path)
	if err != nil {
		return nil, err
	}
	return NewFilm(s.Board(), s.Class().Position(path.From), jumps)
}

// Letters implements render.Drawer: pegs have no names.
func (Drawer) Letters() bool { return false }

// A film is jumps that are made from a start position on. It implements render.Film.
type film struct {
	board     *board.Board
	jumps     []board.Jump
	positions []board.Position // before each jump, and after the last
}

// NewFilm returns the film of jumps from a start position on, by their numbers on the board. The
// error says which jump cannot be made.
func NewFilm(b *board.Board, start board.Position, jumps []int) (render.Film, error) {
	if b == nil {
		return nil, fmt.Errorf("a solution has no board")
	}
	if start&^b.Full() != 0 {
		return nil, fmt.Errorf("the start %#x has pegs beyond the board's %d cells", start, len(b.Cells()))
	}
	f := &film{board: b, positions: []board.Position{start}}
	for i, k := range jumps {
		if k < 0 || k >= b.Jumps() {
			return nil, fmt.Errorf("jump %d of the solution is number %d of the board, which has 0 to %d", i+1, k, b.Jumps()-1)
		}
		p, j := f.positions[i], b.Jump(k)
		if p>>j.From&1 == 0 || p>>j.Over&1 == 0 || p>>j.To&1 == 1 {
			c := b.Cells()
			return nil, fmt.Errorf("jump %d of the solution, %v over %v to %v, cannot be made in %s",
				i+1, c[j.From], c[j.Over], c[j.To], b.FormatPosition(p))
		}
		f.jumps, f.positions = append(f.jumps, j), append(f.positions, p^j.Mask())
	}
	return f, nil
}

func (f *film) Moves() int { return len(f.jumps) }

func (f *film) Panel(i int) render.Panel {
	d := f.position(i)
	if i == len(f.jumps) {
		return render.Panel{Drawing: d, Caption: "end, " + d.Pegs()}
	}
	d.Jump = &f.jumps[i]
	return render.Panel{Drawing: d, Caption: fmt.Sprintf("jump %d, %s", i+1, d.Pegs())}
}

func (f *film) Frame(i int, share float64) render.Panel {
	d := f.position(i)
	if share > 0 {
		d.Jump, d.flight = &f.jumps[i], share
	}
	return d.panel()
}

func (f *film) Length(int) int { return 1 }

func (f *film) position(i int) Position {
	return Position{Board: f.board, Pattern: board.Pattern{Pegs: f.positions[i]}}
}
