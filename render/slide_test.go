package render

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pagoda/statespace/slide"
)

// puzzles are those of the library, an n-puzzle, and odd ones.
var puzzles = sync.OnceValue(func() map[string]*slide.Puzzle {
	all := make(map[string]*slide.Puzzle)
	for _, name := range append(slide.Library(), "slide/n3x4") {
		p, err := slide.Lookup(name)
		if err != nil {
			panic(err)
		}
		all[name] = p
	}
	for name, text := range map[string]string{
		"one cell":  "A/",
		"one piece": ".A/AA/.. ../.A/AA",
		"polyominoes": "tray:\n##aab##\n#ccabb.\nccdd#b.\n#.dd#ee\n##ffee#\n##f...#\n  ggg.\n" +
			"goal:\n.......\n.......\n.......\n.......\n.......\n....ee\n...ee\n",
		"ring":       "CAAA./.A.AB/.AAA./..... ...../..AAA/..A.A/..AAA ...../...../...../....B",
		"exchange":   "11..AA/11..AA/2233BB/2233BB ....BB/....BB/....AA/....AA",
		"anywhere":   "A../.B. .../..A A../... .A./... ..A/... .../A..",
		"alike":      "alike: A B\ntray: AB./CC.\ngoal: ..A\n",
		"thin walls": "walls: (0,2) right, (2,0) below\ntray: AA../.B.C/..../D...\ngoal: ..../..../..../...D\n",
		"far apart":  "A." + strings.Repeat("/", 255) + strings.Repeat("#", 254) + ".B",
	} {
		p, err := slide.ParsePuzzle(text)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		all[name] = p
	}
	return all
})

// wander makes random moves, each of one piece by up to four cells. There may be fewer.
func wander(r *rand.Rand, p *slide.Puzzle, most int) TraySolution {
	s := TraySolution{Puzzle: p}
	now := p
	for range 10 * most {
		m := slide.Move{Pieces: string(p.Pieces()[r.IntN(len(p.Pieces()))])}
		end := ""
		for range 8 {
			longer := slide.Move{Pieces: m.Pieces, Path: m.Path + string("UDLR"[r.IntN(4)])}
			if drawings, err := now.Replay(slide.Moves, []slide.Move{longer}); err == nil && len(longer.Path) <= 4 {
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
		if s.Moves = append(s.Moves, m); len(s.Moves) == most {
			break
		}
	}
	return s
}

// tray is a position after some random moves.
func tray(t testing.TB, r *rand.Rand, p *slide.Puzzle) Tray {
	t.Helper()
	positions, err := wander(r, p, 8).positions()
	if err != nil {
		t.Fatal(err)
	}
	return Tray{Puzzle: p, Position: positions[len(positions)-1]}
}

// An outline around cells, moved inwards, holds the points that are so far from all other
// cells, corners included.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	const side, cell, by = 5, 9, 2
	for range 300 {
		in := make(map[image.Point]bool)
		var cells []image.Point
		for i := range side * side {
			if c := image.Pt(i%side, i/side); r.IntN(5) < 3 {
				cells = append(cells, c)
				in[c] = true
			}
		}
		if len(cells) == 0 {
			continue
		}
		for _, inset := range []int{0, by} {
			o := outlineOf(around(cells), point{}, cell, even(float64(inset)), 0, 0, rgb(0), "")
			img, err := (&Picture{width: side * cell, height: side * cell, background: rgb(0xffffff), shapes: []shape{o}}).Image()
			if err != nil {
				t.Fatal(err)
			}
			for y := range side * cell {
				for x := range side * cell {
					want := rgb(0)
					for dy := -inset; dy <= inset; dy++ {
						for dx := -inset; dx <= inset; dx++ {
							at := image.Pt(x+dx, y+dy)
							if at.X < 0 || at.Y < 0 || !in[image.Pt(at.X/cell, at.Y/cell)] {
								want = rgb(0xffffff)
							}
						}
					}
					if got := img.RGBAAt(x, y); got != want {
						t.Fatalf("cells %v, %d inwards: %d,%d is %v, want %v", cells, inset, x, y, got, want)
					}
				}
			}
		}
	}
}

// A heart of a piece lies in it, and at its mean if that is a place to be.
func TestHeart(t *testing.T) {
	for _, c := range []struct {
		cells []slide.Cell
		want  point
	}{
		{[]slide.Cell{{Row: 3, Col: 1}}, point{1.5, 3.5}},
		{[]slide.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}}, point{1, 1}},
		{[]slide.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 0, Col: 2}}, point{1.5, 0.5}},
		{[]slide.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 0, Col: 2}, {Row: 0, Col: 3}}, point{2, 0.5}},
		{[]slide.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}, {Row: 1, Col: 2}, {Row: 2, Col: 1}}, point{1.5, 1.5}},
		{[]slide.Cell{{Row: 0, Col: 0}, {Row: 0, Col: 2}, {Row: 1, Col: 0}, {Row: 1, Col: 1}, {Row: 1, Col: 2}}, point{1.5, 1.5}}, // a U
	} {
		if got := heart(c.cells); got != c.want {
			t.Errorf("the heart of %v is %v, want %v", c.cells, got, c.want)
		}
	}
}

