package draw

import (
	"bytes"
	"image/gif"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/render"
	"pagoda/render/rendertest"
)

// solution is NewFilm without errors.
func solution(t testing.TB, b *board.Board, start board.Position, jumps ...int) render.Film {
	t.Helper()
	s, err := NewFilm(b, start, jumps)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// positionOf returns the position after i jumps of a film.
func positionOf(s render.Film, i int) board.Position { return s.Draw(i, -1).(Position).Pattern.Pegs }

// play makes random jumps until none is left or most are made.
func play(t testing.TB, r *rand.Rand, b *board.Board, start board.Position, most int) render.Film {
	t.Helper()
	var jumps []int
	for p := start; len(jumps) < most; {
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
		p ^= b.Jump(k).Mask()
		jumps = append(jumps, k)
	}
	return solution(t, b, start, jumps...)
}

// The frames of a GIF, put on top of each other, equal each scene drawn whole.
func TestGIF(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for k, name := range []string{"peg/4x4", "peg/triangle15", "peg/english", "in parts", "odd lattice"} {
		b := boards()[name]
		s := play(t, r, b, b.Full()&^(1<<(len(b.Cells())/2)), 4)
		for i, theme := range render.Themes() {
			if !long.Tests && i != k%3 {
				continue
			}
			style := render.Style{Cell: rendertest.Cells(12, 23, 40)[i], Theme: theme, NoCaptions: i == 1}
			rendertest.CheckGIF(t, name, rendertest.Play(t, 0, s), 1, style)
		}
	}
}

// An animation begins with the start and ends with the last position.
func TestEnd(t *testing.T) {
	for _, name := range []string{"peg/5x7", "peg/triangle21"} {
		b := boards()[name]
		s := play(t, rand.New(rand.NewPCG(17, 18)), b, b.Full()&^1, 64)
		all := rendertest.Play(t, 0, s)
		for i, end := range map[int]board.Position{0: positionOf(s, 0), len(all) - 1: positionOf(s, s.Moves())} {
			want := []render.Panel{panel(b, board.Pattern{Pegs: end})}
			if !reflect.DeepEqual(all[i].Panels, want) {
				t.Errorf("%s: scene %d is %v, want %s", name, i, all[i].Panels, b.FormatPosition(end))
			}
		}
	}
}

// A film strip has all pegs of all positions, and arrows that lead from the peg that jumps to
// the hole it jumps into.
func TestFilm(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	most := 64
	if !long.Tests {
		most = 6
	}
	for name, b := range boards() {
		s := play(t, r, b, b.Full()&^(1<<r.IntN(len(b.Cells()))), most)
		panels := s.Strip()
		pegs := 0
		for i := range panels {
			pegs += bits.OnesCount64(positionOf(s, 0)) - i
		}
		class, texts := rendertest.Classes(t, rendertest.Sheet(t, panels, 0, render.Style{}))
		if class["peg"] != pegs || len(texts["text"]) != s.Moves()+1 {
			t.Errorf("%s: %d pegs and %d captions, want %d and %d", name, class["peg"], len(texts["text"]), pegs, s.Moves()+1)
		}
		for i, panel := range panels[:s.Moves()] {
			j := *panel.Drawing.(Position).Jump
			style := render.Style{Cell: 30}
			var tip, from render.Point
			for _, e := range rendertest.Elements(t, rendertest.Sheet(t, panels[i:i+1], 0, style)) {
				if e.Name == "polygon" {
					points := e.Points(t)
					tip, from = points[3], points[0].Towards(points[6], 0.5)
				}
			}
			var holes []render.Point
			d := panels[i].Drawing.(Position)
			d.Pattern = board.Pattern{}
			for _, e := range rendertest.Elements(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, style)) {
				if e.Attr["class"] == "hole" {
					holes = append(holes, render.Pt(e.Number(t, "x"), e.Number(t, "y")))
				}
			}
			// The cells of the jump come last. Numbers have two decimals.
			n := len(holes)
			if math.Hypot(tip.X-holes[n-1].X, tip.Y-holes[n-1].Y) > 0.02 || math.Hypot(from.X-holes[n-3].X, from.Y-holes[n-3].Y) > 0.02 {
				t.Fatalf("%s: the arrow of %v leads from %v to %v, want %v to %v", name, j, from, tip, holes[n-3], holes[n-1])
			}
		}
	}
}

