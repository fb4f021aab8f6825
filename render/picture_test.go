package render

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// someShapes returns a shape of each type, black, in or near a picture of 90 pixels.
func someShapes(r *rand.Rand) []Shape {
	some := func() Point { return Point{r.Float64()*130 - 20, r.Float64()*130 - 20} }
	black := rgb(0)
	p, q, n := some(), some(), 1+30*r.Float64()
	corner := func(x, y float64) Corner { return Corner{p.Plus(x*(5+n), y*(5+n)), n / 8} }
	return []Shape{
		Circle{p, n, black, ""},
		Dots{[]Point{p, q, some()}, n, black},
		Stamp{p, "", []Rect{{Box: BoxOf(Pt(n, -n), Pt(1, 2)), R: n / 8, Fill: black}}, []Circle{{Pt(n, n), n, black, ""}, {Pt(-n, 2), n / 2, black, ""}}},
		Dashed{p, n, 1 + n/8, 1 + r.IntN(20), black},
		Rect{Box: BoxOf(p, q), R: n * float64(r.IntN(2)), Fill: black},
		Polygon{[]Point{p, q, some()}, n * float64(r.IntN(2)), black},
		Polygon{[]Point{p, q, p.Towards(q, 0.5).Plus(n, -n), p.Plus(n, 0), p.Plus(0, n)}, 0.14 * n, black},
		Lines{[]Segment{{p, q}, {q, some()}}, n, black},
		Outline{[][]Corner{{corner(0, 0), corner(2, 0), corner(2, 2), corner(1, 2), corner(1, 1), corner(0, 1)}}, black, ""},
		Label{p, n, "17 pegs, jump 3: \u00c5gj\u00fd|", black, align(r.IntN(3))},
	}
}

// A shape changes no pixel outside its bounds. The pixels within a clip are the same as without
// a clip.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const size = 90
	for range 300 {
		for _, s := range someShapes(r) {
			picture := NewPicture(size, size, rgb(0xffffff))
			picture.Add(s)
			whole, err := picture.Image()
			if err != nil {
				t.Fatal(err)
			}
			x, y := r.IntN(size), r.IntN(size)
			parts := newCanvas(size, size)
			for _, clip := range []image.Rectangle{image.Rect(0, 0, x, size), image.Rect(x, 0, size, y), image.Rect(x, y, size, size)} {
				parts.draw(picture, clip)
			}
			if !bytes.Equal(whole.Pix, parts.img.Pix) {
				t.Fatalf("%#v is drawn otherwise in parts, cut at %d, %d", s, x, y)
			}
			in := s.bounds().pixels()
			for y := range size {
				for x := range size {
					if whole.RGBAAt(x, y) != picture.background && !image.Pt(x, y).In(in) {
						t.Fatalf("%#v has the bounds %v and changes the pixel %d,%d", s, in, x, y)
					}
				}
			}
		}
	}
}

func TestPleasant(t *testing.T) {
	for n := 1; n <= 300; n++ {
		columns := pleasant(n, 250, 340)
		rows := (n + columns - 1) / columns
		if columns < 1 || (columns-1)*rows >= n {
			t.Errorf("%d panels in %d columns: as many rows would do with fewer", n, columns)
		}
		if shape := float64(columns*250) / float64(rows*340); n >= 10 && (shape < 0.9 || shape > 2.8) {
			t.Errorf("%d panels in %d columns: the picture is %.2f times as wide as high", n, columns, shape)
		}
	}
}

func TestScales(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	values := []uint64{0, 1, 2, 3, 9, 10, 11, math.MaxUint64}
	for range 2000 {
		values = append(values, r.Uint64()>>r.IntN(64))
	}
	for _, most := range values {
		for name, s := range map[string]scale{"linear": linear(most), "logarithmic": logarithmic(most)} {
			if n := len(s.ticks); n < 2 || n > 14 {
				t.Errorf("%s to %d: %d ticks", name, most, n)
			}
			if most == 0 {
				continue
			}
			if top := s.at(float64(most)); top <= 0 || top > 1+1e-9 {
				t.Errorf("%s: %d is at %g", name, most, top)
			}
			for _, v := range s.ticks {
				if at := s.at(v); at < 0 || at > 1+1e-9 {
					t.Errorf("%s to %d: the tick %g is at %g", name, most, v, at)
				}
			}
		}
	}
}

