package render

import (
	"errors"
	"fmt"
	"image/color"

	"pagoda/statespace"
)

// A Drawing is something that can be drawn, such as a state of a puzzle. Its methods after
// Check are only called if Check returns nil.
type Drawing interface {
	// Check returns an error if the drawing cannot be drawn.
	Check() error
	// Size returns how many pixels it takes if neighbouring cells are cell pixels apart.
	Size(cell int) (width, height int)
	// Draw adds its shapes to a picture, with the upper left corner at a point. They reach at
	// most a quarter of a cell beyond its size. The style has its defaults filled in.
	Draw(p *Picture, at Point, s Style)
	// Rows draws it in characters: rows of equal length.
	Rows() []string
	// Blends returns pairs of its colours that meet in Draw, so that a GIF has the colours of
	// smooth edges between them.
	Blends(t Theme) [][2]color.RGBA
	// Title describes it in one line, such as the pattern that Parse reads.
	Title() string
}

// A Drawer draws the states and the paths of a family of puzzles. Package grid has one for
// all spaces with cells.
type Drawer interface {
	// Still draws a state, or a pattern that leaves cells open. The space reads the text. The
	// error is ErrFamily, or else about the text.
	Still(sp statespace.Space, text string) (Panel, error)
	// Film draws a path. The error is ErrFamily, or else about the path.
	Film(sp statespace.Space, path statespace.Path) (Film, error)
	// Letters reports whether pieces have names on them, which Style.NoLetters leaves out.
	Letters() bool
}

// ErrFamily says that a Drawer draws spaces of another family.
var ErrFamily = errors.New("this drawer is for another family of puzzles")

// SpaceOf returns a space as one that a drawer draws. The error is ErrFamily if it is of another
// type.
func SpaceOf[S statespace.Space](sp statespace.Space) (S, error) {
	s, ok := sp.(S)
	if !ok {
		return s, fmt.Errorf("%s cannot be drawn: %w", sp.Name(), ErrFamily)
	}
	return s, nil
}

// SpaceOfPath is SpaceOf for a path to draw. It also returns an error if the path has more than MaxMoves moves,
// or a state that is no number of the space.
func SpaceOfPath[S statespace.Space](sp statespace.Space, path statespace.Path) (S, error) {
	s, err := SpaceOf[S](sp)
	if err != nil {
		return s, err
	}
	if n := len(path.Steps); n > MaxMoves {
		return s, fmt.Errorf("the path has %d moves, expected at most %d", n, MaxMoves)
	}
	most := path.From
	for _, step := range path.Steps {
		most = max(most, step.State)
	}
	if most >= sp.Size() {
		return s, fmt.Errorf("the path has a state with number %d; the numbers of %s are below %d", most, sp.Name(), sp.Size())
	}
	return s, nil
}
