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
func (Drawer) Film(sp statespace.Space, path statespace.Path) (render.Film, error) {
	if _, err := render.SpaceOfPath[statespace.Space](sp, path); err != nil {
		return nil, err
	}
	drawn := sp.Parts().Cells
	if drawn == nil {
		return nil, errNoCells(sp)
	}
	moves, _, err := statespace.Narrate(sp, path)
	if err != nil {
		return nil, err
	}
	f := &film{cells: drawn, states: []statespace.Index{path.From}}
	for i, step := range path.Steps {
		f.states = append(f.states, step.State)
		f.captions = append(f.captions, caption(i+1, moves[i].String()))
	}
	return f, nil
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

// A film is a path. It implements render.Film.
type film struct {
	cells    cells.Celled
	states   []statespace.Index
	captions []string // of the moves
}

func (f *film) Moves() int     { return len(f.captions) }
func (f *film) Length(int) int { return 0 }

func (f *film) Panel(i int) render.Panel {
	if i == len(f.captions) {
		return f.panel(i, render.EndCaption(i))
	}
	return f.panel(i, f.captions[i])
}

func (f *film) Frame(i int, _ float64) render.Panel {
	if i == 0 {
		return f.panel(i, "start")
	}
	return f.panel(i, f.captions[i-1])
}

func (f *film) panel(i int, caption string) render.Panel {
	p := cells.Open(len(f.cells.Cells()))
	f.cells.State(p, f.states[i])
	return render.Panel{Drawing: State{f.cells, p}, Caption: caption}
}
