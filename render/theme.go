package render

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// A Theme has the colours of a picture, all of them opaque.
type Theme struct {
	Name string

	Background color.RGBA
	Text       color.RGBA
	Faint      color.RGBA // the lines of a plot
	Bar        color.RGBA // the bars of a plot

	Board      color.RGBA
	Edge       color.RGBA // the rim of the board
	Hole       color.RGBA
	HoleShade  color.RGBA // the shaded side of a hole
	Piece      color.RGBA // a peg or a similar piece
	PieceShade color.RGBA // the shaded side of a piece
	PieceLight color.RGBA // where it shines
	Shadow     color.RGBA // the shadow of a piece on the board
	Any        color.RGBA // a cell that a pattern leaves open
	Taken      color.RGBA // a piece that a move takes away
	Mark       color.RGBA // arrows
	MarkRim    color.RGBA

	// Blocks are the colours of pieces. The first stands out: it is for the pieces that a goal
	// names.
	Blocks [6]color.RGBA
	Goal   color.RGBA // the edge of a place where a goal wants a piece

	// Scale are colours for numbers, from the least to the greatest. Shade mixes those between.
	Scale [5]color.RGBA
}

// Themes returns all themes. The first is the default.
func Themes() []Theme { return []Theme{light, dark, colorblind} }

// ThemeByName returns the theme of a name.
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
	Piece:      rgb(0xa63d21),
	PieceShade: rgb(0x742512),
	PieceLight: rgb(0xd98467),
	Shadow:     rgb(0xcdb88a),
	Any:        rgb(0xe0b49b),
	Taken:      rgb(0xd58a35),
	Mark:       rgb(0x1f5f8b),
	MarkRim:    rgb(0xfdfbf6),
	Blocks:     [6]color.RGBA{rgb(0xa63d21), rgb(0x41678c), rgb(0x4a7350), rgb(0x7b4f78), rgb(0x4f4a45), rgb(0x1f766e)},
	Goal:       rgb(0xc27a67),
	Scale:      [5]color.RGBA{rgb(0x2b1a5a), rgb(0x6f2277), rgb(0xb2344f), rgb(0xdb6a2b), rgb(0xeab04a)},
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
	Piece:      rgb(0xf0b445),
	PieceShade: rgb(0xb27a18),
	PieceLight: rgb(0xffe3a8),
	Shadow:     rgb(0x1b1f27),
	Any:        rgb(0x6e5c35),
	Taken:      rgb(0xd9673c),
	Mark:       rgb(0x5fc7f5),
	MarkRim:    rgb(0x14171c),
	Blocks:     [6]color.RGBA{rgb(0xf0b445), rgb(0x6489b5), rgb(0x6a9472), rgb(0x9a78a4), rgb(0xb0765c), rgb(0x3f9c93)},
	Goal:       rgb(0xffd98a),
	Scale:      [5]color.RGBA{rgb(0xfff0b3), rgb(0xfbb13c), rgb(0xe8593f), rgb(0xb0307a), rgb(0x6b35a3)},
}

// colorblind has the colours of Okabe and Ito, which colour-blind people can distinguish.
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
	Piece:      rgb(0x0072b2),
	PieceShade: rgb(0x004a75),
	PieceLight: rgb(0x56b4e9),
	Shadow:     rgb(0xcccccc),
	Any:        rgb(0xa9d6f0),
	Taken:      rgb(0xe69f00),
	Mark:       rgb(0xd55e00),
	MarkRim:    rgb(0xffffff),
	Blocks:     [6]color.RGBA{rgb(0x0072b2), rgb(0xe69f00), rgb(0x56b4e9), rgb(0x009e73), rgb(0xcc79a7), rgb(0xf0e442)},
	Goal:       rgb(0x00324f),
	Scale:      [5]color.RGBA{rgb(0x00204d), rgb(0x31446b), rgb(0x666970), rgb(0x958f78), rgb(0xcbba69)},
}

