package draw

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/puzzle/lunar/board"
	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/statespace/cells"
)

// boards are those with a name, and odd ones.
var boards = sync.OnceValue(func() map[string]*board.Board {
	all := make(map[string]*board.Board)
	for _, name := range append(board.Names(), "1x1", "1x7") {
		b, ok := board.Named(name)
		if !ok {
			panic(name)
		}
		all[name] = b
	}
	odd, err := board.New([]cells.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 0, Col: 2}, {Row: 1, Col: 0}, {Row: 1, Col: 2}, {Row: 2, Col: 0},
		{Row: 2, Col: 1}, {Row: 2, Col: 2}, {Row: 4, Col: 4}, {Row: 5, Col: 3}}, []cells.Cell{{Row: 0, Col: 0}, {Row: 5, Col: 3}})
	if err != nil {
		panic(err)
	}
	all["in parts, with a hole and two exits"] = odd
	return all
})

// random returns a pattern of a board: about a sixth of the cells are open, and a fourth have pieces.
func random(r *rand.Rand, b *board.Board) Position {
	d := Position{Board: b, Pieces: make(board.Drawing, len(b.Cells()))}
	letters, numbers := "XYZWVUTS", board.NumberNames
	for i := range d.Pieces {
		switch k := r.IntN(12); {
		case k < 2:
			d.Open |= 1 << i
		case k == 2 && letters != "" && b.Exits()>>i&1 == 0:
			d.Pieces[i], letters = letters[0], letters[1:]
		case k < 5:
			d.Pieces[i], numbers = numbers[0], numbers[1:]
		}
	}
	return d
}

// read is Parse without errors.
func read(t testing.TB, name, text string) Position {
	t.Helper()
	d, err := Parse(boards()[name], text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sheet(t testing.TB, d render.Drawing, s render.Style) *render.Picture {
	t.Helper()
	return rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, s)
}

func TestSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, b := range boards() {
		for _, theme := range render.Themes() {
			d := random(r, b)
			text := d.Title()
			class, texts := rendertest.Classes(t, sheet(t, d, render.Style{Theme: theme}))
			count := func(of string) (n int) {
				for _, ch := range of {
					n += strings.Count(text, string(ch))
				}
				return n
			}
			exits := 0
			for i := range b.Cells() {
				exits += int(b.Exits() >> i & 1)
			}
			for kind, want := range map[string]int{"letter": count(board.LetterNames), "number": count(board.NumberNames), "any": count("?"),
				"exit": exits, "cell": len(b.Cells()) - exits, "board": 1} {
				if class[kind] != want {
					t.Errorf("%s %s: %d of class %s, want %d", name, text, class[kind], kind, want)
				}
			}
			var names []string
			for _, ch := range d.Pieces {
				if ch != 0 {
					names = append(names, string(ch))
				}
			}
			if texts["title"][0] != text || !slices.Equal(texts["text"], names) {
				t.Errorf("%s: the texts are %q, want %q and the pieces %q", name, texts, text, names)
			}
			if back, err := Parse(b, text); err != nil || back.Title() != text {
				t.Errorf("%s: %s comes back as %s, %v", name, text, back.Title(), err)
			}
		}
	}
}

// The middle of each cell has the colour of what is there.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, b := range boards() {
		for i, cell := range rendertest.Cells(8, 13, 40, 57) {
			theme := render.Themes()[i%len(render.Themes())]
			d := random(r, b)
			d.Looks = Looks{'X': {Colour: "brown"}, '2': {Colour: "orange"}}
			img := rendertest.Image(t, sheet(t, d, render.Style{Cell: cell, Theme: theme, NoLetters: true}))
			w, h := d.Size(cell)
			left, top := (img.Rect.Dx()-w)/2+frame(cell), (img.Rect.Dy()-h)/2+frame(cell)
			for i, c := range b.Cells() {
				want := theme.Hole
				switch ch := d.Pieces[i]; {
				case d.Open>>i&1 != 0:
					want = theme.Any
				case ch != 0:
					want = d.Looks.block(ch, theme).Face
				case b.Exits()>>i&1 != 0:
					if want = theme.Blocks[0]; cell == 8 {
						continue // the ring is less than a pixel wide
					}
				}
				if got := img.RGBAAt(left+c.Col*cell+cell/2, top+c.Row*cell+cell/2); got != want {
					t.Errorf("%s, %d pixels, %s: cell %v is %v, want %v", name, cell, d.Title(), c, got, want)
				}
			}
		}
	}
}