func TestTraySVG(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	targets := map[string]int{"slide/klotski": 1, "exchange": 2, "slide/n3x4": 0, "anywhere": 0, "one piece": 0, "ring": 2, "alike": 1}
	for name, p := range puzzles() {
		for _, theme := range Themes() {
			d := tray(t, r, p)
			style := Style{Theme: theme}
			class, texts := classes(t, svg(t, sheet(t, []Panel{{d, "17 moves"}}, 0, style)))
			named := 0
			for _, n := range d.blocks() {
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
				if !slices.Contains(texts["text"], string(piece)) {
					t.Errorf("%s: there is no letter %c in %q", name, piece, texts["text"])
				}
			}
			style.NoLetters = true
			if _, texts = classes(t, svg(t, sheet(t, []Panel{{d, "17 moves"}}, 0, style))); !slices.Equal(texts["text"], []string{"17 moves"}) {
				t.Errorf("%s: without letters there are %q", name, texts["text"])
			}
		}
	}
}

// Letters that are too small to be read are left out.
func TestSmallLetters(t *testing.T) {
	d := Tray{Puzzle: puzzles()["slide/dads"], Position: puzzles()["slide/dads"].Start()}
	for cell, want := range map[int]int{MinCell: 0, 14: 0, 15: 9} {
		if _, texts := classes(t, svg(t, sheet(t, []Panel{{d, ""}}, 0, Style{Cell: cell}))); len(texts["text"]) != want {
			t.Errorf("in cells of %d pixels there are the letters %q, want %d", cell, texts["text"], want)
		}
	}
}

// Thin walls are drawn between the two cells, over all else that is there.
func TestThinWalls(t *testing.T) {
	p := puzzles()["thin walls"]
	for _, theme := range Themes() {
		style := Style{Cell: 40, Theme: theme, NoCaptions: true, NoLetters: true}
		img, err := sheet(t, []Panel{{Tray{Puzzle: p, Position: p.Start()}, ""}}, 0, style).Image()
		if err != nil {
			t.Fatal(err)
		}
		at := func(row, col float64) color.RGBA {
			edge := float64(style.margin() + frame(style.Cell))
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

// Pieces of a shape have one colour, those of a goal have one of their own, and as many
// shapes as there are colours have different ones.
func TestBlocks(t *testing.T) {
	for name, want := range map[string][]int{
		"slide/klotski": {1, 0, 1, 1, 2, 1, 3, 3, 3, 3},
		"exchange":      {1, 0, 1, 1, 0},
		"slide/n3x4":    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		"alike":         {0, 0, 1},
		"one piece":     {1},
	} {
		if got := (Tray{Puzzle: puzzles()[name]}).blocks(); !slices.Equal(got, want) {
			t.Errorf("%s: the colours of %s are %v, want %v", name, puzzles()[name].Pieces(), got, want)
		}
	}
	for _, theme := range Themes() {
		for i := range theme.Blocks {
			for j := range i {
				if theme.block(i) == theme.block(j) {
					t.Errorf("%s: the colours %d and %d of pieces are equal", theme.Name, i, j)
				}
			}
		}
		if theme.block(9).face == theme.block(0).face {
			t.Errorf("%s: a tenth shape has the colour of goals", theme.Name)
		}
	}
}

// The middle of each cell has the colour of what is in it.
func TestTrayPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for name, p := range puzzles() {
		for i, cell := range []int{8, 13, 40, 57} {
			theme := Themes()[i%len(Themes())]
			style := Style{Cell: cell, Theme: theme, NoCaptions: true, NoLetters: true}
			d := tray(t, r, p)
			picture := sheet(t, []Panel{{d, ""}}, 0, style)
			if w, h := picture.Size(); w*h > 1e6 && (testing.Short() || cell != 8) {
				continue // for its time
			}
			var data bytes.Buffer
			if err := picture.WritePNG(&data); err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(&data)
			if err != nil {
				t.Fatal(err)
			}
			want := make(map[slide.Cell]color.RGBA)
			for _, c := range p.TrayCells() {
				want[c] = theme.Hole
			}
			for _, target := range d.targets() {
				for _, c := range target.Cells {
					want[c] = theme.target()
				}
			}
			for i, n := range d.blocks() {
				for _, c := range p.PieceCells(d.Position, i) {
					want[c] = theme.block(n).face
				}
			}
			first := d.span().Min
			for c, want := range want {
				x := style.margin() + frame(cell) + (c.Col-first.X)*cell + cell/2
				y := style.margin() + frame(cell) + (c.Row-first.Y)*cell + cell/2
				if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
					t.Fatalf("%s with cells of %d, %s: the cell %v is %v at %d,%d, want %v", name, cell, p.FormatPosition(d.Position), c, got, x, y, want)
				}
			}
		}
	}
}

func TestTrayGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for i, name := range []string{"slide/klotski", "slide/n3x4", "exchange", "polyominoes", "ring", "alike"} {
		frames, err := wander(r, puzzles()[name], 3).Frames(Timing{})
		if err != nil {
			t.Fatal(err)
		}
		checkGIF(t, name, frames, Style{Cell: []int{12, 23, 40}[i%3], Theme: Themes()[i%3], NoCaptions: i == 1})
	}
	// Arrows, too.
	panels, err := wander(r, puzzles()["exchange"], 3).Panels()
	if err != nil {
		t.Fatal(err)
	}
	for _, theme := range Themes() {
		checkGIF(t, "arrows", []Frame{{panels[0], 0}, {panels[1], 0}, {panels[2], 0}}, Style{Theme: theme})
	}
}

