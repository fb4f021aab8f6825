package draw

import (
	"bytes"
	"fmt"
	"image/color"
	imagepng "image/png"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/render/png"
	"pagoda/render/rendertest"
)

// puzzles are those of the library, an n-puzzle and odd ones.
var puzzles = sync.OnceValue(func() map[string]*tray.Puzzle {
	all := make(map[string]*tray.Puzzle)
	for _, name := range append(library.Names(), "slide/n3x4") {
		p, err := library.Lookup(name)
		if err != nil {
			panic(err)
		}
		all[name] = p
	}
	for name, text := range map[string]string{
		"one cell":  "tray: A",
		"one piece": ".A/AA/.. ../.A/AA",
		"polyominoes": "tray:\n##aab##\n#ccabb.\nccdd#b.\n#.dd#ee\n##ffee#\n##f...#\n  ggg.\n" +
			"goal:\n.......\n.......\n.......\n.......\n.......\n....ee\n...ee\n",
		"ring":       "CAAA./.A.AB/.AAA./..... ...../..AAA/..A.A/..AAA ...../...../...../....B",
		"exchange":   "11..AA/11..AA/2233BB/2233BB ....BB/....BB/....AA/....AA",
		"anywhere":   "A../.B. .../..A A../... .A./... ..A/... .../A..",
		"alike":      "alike: A B\ntray: AB./CC.\ngoal: ..A\n",
		"thin walls": "walls: (0,2) right, (2,0) below\ntray: AA../.B.C/..../D...\ngoal: ..../..../..../...D\n",
		"in parts":   "parts: A B\ntray: A.AC/.B.D/..BD/A...\ngoal: .A.A/..../..../.A..\n",
		"floors": "floors: 3\nparts: E\ntray: AAB/AAB/C.D/AAB/AAB/CED/F../HGI/E.D\nwalls: (8,0) right, (5,0) ceiling\n" +
			"goal: .../.../.../.../.AA/.AA/.../.AA/.AA\n",
		"far apart": "A." + strings.Repeat("/", 255) + strings.Repeat("#", 254) + ".B",
	} {
		p, err := formats.Parse(text)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		all[name] = p
	}
	return all
})

// drawn are the puzzles that are drawn in many ways: without -tags long few of the library, and not that whose pieces
// are far apart, as it takes as long as all others.
func drawn() map[string]*tray.Puzzle {
	all := maps.Clone(puzzles())
	if !long.Tests {
		delete(all, "far apart")
		for i, name := range library.Names() {
			if i%10 > 0 {
				delete(all, name)
			}
		}
	}
	return all
}

// sheet is rendertest.Sheet of one drawing.
func sheet(t testing.TB, d render.Drawing, style render.Style) *render.Picture {
	t.Helper()
	return rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, style)
}

// margin returns the free space on the left of a drawing in a sheet of a width.
func margin(width int, d Tray, style render.Style) int {
	w, _ := d.Size(style.Cell)
	return (width - w) / 2
}

// wandered returns a position after some random moves.
func wandered(t testing.TB, r *rand.Rand, p *tray.Puzzle) Tray {
	t.Helper()
	s := wander(t, r, p, 8)
	return Tray{Puzzle: p, Position: EndOf(s)}
}

// The heart of a piece is at its mean, if that is well inside the piece.
func TestHeart(t *testing.T) {
	for _, c := range []struct {
		cells []tray.Cell
		want  render.Point
	}{
		{[]tray.Cell{{Row: 3, Col: 1}}, render.Pt(1.5, 3.5)},
		{[]tray.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}}, render.Pt(1, 1)},
		{[]tray.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 0, Col: 2}}, render.Pt(1.5, 0.5)},
		{[]tray.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 0, Col: 2}, {Row: 0, Col: 3}}, render.Pt(2, 0.5)},
		{[]tray.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}, {Row: 1, Col: 2}, {Row: 2, Col: 1}}, render.Pt(1.5, 1.5)},
		{[]tray.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 2}, {Row: 1, Col: 0}, {Row: 1, Col: 1}, {Row: 1, Col: 2}}, render.Pt(1.5, 1.5)}, // a U
	} {
		if got := heart(c.cells); got != c.want {
			t.Errorf("the heart of %v is %v, want %v", c.cells, got, c.want)
		}
	}
}

