package draw

import (
	"bytes"
	"image/gif"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/render/rendertest"
)

// solution is NewFilm from the start, without errors.
func solution(t testing.TB, p *tray.Puzzle, moves ...tray.Move) render.Film {
	t.Helper()
	s, err := NewFilm(p, nil, moves, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wander makes random moves, each of one piece by up to four cells. There may be fewer.
func wander(t testing.TB, r *rand.Rand, p *tray.Puzzle, most int) render.Film {
	t.Helper()
	var moves []tray.Move
	now := p
	for range 10 * most {
		m := tray.Move{Pieces: string(p.Pieces()[r.IntN(len(p.Pieces()))])}
		end := ""
		for range 8 {
			longer := tray.Move{Pieces: m.Pieces, Path: m.Path + tray.Direction(r.IntN(int(p.Directions()))).String()}
			if drawings, err := replay.Moves(now, tray.Moves, []tray.Move{longer}); err == nil && len(longer.Path) <= 4 {
				m, end = longer, drawings[1]
			}
		}
		if m.Path == "" {
			continue
		}
		pos, err := p.ParsePosition(end)
		if err != nil {
			panic(err) // replaying gave it
		}
		now = p.From(pos)
		if moves = append(moves, m); len(moves) == most {
			break
		}
	}
	return solution(t, p, moves...)
}

func TestGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for i, name := range []string{"slide/klotski", "slide/n3x4", "exchange", "polyominoes", "ring", "alike", "floors"} {
		s := wander(t, r, puzzles()[name], 3)
		style := render.Style{Cell: rendertest.Cells(12, 23, 40)[i%3], Theme: render.Themes()[i%3], NoCaptions: i == 1}
		rendertest.CheckGIF(t, name, rendertest.Play(t, 0, s), 1, style)
	}
	// Arrows, too.
	var strip []render.Scene
	for _, panel := range wander(t, r, puzzles()["exchange"], 3).Strip() {
		strip = append(strip, render.Scene{Panels: []render.Panel{panel}})
	}
	for _, theme := range render.Themes() {
		rendertest.CheckGIF(t, "arrows", strip, 1, render.Style{Theme: theme})
	}
}

// An animation begins with the start and ends with the last position. That of Klotski is small.
// Pieces glide along their path to its end, in whole pixels, slowly at both ends.
func TestGlide(t *testing.T) {
	for _, path := range []string{"D", "RRD", "ULDR", "LLLLLLLL"} {
		const cell, n = 100, 50
		one := Tray{Puzzle: puzzles()["slide/dads"]}
		way := one.stations(path)
		last, gone := render.Point{}, 0.0
		var steps []float64
		for i := range n {
			d := Tray{Puzzle: one.Puzzle, Move: &tray.Move{Pieces: "A", Path: path}, flight: float64(i+1) / n}
			at := d.offset(cell)
			if at != render.Pt(math.Round(at.X), math.Round(at.Y)) {
				t.Fatalf("%s: %v is not whole", path, at)
			}
			step := math.Abs(at.X-last.X) + math.Abs(at.Y-last.Y)
			gone += step
			// On the way one lies on the line between two stations.
			cells := min(int(gone/cell), len(path)-1)
			q := way[cells].Towards(way[cells+1], gone/cell-float64(cells))
			if math.Hypot(q.X*cell-at.X, q.Y*cell-at.Y) > 3 {
				t.Fatalf("%s: at %.0f it is at %v, want %v", path, gone, at, q)
			}
			steps = append(steps, step)
			last = at
		}
		end := way[len(way)-1]
		if math.Hypot(last.X-cell*end.X, last.Y-cell*end.Y) > 1e-9 {
			t.Errorf("%s: the end is %v, want %v", path, last, end)
		}
		if steps[0]*4 > steps[n/2] || steps[n-1]*4 > steps[n/2] {
			t.Errorf("%s: the steps are %v: not slow at both ends", path, steps)
		}
	}
}

// A film strip has captions, and arrows that end where the pieces do.
func TestFilm(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	for name, p := range drawn() {
		s := wander(t, r, p, 12)
		panels := s.Strip()
		style := render.Style{Cell: 30}
		for i, panel := range panels[:s.Moves()] {
			m := *panel.Drawing.(Tray).Move
			var tip render.Point
			for _, e := range rendertest.Elements(t, rendertest.Sheet(t, panels[i:i+1], 0, style)) {
				if e.Name == "polygon" {
					tip = e.Points(t)[0]
				}
			}
			after := panels[i+1].Drawing.(Tray)
			after.Move = nil
			var at []render.Point
			for _, e := range rendertest.Elements(t, rendertest.Sheet(t, []render.Panel{{Drawing: after, Caption: panels[i].Caption}}, 0, style)) {
				if e.Name == "text" && e.Text == written(name, m.Pieces) {
					at = append(at, render.Pt(e.Number(t, "x"), e.Number(t, "y")))
				}
			}
			// The letter is a little below the middle, on its base line. Numbers have two decimals.
			if !slices.ContainsFunc(at, func(q render.Point) bool { return math.Abs(tip.X-q.X) < 0.02 && math.Abs(q.Y-tip.Y-0.36*13) < 0.02 }) {
				t.Fatalf("%s: the arrow of %v ends at %v, the piece at %v", name, m, tip, at)
			}
		}
	}
	many, err := tray.Parse("tray:\nABCDEFGHIJ\nKLMNOPQRST\n..........\n")
	if err != nil {
		t.Fatal(err)
	}
	long := tray.Move{Pieces: "ABCDEFGHIJKLMNOPQRST", Path: "UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"}
	if got := []string{caption(many, 0, tray.Move{Pieces: "A", Path: "RRD"}), caption(many, 1, long)}; !slices.Equal(got, []string{"1. A RRD", "2. ABCDEFGHIJKLM... UUUUUUUUUUUUU..."}) {
		t.Errorf("the captions are %q", got)
	}
	tiles := puzzles()["slide/n3x4"]
	if got := []string{caption(tiles, 0, tray.Move{Pieces: "9A", Path: "R"}), caption(tiles, 1, tray.Move{Pieces: "12", Path: "R"})}; !slices.Equal(got, []string{"1. 9+10 R", "2. 1+2 R"}) {
		t.Errorf("tiles with numbers have the captions %q", got)
	}
}

func TestTiming(t *testing.T) {
	p := puzzles()["slide/dads"]
	s := solution(t, p, tray.Move{Pieces: "2", Path: "RR"}, tray.Move{Pieces: "1", Path: "R"}, tray.Move{Pieces: "D", Path: "U"})
	for _, step := range []time.Duration{render.MinTime, 105 * time.Millisecond, 330 * time.Millisecond, render.DefaultMove, 3 * time.Second, render.MaxTime} {
		all := rendertest.Play(t, step, s)
		var data bytes.Buffer
		if err := render.WriteGIF(&data, all, 0, 0, render.Style{Cell: render.MinCell}); err != nil {
			t.Fatal(err)
		}
		g, err := gif.DecodeAll(&data)
		if err != nil {
			t.Fatal(err)
		}
		if first, last := g.Delay[0], g.Delay[len(g.Delay)-1]; first != 200 || last != 200 {
			t.Errorf("the first and the last position are shown for %d/100 and %d/100 s, want 2 s", first, last)
		}
		times := make(map[string]int) // by caption
		for i, d := range g.Delay {
			if d < 2 {
				t.Errorf("at %v for a cell a frame is shown for %d/100 s: viewers slow that down", step, d)
			}
			times[all[i].Panels[0].Caption] += d
		}
		one := int(step / (10 * time.Millisecond))
		two := one * 4 / 3
		if times["1. 2 RR"] != two || times["2. 1 R"] != one {
			t.Errorf("at %v for a cell the moves take %v, want %d and %d of 1/100 s", step, times, two, one)
		}
	}
	// However many moves there are, the frames are not too many.
	for _, n := range []int{0, 1, 100, 2000, render.MaxMoves} {
		var moves []tray.Move
		for i := range n {
			moves = append(moves, tray.Move{Pieces: "2", Path: []string{"RR", "LL"}[i%2]})
		}
		all := rendertest.Play(t, 0, solution(t, p, moves...))
		if len(all) > render.MaxPanels || len(all) < n+1 {
			t.Errorf("%d moves make %d frames", n, len(all))
		}
		if n == 0 && (all[0].Panels[0].Caption != "start" || len(all) != 1) {
			t.Errorf("no moves make %v", all)
		}
	}
}

func TestEqualBytes(t *testing.T) {
	draw := func() []byte {
		return rendertest.Bytes(t, wander(t, rand.New(rand.NewPCG(41, 42)), puzzles()["slide/century"], 4), render.Style{Cell: 20})
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same solution makes other bytes the second time")
	}
}

// The drawer reads positions and paths of a space.
