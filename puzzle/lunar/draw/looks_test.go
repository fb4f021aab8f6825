package draw

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
	"pagoda/render"
)

// seen are how people see colours who lack a kind of cones, or nothing, as matrices of linear red, green and blue
// (Machado, Oliveira and Fernandes, 2009).
var seen = map[string][3][3]float64{
	"nothing":     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"red cones":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"green cones": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"blue cones":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seenAs returns a colour as such people see it, in linear parts from 0 to 1.
func seenAs(c color.RGBA, m [3][3]float64) (out [3]float64) {
	part := func(x uint8) float64 {
		if v := float64(x) / 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return float64(x) / 255 / 12.92
	}
	in := [3]float64{part(c.R), part(c.G), part(c.B)}
	for i := range out {
		for k := range in {
			out[i] += m[i][k] * in[k]
		}
		out[i] = min(max(out[i], 0), 1)
	}
	return out
}

// apart returns the distance of two colours in OKLab (Ottosson, 2020), where white and black are 1 apart.
func apart(a, b [3]float64) float64 {
	lab := func(c [3]float64) [3]float64 {
		l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
		m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
		s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
		return [3]float64{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, 1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
			0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
	}
	p, q := lab(a), lab(b)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// Colour-blind people can distinguish the colours of the letter pieces. Everybody can read the names on
// pieces, and sees the pieces on the floor by their faces, edges or lights.
func TestColors(t *testing.T) {
	for people, m := range seen {
		for i, a := range bright {
			for k, b := range bright[:i] {
				if off := apart(seenAs(a, m), seenAs(b, m)); off < 0.08 {
					t.Errorf("people who lack %s: the colours %d and %d of letters are %.3f apart", people, k, i, off)
				}
			}
		}
		for _, theme := range render.Themes() {
			for _, ch := range []byte(board.LetterNames[:len(bright)+1] + "1") {
				b, hole := Looks{}.block(ch, theme), seenAs(theme.Hole, m)
				if off := max(apart(seenAs(b.Face, m), hole), apart(seenAs(b.Shade, m), hole), apart(seenAs(b.Light, m), hole)); off < 0.23 {
					t.Errorf("%s, people who lack %s: piece %c is %.3f from the floor", theme.Name, people, ch, off)
				}
				if off := apart(seenAs(b.Face, m), seenAs(b.Letter, m)); off < 0.38 {
					t.Errorf("%s, people who lack %s: the name of piece %c is %.3f from it", theme.Name, people, ch, off)
				}
			}
		}
	}
}

// There is a tone for each colour that a text may name, and names are short.
func TestLooks(t *testing.T) {
	for _, name := range problem.Colours() {
		if colours[name].A != 255 {
			t.Errorf("%s has the tone %v", name, colours[name])
		}
	}
	if a, b := len(colours), len(problem.Colours()); a != b {
		t.Errorf("there are %d tones for %d colours", a, b)
	}
	l := Looks{'X': {Name: "a  b\nc"}, 'Y': {Name: strings.Repeat("long ", 9)}}
	if a, b, c := l.name('X'), l.name('Y'), l.name('Z'); a != "a b c" || b != "long long long long l..." || c != "" {
		t.Errorf("the names are %q, %q and %q", a, b, c)
	}
}
