package draw

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/render"
	"pagoda/render/rendertest"
)

func grid(t testing.TB, rows, columns int, tiles glide.Tiles) *glide.Grid {
	t.Helper()
	g, err := glide.New(rows, columns, tiles)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// position is a board of tiles 1 to 15 and 0, row by row.
func position(t testing.TB, rows, columns int, p Palette, all ...uint8) Position {
	t.Helper()
	d := Position{Grid: grid(t, rows, columns, twenty48.Tiles), Palette: p}
	for cell, tile := range all {
		d.Board = d.Board.With(cell, tile)
	}
	return d
}

// moves reports whether any slide changes a board.
func moves(g *glide.Grid, b glide.Board) bool {
	for d := range glide.Direction(glide.Directions) {
		if after, _ := g.Slide(b, d); after != b {
			return true
		}
	}
	return false
}

// game plays at random.
func game(t testing.TB, r *rand.Rand, rows, columns int, tiles glide.Tiles, p Palette, most int) render.Film {
	t.Helper()
	g := grid(t, rows, columns, tiles)
	var start glide.Board
	for cell := range g.Cells() {
		start = start.With(cell, uint8(max(0, r.IntN(6)-2)))
	}
	var steps []Step
	for b := start; len(steps) < most && moves(g, b); {
		d := glide.Direction(r.IntN(glide.Directions))
		slid, _ := g.Slide(b, d)
		if slid == b {
			continue
		}
		b = slid
		for {
			if cell := r.IntN(g.Cells()); b.At(cell) == 0 {
				b = b.With(cell, uint8(1+r.IntN(2)))
				break
			}
		}
		steps = append(steps, Step{d, b})
	}
	f, err := NewFilm(g, start, steps, p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Numbers stand out from their tiles, and faces from each other where the palette promises it.
func TestPalettes(t *testing.T) {
	for _, theme := range append(render.Themes(), render.Theme{Name: "own", Blocks: render.Themes()[0].Blocks, Scale: render.Themes()[0].Scale}) {
		for _, p := range []Palette{Doubling, Thirds} {
			seen := make(map[any]uint8)
			for tile := uint8(1); tile <= greatest; tile++ {
				face := p.face(theme, tile)
				if c := render.Contrast(face, number(face)); c < 4.5 {
					t.Errorf("%s: tile %d has the contrast %.2f in palette %d", theme.Name, tile, c, p)
				}
				if other, ok := seen[face]; ok {
					t.Errorf("%s: tiles %d and %d have the same colour in palette %d", theme.Name, other, tile, p)
				}
				seen[face] = tile
			}
		}
	}
}

// All numbers are on their tiles, and fit, on boards of every size of cells that has letters.
func TestNumbers(t *testing.T) {
	for _, p := range []Palette{Doubling, Thirds} {
		d := position(t, 4, 4, p, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
		for _, cell := range []int{30, 40, 77, render.MaxCell} {
			p := rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{Cell: cell})
			class, texts := rendertest.Classes(t, p)
			if class["cell"] != 16 || class["tile"] != 15 || len(texts["text"]) != 15 {
				t.Fatalf("cells of %d: %v, %v", cell, class, texts["text"])
			}
			var wide, middle float64
			tile := uint8(0)
			for _, e := range rendertest.Elements(t, p) {
				switch {
				case e.Attr["class"] == "tile":
					tile++
					wide = e.Number(t, "width")
					middle = e.Number(t, "x") + wide/2
				case e.Name == "text":
					if w := render.TextWidth(e.Text, e.Number(t, "font-size")); w > 0.9*wide || e.Number(t, "x") != middle || e.Text != strconv.FormatUint(d.Grid.Numbers[tile], 10) {
						t.Errorf("cells of %d: %s takes %.1f of %.1f pixels on tile %d", cell, e.Text, w, wide, tile)
					}
				}
			}
		}
		if _, texts := rendertest.Classes(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{NoLetters: true})); len(texts["text"]) > 0 {
			t.Errorf("without letters there are %q", texts["text"])
		}
	}
}

// A picture of each shape is kept: a change of the drawing shows in its difference.
func TestGolden(t *testing.T) {
	g := grid(t, 2, 3, twenty48.Tiles)
	start, err := g.Parse("2,2,4/.,1024,.")
	if err != nil {
		t.Fatal(err)
	}
	after, err := g.Parse("4,4,./1024,2,.")
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFilm(g, start, []Step{{glide.Left, after}}, Doubling)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "strip.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if got := rendertest.SVG(t, rendertest.Sheet(t, f.Strip(), 0, render.Style{})); got != string(want) {
		t.Errorf("the strip is\n%s", got)
	}
}

func TestText(t *testing.T) {
	d := position(t, 2, 3, Doubling, 1, 10, 0, 15, 0, 2)
	if got, want := rendertest.Text(t, []render.Panel{{Drawing: d, Caption: "start"}}, 0, render.Style{}), "    2  1024     .\n32768     .     4\nstart\n"; got != want {
		t.Errorf("found\n%swant\n%s", got, want)
	}
	if got, want := d.Title(), "2,1024,./32768,.,4"; got != want {
		t.Errorf("the title is %s, want %s", got, want)
	}
}

// The frames of a GIF, put on top of each other, equal each scene drawn whole.
func TestGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for i, shape := range [][2]int{{4, 4}, {2, 3}, {1, 6}, {5, 2}, {3, 3}} {
		style := render.Style{Cell: rendertest.Cells(16, 24, 12)[i%3], Theme: render.Themes()[i%3], NoCaptions: i == 1}
		rendertest.CheckGIF(t, "doubles", rendertest.Play(t, 300*time.Millisecond, game(t, r, shape[0], shape[1], twenty48.Tiles, Doubling, 3)), 1, style)
		style.Theme = render.Themes()[(i+1)%3]
		rendertest.CheckGIF(t, "thirds", rendertest.Play(t, 300*time.Millisecond, game(t, r, shape[0], shape[1], threes.Tiles, Thirds, 3)), 1, style)
	}
	var strip []render.Scene // with arrows
	for _, panel := range game(t, r, 4, 4, twenty48.Tiles, Doubling, 5).Strip() {
		strip = append(strip, render.Scene{Panels: []render.Panel{panel}})
	}
	for _, theme := range render.Themes() {
		rendertest.CheckGIF(t, "arrows", strip, 1, render.Style{Cell: 24, Theme: theme})
	}
}

