package tiles

import (
	"fmt"
	"strings"

	picture "pagoda/puzzle/tiles/draw"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/render"
	"pagoda/statespace"
)

// drawer draws boards of a game, and paths as games in which the tiles glide.
type drawer struct{}

// How the tiles of the games look.
var (
	twenty48Look = &picture.Look{Names: twenty48.Names, Palette: picture.Doubling}
	threesLook   = &picture.Look{Names: threes.Names, Palette: picture.Thirds}
)

// looks returns the grid of a space and how its tiles look.
func looks(sp statespace.Space) (*glide.Grid, *picture.Look, error) {
	switch g := sp.Parts().Chance.(type) {
	case *twenty48.Game:
		return g.Grid, twenty48Look, nil
	case *threes.Game:
		return g.Grid, threesLook, nil
	}
	return nil, nil, fmt.Errorf("%s cannot be drawn: %w", sp.Name(), render.ErrFamily)
}

// still is a board with the text of its state.
type still struct {
	picture.Position
	text string
}

// Title implements render.Drawing.
func (s still) Title() string { return s.text }

// Still implements render.Drawer. The board is drawn as the text has it, not as its canonical image.
func (drawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	grid, look, err := looks(sp)
	if err != nil {
		return render.Panel{}, err
	}
	b, err := parseBoard(grid, look, text)
	return render.Panel{Drawing: still{picture.Position{Grid: grid, Board: b, Look: look}, text}}, err
}

// parseBoard reads the board of a state.
func parseBoard(grid *glide.Grid, look *picture.Look, text string) (glide.Board, error) {
	board, _, _ := strings.Cut(text, "@")
	return grid.Parse(board, look.Names)
}

// Film implements render.Drawer.
func (drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	grid, look, err := looks(sp)
	if err != nil {
		return film, err
	}
	if _, err := render.SpaceOfPath[statespace.Space](sp, path); err != nil {
		return film, err
	}
	states := []statespace.Index{path.From}
	for _, s := range path.Steps {
		states = append(states, s.State)
	}
	var boards []glide.Board
	for _, x := range states {
		b, err := parseBoard(grid, look, sp.Format(x))
		if err != nil {
			return film, err
		}
		boards = append(boards, b)
	}
	start, steps, err := picture.Unfold(grid, boards, look.Names)
	if err != nil {
		return film, err
	}
	return picture.NewFilm(grid, start, steps, look)
}

// Letters implements render.Drawer: tiles have numbers, which are not left out.
func (drawer) Letters() bool { return false }