// An animation begins with the picture of the start and ends with that of the last
// position. That of Klotski is small.
func TestTrayEnd(t *testing.T) {
	p := puzzles()["slide/klotski"]
	result, err := slide.Solve(context.Background(), p, slide.Moves, slide.Options{ToGoal: true})
	if err != nil {
		t.Fatal(err)
	}
	s := TraySolution{Puzzle: p, Moves: result.Moves}
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
	end := positions[len(positions)-1]
	for _, c := range []struct {
		frame   int
		pos     slide.Position
		caption string
	}{{0, p.Start(), "start"}, {len(pictures) - 1, end, "end, 81 moves"}} {
		// Another panel makes room for the widest caption.
		want, err := animationPictures(append([]Frame{{Panel: Panel{Tray{Puzzle: p, Position: c.pos}, c.caption}}}, frames...), Style{})
		if err != nil {
			t.Fatal(err)
		}
		if svg(t, pictures[c.frame]) != svg(t, want[0]) {
			t.Errorf("frame %d is not %s", c.frame, p.FormatPosition(c.pos))
		}
	}
	if caption := (Tray{Puzzle: p, Position: end}).Caption(); caption != "goal" {
		t.Errorf("the caption of the end is %q", caption)
	}
	var data bytes.Buffer
	if err := WriteGIF(&data, frames, 0, Style{}); err != nil {
		t.Fatal(err)
	}
	if n := data.Len(); n > 500_000 {
		t.Errorf("Klotski in 81 moves takes %d bytes", n)
	}
}

// Pieces glide along their path to its end, in whole pixels, slowly at both ends.
func TestGlide(t *testing.T) {
	for _, path := range []string{"D", "RRD", "ULDR", "LLLLLLLL"} {
		const cell, n = 100, 50
		way := stations(path)
		last, gone := point{}, 0.0
		var steps []float64
		for i := range n {
			d := Tray{Move: &slide.Move{Pieces: "A", Path: path}, flight: float64(i+1) / n}
			at := d.offset(cell)
			if at != (point{math.Round(at.x), math.Round(at.y)}) {
				t.Fatalf("%s: %v is not whole", path, at)
			}
			step := math.Abs(at.x-last.x) + math.Abs(at.y-last.y)
			gone += step
			// On the way one lies on the line between two stations.
			cells := min(int(gone/cell), len(path)-1)
			q := way[cells].towards(way[cells+1], gone/cell-float64(cells))
			if math.Hypot(q.x*cell-at.x, q.y*cell-at.y) > 3 {
				t.Fatalf("%s: at %.0f it is at %v, want %v", path, gone, at, q)
			}
			steps = append(steps, step)
			last = at
		}
		end := way[len(way)-1]
		if math.Hypot(last.x-cell*end.x, last.y-cell*end.y) > 1e-9 {
			t.Errorf("%s: the end is %v, want %v", path, last, end)
		}
		if steps[0]*4 > steps[n/2] || steps[n-1]*4 > steps[n/2] {
			t.Errorf("%s: the steps are %v: not slow at both ends", path, steps)
		}
	}
}

