package draw

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/internal/lists"
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
func (Drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	s, err := render.SpaceOfPath[space](sp, path)
	if err != nil {
		return film, err
	}
	moves, start, err := s.Moves(path)
	if err != nil {
		return film, err
	}
	return NewFilm(s.Puzzle(), start, moves, nil)
}

// Letters implements render.Drawer: pieces have names.
func (Drawer) Letters() bool { return true }

// MaxPath bounds the cells of the path of a move.
const MaxPath = 4096

// NewFilm returns the film of at most render.MaxMoves moves, in any metric, from a start position
// on; nil is the start of the puzzle. The colours are those of a Tray. The error names the move that
// cannot be made.
func NewFilm(p *tray.Puzzle, start tray.Position, moves []tray.Move, colours []int) (film render.Film, err error) {
	if start == nil && p != nil {
		start = p.Start()
	}
	if err := (Tray{Puzzle: p, Position: start, Colours: colours}).Check(); err != nil {
		return film, err
	}
	if len(moves) > render.MaxMoves {
		return film, fmt.Errorf("the solution has %d moves, expected at most %d", len(moves), render.MaxMoves)
	}
	for i, m := range moves {
		if len(m.Path) > MaxPath {
			return film, fmt.Errorf("move %d of the solution has a path of %d cells, expected at most %d", i+1, len(m.Path), MaxPath)
		}
	}
	// Supermoves are the moves of all metrics.
	drawings, err := replay.Moves(p.From(start), tray.Supermoves, moves)
	if err != nil {
		return film, fmt.Errorf("the solution cannot be drawn: %w", err)
	}
	moves = slices.Clone(moves)
	positions := make([]tray.Position, len(drawings)) // before each move, and after the last
	for i, text := range drawings {
		if positions[i], err = p.ParsePosition(text); err != nil {
			return film, fmt.Errorf("the solution cannot be drawn: after move %d: %w", i, err)
		}
	}
	var captions []string
	for i, m := range moves {
		captions = append(captions, caption(p, i, m))
		film.Lengths = append(film.Lengths, len(m.Path))
	}
	film.Captions = render.CaptionMoves(captions, render.EndCaption(len(moves)))
	film.Draw = func(i int, share float64) render.Drawing {
		d := Tray{Puzzle: p, Position: positions[i], Colours: colours}
		if share >= 0 {
			d.Move, d.flight = &moves[i], share
		}
		return d
	}
	return film, nil
}

// maxNames bounds the letters of a move in a caption, so that a sheet does not become too wide.
const maxNames = 16

// caption returns the caption of a move: "3. A RRD", or "3. 9+10 R" for tiles that have numbers.
func caption(p *tray.Puzzle, i int, m tray.Move) string {
	short := func(text string) string {
		if len(text) > maxNames {
			return text[:maxNames-3] + "..."
		}
		return text
	}
	pieces := m.Pieces
	if d := (Tray{Puzzle: p}); d.numbered() {
		tiles := lists.Map([]byte(pieces), func(name byte) string { return d.label(strings.IndexByte(p.Pieces(), name)) })
		pieces = strings.Join(tiles, "+")
	}
	return fmt.Sprintf("%d. %s %s", i+1, short(pieces), short(m.Path))
}