// A slide: the tiles go from their cells to the wall, each at a steady pace forwards; the tile made
// swells then, and the new one grows to its size.
func TestFlight(t *testing.T) {
	g := grid(t, 1, 4, twenty48.Tiles)
	start, _ := g.Parse(".,2,.,2")
	after, _ := g.Parse("4,.,2,.")
	f, err := NewFilm(g, start, []Step{{glide.Left, after}}, Doubling)
	if err != nil {
		t.Fatal(err)
	}
	if f.Lengths[0] != 3+pop {
		t.Fatalf("the move takes %d cells, want %d", f.Lengths[0], 3+pop)
	}
	type box struct{ x, wide float64 }
	at := func(share float64) (all []box, numbers string) {
		panel := f.Frame(0, share)
		p := rendertest.Sheet(t, []render.Panel{panel}, 0, render.Style{Cell: 100, NoCaptions: true})
		_, texts := rendertest.Classes(t, p)
		for _, e := range rendertest.Elements(t, p) {
			if e.Attr["class"] == "tile" {
				all = append(all, box{e.Number(t, "x"), e.Number(t, "width")})
			}
		}
		return all, strings.Join(texts["text"], " ")
	}
	first, _ := at(0)
	end := first[0].x - 100
	for i := 1; i < 75; i++ { // three quarters of the time
		now, numbers := at(float64(i) / 100)
		if len(now) != 2 || numbers != "2 2" || now[0].wide != 90 || now[1].wide != 90 {
			t.Fatalf("%d%% of the way there are %v with %s", i, now, numbers)
		}
		if now[0].x > first[0].x || now[1].x > first[1].x || now[0].x < end || now[0].x > now[1].x {
			t.Errorf("%d%% of the way the tiles are at %v, before at %v", i, now, first)
		}
		first = now
	}
	if first[0].x-end > 1 || first[1].x-end > 1 {
		t.Errorf("the tiles end at %v, want %v", first, end)
	}
	grown := 0.0
	for i := 76; i < 100; i++ {
		now, numbers := at(float64(i) / 100)
		if numbers != "4 2" || len(now) != 2 || now[0].wide <= 90 || now[0].wide > 100 || now[1].wide <= grown || now[1].wide > 90 {
			t.Errorf("%d%% of the way there are %v with %s", i, now, numbers)
		}
		grown = now[1].wide
	}
	if grown < 80 {
		t.Errorf("the new tile grows to %v", grown)
	}
}