// written is what a picture shows on a piece. In an n-puzzle that is a number: texts write 10 as A.
func written(name, piece string) string {
	if number := map[string]string{"A": "10", "B": "11"}[piece]; name == "slide/n3x4" && number != "" {
		return number
	}
	return piece
}

func TestSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	targets := map[string]int{"slide/klotski": 1, "exchange": 2, "slide/n3x4": 0, "anywhere": 0, "one piece": 0, "ring": 2, "alike": 1}
	for name, p := range drawn() {
		for _, theme := range render.Themes() {
			d := wandered(t, r, p)
			style := render.Style{Theme: theme}
			class, texts := rendertest.Classes(t, sheet(t, d, style))
			named := 0
			for _, n := range d.colors() {
				if n == 0 {
					named++
				}
			}
			if class["piece"] != len(d.Position)-named || class["piece goal"] != named || class["floor"] != 1 {
				t.Errorf("%s: there are the classes %v, want %d pieces, %d of goals", name, class, len(d.Position), named)
			}
			if want, ok := targets[name]; ok && class["target"] != want {
				t.Errorf("%s: %d places are marked for goals, want %d", name, class["target"], want)
			}
			if texts["title"][0] != p.FormatPosition(d.Position) {
				t.Errorf("%s: the title is %s, want %s", name, texts["title"], p.FormatPosition(d.Position))
			}
			for _, piece := range p.Pieces() {
				if !slices.Contains(texts["text"], written(name, string(piece))) {
					t.Errorf("%s: there is no letter %c in %q", name, piece, texts["text"])
				}
			}
			style.NoLetters = true
			if _, texts = rendertest.Classes(t, sheet(t, d, style)); len(texts["text"]) > 0 {
				t.Errorf("%s: without letters there are %q", name, texts["text"])
			}
		}
	}
}

// Letters that are too small to be read are left out.
func TestSmallLetters(t *testing.T) {
	d := Tray{Puzzle: puzzles()["slide/dads"], Position: puzzles()["slide/dads"].Start()}
	for cell, want := range map[int]int{render.MinCell: 0, 14: 0, 15: 9} {
		if _, texts := rendertest.Classes(t, sheet(t, d, render.Style{Cell: cell})); len(texts["text"]) != want {
			t.Errorf("in cells of %d pixels there are the letters %q, want %d", cell, texts["text"], want)
		}
	}
}

// Floors stand side by side, with captions, and a piece has marks where it goes on upon it or beneath it.
func TestFloors(t *testing.T) {
	p := puzzles()["floors"]
	d := Tray{Puzzle: p, Position: p.Start()}
	elements := rendertest.Elements(t, sheet(t, d, render.Style{Cell: 40}))
	up, down := 0, 0
	for _, e := range elements {
		var x, y [3]float64
		if _, err := fmt.Sscanf(e.Attr["points"], "%g,%g %g,%g %g,%g", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]); err != nil {
			continue
		}
		if y[2] < y[0] {
			up++
		} else {
			down++
		}
	}
	// A has four cells on each of two floors, B two, C one, D one on each of three.
	if want := 4 + 2 + 1 + 2; up != want || down != want {
		t.Errorf("%d marks point up, %d down, want %d", up, down, want)
	}
	_, texts := rendertest.Classes(t, sheet(t, d, render.Style{Cell: 40}))
	for floor, want := range []string{"floor 1", "floor 2", "floor 3"} {
		if !slices.Contains(texts["text"], want) {
			t.Errorf("floor %d has no caption in %q", floor, texts["text"])
		}
	}
	w, h := d.Size(40)
	if w != 11*40+2*frame(40) || h != 3*40+20+2*frame(40) {
		t.Errorf("the size is %d x %d", w, h)
	}
	// A move between floors leads to the same place of another floor.
	if got := d.stations("RCS"); !slices.Equal(got, []render.Point{{}, {X: 1}, {X: 5}, {X: 1}}) {
		t.Errorf("a path has the stations %v", got)
	}
}