func TestRows(t *testing.T) {
	panels := []render.Panel{}
	for _, d := range []Position{read(t, "5x5", "oo..o/...../..+../o..../...X."), read(t, "cross", "X.?/.../......./Y..1..4/......./.../..o")} {
		panels = append(panels, render.Panel{Drawing: d, Caption: d.Caption()})
	}
	panels = append(panels, render.Panel{Drawing: Position{Board: boards()["1x7"], Pieces: board.Drawing{'X', 0, 0, 0, 0, 0, '1'}}, Caption: "7. 1 move, 2 steps"})
	const want = `12..3                    X.?
.....                    ...
..+..                  .......
4....                  Y..1..4
...X.                  .......
1 letter, 4 numbers      ...
                         ..2

X..+..1
7. 1 move, 2 steps
`
	if got := rendertest.Text(t, panels, 2, render.Style{}); got != want {
		t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
	if got := read(t, "5x5", "1..../...../..1../...../....."); got.Caption() != "solved" || got.Title() != "1..../...../..2../...../....." {
		t.Errorf("%s has the caption %s", got.Title(), got.Caption())
	}
}

// A page has a panel for each problem, with its caption.
func TestPage(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var panels []render.Panel
	for i := range 40 {
		panels = append(panels, render.Panel{Drawing: random(r, boards()["octagon"]), Caption: fmt.Sprint(i+1, ". problem")})
	}
	class, texts := rendertest.Classes(t, rendertest.Sheet(t, panels, 5, render.Style{Cell: 14}))
	want := "40. problem"
	if n := len(texts["text"]); n != 40 || texts["text"][39] != want || class["exit"] != 40 {
		t.Errorf("the page has %d texts and %d exits; the last text is %q", n, class["exit"], texts["text"][n-1])
	}
}

func TestCheck(t *testing.T) {
	b := boards()["5x5"]
	start := read(t, "5x5", ".1.../...../2.+.X/...../.3...")
	with := func(change func(d *Position)) error {
		d := start
		d.Pieces = slices.Clone(d.Pieces)
		change(&d)
		return d.Check()
	}
	move := func(m board.Move) error { return with(func(d *Position) { d.Move = &m }) }
	up, down, left := board.Up, board.Down, board.Left
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no board":    {Position{}.Check(), "a position has no board"},
		"few cells":   {Position{Board: b}.Check(), "a position has 0 cells"},
		"open beyond": {with(func(d *Position) { d.Open = 1 << 25 }), "expected the 25 of the board"},
		"open piece":  {with(func(d *Position) { d.Open = 2 }), "cell (0,1) has the piece 1 and is left open"},
		"no piece":    {with(func(d *Position) { d.Pieces[0] = '!' }), "cell (0,0) has the piece '!'"},
		"colour":      {with(func(d *Position) { d.Looks = Looks{'X': {Colour: "mauve"}} }), `expected a colour of piece X: red, orange, yellow`},
		"from":        {move(board.Move{From: 25, Steps: []board.Direction{up}}), "a move begins in cell 25"},
		"from empty":  {move(board.Move{From: 0, Steps: []board.Direction{up}}), "a move begins in cell 0"},
		"no steps":    {move(board.Move{From: 14, To: 14}), "the move of piece X has no steps"},
		"direction":   {move(board.Move{From: 14, Steps: []board.Direction{4}}), "a step in the direction 4"},
		"no stop":     {move(board.Move{From: 14, Steps: []board.Direction{left, left}}), "the move X-LL cannot be made in .1.../...../2.+.X/...../.3...: no piece stops step 2"},
		"other end":   {move(board.Move{From: 14, To: 12, Steps: []board.Direction{left}}), "the move X-L ends in cell 11"},
		"no exit":     {move(board.Move{From: 14, To: 11, Leaves: true, Steps: []board.Direction{left}}), "ends in cell 11"},
		"fine":        {move(board.Move{From: 14, To: 16, Steps: []board.Direction{left, down}}), ""},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}