// A film strip has captions, and arrows that end where the pieces do.
func TestTrayFilm(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	for name, p := range puzzles() {
		s := wander(r, p, 12)
		panels, err := s.Panels()
		if err != nil {
			t.Fatal(err)
		}
		style := Style{Cell: 30}
		for i, m := range s.Moves {
			picture := sheet(t, panels[i:i+1], 0, style)
			var tip point
			for _, shape := range picture.shapes {
				if head, ok := shape.(polygon); ok {
					tip = head.points[0]
				}
			}
			after := panels[i+1].Drawing.(Tray)
			after.Move = nil
			var at []point
			for _, shape := range sheet(t, []Panel{{after, panels[i].Caption}}, 0, style).shapes {
				if l, ok := shape.(label); ok && l.text == m.Pieces {
					at = append(at, l.at)
				}
			}
			// The letter is a little below the middle, on its base line.
			if !slices.ContainsFunc(at, func(q point) bool { return math.Abs(tip.x-q.x) < 1e-6 && math.Abs(q.y-tip.y-0.36*13) < 1e-6 }) {
				t.Fatalf("%s: the arrow of %v ends at %v, the piece at %v", name, m, tip, at)
			}
		}
	}
	many := slide.Move{Pieces: "ABCDEFGHIJKLMNOPQRST", Path: "UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"}
	s := TraySolution{Moves: []slide.Move{{Pieces: "A", Path: "RRD"}, many}}
	if got := []string{s.caption(0), s.caption(1), s.end()}; !slices.Equal(got, []string{"1. A RRD", "2. ABCDEFGHIJKLM... UUUUUUUUUUUUU...", "end, 2 moves"}) {
		t.Errorf("the captions are %q", got)
	}
	s.Moves = s.Moves[:1]
	if got := s.end(); got != "end, 1 move" {
		t.Errorf("the last caption is %q", got)
	}
}