// Thin walls are drawn between the two cells, over everything else.
func TestThinWalls(t *testing.T) {
	p := puzzles()["thin walls"]
	for _, theme := range render.Themes() {
		style := render.Style{Cell: 40, Theme: theme, NoCaptions: true, NoLetters: true}
		d := Tray{Puzzle: p, Position: p.Start()}
		img := rendertest.Image(t, sheet(t, d, style))
		at := func(row, col float64) color.RGBA {
			edge := float64(margin(img.Rect.Dx(), d, style) + frame(style.Cell))
			return img.RGBAAt(int(edge+col*40), int(edge+row*40))
		}
		for _, wall := range [][2]float64{{0.5, 3}, {3, 0.5}} {
			if got := at(wall[0], wall[1]); got != theme.Board {
				t.Errorf("at %v, where a wall is, the picture has %v, want %v", wall, got, theme.Board)
			}
		}
		for _, open := range [][2]float64{{1.5, 3}, {0.5, 2.5}, {2, 0.5}, {3, 1.5}} {
			if got := at(open[0], open[1]); got == theme.Board {
				t.Errorf("at %v, where no wall is, the picture has that of one", open)
			}
		}
	}
}

// Pieces of the same shape have one colour. Those of a goal have one of their own.
func TestColors(t *testing.T) {
	for name, want := range map[string][]int{
		"slide/klotski": {1, 0, 1, 1, 2, 1, 3, 3, 3, 3},
		"exchange":      {1, 0, 1, 1, 0},
		"slide/n3x4":    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		"alike":         {0, 0, 1},
		"one piece":     {1},
	} {
		if got := (Tray{Puzzle: puzzles()[name]}).colors(); !slices.Equal(got, want) {
			t.Errorf("%s: the colours of %s are %v, want %v", name, puzzles()[name].Pieces(), got, want)
		}
	}
}

// The middle of each cell has the colour of its content.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for name, p := range drawn() {
		for i, cell := range rendertest.Cells(8, 13, 40, 57) {
			theme := render.Themes()[i%len(render.Themes())]
			style := render.Style{Cell: cell, Theme: theme, NoCaptions: true, NoLetters: true}
			d := wandered(t, r, p)
			picture := sheet(t, d, style)
			width, height := picture.Size()
			if width*height > 1e6 && (!long.Tests || cell != 8) {
				continue // for its time
			}
			var data bytes.Buffer
			if err := png.Encode(&data, picture); err != nil {
				t.Fatal(err)
			}
			img, err := imagepng.Decode(&data)
			if err != nil {
				t.Fatal(err)
			}
			want := make(map[tray.Cell]color.RGBA)
			for _, c := range p.Cells() {
				want[c] = theme.Hole
			}
			for _, target := range d.targets() {
				for _, c := range target.Cells {
					want[c] = theme.Target()
				}
			}
			for i, n := range d.colors() {
				for _, c := range p.PieceCells(d.Position, i) {
					want[c] = theme.Block(n).Face
				}
			}
			if strings.Contains(p.Format(), "parts:") { // rods lie on the floor
				maps.DeleteFunc(want, func(_ tray.Cell, c color.RGBA) bool { return c == theme.Hole || c == theme.Target() })
			}
			first := d.span().Min
			for c, want := range want {
				at := d.place(c)
				x := margin(width, d, style) + frame(cell) + (at.Col-first.X)*cell + cell/2
				y := margin(width, d, style) + frame(cell) + d.header(cell) + (at.Row-first.Y)*cell + cell/2
				if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
					t.Fatalf("%s with cells of %d, %s: the cell %v is %v at %d,%d, want %v", name, cell, p.FormatPosition(d.Position), c, got, x, y, want)
				}
			}
		}
	}
}

