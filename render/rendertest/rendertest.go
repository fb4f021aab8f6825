// Package rendertest checks pictures and animations, for the tests of render and of drawers.
package rendertest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/render"
	"pagoda/render/png"
)

// Sheet is render.Sheet without errors.
func Sheet(t testing.TB, panels []render.Panel, columns int, style render.Style) *render.Picture {
	t.Helper()
	p, err := render.Sheet(panels, columns, style)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// SVG returns the picture as an SVG.
func SVG(t testing.TB, p *render.Picture) string {
	t.Helper()
	return string(p.SVG())
}

// Image returns the picture in pixels.
func Image(t testing.TB, p *render.Picture) *image.RGBA {
	t.Helper()
	img, err := p.Image()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Text returns panels in characters.
func Text(t testing.TB, panels []render.Panel, columns int, style render.Style) string {
	t.Helper()
	var s strings.Builder
	if err := render.Text(&s, panels, columns, style); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// Cells returns sizes of cells in pixels. Without -tags long they are at most 13, as larger pictures show the same and
// take longer.
func Cells(sizes ...int) []int {
	for i := range sizes {
		if !long.Tests {
			sizes[i] = min(sizes[i], 13)
		}
	}
	return sizes
}

// Play is render.Play without errors.
func Play(t testing.TB, step time.Duration, films ...render.Film) []render.Scene {
	t.Helper()
	scenes, err := render.Play(step, films...)
	if err != nil {
		t.Fatal(err)
	}
	return scenes
}

// Bytes returns a film in all formats, one after the other.
func Bytes(t testing.TB, f render.Film, style render.Style) []byte {
	t.Helper()
	scenes := Play(t, 0, f)
	p := Sheet(t, f.Strip(), 0, style)
	b := bytes.NewBuffer(p.SVG())
	if err := errors.Join(png.Encode(b, p), render.WriteGIF(b, scenes, 0, 0, style)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An Element is an element of an SVG, with the text directly in it.
type Element struct {
	Name, Text string
	Attr       map[string]string
}

// Number returns an attribute that is a number.
func (e Element) Number(t testing.TB, attr string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(e.Attr[attr], 64)
	if err != nil {
		t.Fatalf("%s: %v", attr, err)
	}
	return x
}

// Points returns the points of a polygon.
func (e Element) Points(t testing.TB) (points []render.Point) {
	t.Helper()
	for _, pair := range strings.Fields(e.Attr["points"]) {
		x, y, _ := strings.Cut(pair, ",")
		e := Element{Attr: map[string]string{"x": x, "y": y}}
		points = append(points, render.Pt(e.Number(t, "x"), e.Number(t, "y")))
	}
	return points
}

// Elements returns the elements of a picture as an SVG, which must be well-formed and without
// numbers that are not finite.
func Elements(t testing.TB, p *render.Picture) (all []Element) {
	t.Helper()
	text := SVG(t, p)
	d := xml.NewDecoder(strings.NewReader(text))
	var open []int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := Element{Name: token.Name.Local, Attr: make(map[string]string)}
			for _, a := range token.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Fatalf("%s of %s is %s", a.Name.Local, e.Name, a.Value)
				}
				e.Attr[a.Name.Local] = a.Value
			}
			open, all = append(open, len(all)), append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && strings.TrimSpace(string(token)) != "" {
				all[open[len(open)-1]].Text += string(token)
			}
		}
	}
}

// Classes counts the elements of each class in a picture, and lists the texts in elements of
// each name.
func Classes(t testing.TB, p *render.Picture) (class map[string]int, texts map[string][]string) {
	t.Helper()
	class, texts = make(map[string]int), make(map[string][]string)
	for _, e := range Elements(t, p) {
		if c := e.Attr["class"]; c != "" {
			class[c]++
		}
		if e.Text != "" {
			texts[e.Name] = append(texts[e.Name], e.Text)
		}
	}
	return class, texts
}

// CheckGIF writes a GIF and compares its frames, put on top of each other, with pictures of the
// whole scenes in the nearest colours of the palette.
func CheckGIF(t testing.TB, name string, scenes []render.Scene, columns int, style render.Style) {
	t.Helper()
	var data bytes.Buffer
	if err := render.WriteGIF(&data, scenes, columns, 0, style); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&data)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != len(scenes) {
		t.Fatalf("%s: %d frames, want %d", name, len(g.Image), len(scenes))
	}
	palette := Palette(g)
	shown := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, whole := range wholes(t, scenes, columns, style, g.Config.Width, g.Config.Height) {
		if delay := time.Duration(g.Delay[i]) * 10 * time.Millisecond; delay != scenes[i].Delay {
			t.Errorf("%s: frame %d is shown for %v, want %v", name, i, delay, scenes[i].Delay)
		}
		draw.Draw(shown, g.Image[i].Rect, g.Image[i], g.Image[i].Rect.Min, draw.Over)
		nearest := make(map[color.RGBA]color.RGBA)
		for y := range g.Config.Height {
			for x := range g.Config.Width {
				c := whole.RGBAAt(whole.Rect.Min.X+x, whole.Rect.Min.Y+y)
				want, ok := nearest[c]
				if !ok {
					want = palette.Convert(c).(color.RGBA)
					nearest[c] = want
					if off := distance(c, want); off > 48 {
						t.Errorf("%s, %s: the nearest of the palette to %v is %v, %.0f off", name, style.Theme.Name, c, want, off)
					}
				}
				if got := shown.RGBAAt(x, y); got != want {
					t.Fatalf("%s: frame %d shows %v at %d,%d, want %v", name, i, got, x, y, want)
				}
			}
		}
	}
}