// A film strip has arrows where lines move, and captions with the score if the game has one.
func TestStrip(t *testing.T) {
	captions := func(f render.Film) (all []string) {
		for _, p := range f.Strip() {
			all = append(all, p.Caption)
		}
		return all
	}
	g := grid(t, 2, 3, twenty48.Tiles)
	start, _ := g.Parse("2,2,4/.,8,.")
	one, _ := g.Parse("4,4,./8,2,.")
	two, _ := g.Parse("2,.,8/.,8,2")
	f, err := NewFilm(g, start, []Step{{glide.Left, one}, {glide.Right, two}}, Doubling)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := captions(f), []string{"1. left, score 0", "2. right, score 4", "end, 2 moves, score 12"}; !slices.Equal(got, want) {
		t.Errorf("the captions are %q, want %q", got, want)
	}
	var played []string
	for _, s := range rendertest.Play(t, render.MinTime, f) {
		if c := s.Panels[0].Caption; len(played) == 0 || played[len(played)-1] != c {
			played = append(played, c)
		}
	}
	if want := []string{"start", "1. left, score 0", "1. left, score 4", "2. right, score 4", "end, 2 moves, score 12"}; !slices.Equal(played, want) {
		t.Errorf("the animation has the captions %q, want %q", played, want)
	}
	for i, want := range []int{2, 2, 0} {
		polygons := 0
		for _, e := range rendertest.Elements(t, rendertest.Sheet(t, f.Strip()[i:i+1], 0, render.Style{})) {
			if e.Name == "polygon" {
				polygons++
			}
		}
		if polygons != 2*want {
			t.Errorf("panel %d has %d polygons, want %d arrows", i, polygons, want)
		}
	}
	for _, c := range captions(game(t, rand.New(rand.NewPCG(65, 66)), 3, 3, threes.Tiles, Thirds, 3)) {
		if strings.Contains(c, "score") {
			t.Errorf("a rule without gains has the caption %q", c)
		}
	}
	// A game may end with the slide that makes the tile wanted: no tile comes then.
	slid, _ := g.Slide(start, glide.Left)
	if _, err := NewFilm(g, start, []Step{{glide.Left, slid}}, Doubling); err != nil {
		t.Error(err)
	}
}

func TestEqualBytes(t *testing.T) {
	draw := func() []byte {
		return rendertest.Bytes(t, game(t, rand.New(rand.NewPCG(67, 68)), 3, 3, twenty48.Tiles, Doubling, 3), render.Style{Cell: 20})
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same game makes other bytes the second time")
	}
	f := game(t, rand.New(rand.NewPCG(67, 68)), 3, 3, twenty48.Tiles, Doubling, 3)
	if !reflect.DeepEqual(f.Frame(1, 0.5), f.Frame(1, 0.5)) {
		t.Error("equal frames differ")
	}
}

func TestLimits(t *testing.T) {
	g := grid(t, 2, 2, twenty48.Tiles)
	draw := func(d Position) error {
		_, err := render.Sheet([]render.Panel{{Drawing: d}}, 0, render.Style{})
		return err
	}
	play := func(steps ...Step) error { _, err := NewFilm(g, 0x11, steps, Doubling); return err } // 2,2/.,.
	for want, err := range map[string]error{
		"a board has no grid":                                                                       draw(Position{}),
		"the board 0x10000 has tiles outside its 4 cells":                                           draw(Position{Grid: g, Board: 1 << 16}),
		"move 1 of the game, up: this changes nothing on 2,2/.,.":                                   play(Step{glide.Up, 0x11}),
		"move 1 of the game, left: the slide makes 4,./.,., and then one tile comes: found 4,2/2,.": play(Step{glide.Left, 0x112}),
		"move 2 of the game, left: this changes nothing on 4,./.,.":                                 play(Step{glide.Left, 2}, Step{glide.Left, 2}),
		"move 1 of the game, left: the slide makes 4,./.,., and then one tile comes: found 2,./.,.": play(Step{glide.Left, 1}),
		"move 1 of the game, left: the board 0x10002 has tiles outside its 4 cells":                 play(Step{glide.Left, 0x10002}),
		"move 1 of the game, up: expected a direction":                                              play(Step{glide.Directions, 2}),
		"the game has 4096 moves, expected at most 4095":                                            play(make([]Step, render.MaxMoves+1)...),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