func TestTiming(t *testing.T) {
	b := boards()["peg/4x4"]
	s := play(t, rand.New(rand.NewPCG(7, 8)), b, b.Full()&^1, 3)
	for _, jump := range []time.Duration{render.MinTime, 105 * time.Millisecond, 330 * time.Millisecond, render.DefaultMove, 3 * time.Second, render.MaxTime} {
		for loop, want := range map[int]int{0: 0, 1: -1, 2: 1, render.MaxLoop: render.MaxLoop - 1} {
			var data bytes.Buffer
			if err := render.WriteGIF(&data, rendertest.Play(t, jump, s), 0, loop, render.Style{Cell: render.MinCell}); err != nil {
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
			// The first and the last position are shown for two seconds each. The last takes the
			// place of the rest of the last jump.
			first, last := g.Delay[0], g.Delay[len(g.Delay)-1]
			if first != 200 || last != 200 {
				t.Errorf("the first and the last position are shown for %d/100 and %d/100 s, want 2 s", first, last)
			}
			perJump := int(jump / (10 * time.Millisecond))
			if rest := total - 400 - 2*perJump; rest <= 0 || rest >= perJump {
				t.Errorf("at %v for a jump, the third takes %d/100 s before its last position", jump, rest)
			}
		}
	}
}

func TestEqualBytes(t *testing.T) {
	b := boards()["peg/5x7"]
	draw := func() []byte {
		return rendertest.Bytes(t, play(t, rand.New(rand.NewPCG(9, 10)), b, b.Full()&^(1<<17), 3), render.Style{Cell: 20})
	}
	if !bytes.Equal(draw(), draw()) {
		t.Error("the same solution makes other bytes the second time")
	}
}

// ensemble returns films of several lengths, and stills.
func ensemble(t testing.TB, r *rand.Rand) []render.Film {
	b := boards()["peg/4x4"]
	start := b.Full() &^ 1
	still := func(d render.Drawing) render.Film { return render.Still(render.Panel{Drawing: d}) }
	return []render.Film{
		play(t, r, b, start, 4), play(t, r, b, start, 2), still(Plate{b, "\u00c4"}),
		play(t, r, b, start, 0), still(render.Nothing{}), still(Plate{b, "too long for it"}),
	}
}

// In the GIF of several boards, only those that change are redrawn. Each frame still equals the
// whole scene.
func TestScenes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i, theme := range render.Themes() {
		style := render.Style{Cell: rendertest.Cells(9, 16, 23)[i], Theme: theme, NoCaptions: i > 0}
		all := rendertest.Play(t, 300*time.Millisecond, ensemble(t, r)...)
		for k, columns := range []int{0, 1, 4, 9} {
			if !long.Tests && k%3 != i {
				continue
			}
			rendertest.CheckGIF(t, theme.Name, all, columns, style)
		}
	}
}

// A film is played as it is alone. Among several, each stays as it begins until it is played
// without a pause, and ends with the last scene.
func TestEnsemble(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	films, step := ensemble(t, r), 500*time.Millisecond
	all := rendertest.Play(t, step, films...)
	ends := render.Ends(films...)
	if last := all[len(all)-1]; !reflect.DeepEqual(last.Panels, ends) {
		t.Errorf("the last scene is %v, the films end as %v", last.Panels, ends)
	}
	for i, film := range films {
		alone := rendertest.Play(t, step, film)
		wait := len(all) - len(alone)
		for k, scene := range all {
			want := alone[max(0, k-wait)]
			if !reflect.DeepEqual(scene.Panels[i], want.Panels[0]) {
				t.Fatalf("film %d: scene %d shows %v, expected %v", i, k, scene.Panels[i], want.Panels[0])
			}
			if i == 0 && scene.Delay != want.Delay {
				t.Errorf("scene %d is shown for %v, expected %v", k, scene.Delay, want.Delay)
			}
		}
	}
}

