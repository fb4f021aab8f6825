package draw

import (
	"bytes"
	"fmt"
	"strings"

	"testing"
	"time"

	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/statespace"

	"pagoda/puzzle/lunar/board"
)

// solve returns the plays of a solution with the fewest moves, found by a plain search.
func solve(t testing.TB, b *board.Board, text string) (board.Drawing, []board.Play) {
	t.Helper()
	type node struct {
		d    board.Drawing
		from *node
		play board.Play
	}
	start, err := b.ParseDrawing(text)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[board.Position]bool)
	for queue := []*node{{d: start}}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		p := n.d.Position()
		if p.Solved() {
			var plays []board.Play
			for ; n.from != nil; n = n.from {
				plays = append([]board.Play{n.play}, plays...)
			}
			return start, plays
		}
		for _, m := range b.Moves(nil, p) {
			after, play := b.Make(n.d, m)
			if to := after.Position(); !seen[to] {
				seen[to] = true
				queue = append(queue, &node{after, n, play})
			}
		}
	}
	t.Fatalf("%s has no solution", text)
	return nil, nil
}

// solution returns the film of a solution.
func solution(t testing.TB, name, text string, looks Looks) render.Film {
	t.Helper()
	b := boards()[name]
	start, plays := solve(t, b, text)
	f, err := NewFilm(b, start, plays, looks)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// problems have one letter or more, pieces that turn, and boards of all kinds.
var problems = []struct{ board, text string }{
	{"5x5", "oo..o/...../..+../o..../...X."},
	{"5x5", ".Y..4/....3/..+../.Z.../.21.."},
	{"octagon", ".../...../...1Y3./.X.+.../..2..4./....Z/..."},
	{"cross", ".../.../.1...XZ/.Y.+.../....23./.../4.."},
	{"7x7", "......./Y...X.4/......./...+.../....2../.Z.3.../1......"},
	{"1x7", "Y1.+4Z2"},
}

// The frames of a GIF, put on top of each other, equal each scene drawn whole.
func TestGIF(t *testing.T) {
	for i, p := range problems {
		f := solution(t, p.board, p.text, Looks{'Z': {Colour: "purple"}, '1': {Colour: "orange"}})
		style := render.Style{Cell: rendertest.Cells(12, 23, 40, 33)[i%4], Theme: render.Themes()[i%3], NoCaptions: i == 1}
		rendertest.CheckGIF(t, p.text, rendertest.Play(t, 300*time.Millisecond, f), 1, style)
	}
}

// A film strip has the position before each move, with its arrow, and the solved board.
func TestStrip(t *testing.T) {
	for _, p := range problems {
		f := solution(t, p.board, p.text, nil)
		_, plays := solve(t, boards()[p.board], p.text)
		for i, panel := range f.Strip() {
			d := panel.Drawing.(Position)
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			want, arrows := fmt.Sprintf("solved: %d moves, ", len(plays)), 0
			if i < f.Moves() {
				want, arrows = fmt.Sprintf("%d. %v", i+1, plays[i]), 1
			}
			if !strings.HasPrefix(panel.Caption, want) || i < f.Moves() && panel.Caption != want {
				t.Errorf("%s: panel %d has the caption %q, want %q", p.text, i, panel.Caption, want)
			}
			polygons := 0
			for _, e := range rendertest.Elements(t, sheet(t, d, render.Style{})) {
				if e.Name == "polygon" {
					polygons++
				}
			}
			if polygons != 2*arrows {
				t.Errorf("%s: panel %d has %d polygons", p.text, i, polygons)
			}
		}
	}
}

// In the sample, the last letter slides to the exit and fades there: it goes left, then up, and no
// farther.
func TestFlight(t *testing.T) {
	f := solution(t, "5x5", "oo..o/...../..+../o..../...X.", Looks{'X': {Colour: "red", Name: "Spacepilot"}})
	if n := f.Moves(); n != 10 || f.Captions.States[n] != "solved: 10 moves, 12 steps" || f.Lengths[9] != 2+fade || f.Lengths[0] != 2 {
		t.Fatalf("the solution is %d moves, %s", n, f.Captions.States[n])
	}
	at := func(share float64) (render.Point, int) {
		panel := f.Frame(9, share)
		if panel.Caption != "10. X-LU Spacepilot" {
			t.Errorf("the caption is %q", panel.Caption)
		}
		class, _ := rendertest.Classes(t, sheet(t, panel.Drawing, render.Style{Cell: 100}))
		for _, e := range rendertest.Elements(t, sheet(t, panel.Drawing, render.Style{Cell: 100, NoCaptions: true})) {
			if e.Attr["class"] == "letter" {
				return render.Pt(e.Number(t, "x"), e.Number(t, "y")), class["letter"]
			}
		}
		return render.Point{}, 0
	}
	const steps = 100
	first, n := at(1e-6)
	if n != 1 {
		t.Fatalf("the position has %d letters", n)
	}
	corner, exit := first.Plus(-100, 0), first.Plus(-100, -100)
	turned, before := false, first
	for i := 1; i < steps; i++ {
		now, n := at(float64(i) / steps)
		turned = turned || now == corner
		if n != 1 || now.X > before.X || now.Y > before.Y || now.X < corner.X || now.Y < exit.Y || now.X > corner.X && now.Y < corner.Y {
			t.Errorf("%d%% of the way, the piece is at %v, then at %v; it turns at %v and leaves at %v", i, before, now, corner, exit)
		}
		before = now
	}
	if before != exit || !turned {
		t.Errorf("the piece ends at %v, want %v; it turns at %v: %v", before, exit, corner, turned)
	}
	// While it fades, it comes closer to the colour of the exit.
	shown := func(share float64) float64 {
		theme := render.Themes()[1]
		d := f.Frame(9, share).Drawing
		img := rendertest.Image(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{Cell: 100, Theme: theme, NoLetters: true}))
		c := img.RGBAAt(img.Rect.Dx()/2, img.Rect.Dy()/2)
		return apart(seenAs(c, seen["nothing"]), seenAs(theme.Target(), seen["nothing"]))
	}
	if a, b, c := shown(0.65), shown(0.85), shown(0.99); a <= b || b <= c || c > 0.05 {
		t.Errorf("the piece is %.3f, %.3f and %.3f from the colour of the exit", a, b, c)
	}
}