func TestTrayTiming(t *testing.T) {
	p := puzzles()["slide/dads"]
	s := TraySolution{Puzzle: p, Moves: []slide.Move{{Pieces: "2", Path: "RR"}, {Pieces: "1", Path: "R"}, {Pieces: "D", Path: "U"}}}
	for _, jump := range []time.Duration{MinJump, 105 * time.Millisecond, 330 * time.Millisecond, DefaultJump, 3 * time.Second, MaxJump} {
		frames, err := s.Frames(Timing{Jump: jump, Hold: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if err := WriteGIF(&data, frames, 0, Style{Cell: MinCell}); err != nil {
			t.Fatal(err)
		}
		g, err := gif.DecodeAll(&data)
		if err != nil {
			t.Fatal(err)
		}
		if first, last := g.Delay[0], g.Delay[len(g.Delay)-1]; first != 100 || last != 100 {
			t.Errorf("the first and the last position are shown for %d/100 and %d/100 s, want 1 s", first, last)
		}
		times := make(map[string]int) // by caption
		for i, d := range g.Delay {
			if d < 2 {
				t.Errorf("at %v for a cell a frame is shown for %d/100 s: viewers slow that down", jump, d)
			}
			times[frames[i].Caption] += d
		}
		one, two := int(jump/tick), int(moveTime(jump.Truncate(tick), 2)/tick)
		if times["1. 2 RR"] != two || times["2. 1 R"] != one || two <= one || two >= 2*one {
			t.Errorf("at %v for a cell the moves take %v, want %d and %d of 1/100 s", jump, times, two, one)
		}
	}
	if a, b := moveTime(time.Second, 7), moveTime(time.Second, 70); a != 3*time.Second || b != a {
		t.Errorf("paths of 7 and 70 cells take %v and %v, want 3 s", a, b)
	}
	// However many moves there are, the frames are not too many.
	for _, n := range []int{0, 1, 100, 2000, MaxPanels - 1} {
		s := TraySolution{Puzzle: p}
		for i := range n {
			s.Moves = append(s.Moves, slide.Move{Pieces: "2", Path: []string{"RR", "LL"}[i%2]})
		}
		frames, err := s.Frames(Timing{})
		if err != nil || len(frames) > MaxPanels || len(frames) < n+1 {
			t.Errorf("%d moves make %d frames, %v", n, len(frames), err)
		}
		if n == 0 && (frames[0].Caption != "start" || len(frames) != 1) {
			t.Errorf("no moves make %v", frames)
		}
	}
}

func TestTrayEqualBytes(t *testing.T) {
	draw := func() string {
		s := wander(rand.New(rand.NewPCG(41, 42)), puzzles()["slide/century"], 4)
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
		for _, err := range []error{p.WriteSVG(&data), p.WritePNG(&data), WriteGIF(&data, frames, 0, Style{Cell: 20})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return data.String()
	}
	if first, second := draw(), draw(); first != second {
		t.Error("the same solution makes other bytes the second time")
	}
}

func TestTrayText(t *testing.T) {
	write := func(panels []Panel, style Style) string {
		var s strings.Builder
		if err := Text(&s, panels, 0, style); err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	s := TraySolution{Puzzle: puzzles()["slide/dads"], Moves: []slide.Move{{Pieces: "2", Path: "RR"}, {Pieces: "1", Path: "R"}}}
	panels, err := s.Panels()
	if err != nil {
		t.Fatal(err)
	}
	if got := write(panels, Style{}); got != goldenTrays {
		t.Errorf("the text is\n%s\nwant\n%s", got, goldenTrays)
	}
	// What is written is read as the same position.
	r := rand.New(rand.NewPCG(43, 44))
	for name, p := range puzzles() {
		d := tray(t, r, p)
		text := write([]Panel{{d, ""}}, Style{NoCaptions: true})
		if pos, err := p.ParsePosition(text); err != nil || !slices.Equal(pos, d.Position) {
			t.Errorf("%s: %s is drawn as\n%swhich is read as %v, %v", name, p.FormatPosition(d.Position), text, pos, err)
		}
	}
}

const goldenTrays = `AABB            AABB            AABB
AACC            AACC            AACC
12..            1..2            .1.2
DEFF            DEFF            DEFF
DEGG            DEGG            DEGG
1. 2 RR         2. 1 R          end, 2 moves
`

func TestTrayLimits(t *testing.T) {
	p := puzzles()["slide/klotski"]
	start := p.Start()
	with := func(d Tray) error { _, err := Sheet([]Panel{{d, ""}}, 0, Style{}); return err }
	put := func(piece int, at uint8) error {
		pos := slices.Clone(start)
		pos[piece] = at
		return with(Tray{Puzzle: p, Position: pos})
	}
	move := func(m slide.Move) error { return with(Tray{Puzzle: p, Position: start, Move: &m}) }
	solve := func(start slide.Position, moves ...slide.Move) error {
		_, err := TraySolution{p, start, moves}.Frames(Timing{})
		return err
	}
	timing := func(t Timing) error { _, err := TraySolution{Puzzle: p}.Frames(t); return err }
	far := Tray{Puzzle: puzzles()["far apart"], Position: puzzles()["far apart"].Start()}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no puzzle":      {with(Tray{}), "a position has no puzzle"},
		"empty puzzle":   {with(Tray{Puzzle: new(slide.Puzzle)}), "a position has no puzzle"},
		"no solution":    {func() error { _, err := TraySolution{}.Panels(); return err }(), "no puzzle"},
		"short position": {with(Tray{Puzzle: p, Position: start[1:]}), "a position has 9 places for the puzzle's 10 pieces"},
		"no position":    {with(Tray{Puzzle: p}), "a position has 0 places"},
		"beyond":         {put(1, 200), "piece A cannot come to cell 200"},
		"at the edge":    {put(1, 3), "piece A cannot come to cell 3"},
		"overlap":        {put(9, 0), "piece j and one before it are in the same cell"},
		"no piece":       {move(slide.Move{Pieces: "Z", Path: "D"}), "move 1: there is no piece 'Z'"},
		"no path":        {move(slide.Move{Pieces: "g"}), "expected the names of pieces and a path"},
		"no direction":   {move(slide.Move{Pieces: "g", Path: "DX"}), "unexpected 'X' in a path"},
		"in the way":     {move(slide.Move{Pieces: "A", Path: "D"}), "piece A cannot go D: piece E is in the way"},
		"wall":           {solve(nil, slide.Move{Pieces: "g", Path: "D"}, slide.Move{Pieces: "g", Path: "D"}), "the solution cannot be drawn: move 2: piece g cannot go D: there is a wall"},
		"long path":      {solve(nil, slide.Move{Pieces: "g", Path: strings.Repeat("DU", 3000)}), "move 1 of the solution has a path of 6000 cells, expected 4096 at most"},
		"long":           {solve(nil, make([]slide.Move, MaxPanels)...), "the solution has 4096 moves, expected 4095 at most"},
		"bad start":      {solve(start[:3]), "a position has 3 places"},
		"fast":           {timing(Timing{Jump: time.Millisecond}), "expected 100ms to 10s"},
		"gif pixels":     {WriteGIF(io.Discard, []Frame{{Panel: Panel{far, ""}}}, 0, Style{}), "at most 4 million"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
	if err := solve(nil, slide.Move{Pieces: "gh", Path: "D"}); err != nil {
		t.Errorf("pieces that move together: %v", err)
	}
	if caption := (Tray{}).Caption(); caption != "" {
		t.Errorf("the caption of nothing is %q", caption)
	}
}

func TestTrayThemes(t *testing.T) {
	for _, theme := range Themes() {
		check := func(what string, a, b color.RGBA, want float64) {
			if got := contrast(a, b); got < want {
				t.Errorf("%s: the contrast of %s is %.2f, want %.1f", theme.Name, what, got, want)
			}
		}
		check("the mark of a goal and the floor in it", theme.Goal, theme.target(), 1.5)
		for i := range theme.Blocks {
			b := theme.block(i)
			check("letters and pieces", b.letter, b.face, 4.5)
			// A piece is set off by its face or its edge.
			if contrast(b.face, theme.Hole) < 3 {
				check("the edge of pieces and the floor", b.shade, theme.Hole, 3)
			}
			if i > 0 {
				check("the mark of a goal and pieces", theme.Goal, b.face, 1.5)
				for j := range i {
					if off := distance(b.face, theme.Blocks[j]); off < 40 {
						t.Errorf("%s: the colours %d and %d of pieces are only %.0f apart", theme.Name, i, j, off)
					}
				}
				if off := distance(b.face, theme.Blocks[0]); off < 75 {
					t.Errorf("%s: colour %d of pieces is only %.0f from that of the goal", theme.Name, i, off)
				}
			}
		}
	}
}

// Whatever is to be drawn, there is a picture or an error.
func FuzzTray(f *testing.F) {
	all := puzzles()
	names := slices.Sorted(maps.Keys(all))
	f.Add(0, []byte{}, "A", "RRD", 40, 0, 700, false)
	f.Add(3, []byte{1, 2, 3}, "AB", "LLUX", 8, 3, 100, true)
	f.Add(slices.Index(names, "slide/klotski"), []byte{0, 1, 3, 8, 9, 11, 13, 14, 16, 19}, "gh", "D", 13, 1, 10000, false)
	f.Add(slices.Index(names, "slide/n3x4"), []byte(all["slide/n3x4"].Start()), "B", "RL", 400, 4096, 0, false)
	f.Add(slices.Index(names, "far apart"), []byte(all["far apart"].Start()), "A", "R", 20, 0, 5, false)
	f.Add(-1, []byte{255}, "\xff\x00", "\xff", -1, -1, -1, true)
	f.Fuzz(func(t *testing.T, puzzle int, position []byte, pieces, path string, cell, columns, speed int, letters bool) {
		var p *slide.Puzzle
		if puzzle >= 0 && puzzle < len(names) {
			p = all[names[puzzle]]
		}
		s := TraySolution{Puzzle: p, Start: position, Moves: []slide.Move{{Pieces: pieces, Path: path}}}
		panels, err := s.Panels()
		if err != nil {
			return
		}
		style := Style{Cell: cell, NoLetters: letters}
		if err := Text(io.Discard, panels, columns, style); err != nil {
			return
		}
		picture, err := Sheet(panels, columns, style)
		if err != nil {
			t.Fatal(err)
		}
		classes(t, svg(t, picture))
		frames, err := s.Frames(Timing{Jump: time.Duration(speed) * time.Millisecond})
		if err != nil {
			return
		}
		if w, h := picture.Size(); w*h < 200_000 {
			if err := picture.WritePNG(io.Discard); err != nil {
				t.Fatal(err)
			}
			if err := WriteGIF(io.Discard, frames, 0, style); err != nil {
				t.Fatal(err)
			}
		}
	})
}
