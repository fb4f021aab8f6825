package render_test

import (
	"errors"
	"fmt"
	"image/color"
	"os"
	"strings"

	"pagoda/render"
)

// Lamps is a Drawing: a row of lamps, some of them lit.
type Lamps []bool

func (d Lamps) Check() error {
	if len(d) == 0 {
		return errors.New("there are no lamps")
	}
	return nil
}

func (d Lamps) Title() string { return d.Rows()[0] }

func (d Lamps) Size(cell int) (width, height int) { return len(d) * cell, cell }

func (d Lamps) Draw(p *render.Picture, at render.Point, s render.Style) {
	cell := float64(s.Cell)
	p.Add(render.Rect{Box: render.BoxOf(at, at.Plus(float64(len(d))*cell, cell)), Fill: s.Theme.Board})
	for i, lit := range d {
		lamp := render.Circle{At: at.Plus((float64(i)+0.5)*cell, cell/2), R: 0.4 * cell, Fill: s.Theme.Hole}
		if lit {
			lamp.Fill, lamp.Class = s.Theme.Mark, "lit"
		}
		p.Add(lamp)
	}
}

func (d Lamps) Blends(t render.Theme) [][2]color.RGBA {
	return [][2]color.RGBA{{t.Background, t.Board}, {t.Board, t.Hole}, {t.Board, t.Mark}}
}

func (d Lamps) Rows() []string {
	row := make([]byte, len(d))
	for i, lit := range d {
		row[i] = '.'
		if lit {
			row[i] = '*'
		}
	}
	return []string{string(row)}
}

// A program draws lamps as text and as SVG.
func Example() {
	panels := []render.Panel{{Lamps{true, false, true}, "before"}, {Lamps{true, true, true}, "after"}}
	if err := render.Text(os.Stdout, panels, 0, render.Style{}); err != nil {
		fmt.Println(err)
	}
	picture, err := render.Sheet(panels, 1, render.Style{Cell: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(string(picture.SVG()), `class="lit"`), "lamps are lit")
	// Output:
	// *.*       ***
	// before    after
	// 5 lamps are lit
}
