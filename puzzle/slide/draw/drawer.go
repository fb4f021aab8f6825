package draw

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/statespace"
)

// A space is one of package slide, numbered in any way.
type space interface {
	statespace.Space
	Puzzle() *tray.Puzzle
	Moves(path statespace.Path) ([]tray.Move, tray.Position, error)
}

// Drawer draws the positions and solutions of the spaces of package slide. It implements
// render.Drawer.
type Drawer struct{}

var _ render.Drawer = Drawer{}

// Still implements render.Drawer. The text is a position of the puzzle; the caption says if it
// is the start or a goal.
func (Drawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	s, err := render.SpaceOf[space](sp)
	if err != nil {
		return render.Panel{}, err
	}
	pos, err := s.Puzzle().ParsePosition(text)
	if err != nil {
		return render.Panel{}, err
	}
	d := Tray{Puzzle: s.Puzzle(), Position: pos}
	return render.Panel{Drawing: d, Caption: d.Caption()}, nil
}

// Film implements render.Drawer.
func (Drawer) Film(sp statespace.Space, path statespace.Path) (render.Film, error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return nil, err
	}
	moves, start, err := s.Moves(path)
	if err != nil {
		return nil, err
	}
	return NewFilm(s.Puzzle(), start, moves, nil)
}

// Letters implements render.Drawer: pieces have names.
func (Drawer) Letters() bool { return true }

// A film is moves that are made from a start position on. It implements render.Film.
type film struct {
	puzzle    *tray.Puzzle
	moves     []tray.Move
	positions []tray.Position // before each move, and after the last
	colours   []int
}

// MaxPath bounds the cells of the path of a move.
const MaxPath = 4096

// NewFilm returns the film of at most render.MaxMoves moves, in any metric, from a start position
// on; nil is the start of the puzzle. The colours are those of a Tray. The error names the move that
// cannot be made.
func NewFilm(p *tray.Puzzle, start tray.Position, moves []tray.Move, colours []int) (render.Film, error) {
	if start == nil && p != nil {
		start = p.Start()
	}
	if err := (Tray{Puzzle: p, Position: start, Colours: colours}).Check(); err != nil {
		return nil, err
	}
	if len(moves) > render.MaxMoves {
		return nil, fmt.Errorf("the solution has %d moves, expected at most %d", len(moves), render.MaxMoves)
	}
	for i, m := range moves {
		if len(m.Path) > MaxPath {
			return nil, fmt.Errorf("move %d of the solution has a path of %d cells, expected at most %d", i+1, len(m.Path), MaxPath)
		}
	}
	// Supermoves are the moves of all metrics.
	drawings, err := replay.Moves(p.From(start), tray.Supermoves, moves)
	if err != nil {
		return nil, fmt.Errorf("the solution cannot be drawn: %w", err)
	}
	f := &film{p, slices.Clone(moves), make([]tray.Position, len(drawings)), colours}
	for i, text := range drawings {
		if f.positions[i], err = p.ParsePosition(text); err != nil {
			return nil, fmt.Errorf("the solution cannot be drawn: after move %d: %w", i, err)
		}
	}
	return f, nil
}

func (f *film) Moves() int { return len(f.moves) }

func (f *film) Panel(i int) render.Panel {
	d := Tray{Puzzle: f.puzzle, Position: f.positions[i], Colours: f.colours}
	if i == len(f.moves) {
		return render.Panel{Drawing: d, Caption: render.EndCaption(i)}
	}
	d.Move = &f.moves[i]
	return render.Panel{Drawing: d, Caption: f.caption(i)}
}

// Frame implements render.Film: the caption is the move under way, or else the move before.
func (f *film) Frame(i int, share float64) render.Panel {
	d := Tray{Puzzle: f.puzzle, Position: f.positions[i], Colours: f.colours}
	if share > 0 {
		d.Move, d.flight = &f.moves[i], share
		return render.Panel{Drawing: d, Caption: f.caption(i)}
	}
	switch i {
	case len(f.moves):
		return render.Panel{Drawing: d, Caption: render.EndCaption(i)}
	case 0:
		return render.Panel{Drawing: d, Caption: "start"}
	}
	return render.Panel{Drawing: d, Caption: f.caption(i - 1)}
}

func (f *film) Length(i int) int { return len(f.moves[i].Path) }

// maxNames bounds the letters of a move in a caption, so that a sheet does not become too wide.
const maxNames = 16

// caption returns the caption of a move: "3. A RRD", or "3. 9+10 R" for tiles that have numbers.
func (f *film) caption(i int) string {
	short := func(text string) string {
		if len(text) > maxNames {
			return text[:maxNames-3] + "..."
		}
		return text
	}
	pieces := f.moves[i].Pieces
	if d := (Tray{Puzzle: f.puzzle}); d.numbered() {
		var tiles []string
		for _, name := range []byte(pieces) {
			tiles = append(tiles, d.label(strings.IndexByte(f.puzzle.Pieces(), name)))
		}
		pieces = strings.Join(tiles, "+")
	}
	return fmt.Sprintf("%d. %s %s", i+1, short(pieces), short(f.moves[i].Path))
}