func TestStill(t *testing.T) {
	b := boards()["peg/4x4"]
	if all := rendertest.Play(t, 0, render.Still(render.Panel{Drawing: Plate{b, "x"}})); len(all) != 1 {
		t.Errorf("a film without jumps has %d scenes", len(all))
	}
	panels := []render.Panel{{Drawing: Plate{b, "x"}}, {Drawing: render.Nothing{}}, {Drawing: Plate{b, "abcdefgh"}},
		{Drawing: Position{Board: b, Pattern: board.Pattern{Pegs: 1}}}}
	const want = `#######
#     #
#  x  #
#######

#######    o . . .
#     #    . . . .
#abcde#    . . . .
#######    . . . .
`
	if got := rendertest.Text(t, panels, 2, render.Style{}); got != want {
		t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
	class, texts := rendertest.Classes(t, rendertest.Sheet(t, panels, 2, render.Style{}))
	if !slices.Contains(texts["text"], "abcdefgh") || class["hole"] != 15 {
		t.Errorf("the sheet has the texts %q and the classes %v", texts["text"], class)
	}
}

// The drawer reads patterns and paths of a space.
// An animated SVG shows at the time of each scene what the picture of the scene shows.
func TestAnimatedSVG(t *testing.T) {
	b := boards()["peg/5x7"]
	s := play(t, rand.New(rand.NewPCG(23, 24)), b, b.Full()&^1, 6)
	scenes := rendertest.Play(t, 0, s)
	style := render.Style{Cell: 24, NoCaptions: true}
	var out bytes.Buffer
	if err := render.WriteAnimatedSVG(&out, scenes, 1, "A <game>", style); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(out.String(), "<defs>")
	if !strings.Contains(text, "<title>A &lt;game&gt;</title>") {
		t.Errorf("it has no title: %.300s", text)
	}
	whole := time.Duration(0)
	for _, scene := range scenes {
		whole += scene.Delay
	}
	group := regexp.MustCompile(`(?s)<g(?: visibility="hidden")?>(.*?)<animate attributeName="visibility" calcMode="discrete" values="([^"]*)" keyTimes="([^"]*)" dur="([^"]*)s" repeatCount="indefinite"/></g>\n`)
	at := time.Duration(0)
	for k, scene := range scenes {
		now := float64(at+scene.Delay/2) / float64(whole)
		at += scene.Delay
		shown := group.ReplaceAllStringFunc(text, func(g string) string {
			m := group.FindStringSubmatch(g)
			if seconds, err := strconv.ParseFloat(m[4], 64); err != nil || math.Abs(seconds-whole.Seconds()) > 1e-9 {
				t.Errorf("it takes %s s, want %v", m[4], whole)
			}
			values, keys := strings.Split(m[2], ";"), strings.Split(m[3], ";")
			state := ""
			for i, key := range keys {
				if from, err := strconv.ParseFloat(key, 64); err != nil || i == 0 && from != 0 {
					t.Errorf("key times are %s", m[3])
				} else if from <= now {
					state = values[i]
				}
			}
			if state == "visible" {
				return m[1]
			}
			return ""
		})
		want, _, _ := strings.Cut(rendertest.SVG(t, rendertest.Sheet(t, scene.Panels, 1, style)), "<defs>")
		_, want, _ = strings.Cut(want, "</title>")
		if _, shown, _ = strings.Cut(shown, "</title>"); strings.TrimSuffix(shown, "</svg>\n") != strings.TrimSuffix(want, "</svg>\n") {
			t.Fatalf("scene %d of %d shows\n%s\nwant\n%s", k, len(scenes), shown, want)
		}
	}
	if one := len(rendertest.SVG(t, rendertest.Sheet(t, scenes[0].Panels, 1, style))); out.Len() > 40*one {
		t.Errorf("it has %d bytes, a picture %d", out.Len(), one)
	}
}
