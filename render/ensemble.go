package render

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"pagoda/statespace/peg"
)

// A Part is one of several boards that are shown side by side: a solution that is
// played, or a drawing that stays.
type Part struct {
	Solution Solution
	Still    Drawing // if it is not nil, it is shown instead of a solution
}

// An Ensemble is parts that are played at the same time, and end together: those with
// fewer jumps begin later.
type Ensemble []Part

// Panels returns how the parts end.
func (e Ensemble) Panels() ([]Panel, error) {
	var panels []Panel
	for _, part := range e {
		d := part.Still
		if d == nil {
			positions, err := part.Solution.positions()
			if err != nil {
				return nil, err
			}
			d = Position{Board: part.Solution.Board, Pattern: peg.Pattern{Pegs: positions[len(positions)-1]}}
		}
		panels = append(panels, Panel{Drawing: d})
	}
	return panels, nil
}

// Scenes returns the scenes of an animation.
func (e Ensemble) Scenes(t Timing) ([]Scene, error) {
	t, err := t.fill()
	if err != nil {
		return nil, err
	}
	positions := make([][]peg.Position, len(e))
	most := 0 // jumps
	for i, part := range e {
		if part.Still != nil {
			continue
		}
		if positions[i], err = part.Solution.positions(); err != nil {
			return nil, err
		}
		most = max(most, len(part.Solution.Jumps))
	}
	// scene shows the parts after so many jumps of the longest, with the next ones in
	// the air if flight is above 0.
	scene := func(jumps int, flight float64, delay time.Duration) Scene {
		s := Scene{Delay: delay}
		for i, part := range e {
			if part.Still != nil {
				s.Panels = append(s.Panels, Panel{Drawing: part.Still})
				continue
			}
			made := jumps - (most - len(part.Solution.Jumps))
			d := Position{Board: part.Solution.Board, Pattern: peg.Pattern{Pegs: positions[i][max(0, made)]}}
			if flight > 0 && made >= 0 {
				j := d.Board.Jump(part.Solution.Jumps[made])
				d.Jump, d.flight = &j, flight
			}
			s.Panels = append(s.Panels, Panel{Drawing: d})
		}
		return s
	}
	scenes := []Scene{scene(0, 0, t.Hold)}
	n, each := t.flight()
	for k := range most {
		for f := range n {
			scenes = append(scenes, scene(k, float64(f+1)/float64(n+1), each))
		}
		rest := t.Jump - time.Duration(n)*each
		if k == most-1 {
			rest = t.Hold
		}
		scenes = append(scenes, scene(k+1, 0, rest))
	}
	return scenes, nil
}

// A Plate is a board without cells, that has a word on it instead: a character that is
// not known, for example.
type Plate struct {
	Board *peg.Board
	Text  string
}

func (d Plate) check() error {
	if n := utf8.RuneCountInString(d.Text); n > maxCaption || strings.ContainsAny(d.Text, "\r\n") {
		return fmt.Errorf("what is written on a board is one line of at most %d characters, found %d in %.40q", maxCaption, n, d.Text)
	}
	return Position{Board: d.Board}.check()
}

func (d Plate) describe() string { return d.Text }

func (d Plate) size(cell int) (width, height int) { return Position{Board: d.Board}.size(cell) }

func (d Plate) draw(p *Picture, at point, s Style) {
	width, height := d.size(s.Cell)
	b := box{at, at.plus(float64(width), float64(height))}
	edge := math.Max(1, float64(rim(s.Cell)))
	radius := 0.8 * (float64(s.Cell)/2 + float64(pad(s.Cell)))
	p.add(rect{b, radius, s.Theme.Edge, ""}, rect{b.grow(-edge), radius - edge, s.Theme.Background, ""})
	size := 3 * float64(s.Cell)
	if w := textWidth(d.Text, size); w > float64(width-s.Cell) {
		size *= float64(width-s.Cell) / w
	}
	p.add(label{at.plus(float64(width)/2, float64(height)/2+0.35*size), size, d.Text, middle, s.Theme.Text})
}

func (d Plate) blends(t Theme) [][2]color.RGBA {
	return [][2]color.RGBA{{t.Background, t.Edge}, {t.Background, t.Text}}
}

// text draws a frame around the text.
func (d Plate) text() []string {
	rows := Position{Board: d.Board}.text()
	width, inner := len(rows[0]), max(0, len(rows[0])-2)
	text := []rune(d.Text)
	text = text[:min(len(text), inner)]
	left := (inner - len(text)) / 2
	for i := range rows {
		switch i {
		case 0, len(rows) - 1:
			rows[i] = strings.Repeat("#", width)
		case len(rows) / 2:
			rows[i] = "#" + strings.Repeat(" ", left) + string(text) + strings.Repeat(" ", inner-left-len(text)) + "#"
		default:
			rows[i] = "#" + strings.Repeat(" ", inner) + "#"
		}
	}
	return rows
}

// Nothing leaves a place of a sheet free.
type Nothing struct{}

func (Nothing) check() error                 { return nil }
func (Nothing) describe() string             { return "" }
func (Nothing) size(int) (width, height int) { return 0, 0 }
func (Nothing) draw(*Picture, point, Style)  {}
func (Nothing) blends(Theme) [][2]color.RGBA { return nil }
func (Nothing) text() []string               { return nil }
