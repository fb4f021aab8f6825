package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/statespace"
	"pagoda/statespace/catalog"
	"pagoda/statespace/peg"
)

// boards are those of the catalogue, and odd ones.
var boards = sync.OnceValue(func() map[string]*peg.Board {
	all := make(map[string]*peg.Board)
	for _, e := range catalog.Entries() {
		sp, err := catalog.Lookup(e.Name, nil, catalog.Sliding{})
		if err != nil {
			panic(err)
		}
		all[e.Name] = sp.(*peg.Space).Board()
	}
	for name, text := range map[string]string{
		"one cell":    "o",
		"in parts":    "ooo..\no o o\nooo.o  oo\n       oo\n\n  .o",
		"diagonal":    "o\n o\n  o\n   o",
		"odd lattice": "lattice: triangular\n   oo\no..o\n  oooo\n\no",
		"far apart":   strings.Repeat("o"+strings.Repeat("\n", 5), 51) + strings.Repeat(" ", 255) + "o",
	} {
		b, _, err := peg.ParseBoard(text)
		if err != nil {
			panic(err)
		}
		all[name] = b
	}
	return all
})

// random returns a pattern of a board; of every six cells about one is either.
func random(r *rand.Rand, b *peg.Board) peg.Pattern {
	p := peg.Pattern{Any: r.Uint64() & r.Uint64() & r.Uint64() & b.Full()}
	p.Pegs = r.Uint64() & b.Full() &^ p.Any
	return p
}

func panel(b *peg.Board, p peg.Pattern) Panel {
	d := Position{Board: b, Pattern: p}
	return Panel{d, d.Pegs()}
}

// play makes random jumps until none is left, or most are made.
func play(r *rand.Rand, b *peg.Board, start peg.Position, most int) Solution {
	s := Solution{Board: b, Start: start}
	for p := start; len(s.Jumps) < most; {
		var can []int
		for k := range b.Jumps() {
			if j := b.Jump(k); p>>j.From&1 == 1 && p>>j.Over&1 == 1 && p>>j.To&1 == 0 {
				can = append(can, k)
			}
		}
		if len(can) == 0 {
			break
		}
		k := can[r.IntN(len(can))]
		j := b.Jump(k)
		p ^= 1<<j.From | 1<<j.Over | 1<<j.To
		s.Jumps = append(s.Jumps, k)
	}
	return s
}

func sheet(t testing.TB, panels []Panel, columns int, style Style) *Picture {
	t.Helper()
	p, err := Sheet(panels, columns, style)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func svg(t testing.TB, p *Picture) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// classes counts the elements of each class in an SVG, and the texts of each element.
func classes(t testing.TB, text string) (class map[string]int, texts map[string][]string) {
	t.Helper()
	class, texts = make(map[string]int), make(map[string][]string)
	d := xml.NewDecoder(strings.NewReader(text))
	element := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return class, texts
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			element = token.Name.Local
			for _, a := range token.Attr {
				if a.Name.Local == "class" {
					class[a.Value]++
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Fatalf("%s of %s is %s", a.Name.Local, element, a.Value)
				}
			}
		case xml.CharData:
			if strings.TrimSpace(string(token)) != "" {
				texts[element] = append(texts[element], string(token))
			}
		}
	}
}

func TestSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, b := range boards() {
		for _, theme := range Themes() {
			p := random(r, b)
			class, texts := classes(t, svg(t, sheet(t, []Panel{panel(b, p)}, 0, Style{Theme: theme})))
			text := b.FormatPattern(p)
			for kind, char := range map[string]string{"peg": "o", "hole": ".", "any": "?"} {
				if want := strings.Count(text, char); class[kind] != want {
					t.Errorf("%s %s: %d of class %s, want %d", name, text, class[kind], kind, want)
				}
			}
			if texts["title"][0] != text || texts["text"][0] != (Position{Board: b, Pattern: p}).Pegs() {
				t.Errorf("%s: the texts are %q, want %q and the number of pegs", name, texts, text)
			}
		}
	}
}

