package render

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// A Theme is the colours of a picture, all of them opaque.
type Theme struct {
	Name string

	Background color.RGBA
	Text       color.RGBA
	Faint      color.RGBA // the lines of a plot
	Bar        color.RGBA // the bars of a plot

	Board     color.RGBA
	Edge      color.RGBA // the rim of the board
	Hole      color.RGBA
	HoleShade color.RGBA // the shaded side of a hole
	Peg       color.RGBA
	PegShade  color.RGBA // the shaded side of a peg
	PegLight  color.RGBA // where it shines
	Shadow    color.RGBA // what a peg casts on the board
	Any       color.RGBA // a cell that may have a peg or not
	Taken     color.RGBA // the peg that is jumped over
	Mark      color.RGBA // arrows
	MarkRim   color.RGBA
}

// Themes are the themes by name; the first is the default.
func Themes() []Theme { return []Theme{light, dark, colorblind} }

// ThemeByName returns a theme.
func ThemeByName(name string) (Theme, error) {
	var names []string
	for _, t := range Themes() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Theme{}, fmt.Errorf("unknown theme %q: there are %s", name, strings.Join(names, ", "))
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

var light = Theme{
	Name:       "light",
	Background: rgb(0xfdfbf6),
	Text:       rgb(0x3d3526),
	Faint:      rgb(0xe3dccb),
	Bar:        rgb(0xa63d21),
	Board:      rgb(0xefe3c8),
	Edge:       rgb(0xc4a66e),
	Hole:       rgb(0xd9c69c),
	HoleShade:  rgb(0xb39a67),
	Peg:        rgb(0xa63d21),
	PegShade:   rgb(0x742512),
	PegLight:   rgb(0xd98467),
	Shadow:     rgb(0xcdb88a),
	Any:        rgb(0xe0b49b),
	Taken:      rgb(0xd58a35),
	Mark:       rgb(0x1f5f8b),
	MarkRim:    rgb(0xfdfbf6),
}

var dark = Theme{
	Name:       "dark",
	Background: rgb(0x14171c),
	Text:       rgb(0xd9dde4),
	Faint:      rgb(0x2f3640),
	Bar:        rgb(0xf0b445),
	Board:      rgb(0x2a303b),
	Edge:       rgb(0x475162),
	Hole:       rgb(0x1b1f27),
	HoleShade:  rgb(0x0d0f13),
	Peg:        rgb(0xf0b445),
	PegShade:   rgb(0xb27a18),
	PegLight:   rgb(0xffe3a8),
	Shadow:     rgb(0x1b1f27),
	Any:        rgb(0x6e5c35),
	Taken:      rgb(0xd9673c),
	Mark:       rgb(0x5fc7f5),
	MarkRim:    rgb(0x14171c),
}

// colorblind has the colours of Okabe and Ito, which are told apart by all.
var colorblind = Theme{
	Name:       "colorblind",
	Background: rgb(0xffffff),
	Text:       rgb(0x000000),
	Faint:      rgb(0xd9d9d9),
	Bar:        rgb(0x0072b2),
	Board:      rgb(0xf1f1f1),
	Edge:       rgb(0x8c8c8c),
	Hole:       rgb(0xffffff),
	HoleShade:  rgb(0x9a9a9a),
	Peg:        rgb(0x0072b2),
	PegShade:   rgb(0x004a75),
	PegLight:   rgb(0x56b4e9),
	Shadow:     rgb(0xcccccc),
	Any:        rgb(0xa9d6f0),
	Taken:      rgb(0xe69f00),
	Mark:       rgb(0xd55e00),
	MarkRim:    rgb(0xffffff),
}

// colors are all colours of the theme.
func (t Theme) colors() []color.RGBA {
	return []color.RGBA{t.Background, t.Text, t.Faint, t.Bar, t.Board, t.Edge, t.Hole, t.HoleShade, t.Peg, t.PegShade,
		t.PegLight, t.Shadow, t.Any, t.Taken, t.Mark, t.MarkRim}
}

// fill returns the default for a theme without a name, and checks others.
func (t Theme) fill() (Theme, error) {
	if t.Name == "" {
		return Themes()[0], nil
	}
	for _, c := range t.colors() {
		if c.A != 255 {
			return t, fmt.Errorf("the theme %q has the colour %v, expected opaque ones: the last number 255", t.Name, c)
		}
	}
	return t, nil
}

// maxPalette is the size of a palette, so that a GIF needs 7 bits for a colour; one
// more is transparent.
const maxPalette = 127

// palette returns the colours of the theme, and between two that meet in a picture,
// those of the smooth edge between them.
func (t Theme) palette() color.Palette {
	meet := [][2]color.RGBA{
		{t.Background, t.Text}, {t.Background, t.Edge}, {t.Edge, t.Board},
		{t.Board, t.HoleShade}, {t.HoleShade, t.Hole}, {t.Board, t.Shadow}, {t.Shadow, t.Hole},
		{t.Board, t.PegShade}, {t.Board, t.Peg}, {t.Peg, t.PegShade}, {t.Peg, t.PegLight}, {t.Shadow, t.PegShade},
		{t.Hole, t.Taken}, {t.Shadow, t.Taken}, {t.Taken, t.Peg}, {t.Taken, t.PegShade}, {t.Background, t.Peg},
		{t.Board, t.Any}, {t.Any, t.Peg}, {t.Board, t.MarkRim}, {t.MarkRim, t.Mark},
	}
	for step := 36.0; ; step *= 1.2 { // a step is hardly seen, unless the colours are many
		colors := t.colors()
		for _, m := range meet {
			steps := math.Ceil(distance(m[0], m[1]) / step)
			for i := 1.0; i < steps; i++ {
				colors = append(colors, mix(m[0], m[1], i/steps))
			}
		}
		seen := make(map[color.RGBA]bool)
		var p color.Palette
		for _, c := range colors {
			if !seen[c] {
				seen[c] = true
				p = append(p, c)
			}
		}
		if len(p) <= maxPalette {
			return p
		}
	}
}

// distance is how far apart two colours are.
func distance(a, b color.RGBA) float64 {
	d := func(x, y uint8) float64 { return float64(x) - float64(y) }
	return math.Sqrt(d(a.R, b.R)*d(a.R, b.R) + d(a.G, b.G)*d(a.G, b.G) + d(a.B, b.B)*d(a.B, b.B))
}

// mix is the colour a share of the way from a to b.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}