func TestText(t *testing.T) {
	s := solution(t, puzzles()["slide/dads"], tray.Move{Pieces: "2", Path: "RR"}, tray.Move{Pieces: "1", Path: "R"})
	if got := rendertest.Text(t, s.Strip(), 0, render.Style{}); got != golden {
		t.Errorf("the text is\n%s\nwant\n%s", got, golden)
	}
	// The puzzle reads the text as the same position.
	r := rand.New(rand.NewPCG(43, 44))
	for name, p := range drawn() {
		d := wandered(t, r, p)
		text := rendertest.Text(t, []render.Panel{{Drawing: d}}, 0, render.Style{})
		if pos, err := p.ParsePosition(text); err != nil || !slices.Equal(pos, d.Position) {
			t.Errorf("%s: %s is drawn as\n%swhich is read as %v, %v", name, d.Title(), text, pos, err)
		}
	}
}

const golden = `AABB            AABB            AABB
AACC            AACC            AACC
12..            1..2            .1.2
DEFF            DEFF            DEFF
DEGG            DEGG            DEGG
1. 2 RR         2. 1 R          end, 2 moves
`

func TestLimits(t *testing.T) {
	p := puzzles()["slide/klotski"]
	start := p.Start()
	with := func(d Tray) error {
		_, err := render.Sheet([]render.Panel{{Drawing: d}}, 0, render.Style{})
		return err
	}
	put := func(piece int, at uint8) error {
		pos := slices.Clone(start)
		pos[piece] = at
		return with(Tray{Puzzle: p, Position: pos})
	}
	move := func(m tray.Move) error { return with(Tray{Puzzle: p, Position: start, Move: &m}) }
	solve := func(start tray.Position, moves ...tray.Move) error {
		_, err := NewFilm(p, start, moves, nil)
		return err
	}
	far := Tray{Puzzle: puzzles()["far apart"], Position: puzzles()["far apart"].Start()}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no puzzle":      {with(Tray{}), "a position has no puzzle"},
		"empty puzzle":   {with(Tray{Puzzle: new(tray.Puzzle)}), "a position has no puzzle"},
		"no solution":    {func() error { _, err := NewFilm(nil, nil, nil, nil); return err }(), "no puzzle"},
		"short position": {with(Tray{Puzzle: p, Position: start[1:]}), "a position has 9 places for the puzzle's 10 pieces"},
		"no position":    {with(Tray{Puzzle: p}), "a position has 0 places"},
		"beyond":         {put(1, 200), "piece A cannot come to cell 200"},
		"at the edge":    {put(1, 3), "piece A cannot come to cell 3"},
		"overlap":        {put(9, 0), "piece j and one before it are in the same cell"},
		"no piece":       {move(tray.Move{Pieces: "Z", Path: "D"}), "move 1: there is no piece 'Z'"},
		"no path":        {move(tray.Move{Pieces: "g"}), "expected the names of pieces and a path"},
		"no direction":   {move(tray.Move{Pieces: "g", Path: "DX"}), "unexpected 'X' in a path"},
		"in the way":     {move(tray.Move{Pieces: "A", Path: "D"}), "piece A cannot go D: piece E is in the way"},
		"wall":           {solve(nil, tray.Move{Pieces: "g", Path: "D"}, tray.Move{Pieces: "g", Path: "D"}), "the solution cannot be drawn: move 2: piece g cannot go D: there is a wall"},
		"long path":      {solve(nil, tray.Move{Pieces: "g", Path: strings.Repeat("DU", 3000)}), "move 1 of the solution has a path of 6000 cells, expected at most 4096"},
		"long":           {solve(nil, make([]tray.Move, render.MaxPanels)...), "the solution has 4096 moves, expected at most 4095"},
		"bad start":      {solve(start[:3]), "a position has 3 places"},
		"gif pixels":     {render.WriteGIF(io.Discard, []render.Scene{{Panels: []render.Panel{{Drawing: far}}}}, 0, 0, render.Style{}), "at most 4 million"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
	if err := solve(nil, tray.Move{Pieces: "gh", Path: "D"}); err != nil {
		t.Errorf("pieces that move together: %v", err)
	}
	if caption := (Tray{}).Caption(); caption != "" {
		t.Errorf("the caption of nothing is %q", caption)
	}
}

// Whatever the input, there is a picture or an error.
func FuzzTray(f *testing.F) {
	all := puzzles()
	names := slices.Sorted(maps.Keys(all))
	f.Add(0, []byte{}, "A", "RRD", 40, 0, 700, false)
	f.Add(3, []byte{1, 2, 3}, "AB", "LLUX", 8, 3, 100, true)
	f.Add(slices.Index(names, "slide/klotski"), []byte{0, 1, 3, 8, 9, 11, 13, 14, 16, 19}, "gh", "D", 13, 1, 10000, false)
	f.Add(slices.Index(names, "slide/n3x4"), []byte(all["slide/n3x4"].Start()), "B", "RL", 400, 4096, 0, false)
	f.Add(slices.Index(names, "far apart"), []byte(all["far apart"].Start()), "A", "R", 20, 0, 5, false)
	f.Add(slices.Index(names, "floors"), []byte(all["floors"].Start()), "BD", "CSCS", 40, 1, 200, false)
	f.Add(-1, []byte{255}, "\xff\x00", "\xff", -1, -1, -1, true)
	f.Fuzz(func(t *testing.T, puzzle int, position []byte, pieces, path string, cell, columns, speed int, letters bool) {
		var p *tray.Puzzle
		if puzzle >= 0 && puzzle < len(names) {
			p = all[names[puzzle]]
		}
		s, err := NewFilm(p, position, []tray.Move{{Pieces: pieces, Path: path}}, nil)
		if err != nil {
			return
		}
		panels, style := s.Strip(), render.Style{Cell: cell, NoLetters: letters}
		if err := render.Text(io.Discard, panels, columns, style); err != nil {
			return
		}
		picture, err := render.Sheet(panels, columns, style)
		if err != nil {
			t.Fatal(err)
		}
		rendertest.Elements(t, picture)
		all, err := render.Play(time.Duration(speed)*time.Millisecond, s)
		if err != nil {
			return
		}
		if w, h := picture.Size(); w*h < 200_000 {
			if err := png.Encode(io.Discard, picture); err != nil {
				t.Fatal(err)
			}
			if err := render.WriteGIF(io.Discard, all, 0, 0, style); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestPalette: puzzles that share a palette have equal shapes in one colour, in whichever order they come.
func TestPalette(t *testing.T) {
	a := slidetest.Parse(t, "AABB/C... ..../..AA")
	b := slidetest.Parse(t, "C..D/CAAD/..BB ..../..../..AA")
	shapes := make(Palette)
	if got, want := [][]int{shapes.Of(a), shapes.Of(b)}, [][]int{{0, 1, 2}, {3, 3, 0, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the colours are %v, expected %v", got, want)
	}
	d := Tray{Puzzle: b, Position: b.Start()}
	if got := d.colors(); !slices.Equal(got, []int{1, 1, 0, 2}) {
		t.Errorf("alone the colours are %v", got)
	}
	if d.Colours = shapes.Of(b); !slices.Equal(d.colors(), d.Colours) || d.Check() != nil {
		t.Errorf("the colours are %v, %v", d.colors(), d.Check())
	}
	d.Colours = d.Colours[:2]
	if err := d.Check(); err == nil || !strings.Contains(err.Error(), "there are 2 colours, expected one for each of 4 pieces") {
		t.Errorf("the error is %v", err)
	}
}
