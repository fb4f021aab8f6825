package draw

import (
	"bytes"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	pegs "pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/studies/weighted"
)

// weightedGame plays random jumps on a board, with weights that may be negative.
func weightedGame(t testing.TB, r *rand.Rand, name string, most int) (*weighted.Game, []board.Jump) {
	t.Helper()
	shape, pegs, err := peg.LookupShape(name)
	if err != nil {
		t.Fatal(err)
	}
	g := &weighted.Game{Shape: shape, Pegs: pegs, Weights: make([]int64, len(pegs))}
	for i := range g.Weights {
		g.Weights[i] = r.Int64N(400) - 199
	}
	s, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	var jumps []board.Jump
	for tries := 0; len(jumps) < most && tries < 100*shape.Jumps(); tries++ {
		j := shape.Jump(r.IntN(shape.Jumps()))
		if tries%3 > 0 && len(jumps) > 0 && jumps[len(jumps)-1].To != j.From {
			continue // so that many jumps are of the same peg
		}
		if s.Jump(j) == nil {
			jumps = append(jumps, j)
		}
	}
	return g, jumps
}

func filmOf(t testing.TB, g *weighted.Game, jumps []board.Jump) render.Film {
	t.Helper()
	f, err := NewFilm(g, jumps)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pegsAt returns the pegs of the cells after i moves.
func pegsAt(f render.Film, i int) []int { return f.Draw(i, -1).(Position).Pegs }

// cetto is the published game of 407 on magic(7) over the English board.
func cetto(t testing.TB) (*weighted.Game, []board.Jump) {
	t.Helper()
	g, _ := weightedGame(t, rand.New(rand.NewPCG(1, 1)), "peg/english", 0)
	g.Weights = weighted.MagicWeights(g.Shape)
	text, err := os.ReadFile("../testdata/cetto.txt")
	if err != nil {
		t.Fatal(err)
	}
	jumps, err := weighted.ParseJumps(g.Shape, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g, jumps
}

// A film strip has a panel for each move, with the score so far, a peg for each peg, and all weights
// of pegs.
func TestStrip(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, name := range []string{"peg/english", "peg/triangle15", "peg/20x20", "peg/3x1"} {
		g, jumps := weightedGame(t, r, name, 30)
		f := filmOf(t, g, jumps)
		moves := weighted.Moves(jumps)
		made := 0
		for i, panel := range f.Strip() {
			score, err := g.Play(jumps[:made])
			if err != nil {
				t.Fatal(err)
			}
			class, texts := rendertest.Classes(t, rendertest.Sheet(t, []render.Panel{panel}, 0, render.Style{}))
			var want []string
			for _, peg := range panel.Drawing.(Position).Pegs {
				if peg >= 0 {
					want = append(want, strings.Replace(strconv.FormatInt(g.Weights[peg], 10), "-", "−", 1))
				}
			}
			caption := "score " + strconv.FormatInt(score.Score, 10)
			switch {
			case i < len(moves):
				caption = "move " + strconv.Itoa(i+1) + ", " + caption
			case i > 0:
				caption = "end, " + caption
			}
			want = append(want, caption)
			slices.Sort(want)
			slices.Sort(texts["text"])
			if class["peg"] != score.Pegs || class["hole"] != len(g.Pegs)-score.Pegs || !slices.Equal(texts["text"], want) {
				t.Fatalf("%s, panel %d: %d pegs and %d holes with the texts %v; want %d pegs and %v", name, i, class["peg"], class["hole"], texts["text"], score.Pegs, want)
			}
			if i < len(moves) {
				made += len(moves[i])
			}
		}
		if made != len(jumps) {
			t.Errorf("%s: the strip has %d of %d jumps", name, made, len(jumps))
		}
	}
}

// The animation begins with the start, ends with the end, and every frame of a GIF equals the
// scene drawn whole.
func TestGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for i, name := range []string{"peg/5x5", "peg/triangle15", "peg/english"} {
		g, jumps := weightedGame(t, r, name, 6)
		f := filmOf(t, g, jumps)
		scenes := rendertest.Play(t, 0, f)
		style := render.Style{Cell: rendertest.Cells(14, 30, 40)[i], Theme: render.Themes()[i]}
		rendertest.CheckGIF(t, name, scenes, 1, style)
		first, last := scenes[0].Panels[0].Drawing.(Position), scenes[len(scenes)-1].Panels[0].Drawing.(Position)
		if !slices.Equal(first.Pegs, pegsAt(f, 0)) || !slices.Equal(last.Pegs, pegsAt(f, f.Moves())) || first.Move != nil || last.Move != nil {
			t.Errorf("%s begins with %v and ends with %v", name, first.Title(), last.Title())
		}
	}
}

// In a move under way, the peg passes the middle of each cell that it jumps to, and the pegs behind
// it are gone.
func TestUnderWay(t *testing.T) {
	g, jumps := cetto(t)
	f := filmOf(t, g, jumps)
	move := weighted.Moves(jumps)[16]
	if f.Lengths[16] != 6 || len(move) != 6 {
		t.Fatalf("the last move has %d jumps, want 6", len(move))
	}
	for made := 1; made < 6; made++ {
		panel := f.Frame(16, float64(made)/6)
		picture := rendertest.Sheet(t, []render.Panel{panel}, 0, render.Style{})
		class, texts := rendertest.Classes(t, picture)
		if class["peg"] != 7-made || panel.Caption != "score 516" {
			t.Errorf("after %d jumps: %d pegs, %q", made, class["peg"], panel.Caption)
		}
		if !slices.Contains(texts["text"], "7") {
			t.Errorf("after %d jumps the peg 7 is gone: %v", made, texts["text"])
		}
		// The last peg that is drawn is the one that jumps.
		var at, last render.Point
		for _, e := range rendertest.Elements(t, picture) {
			if e.Attr["class"] == "peg" {
				at = render.Pt(e.Number(t, "x"), e.Number(t, "y"))
			}
		}
		still := Position{Game: g, Pegs: slices.Repeat([]int{-1}, 33)}
		still.Pegs[move[made-1].To] = pegsAt(f, 16)[move[0].From]
		for _, e := range rendertest.Elements(t, rendertest.Sheet(t, []render.Panel{{Drawing: still, Caption: "score 516"}}, 0, render.Style{})) {
			if e.Attr["class"] == "peg" {
				last = render.Pt(e.Number(t, "x"), e.Number(t, "y"))
			}
		}
		if math.Hypot(at.X-last.X, at.Y-last.Y) > 0.05 {
			t.Errorf("after %d jumps the peg is at %v, want %v", made, at, last)
		}
	}
}

// Labels stay on their pegs, at all sizes of weights.
func TestLabels(t *testing.T) {
	for _, w := range []int64{0, 7, -7, 10, -10, 123, -123, 4567, -4567, 99999, -123456, weighted.MaxWeight, -weighted.MaxWeight} {
		text := label(w)
		size := labelSize(labelWidth(text))
		width := render.TextWidth(text, 1000*size) / 1000
		if math.Abs(width-size*labelWidth(text)) > 0.01 {
			t.Errorf("%s is %.3f wide, taken for %.3f", text, width, size*labelWidth(text))
		}
		// A corner of the digits, which are 0.72 em high.
		if corner := math.Hypot(width/2, 0.36*size); corner > pegs.PegRadius-0.02 {
			t.Errorf("%s reaches %.3f from the middle of a peg of %.3f", text, corner, pegs.PegRadius)
		}
	}
	// Equal size for the usual weights; one giant leaves the others readable.
	g, _ := weightedGame(t, rand.New(rand.NewPCG(45, 46)), "peg/3x3", 0)
	sizes := func() (all []string) {
		panel := filmOf(t, g, nil).Strip()[0]
		for _, e := range rendertest.Elements(t, rendertest.Sheet(t, []render.Panel{panel}, 0, render.Style{NoCaptions: true})) {
			if e.Name == "text" {
				all = append(all, e.Attr["font-size"])
			}
		}
		return all
	}
	g.Weights = []int64{1, 22, 333, -1, 0, 55, 6, 7, 888}
	if s := sizes(); len(s) != 8 || len(slices.Compact(s)) != 1 {
		t.Errorf("the sizes are %v, want 8 equal ones", s)
	}
	g.Weights[0] = weighted.MaxWeight
	if s := sizes(); len(s) != 7 || len(slices.Compact(s)) != 1 {
		t.Errorf("the sizes are %v, want 7 equal ones", s)
	}
}

func TestText(t *testing.T) {
	g, err := weighted.ParseGame("lattice: triangular\n.\noo\nooo\nweights:\n0 0 0\n-5 12 0\n3 -100 7\n")
	if err != nil {
		t.Fatal(err)
	}
	jumps, err := weighted.ParseJumps(g.Shape, "3 1 1 1; 3 3 3 1")
	if err != nil {
		t.Fatal(err)
	}
	const want = `          .
     x-5    12
   >3  -100     7
move 1, score -83

          3
       .    12
    . x-100    >7
move 2, score -75

          3
       .    12
    7     .     .
end, score 32
`
	got := rendertest.Text(t, filmOf(t, g, jumps).Strip(), 1, render.Style{})
	if got != want {
		t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
}

// The colours of pegs and holes, beside their labels.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	for _, name := range []string{"peg/20x20", "peg/triangle28"} {
		g, jumps := weightedGame(t, r, name, 40)
		f := filmOf(t, g, jumps)
		for i, theme := range render.Themes() {
			d := f.Draw(f.Moves()/(i+1), -1)
			img := rendertest.Image(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{Cell: 30, Theme: theme}))
			width, _ := d.Size(30)
			margin := float64(img.Bounds().Dx()-width) / 2
			where := pegs.Places(g.Shape, render.Pt(margin, margin), render.Style{Cell: 30})
			for cell, peg := range d.(Position).Pegs {
				at, want := where(cell).Plus(0, -0.33*30), theme.Piece // above the digits
				if peg < 0 {
					at, want = where(cell), theme.Hole
				}
				if got := color.RGBAModel.Convert(img.At(int(at.X), int(at.Y))); got != want {
					t.Fatalf("%s, %s: cell %d has the colour %v, want %v", name, theme.Name, cell, got, want)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	g, jumps := cetto(t)
	pegs := pegsAt(filmOf(t, g, nil), 0)
	j, k := g.Shape.Jump(0), g.Shape.Jump(20)
	light := *g
	light.Weights = nil
	far := slices.Clone(pegs)
	far[3] = 33
	vacant := slices.Clone(pegs)
	vacant[3] = 16
	for name, c := range map[string]struct {
		d    Position
		want string
	}{
		"game":      {Position{}, "a position has no game"},
		"weights":   {Position{Game: &light, Pegs: pegs}, "there are 0 weights"},
		"cells":     {Position{Game: g, Pegs: pegs[1:]}, "a position has 32 cells, the board 33"},
		"far":       {Position{Game: g, Pegs: far}, "cell 3 has the peg 33"},
		"vacant":    {Position{Game: g, Pegs: vacant}, "cell 3 has the peg 16"},
		"jump":      {Position{Game: g, Pegs: pegs, Move: []board.Jump{{From: 0, Over: 1, To: 33}}}, "a jump has the cell 33"},
		"same cell": {Position{Game: g, Pegs: pegs, Move: []board.Jump{{From: 0, Over: 1, To: 0}}}, "not jumps of one peg"},
		"two pegs":  {Position{Game: g, Pegs: pegs, Move: []board.Jump{j, k}}, "not jumps of one peg"},
	} {
		if _, err := render.Sheet([]render.Panel{{Drawing: c.d}}, 0, render.Style{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, c.want)
		}
	}
	if _, err := NewFilm(g, slices.Concat(jumps, jumps)); err == nil || !strings.Contains(err.Error(), "jump 32, 2 4 4 4: expected a peg") {
		t.Errorf("a wrong game: %v", err)
	}
	if _, err := NewFilm(&light, jumps); err == nil || !strings.Contains(err.Error(), "there are 0 weights") {
		t.Errorf("a game without weights: %v", err)
	}
	large, game := weightedGame(t, rand.New(rand.NewPCG(49, 50)), "peg/256x256", 0)
	for range 70 {
		game = append(game, large.Shape.Jump(0))
	}
	if _, err := NewFilm(large, game); err == nil || !strings.Contains(err.Error(), "the game has 70 moves; on a board of 65536 cells at most 63 are drawn") {
		t.Errorf("a large game: %v", err)
	}
}

// The same game makes the same bytes.
func TestEqualBytes(t *testing.T) {
	draw := func() []byte {
		g, jumps := cetto(t)
		return rendertest.Bytes(t, filmOf(t, g, jumps[:6]), render.Style{Cell: 24})
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same game makes other bytes the second time")
	}
	if g, jumps := cetto(t); !reflect.DeepEqual(filmOf(t, g, jumps).Strip()[3], filmOf(t, g, jumps).Strip()[3]) {
		t.Error("the same game has other panels the second time")
	}
}
