package draw

import (
	"bytes"
	"image/color"
	"image/gif"
	imagepng "image/png"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/render/png"
	"pagoda/render/rendertest"
)

// boards are those with a name, and odd ones.
var boards = sync.OnceValue(func() map[string]*board.Board {
	all := NamedBoards()
	for name, text := range map[string]string{
		"one cell":    "o",
		"in parts":    "ooo..\no o o\nooo.o  oo\n       oo\n\n  .o",
		"diagonal":    "o\n o\n  o\n   o",
		"all ways":    "lattice: diagonal\no..\n ooo\no o",
		"odd lattice": "lattice: triangular\n   oo\no..o\n  oooo\n\no",
		"far apart":   strings.Repeat("o"+strings.Repeat("\n", 5), 51) + strings.Repeat(" ", 255) + "o",
	} {
		b, _, err := board.ParseBoard(text)
		if err != nil {
			panic(err)
		}
		all[name] = b
	}
	return all
})

// random returns a pattern of a board that leaves about an eighth of the cells open.
func random(r *rand.Rand, b *board.Board) board.Pattern {
	p := board.Pattern{Any: r.Uint64() & r.Uint64() & r.Uint64() & b.Full()}
	p.Pegs = r.Uint64() & b.Full() &^ p.Any
	return p
}

func panel(b *board.Board, p board.Pattern) render.Panel {
	return Position{Board: b, Pattern: p}.panel()
}

func TestSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, b := range boards() {
		for _, theme := range render.Themes() {
			p := random(r, b)
			class, texts := rendertest.Classes(t, rendertest.Sheet(t, []render.Panel{panel(b, p)}, 0, render.Style{Theme: theme}))
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

// The middle of each cell has the colour of its content.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, b := range boards() {
		for i, cell := range rendertest.Cells(8, 13, 40, 57) {
			theme := render.Themes()[i%len(render.Themes())]
			d := Position{Board: b, Pattern: random(r, b)}
			var data bytes.Buffer
			picture := rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{Cell: cell, Theme: theme})
			w, h := picture.Size()
			if w*h > 1e6 && (!long.Tests || cell != 8) {
				continue // for its time
			}
			if err := png.Encode(&data, picture); err != nil {
				t.Fatal(err)
			}
			img, err := imagepng.Decode(&data)
			if err != nil {
				t.Fatal(err)
			}
			leftmost := math.Inf(1)
			for _, c := range b.Cells() {
				leftmost = min(leftmost, place(&b.Shape, c).X)
			}
			width, _ := d.Size(cell)
			border := float64((w-width)/2+pad(cell)+render.Rim(cell)) + float64(cell)/2
			for i, c := range b.Cells() {
				q := place(&b.Shape, c)
				x := int(border + (q.X-leftmost)*float64(cell))
				y := int(border + (q.Y-float64(b.Cells()[0].Row)*rowHeight(&b.Shape))*float64(cell))
				want := theme.Hole
				if d.Pattern.Pegs>>i&1 == 1 {
					want = theme.Piece
				} else if d.Pattern.Any>>i&1 == 1 {
					want = theme.Any
				}
				if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
					t.Fatalf("%s with cells of %d, %s: the cell %v is %v at %d,%d, want %v", name, cell, d.Title(), c, got, x, y, want)
				}
			}
		}
	}
}

// Neighbouring cells are at a distance of 1, and along the diagonals of squares of the root of 2.
func TestPlace(t *testing.T) {
	for name, b := range boards() {
		for _, l := range b.Lines() {
			p, q, s := place(&b.Shape, b.Cells()[l.A]), place(&b.Shape, b.Cells()[l.B]), place(&b.Shape, b.Cells()[l.C])
			distance := 1.0
			if a, c := b.Cells()[l.A], b.Cells()[l.B]; b.Lattice() == board.Diagonal && a.Row != c.Row && a.Col != c.Col {
				distance = math.Sqrt2
			}
			if math.Abs(math.Hypot(p.X-q.X, p.Y-q.Y)-distance) > 1e-9 || math.Abs(p.X+s.X-2*q.X)+math.Abs(p.Y+s.Y-2*q.Y) > 1e-9 {
				t.Fatalf("%s: the line %v lies at %v, %v, %v", name, l, p, q, s)
			}
		}
	}
}