func TestEqualBytes(t *testing.T) {
	draw := func() []byte {
		return rendertest.Bytes(t, solution(t, "1x7", "Y1.+4Z2", nil), render.Style{Cell: 20})
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same solution makes other bytes the second time")
	}
}

// A route is a space whose states are the positions of a solution.
type route struct {
	render.Film
	plays []fmt.Stringer
}

func (s route) Name() string                                                             { return "route" }
func (s route) at(x statespace.Index) Position                                           { return s.Draw(int(x), -1).(Position) }
func (s route) Size() uint64                                                             { return uint64(s.Moves() + 1) }
func (s route) Roots() []statespace.Index                                                { return []statespace.Index{0} }
func (s route) Definition() statespace.Definition                                        { return statespace.Definition{} }
func (s route) Board() *board.Board                                                      { return s.at(0).Board }
func (s route) Format(x statespace.Index) string                                         { return s.Board().Format(s.at(x).Pieces) }
func (s route) Parse(string) (statespace.Index, error)                                   { return 0, nil }
func (s route) FormatMove(statespace.Index, statespace.Edge) string                      { return "" }
func (s route) Successors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge   { return dst }
func (s route) Predecessors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge { return dst }
func (s route) Parts() statespace.Parts {
	return statespace.Parts{Texts: statespace.Texts{Narrate: func(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
		return s.plays, []string{s.Format(path.From)}, nil
	}}}
}

type other struct{ statespace.Space }

func (other) Name() string { return "other" }

// The drawer reads positions, patterns and paths of a space.
func TestDrawer(t *testing.T) {
	const text = "oo..o/...../..+../o..../...X."
	f := solution(t, "5x5", text, nil)
	start, made := solve(t, boards()["5x5"], text)
	sp := route{Film: f}
	for _, p := range made {
		sp.plays = append(sp.plays, p)
	}
	film, err := Drawer{}.Film(sp, statespace.Path{})
	if err != nil {
		t.Fatal(err)
	}
	if got := film.Strip()[9]; got.Caption != "10. X-LU" {
		t.Errorf("the film has the panel %v", got)
	}
	p, err := Drawer{}.Still(sp, "X?..1/...../..+../...../.....")
	if err != nil || p.Caption != "" || p.Drawing.(Position).Open != 2 {
		t.Errorf("the pattern is drawn as %v, %v", p, err)
	}
	still := func(sp statespace.Space, text string) error { _, err := Drawer{}.Still(sp, text); return err }
	draw := func(sp statespace.Space, path statespace.Path) error { _, err := Drawer{}.Film(sp, path); return err }
	plays := func(p ...board.Play) error { _, err := NewFilm(boards()["5x5"], start, p, nil); return err }
	renamed := made[0]
	renamed.Piece = '1'
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"text":         {still(sp, "....../"), "expected / after the 5 cells"},
		"still, other": {still(other{}, "."), "other cannot be drawn: " + render.ErrFamily.Error()},
		"film, other":  {draw(other{}, statespace.Path{}), "other cannot be drawn: " + render.ErrFamily.Error()},
		"from":         {draw(sp, statespace.Path{From: 11}), "the path has a state with number 11"},
		"no play":      {draw(route{f, []fmt.Stringer{render.MinTime}}, statespace.Path{}), "move 1 of the path is a time.Duration"},
		"no move":      {plays(made[0], made[0]), "move 2 of the solution: a move begins in cell 1"},
		"other name":   {plays(renamed), "move 1 of the solution is 1-R, and piece 2 stands there in 12..3/"},
		"many":         {plays(make([]board.Play, render.MaxMoves+1)...), "the solution has 4096 moves"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}

// The paths of a space go from a solved board to a problem; their film goes the other way.