func TestEscape(t *testing.T) {
	b := boards()["peg/4x4"]
	caption := `<&>"' ` + "\x00\x1b]]> é 謎"
	_, texts := classes(t, svg(t, sheet(t, []Panel{{Position{Board: b}, caption}}, 0, Style{})))
	if got, want := texts["text"][0], strings.NewReplacer("\x00", "\ufffd", "\x1b", "\ufffd").Replace(caption); got != want {
		t.Errorf("the caption reads %q, want %q", got, want)
	}
}

// The middle of each cell has the colour of what is in it.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, b := range boards() {
		for i, cell := range []int{8, 13, 40, 57} {
			theme := Themes()[i%len(Themes())]
			p := random(r, b)
			style := Style{Cell: cell, Theme: theme, NoCaptions: true}
			var data bytes.Buffer
			picture := sheet(t, []Panel{panel(b, p)}, 0, style)
			if w, h := picture.Size(); w*h > 1e6 && (testing.Short() || cell != 8) {
				continue // for its time
			}
			if err := picture.WritePNG(&data); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(&data)
			if err != nil {
				t.Fatal(err)
			}
			leftmost := math.Inf(1)
			for _, c := range b.Cells() {
				leftmost = min(leftmost, place(b, c).x)
			}
			border := float64(style.margin()+pad(cell)+rim(cell)) + float64(cell)/2
			for i, c := range b.Cells() {
				q := place(b, c)
				x := int(border + (q.x-leftmost)*float64(cell))
				y := int(border + (q.y-float64(b.Cells()[0].Row)*rowHeight(b))*float64(cell))
				want := theme.Hole
				if p.Pegs>>i&1 == 1 {
					want = theme.Peg
				} else if p.Any>>i&1 == 1 {
					want = theme.Any
				}
				if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
					t.Fatalf("%s with cells of %d, %s: the cell %v is %v at %d,%d, want %v", name, cell, b.FormatPattern(p), c, got, x, y, want)
				}
			}
		}
	}
}

// Cells that touch each other are at a distance of 1, on both lattices.
func TestPlace(t *testing.T) {
	for name, b := range boards() {
		for _, l := range b.Lines() {
			p, q, s := place(b, b.Cells()[l.A]), place(b, b.Cells()[l.B]), place(b, b.Cells()[l.C])
			if math.Abs(math.Hypot(p.x-q.x, p.y-q.y)-1) > 1e-9 || math.Abs(p.x+s.x-2*q.x)+math.Abs(p.y+s.y-2*q.y) > 1e-9 {
				t.Fatalf("%s: the line %v lies at %v, %v, %v", name, l, p, q, s)
			}
		}
	}
}

// The frames of a GIF, put on top of each other, are what drawing each of them
// whole gives.
func TestGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"peg/4x4", "peg/triangle15", "peg/english", "in parts", "odd lattice"} {
		b := boards()[name]
		start := b.Full() &^ (1 << (len(b.Cells()) / 2))
		s := play(r, b, start, 4)
		for i, theme := range Themes() {
			style := Style{Cell: []int{12, 23, 40}[i], Theme: theme, NoCaptions: i == 1}
			frames, err := s.Frames(Timing{})
			if err != nil {
				t.Fatal(err)
			}
			checkGIF(t, name, frames, style)
		}
	}
}

func checkGIF(t *testing.T, name string, frames []Frame, style Style) {
	t.Helper()
	var data bytes.Buffer
	if err := WriteGIF(&data, frames, 0, style); err != nil {
		t.Fatal(err)
	}
	var scenes []Scene
	for _, f := range frames {
		scenes = append(scenes, Scene{[]Panel{f.Panel}, f.Delay})
	}
	compareGIF(t, name, &data, scenes, 1, style)
}