// colors returns all colours of the theme.
func (t Theme) colors() []color.RGBA {
	return append(append(t.Blocks[:], t.Scale[:]...), t.Goal, t.Background, t.Text, t.Faint, t.Bar, t.Board, t.Edge, t.Hole, t.HoleShade, t.Piece, t.PieceShade,
		t.PieceLight, t.Shadow, t.Any, t.Taken, t.Mark, t.MarkRim)
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

// A Block is the colours of a piece: of its face, of its sides in the light and in the shade,
// and of the letter on it.
type Block struct{ Face, Light, Shade, Letter color.RGBA }

// Block returns the colours of pieces of kind n, from 0. Kind 0 has the first of Blocks, the
// others have the rest in turn.
func (t Theme) Block(n int) Block {
	if n > 0 {
		n = 1 + (n-1)%(len(t.Blocks)-1)
	}
	return BlockOf(t.Blocks[n])
}

// BlockOf returns the colours of pieces with a face of a colour.
func BlockOf(face color.RGBA) Block {
	black, white := rgb(0), rgb(0xffffff)
	b := Block{Face: face}
	b.Light, b.Shade = Mix(b.Face, white, 0.3), Mix(b.Face, black, 0.4)
	b.Letter = Mix(b.Face, white, 0.9)
	if dark := Mix(b.Face, black, 0.8); Contrast(dark, b.Face) > Contrast(b.Letter, b.Face) {
		b.Letter = dark
	}
	return b
}

// Shade returns the colour of a share of the scale, from 0 to 1. Steps of equal size look equally
// large: colours are mixed in OKLab (Ottosson, 2020).
func (t Theme) Shade(share float64) color.RGBA {
	at := min(max(share, 0), 1) * float64(len(t.Scale)-1)
	i := min(int(at), len(t.Scale)-2)
	a, b := oklab(t.Scale[i]), oklab(t.Scale[i+1])
	for k := range a {
		a[k] += (b[k] - a[k]) * (at - float64(i))
	}
	return fromOKLab(a)
}

// Faded returns a colour a share of the way to the background.
func (t Theme) Faded(c color.RGBA, share float64) color.RGBA { return Mix(c, t.Background, share) }

// intensity returns how much light a part of a colour stands for, from 0 to 1.
func intensity(x uint8) float64 {
	v := float64(x) / 255
	if v > 0.04045 {
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return v / 12.92
}

// oklab returns the lightness of a colour, and where it is between green and red, blue and yellow.
func oklab(c color.RGBA) [3]float64 {
	r, g, b := intensity(c.R), intensity(c.G), intensity(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
}

// fromOKLab returns the colour that oklab describes.
func fromOKLab(c [3]float64) color.RGBA {
	cube := func(x float64) float64 { return x * x * x }
	l := cube(c[0] + 0.3963377774*c[1] + 0.2158037573*c[2])
	m := cube(c[0] - 0.1055613458*c[1] - 0.0638541728*c[2])
	s := cube(c[0] - 0.0894841775*c[1] - 1.2914855480*c[2])
	part := func(v float64) uint8 {
		if v > 0.0031308 {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		} else {
			v *= 12.92
		}
		return uint8(math.Round(255 * min(max(v, 0), 1)))
	}
	return color.RGBA{part(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		part(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		part(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s), 255}
}

// Target returns the colour of the floor where a goal wants a piece.
func (t Theme) Target() color.RGBA { return Mix(t.Hole, t.Blocks[0], 0.2) }

// maxPalette is the size of a palette, so that a GIF needs 7 bits for a colour; one
// more is transparent.
const maxPalette = 127

// palette returns pairs of colours that meet in a picture, and the colours of the smooth edges
// between them.
func palette(meet [][2]color.RGBA) color.Palette {
	for step := 36.0; ; step *= 1.2 { // with few colours the steps are too small to see
		var colors []color.RGBA
		for _, m := range meet {
			colors = append(colors, m[0], m[1])
		}
		for _, m := range meet {
			steps := math.Ceil(distance(m[0], m[1]) / step)
			for i := 1.0; i < steps; i++ {
				colors = append(colors, Mix(m[0], m[1], i/steps))
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

// distance returns how far apart two colours are.
func distance(a, b color.RGBA) float64 {
	d := func(x, y uint8) float64 { return float64(x) - float64(y) }
	return math.Sqrt(d(a.R, b.R)*d(a.R, b.R) + d(a.G, b.G)*d(a.G, b.G) + d(a.B, b.B)*d(a.B, b.B))
}

// Mix returns the colour a share of the way from a to b.
func Mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share + 0.5) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// Contrast returns the ratio of the luminances of two colours, as the guidelines for
// accessible web pages (WCAG) define it.
func Contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		return 0.2126*intensity(c.R) + 0.7152*intensity(c.G) + 0.0722*intensity(c.B) + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}