// wholes draws each scene whole, in the size of the GIF. All scenes are in one sheet, so that all
// have the same layout. There is an empty row after each, as captions reach a little beyond.
func wholes(t testing.TB, scenes []render.Scene, columns int, style render.Style, width, height int) (all []*image.RGBA) {
	t.Helper()
	n := len(scenes[0].Panels)
	rows := func(columns int) int { return (n+columns-1)/columns + 1 } // of a scene
	sheet := func(columns int) *render.Picture {
		var panels []render.Panel
		for _, s := range scenes {
			panels = append(panels, s.Panels...)
			for range rows(columns)*columns - n {
				panels = append(panels, render.Panel{Drawing: render.Nothing{}})
			}
		}
		return Sheet(t, panels, columns, style)
	}
	if columns = min(columns, n); columns == 0 {
		columns = 1
		for w, _ := sheet(columns).Size(); w != width && columns < n; w, _ = sheet(columns).Size() {
			columns++
		}
	}
	img := Image(t, sheet(columns))
	row := (img.Rect.Dy() - height) / (len(scenes)*rows(columns) - rows(columns) + 1)
	for i := range scenes {
		top := i * rows(columns) * row
		all = append(all, img.SubImage(image.Rect(0, top, width, top+height)).(*image.RGBA))
	}
	if last := all[len(all)-1].Rect.Max; img.Rect.Max != last.Add(image.Pt(0, row)) {
		t.Fatalf("the last scene ends at %v of a sheet of %v", last, img.Rect)
	}
	return all
}

// Palette returns the colours of a GIF. The one after them is transparent.
func Palette(g *gif.GIF) color.Palette {
	all := g.Image[0].Palette
	for i, c := range all {
		if _, _, _, alpha := c.RGBA(); alpha == 0 {
			return all[:i]
		}
	}
	return all
}

func distance(a, b color.RGBA) float64 {
	d := func(x, y uint8) float64 { return float64(x) - float64(y) }
	return math.Hypot(math.Hypot(d(a.R, b.R), d(a.G, b.G)), d(a.B, b.B))
}