// compareGIF compares a GIF with what drawing each scene whole gives.
func compareGIF(t *testing.T, name string, data io.Reader, scenes []Scene, columns int, style Style) {
	t.Helper()
	g, err := gif.DecodeAll(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != len(scenes) {
		t.Fatalf("%s: %d frames, want %d", name, len(g.Image), len(scenes))
	}
	for i, scene := range scenes {
		if delay := time.Duration(g.Delay[i]) * tick; delay != scene.Delay {
			t.Errorf("%s: frame %d is shown for %v, want %v", name, i, delay, scene.Delay)
		}
	}
	pictures, panels, err := scenePictures(scenes, columns, style)
	if err != nil {
		t.Fatal(err)
	}
	palette := palette(blends(panels, style.Theme))
	shown := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, f := range g.Image {
		for y := f.Rect.Min.Y; y < f.Rect.Max.Y; y++ {
			for x := f.Rect.Min.X; x < f.Rect.Max.X; x++ {
				if c := color.RGBAModel.Convert(f.At(x, y)).(color.RGBA); c.A > 0 {
					shown.SetRGBA(x, y, c)
				}
			}
		}
		whole, err := pictures[i].Image()
		if err != nil {
			t.Fatal(err)
		}
		known := make(map[color.RGBA]color.Color)
		for y := range g.Config.Height {
			for x := range g.Config.Width {
				c := whole.RGBAAt(x, y)
				if known[c] == nil {
					known[c] = palette.Convert(c)
					if off := distance(c, known[c].(color.RGBA)); off > 48 {
						t.Errorf("%s, %s: the nearest of the palette to %v is %v, %.0f off", name, style.Theme.Name, c, known[c], off)
					}
				}
				if shown.RGBAAt(x, y) != known[c] {
					t.Fatalf("%s: frame %d shows %v at %d,%d, want %v", name, i, shown.RGBAAt(x, y), x, y, known[c])
				}
			}
		}
	}
}

// scenePictures draws each scene whole. It also returns all panels.
func scenePictures(scenes []Scene, columns int, style Style) (pictures []*Picture, panels []Panel, err error) {
	s, err := style.fill()
	if err != nil {
		return nil, nil, err
	}
	for _, scene := range scenes {
		panels = append(panels, scene.Panels...)
	}
	g := newGrid(layout(panels, s), len(scenes[0].Panels), columns)
	for _, scene := range scenes {
		pictures = append(pictures, g.picture(scene.Panels))
	}
	return pictures, panels, nil
}

// animationPictures draws each frame whole.
func animationPictures(frames []Frame, style Style) ([]*Picture, error) {
	var scenes []Scene
	for _, f := range frames {
		scenes = append(scenes, Scene{[]Panel{f.Panel}, f.Delay})
	}
	pictures, _, err := scenePictures(scenes, 1, style)
	return pictures, err
}

// A shape changes no pixel outside its bounds, and what is drawn within a clip is what
// is drawn there without one.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const size = 90
	some := func() point { return point{r.Float64()*130 - 20, r.Float64()*130 - 20} }
	black := rgb(0)
	for range 300 {
		p, q, n := some(), some(), 1+30*r.Float64()
		arrow := &Picture{}
		arrow.arrow(p, q, n, black, rgb(0xff0000))
		for _, s := range append(arrow.shapes,
			circle{p, n, black, ""},
			dashed{p, n, 1 + n/8, 1 + r.IntN(20), black},
			rect{boxOf(p, q), n * float64(r.IntN(2)), black, ""},
			polygon{[]point{p, q, some()}, n * float64(r.IntN(2)), black},
			lines{[]segment{{p, q}, {q, some()}}, n, black},
			outlineOf(around([]image.Point{{}, {X: 1}, {X: 1, Y: 1}}), p, 5+n, even(2), n/8, n/8, black, ""),
			label{p, n, "17 pegs, jump 3: \u00c5gj\u00fd|", align(r.IntN(3)), black},
		) {
			picture := &Picture{width: size, height: size, background: rgb(0xffffff), shapes: []shape{s}}
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

// An animation ends with the picture of the last position.
func TestEnd(t *testing.T) {
	for _, name := range []string{"peg/5x7", "peg/triangle21"} {
		b := boards()[name]
		s := play(rand.New(rand.NewPCG(17, 18)), b, b.Full()&^1, 64)
		frames, err := s.Frames(Timing{})
		if err != nil {
			t.Fatal(err)
		}
		positions, err := s.positions()
		if err != nil {
			t.Fatal(err)
		}
		pictures, err := animationPictures(frames, Style{})
		if err != nil {
			t.Fatal(err)
		}
		for i, end := range map[int]peg.Position{0: s.Start, len(pictures) - 1: positions[len(positions)-1]} {
			want := sheet(t, []Panel{panel(b, peg.Pattern{Pegs: end})}, 0, Style{})
			want.title = ""
			if svg(t, pictures[i]) != svg(t, want) {
				t.Errorf("%s: frame %d is not %s", name, i, b.FormatPosition(end))
			}
		}
	}
}

// A film strip has all pegs of all positions, and arrows that end in the holes that
// are jumped into.
func TestFilm(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for name, b := range boards() {
		s := play(r, b, b.Full()&^(1<<r.IntN(len(b.Cells()))), 64)
		panels, err := s.Panels()
		if err != nil {
			t.Fatal(err)
		}
		pegs := 0
		for i := range panels {
			pegs += bits.OnesCount64(s.Start) - i
		}
		class, texts := classes(t, svg(t, sheet(t, panels, 0, Style{})))
		if class["peg"] != pegs || len(texts["text"]) != len(s.Jumps)+1 {
			t.Errorf("%s: %d pegs and %d captions, want %d and %d", name, class["peg"], len(texts["text"]), pegs, len(s.Jumps)+1)
		}
		for i, k := range s.Jumps {
			style := Style{Cell: 30}
			j := b.Jump(k)
			var tip, from point
			for _, shape := range sheet(t, panels[i:i+1], 0, style).shapes {
				if p, ok := shape.(polygon); ok {
					tip, from = p.points[3], p.points[0].towards(p.points[6], 0.5)
				}
			}
			var holes []point
			d := panels[i].Drawing.(Position)
			d.Pattern = peg.Pattern{}
			for _, shape := range sheet(t, []Panel{{d, ""}}, 0, style).shapes {
				if c, ok := shape.(stamp); ok && c.kind == "hole" {
					holes = append(holes, c.at)
				}
			}
			// The cells of the jump come last.
			n := len(holes)
			if math.Hypot(tip.x-holes[n-1].x, tip.y-holes[n-1].y) > 1e-6 || math.Hypot(from.x-holes[n-3].x, from.y-holes[n-3].y) > 1e-6 {
				t.Fatalf("%s: the arrow of %v leads from %v to %v, want %v to %v", name, j, from, tip, holes[n-3], holes[n-1])
			}
		}
	}
}

// A board that is a rectangle is one bar; others, also those that have as many cells as a
// rectangle, have one for each row.
func TestBars(t *testing.T) {
	for text, want := range map[string]int{"oo/oo": 2, "ooo": 2, "o": 2, "#o#/ooo": 10, "oo/#o": 8} {
		b, _, err := peg.ParseBoard(strings.ReplaceAll(text, "/", "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(svg(t, sheet(t, []Panel{{Position{Board: b}, ""}}, 0, Style{})), "<rect") - 1; n != want {
			t.Errorf("%s: %d bars, want %d", text, n, want)
		}
	}
}

func TestTiming(t *testing.T) {
	b := boards()["peg/4x4"]
	s := play(rand.New(rand.NewPCG(7, 8)), b, b.Full()&^1, 3)
	for _, jump := range []time.Duration{MinJump, 105 * time.Millisecond, 330 * time.Millisecond, DefaultJump, 3 * time.Second, MaxJump} {
		for loop, want := range map[int]int{0: 0, 1: -1, 2: 1, MaxLoop: MaxLoop - 1} {
			frames, err := s.Frames(Timing{Jump: jump, Hold: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			var data bytes.Buffer
			if err := WriteGIF(&data, frames, loop, Style{Cell: MinCell}); err != nil {
				t.Fatal(err)
			}
			g, err := gif.DecodeAll(&data)
			if err != nil {
				t.Fatal(err)
			}
			if g.LoopCount != want {
				t.Errorf("the loop count for %d times is %d, want %d", loop, g.LoopCount, want)
			}
			total := 0
			for _, d := range g.Delay {
				if d < 2 {
					t.Errorf("at %v for a jump a frame is shown for %d/100 s: viewers slow that down", jump, d)
				}
				total += d
			}
			// The first and the last position a second each; the jumps; and the rest
			// of the last jump's time is that second.
			first, last := g.Delay[0], g.Delay[len(g.Delay)-1]
			if first != 100 || last != 100 {
				t.Errorf("the first and the last position are shown for %d/100 and %d/100 s, want 1 s", first, last)
			}
			perJump := int(jump / tick)
			if rest := total - 200 - 2*perJump; rest <= 0 || rest >= perJump {
				t.Errorf("at %v for a jump, the third takes %d/100 s before its last position", jump, rest)
			}
		}
	}
}

func TestOneFrame(t *testing.T) {
	b := boards()["peg/triangle15"]
	var data bytes.Buffer
	one := Frame{panel(b, peg.Pattern{Any: b.Full()}), time.Second}
	for n := range 3 { // equal frames change nothing
		frames := slices.Repeat([]Frame{one}, n+1)
		data.Reset()
		if err := WriteGIF(&data, frames, 0, Style{}); err != nil {
			t.Fatal(err)
		}
		if g, err := gif.DecodeAll(&data); err != nil || len(g.Image) != n+1 {
			t.Errorf("%d frames are written, and read as %v, %v", n+1, g, err)
		}
	}
}

func TestEqualBytes(t *testing.T) {
	b := boards()["peg/5x7"]
	draw := func() string {
		s := play(rand.New(rand.NewPCG(9, 10)), b, b.Full()&^(1<<17), 3)
		panels, err := s.Panels()
		if err != nil {
			t.Fatal(err)
		}
		frames, err := s.Frames(Timing{})
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		p := sheet(t, panels, 0, Style{Cell: 20})
		if err := errors.Join(p.WriteSVG(&data), p.WritePNG(&data), WriteGIF(&data, frames, 0, Style{Cell: 20})); err != nil {
			t.Fatal(err)
		}
		return data.String()
	}
	if first, second := draw(), draw(); first != second {
		t.Error("the same solution makes other bytes the second time")
	}
}

func TestText(t *testing.T) {
	all := boards()
	write := func(panels []Panel, columns int, style Style) string {
		var s strings.Builder
		if err := Text(&s, panels, columns, style); err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	b := all["peg/triangle10"]
	s := play(rand.New(rand.NewPCG(11, 12)), b, b.Full()&^1, 2)
	film, err := s.Panels()
	if err != nil {
		t.Fatal(err)
	}
	pattern, err := all["peg/english"].ParsePattern("ooo/o?o/ooooooo/ooo.ooo/ooooooo/o.o/o.o")
	if err != nil {
		t.Fatal(err)
	}
	got := write(film, 0, Style{}) + "\n" + write([]Panel{panel(all["peg/english"], pattern)}, 0, Style{}) +
		"\n" + write([]Panel{panel(all["one cell"], peg.Pattern{}), panel(all["one cell"], peg.Pattern{Pegs: 1})}, 1, Style{NoCaptions: true})
	if got != golden {
		t.Errorf("the text is\n%s\nwant\n%s", got, golden)
	}
	// What is written is read as the same pattern.
	r := rand.New(rand.NewPCG(13, 14))
	for name, b := range all {
		p := random(r, b)
		text := write([]Panel{panel(b, p)}, 0, Style{NoCaptions: true})
		if q, err := b.ParsePattern(text); err != nil || p != q {
			t.Errorf("%s: %s is drawn as\n%swhich is read as %s, %v", name, b.FormatPattern(p), text, b.FormatPattern(q), err)
		}
	}
}

const golden = `   .                 o                 o
  o x               o .               o o
 o o ^             o x .             o . .
o o o o           o ^ o o           o . o o
jump 1, 9 pegs    jump 2, 8 pegs    end, 7 pegs

    o o o
    o ? o
o o o o o o o
o o o . o o o
o o o o o o o
    o . o
    o . o
29 to 30 pegs

.

o
`

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

func TestLimits(t *testing.T) {
	b := boards()["peg/4x4"]
	one := panel(b, peg.Pattern{})
	with := func(panels []Panel, columns int, s Style) error { _, err := Sheet(panels, columns, s); return err }
	pixels := func(p *Picture) error { return p.WritePNG(io.Discard) }
	frames := func(s Solution, t Timing) error { _, err := s.Frames(t); return err }
	loop := func(n int) error { return WriteGIF(io.Discard, []Frame{{Panel: one}}, n, Style{}) }
	scenes := func(s ...Scene) error { return WriteScenes(io.Discard, s, 0, 0, Style{}) }
	parts := func(e Ensemble) error {
		_, err := e.Panels()
		if _, other := e.Scenes(Timing{}); other == nil || err == nil || other.Error() != err.Error() {
			t.Errorf("the panels of parts are refused with %v, the scenes with %v", err, other)
		}
		return err
	}
	plot := func(n int) error { _, err := Plot{Layers: make([]statespace.Layer, n)}.Picture(); return err }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"small cells":   {with([]Panel{one}, 0, Style{Cell: MinCell - 1}), "the size of a cell is 7 pixels, expected 8 to 400"},
		"large cells":   {with([]Panel{one}, 0, Style{Cell: MaxCell + 1}), "expected 8 to 400"},
		"no panels":     {with(nil, 0, Style{}), "there are 0 drawings, expected 1 to 4096"},
		"many panels":   {with(make([]Panel, MaxPanels+1), 0, Style{}), "there are 4097 drawings"},
		"columns":       {with([]Panel{one}, -1, Style{}), "the number of columns is -1"},
		"long caption":  {with([]Panel{{one.Drawing, strings.Repeat("x", 201)}}, 0, Style{}), "found 201"},
		"lines":         {with([]Panel{{one.Drawing, "a\nb"}}, 0, Style{}), "one line"},
		"text":          {Text(io.Discard, nil, 0, Style{}), "there are 0 drawings"},
		"pixels":        {pixels(sheet(t, []Panel{panel(boards()["far apart"], peg.Pattern{})}, 0, Style{Cell: 100})), "25768 x 25822 pixels; at most 40 million"},
		"gif pixels":    {WriteGIF(io.Discard, []Frame{{Panel: panel(boards()["far apart"], peg.Pattern{})}}, 0, Style{}), "at most 4 million"},
		"pegs outside":  {with([]Panel{panel(b, peg.Pattern{Pegs: 1 << 16})}, 0, Style{}), "beyond the board's 16 cells"},
		"peg or either": {with([]Panel{panel(b, peg.Pattern{Pegs: 1, Any: 1})}, 0, Style{}), "cell (0,0) both"},
		"jump outside":  {with([]Panel{{Position{Board: b, Jump: &peg.Jump{From: 14, Over: 15, To: 16}}, ""}}, 0, Style{}), "cell 16 of a board that has 0 to 15"},
		"no board":      {with([]Panel{{Position{}, ""}}, 0, Style{}), "no board"},
		"no drawing":    {with([]Panel{{}}, 0, Style{}), "no drawing"},
		"no frames":     {WriteGIF(io.Discard, nil, 0, Style{}), "there are 0 frames"},
		"few panels":    {scenes(Scene{Panels: []Panel{one, one}}, Scene{Panels: []Panel{one}}), "a frame has 1 drawings, expected 2 as in the first"},
		"no panel":      {scenes(Scene{}), "there are 0 drawings"},
		"long plate":    {with([]Panel{{Drawing: Plate{b, strings.Repeat("x", 201)}}}, 0, Style{}), "found 201"},
		"plate of rows": {with([]Panel{{Drawing: Plate{b, "a\nb"}}}, 0, Style{}), "one line"},
		"bare plate":    {with([]Panel{{Drawing: Plate{}}}, 0, Style{}), "no board"},
		"no part":       {parts(Ensemble{{}}), "a solution has no board"},
		"fast parts":    {func() error { _, err := Ensemble{}.Scenes(Timing{Jump: 1}); return err }(), "expected 100ms to 10s"},
		"delay":         {WriteGIF(io.Discard, []Frame{{one, time.Hour}}, 0, Style{}), "shown for 1h0m0s, expected 0 to 10m0s"},
		"loop":          {loop(-1), "-1 times, expected 1 to 65535"},
		"long loop":     {loop(MaxLoop + 1), "65536 times"},
		"fast":          {frames(Solution{Board: b}, Timing{Jump: time.Millisecond}), "the time of a jump is 1ms, expected 100ms to 10s"},
		"hold":          {frames(Solution{Board: b}, Timing{Hold: time.Hour}), "shown for 1h0m0s, expected 100ms to 10s"},
		"no such jump":  {frames(Solution{Board: b, Jumps: []int{99}}, Timing{}), "jump 1 of the solution is number 99 of the board, which has 0 to 31"},
		"no jump":       {frames(Solution{Board: b, Jumps: []int{0}}, Timing{}), "jump 1 of the solution, (0,0) over (0,1) to (0,2), cannot be made in ..../..../..../...."},
		"start":         {frames(Solution{Board: b, Start: 1 << 16}, Timing{}), "beyond the board's 16 cells"},
		"no layers":     {plot(0), "there are 0 layers to plot, expected 1 to 4096"},
		"many layers":   {plot(MaxLayers + 1), "there are 4097 layers"},
		"transparent":   {with([]Panel{one}, 0, Style{Theme: Theme{Name: "x"}}), `the theme "x" has the colour {0 0 0 0}, expected opaque`},
		"unknown theme": {func() error { _, err := ThemeByName("blue"); return err }(), `unknown theme "blue": there are light, dark, colorblind`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}

func TestThemes(t *testing.T) {
	for _, theme := range Themes() {
		for _, c := range []struct {
			what string
			a, b color.RGBA
			want float64
		}{
			{"captions", theme.Text, theme.Background, 7},
			{"pegs and the board", theme.Peg, theme.Board, 3},
			{"pegs and holes", theme.Peg, theme.Hole, 3},
			{"pegs and cells that may be either", theme.Peg, theme.Any, 2.5},
			{"arrows and their rims", theme.Mark, theme.MarkRim, 3},
			{"bars", theme.Bar, theme.Background, 3},
		} {
			if got := contrast(c.a, c.b); got < c.want {
				t.Errorf("%s: the contrast of %s is %.1f, want %.1f", theme.Name, c.what, got, c.want)
			}
		}
	}
	// Colours as far apart as can be fit into a palette, too.
	r := rand.New(rand.NewPCG(23, 24))
	for _, theme := range append(Themes(), wild(r), wild(r), wild(r)) {
		for _, d := range []Drawing{Position{}} {
			meet := blends([]Panel{{Drawing: d}}, theme)
			p := palette(meet)
			if n := len(p); n < 40 || n > maxPalette {
				t.Errorf("%s: the palette has %d colours", theme.Name, n)
			}
			for _, m := range meet {
				if p.Convert(m[0]) != m[0] || p.Convert(m[1]) != m[1] {
					t.Errorf("%s: the palette lacks %v or %v", theme.Name, m[0], m[1])
				}
			}
		}
	}
}

// wild is a theme of black, white and the strongest colours.
func wild(r *rand.Rand) Theme {
	c := func() color.RGBA {
		return color.RGBA{uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), 255}
	}
	return Theme{"wild", c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(), c(),
		[6]color.RGBA{c(), c(), c(), c(), c(), c()}, c()}
}

func TestPlot(t *testing.T) {
	sp, err := catalog.Lookup("peg/5x7", nil, catalog.Sliding{})
	if err != nil {
		t.Fatal(err)
	}
	h := Plot{Space: "<a&b>", Name: sp.(statespace.Layered).LayerName()}
	for i := range 33 {
		h.Layers = append(h.Layers, statespace.Layer{Layer: 34 - i, States: uint64(i * i * 1000)})
	}
	for _, h.Log = range []bool{false, true} {
		p, err := h.Picture()
		if err != nil {
			t.Fatal(err)
		}
		_, texts := classes(t, svg(t, p))
		if got := texts["title"][0]; got != "<a&b>: 11,440,000 states" {
			t.Errorf("the title is %q", got)
		}
		if bars := texts["title"][1:]; len(bars) != 32 || bars[31] != "2 pegs: 1,024,000 states" {
			t.Errorf("the bars are %q", bars)
		}
		words := strings.Join(texts["text"], " ")
		if !strings.Contains(words, " 1,000,000 ") || !strings.Contains(words, " 34 33 32 31 ") || !strings.HasSuffix(words, " 2 pegs") {
			t.Errorf("the labels are %s", words)
		}
		height := 0.0
		for _, s := range p.shapes {
			if bar, ok := s.(rect); ok && bar.tip != "" {
				if now := bar.max.y - bar.min.y; now < height || now < 1 {
					t.Errorf("the bar of %s is %.0f high, the one before it %.0f", bar.tip, now, height)
				} else {
					height = now
				}
				if w, _ := p.Size(); bar.min.y < plotTop || bar.max.x > float64(w) {
					t.Errorf("the bar of %s reaches out of the plot", bar.tip)
				}
			}
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

// Labels under the bars do not run into each other, however many there are.
func TestLabels(t *testing.T) {
	for _, n := range []int{1, 2, 33, 80, 200, 1000, MaxLayers} {
		h := Plot{Space: "x", Name: "moves"}
		for i := range n {
			h.Layers = append(h.Layers, statespace.Layer{Layer: i, States: 5})
		}
		p, err := h.Picture()
		if err != nil {
			t.Fatal(err)
		}
		end, labels := 0.0, 0
		for _, s := range p.shapes {
			l, ok := s.(label)
			if !ok || l.at.y != plotHeight-plotBottom+20 {
				continue
			}
			w := textWidth(l.text, l.size)
			if l.start(w) < end+2 {
				t.Errorf("%d layers: the label %s begins at %.0f, the one before it ends at %.0f", n, l.text, l.start(w), end)
			}
			end = l.start(w) + w
			labels++
		}
		if labels == 0 || n > 30 && labels < 6 {
			t.Errorf("%d layers: %d labels", n, labels)
		}
	}
}

// Whatever the style, there is a picture or an error.
func FuzzStyle(f *testing.F) {
	all := boards()
	f.Add("peg/english", uint64(5), uint64(3), 40, 0, 3, "17 pegs")
	f.Add("in parts", uint64(1)<<40, uint64(0), 8, 9, 1, "")
	f.Add("far apart", uint64(0), ^uint64(0), 400, 1, 0, "a\x00b")
	f.Add("one cell", uint64(1), uint64(0), -5, -1, -1, "\xff")
	f.Add("peg/triangle28", ^uint64(0), uint64(9), 9, 4096, 70000, strings.Repeat("x", 200))
	f.Fuzz(func(t *testing.T, name string, pegs, either uint64, cell, columns, loop int, caption string) {
		b := all[name]
		if b == nil {
			t.Skip()
		}
		d := Position{Board: b, Pattern: peg.Pattern{Any: either & b.Full()}}
		d.Pattern.Pegs = pegs & b.Full() &^ d.Pattern.Any
		panels := []Panel{{d, caption}, {d, ""}, {d, caption}}
		style := Style{Cell: cell}
		if err := Text(io.Discard, panels, columns, style); err != nil {
			return
		}
		p, err := Sheet(panels, columns, style)
		if err != nil {
			return
		}
		classes(t, svg(t, p))
		if w, h := p.Size(); w*h < 200_000 {
			if err := p.WritePNG(io.Discard); err != nil {
				t.Fatal(err)
			}
			var data bytes.Buffer
			err := WriteGIF(&data, []Frame{{panels[0], 0}, {panels[1], time.Second}}, loop, style)
			if (err == nil) != (loop >= 0 && loop <= MaxLoop) {
				t.Fatal(err)
			}
		}
	})
}
