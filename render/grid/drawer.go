package grid

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// Drawer draws the states and paths of a space with cells. It implements render.Drawer.
type Drawer struct{}

var _ render.Drawer = Drawer{}

// Still implements render.Drawer. The text is a pattern; the caption says if it is the start or
// a goal.
func (Drawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	parts := sp.Parts()
	if parts.Cells == nil {
		return render.Panel{}, errNoCells(sp)
	}
	p, err := parts.Cells.ParsePattern(text)
	if err != nil {
		return render.Panel{}, err
	}
	panel := render.Panel{Drawing: State{parts.Cells, p}}
	if slices.Contains(p, cells.Any) {
		return panel, nil
	}
	// A pattern may be complete and no state of the space. It is then drawn without a caption.
	x, err := sp.Parse(text)
	switch {
	case err != nil:
	case parts.Goals.Has(x):
		panel.Caption = "goal"
	case slices.Contains(sp.Roots(), x):
		panel.Caption = "start"
	}
	return panel, nil
}

// Film implements render.Drawer. An animation shows each state after the other, without frames
// between them.
func (Drawer) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	if _, err := render.SpaceOfPath[statespace.Space](sp, path); err != nil {
		return film, err
	}
	drawn := sp.Parts().Cells
	if drawn == nil {
		return film, errNoCells(sp)
	}
	moves, _, err := statespace.Narrate(sp, path)
	if err != nil {
		return film, err
	}
	film.Draw = func(i int, _ float64) render.Drawing {
		x := path.From
		if i > 0 {
			x = path.Steps[i-1].State
		}
		p := cells.Open(len(drawn.Cells()))
		drawn.State(p, x)
		return State{drawn, p}
	}
	var captions []string
	for i, move := range moves {
		captions = append(captions, caption(i+1, move.String()))
	}
	film.Captions = render.CaptionMoves(captions, render.EndCaption(len(moves)))
	film.Captions.States = append([]string{"start"}, captions...)
	return film, nil
}

// errNoCells is the error of a space that is not drawn cell by cell.
func errNoCells(sp statespace.Space) error {
	return fmt.Errorf("%s cannot be drawn: %w", sp.Name(), render.ErrFamily)
}

// Letters implements render.Drawer: pieces have numbers.
func (Drawer) Letters() bool { return true }

// maxMove bounds the characters of a move in a caption, so that a sheet does not become too
// wide.
const maxMove = 48

// caption returns the caption of a move.
func caption(number int, move string) string {
	text := []rune(strings.Join(strings.Fields(move), " "))
	if len(text) > maxMove {
		text = append(text[:maxMove-3], []rune("...")...)
	}
	return fmt.Sprintf("move %d: %s", number, string(text))
}
