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

// looks returns the grid of a space and the colours of its tiles.
func looks(sp statespace.Space) (*glide.Grid, picture.Palette, error) {
	switch g := sp.Parts().Chance.(type) {
	case *twenty48.Game:
		return g.Grid, picture.Doubling, nil
	case *threes.Game:
		return g.Grid, picture.Thirds, nil
	}
	return nil, 0, fmt.Errorf("%s cannot be drawn: %w", sp.Name(), render.ErrFamily)
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
	grid, palette, err := looks(sp)
	if err != nil {
		return render.Panel{}, err
	}
	b, err := parseBoard(grid, text)
	return render.Panel{Drawing: still{picture.Position{Grid: grid, Board: b, Palette: palette}, text}}, err
}

// parseBoard reads the board of a state.
func parseBoard(grid *glide.Grid, text string) (glide.Board, error) {
	board, _, _ := strings.Cut(text, "@")
	return grid.Parse(board)
}

// Film implements render.Drawer.
func (drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	grid, palette, err := looks(sp)
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
		b, err := parseBoard(grid, sp.Format(x))
		if err != nil {
			return film, err
		}
		boards = append(boards, b)
	}
	start, steps, err := picture.Unfold(grid, boards)
	if err != nil {
		return film, err
	}
	return picture.NewFilm(grid, start, steps, palette)
}

// Letters implements render.Drawer: tiles have numbers, which are not left out.
func (drawer) Letters() bool { return false }