// A board that is a rectangle is one bar. Other boards have a bar for each row, also if they have
// as many cells as a rectangle.
func TestBars(t *testing.T) {
	for text, want := range map[string]int{"oo/oo": 2, "ooo": 2, "o": 2, "#o#/ooo": 10, "oo/#o": 8} {
		b, _, err := board.ParseBoard(strings.ReplaceAll(text, "/", "\n"))
		if err != nil {
			t.Fatal(err)
		}
		svg := rendertest.SVG(t, rendertest.Sheet(t, []render.Panel{{Drawing: Position{Board: b}}}, 0, render.Style{}))
		if n := strings.Count(svg, "<rect") - 1; n != want {
			t.Errorf("%s: %d bars, want %d", text, n, want)
		}
	}
}

func TestText(t *testing.T) {
	all := boards()
	b := all["peg/triangle10"]
	film := play(t, rand.New(rand.NewPCG(11, 12)), b, b.Full()&^1, 2).Strip()
	pattern, err := all["peg/english"].ParsePattern("ooo/o?o/ooooooo/ooo.ooo/ooooooo/o.o/o.o")
	if err != nil {
		t.Fatal(err)
	}
	one := []render.Panel{panel(all["one cell"], board.Pattern{}), panel(all["one cell"], board.Pattern{Pegs: 1})}
	got := rendertest.Text(t, film, 0, render.Style{}) + "\n" +
		rendertest.Text(t, []render.Panel{panel(all["peg/english"], pattern)}, 0, render.Style{}) + "\n" +
		rendertest.Text(t, one, 1, render.Style{NoCaptions: true})
	if got != golden {
		t.Errorf("the text is\n%s\nwant\n%s", got, golden)
	}
	// The board reads the text as the same pattern.
	r := rand.New(rand.NewPCG(13, 14))
	for name, b := range all {
		p := random(r, b)
		text := rendertest.Text(t, []render.Panel{panel(b, p)}, 0, render.Style{NoCaptions: true})
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

// A peg that moves is an arrow between the holes and the pegs, and the letters a and b in text.
func TestMoved(t *testing.T) {
	b, _, err := board.ParseBoard("ooo/o")
	if err != nil {
		t.Fatal(err)
	}
	d := []render.Panel{{Drawing: Position{Board: b, Pattern: board.Pattern{Pegs: 0b0110}, Taken: 0b0010, Moved: &[2]int{2, 3}}}}
	if got := rendertest.Text(t, d, 0, render.Style{}); got != ". x a\nb\n" {
		t.Errorf("the text is\n%s", got)
	}
	svg := rendertest.SVG(t, rendertest.Sheet(t, d, 0, render.Style{}))
	at := []int{strings.LastIndex(svg, `class="hole"`), strings.Index(svg, "<polygon"), strings.Index(svg, `class="peg"`)}
	if !slices.IsSorted(at) || at[0] < 0 || strings.Count(svg, `class="hole"`) != 2 || strings.Count(svg, `class="peg"`) != 2 {
		t.Errorf("the holes, the arrow and the pegs are at %v of\n%s", at, svg)
	}
}

// The palette of a GIF has all colours that meet, also if they are as far apart as can be.
func TestPalette(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	wild := func() render.Theme {
		theme := render.Theme{Name: "wild"}
		v := reflect.ValueOf(&theme).Elem()
		for i := range v.NumField() {
			if c, ok := v.Field(i).Addr().Interface().(*color.RGBA); ok {
				*c = color.RGBA{uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), 255}
			}
		}
		theme.Blocks, theme.Scale = render.Themes()[0].Blocks, render.Themes()[0].Scale
		return theme
	}
	d := Position{Board: boards()["peg/4x4"]}
	for _, theme := range append(render.Themes(), wild(), wild(), wild()) {
		var data bytes.Buffer
		if err := render.WriteGIF(&data, []render.Scene{{Panels: []render.Panel{{Drawing: d}}}}, 0, 0, render.Style{Theme: theme}); err != nil {
			t.Fatal(err)
		}
		g, err := gif.DecodeAll(&data)
		if err != nil {
			t.Fatal(err)
		}
		p := rendertest.Palette(g)
		if n := len(p); n < 40 || n > 127 {
			t.Errorf("%s: the palette has %d colours", theme.Name, n)
		}
		for _, m := range d.Blends(theme) {
			if p.Convert(m[0]) != m[0] || p.Convert(m[1]) != m[1] {
				t.Errorf("%s: the palette lacks %v or %v", theme.Name, m[0], m[1])
			}
		}
	}
}

func TestLimits(t *testing.T) {
	b := boards()["peg/4x4"]
	far := panel(boards()["far apart"], board.Pattern{})
	with := func(d render.Drawing) error {
		_, err := render.Sheet([]render.Panel{{Drawing: d}}, 0, render.Style{})
		return err
	}
	pattern := func(p board.Pattern) error { return with(Position{Board: b, Pattern: p}) }
	solve := func(b *board.Board, start board.Position, jumps ...int) error {
		_, err := NewFilm(b, start, jumps)
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"pixels":        {png.Encode(io.Discard, rendertest.Sheet(t, []render.Panel{far}, 0, render.Style{Cell: 100})), "25768 x 25822 pixels; at most 40 million"},
		"gif pixels":    {render.WriteGIF(io.Discard, []render.Scene{{Panels: []render.Panel{far}}}, 0, 0, render.Style{}), "at most 4 million"},
		"pegs outside":  {pattern(board.Pattern{Pegs: 1 << 16}), "beyond the board's 16 cells"},
		"open outside":  {pattern(board.Pattern{Any: 1 << 16}), "beyond the board's 16 cells"},
		"peg and open":  {pattern(board.Pattern{Pegs: 1, Any: 1}), "a peg in the cell (0,0) and leaves it open"},
		"jump outside":  {with(Position{Board: b, Jump: &board.Jump{From: 14, Over: 15, To: 16}}), "cell 16 of a board that has 0 to 15"},
		"moved outside": {with(Position{Board: b, Moved: &[2]int{16, 0}}), "cell 16 of a board that has 0 to 15"},
		"moved nowhere": {with(Position{Board: b, Moved: &[2]int{3, 3}}), "a peg moves from the cell 3 to 3"},
		"moved by jump": {with(Position{Board: b, Moved: &[2]int{0, 3}, Jump: new(board.Jump)}), "expected two cells, and no jump"},
		"no board":      {with(Position{}), "no board"},
		"long plate":    {with(Plate{b, strings.Repeat("x", 201)}), "found 201"},
		"plate of rows": {with(Plate{b, "a\nb"}), "one line"},
		"bare plate":    {with(Plate{}), "no board"},
		"no solution":   {solve(nil, 0), "a solution has no board"},
		"no such jump":  {solve(b, 0, 99), "jump 1 of the solution is number 99 of the board, which has 0 to 31"},
		"no jump":       {solve(b, 0, 0), "jump 1 of the solution, (0,0) over (0,1) to (0,2), cannot be made in ..../..../..../...."},
		"start":         {solve(b, 1<<16), "beyond the board's 16 cells"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
	// An arrow without a length is none.
	svg := rendertest.SVG(t, rendertest.Sheet(t, []render.Panel{{Drawing: Position{Board: b, Jump: new(board.Jump)}}}, 0, render.Style{}))
	if strings.Contains(svg, "polygon") || strings.Contains(svg, "NaN") {
		t.Errorf("a jump from a cell to itself is drawn as %s", svg)
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
		d := Position{Board: b, Pattern: board.Pattern{Any: either & b.Full()}}
		d.Pattern.Pegs = pegs & b.Full() &^ d.Pattern.Any
		panels := []render.Panel{{Drawing: d, Caption: caption}, {Drawing: d}, {Drawing: d, Caption: caption}}
		style := render.Style{Cell: cell}
		if err := render.Text(io.Discard, panels, columns, style); err != nil {
			return
		}
		p, err := render.Sheet(panels, columns, style)
		if err != nil {
			return
		}
		rendertest.Elements(t, p)
		if w, h := p.Size(); w*h < 200_000 {
			if err := png.Encode(io.Discard, p); err != nil {
				t.Fatal(err)
			}
			err := render.WriteGIF(io.Discard, []render.Scene{{Panels: panels[:1]}, {Panels: panels[1:2], Delay: time.Second}}, 0, loop, style)
			if (err == nil) != (loop >= 0 && loop <= render.MaxLoop) {
				t.Fatal(err)
			}
		}
	})
}