func TestThemes(t *testing.T) {
	for _, theme := range Themes() {
		check := func(what string, a, b color.RGBA, want float64) {
			if got := Contrast(a, b); got < want {
				t.Errorf("%s: the contrast of %s is %.2f, want %.1f", theme.Name, what, got, want)
			}
		}
		check("captions", theme.Text, theme.Background, 7)
		check("pegs and the board", theme.Piece, theme.Board, 3)
		check("pegs and holes", theme.Piece, theme.Hole, 3)
		check("pegs and open cells", theme.Piece, theme.Any, 2.5)
		check("arrows and their rims", theme.Mark, theme.MarkRim, 3)
		check("bars", theme.Bar, theme.Background, 3)
		check("the mark of a goal and the floor in it", theme.Goal, theme.Target(), 1.5)
		for i := range theme.Blocks {
			b := theme.Block(i)
			check("letters and pieces", b.Letter, b.Face, 4.5)
			// A piece is set off by its face or its edge.
			if Contrast(b.Face, theme.Hole) < 3 {
				check("the edge of pieces and the floor", b.Shade, theme.Hole, 3)
			}
			if i == 0 {
				continue
			}
			check("the mark of a goal and pieces", theme.Goal, b.Face, 1.5)
			for j := range i {
				if off := distance(b.Face, theme.Blocks[j]); off < 40 {
					t.Errorf("%s: the colours %d and %d of pieces are only %.0f apart", theme.Name, i, j, off)
				}
			}
			if off := distance(b.Face, theme.Blocks[0]); off < 75 {
				t.Errorf("%s: colour %d of pieces is only %.0f from that of the goal", theme.Name, i, off)
			}
		}
		if n := len(theme.Blocks); theme.Block(n) != theme.Block(1) || theme.Block(9).Face == theme.Block(0).Face {
			t.Errorf("%s: the colours of many pieces are not the others in turn", theme.Name)
		}
	}
	if _, err := ThemeByName("blue"); err == nil || err.Error() != `unknown theme "blue": there are light, dark, colorblind` {
		t.Errorf("an unknown theme: %v", err)
	}
}

// A scale goes from its first colour to its last, ever lighter or ever darker, in even steps. All
// of it can be seen, and what marks stand on it can be told from it.
func TestShade(t *testing.T) {
	for _, theme := range Themes() {
		if a, b := theme.Shade(-1), theme.Shade(2); a != theme.Scale[0] || b != theme.Scale[4] || theme.Shade(0.5) != theme.Scale[2] {
			t.Errorf("%s: the scale goes from %v to %v", theme.Name, a, b)
		}
		up := oklab(theme.Scale[4])[0] - oklab(theme.Scale[0])[0]
		for i := range 100 {
			c, next := theme.Shade(float64(i)/100), theme.Shade(float64(i+1)/100)
			if rise := (oklab(next)[0] - oklab(c)[0]) / up; rise < 0 || rise > 0.03 {
				t.Errorf("%s: from %v to %v lightness rises by %.3f of the whole", theme.Name, c, next, rise)
			}
			if got := Contrast(c, theme.Background); got < 1.8 {
				t.Errorf("%s: the contrast of %v and the background is %.2f", theme.Name, c, got)
			}
			if off := distance(c, theme.Mark); off < 60 {
				t.Errorf("%s: %v is only %.0f from the marks", theme.Name, c, off)
			}
		}
		for _, c := range theme.colors() {
			if back := fromOKLab(oklab(c)); back != c {
				t.Errorf("%v comes back as %v", c, back)
			}
		}
		if theme.Faded(theme.Text, 1) != theme.Background || theme.Faded(theme.Text, 0) != theme.Text {
			t.Errorf("%s: faded colours are wrong", theme.Name)
		}
	}
}
