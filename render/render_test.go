package render_test

import (
	"bytes"
	"image/gif"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/render"
	"pagoda/render/png"
	"pagoda/render/rendertest"
	"pagoda/statespace"
)

// blink returns a film of lamps that are lit one after the other: the move to lamp i+1 leads over lengths[i] cells.
func blink(lengths ...int) render.Film {
	f := render.Film{Lengths: lengths, Draw: func(i int, share float64) render.Drawing {
		d := make(Lamps, len(lengths)+2)
		d[i], d[len(lengths)+1] = true, share > 0
		return d
	}}
	c := &f.Captions
	for i := range len(lengths) + 1 {
		c.States = append(c.States, strings.Repeat("j", i))
	}
	c.Strip, c.Flight = c.States, c.States
	return f
}

// random returns lamps, about half of them lit.
func random(r *rand.Rand, n int) Lamps {
	d := make(Lamps, n)
	for i := range d {
		d[i] = r.IntN(2) == 0
	}
	return d
}

func TestEscape(t *testing.T) {
	caption := `<&>"' ` + "\x00\x1b]]> é 謎"
	_, texts := rendertest.Classes(t, rendertest.Sheet(t, []render.Panel{{Lamps{true}, caption}}, 0, render.Style{}))
	if got, want := texts["text"][0], strings.NewReplacer("\x00", "\ufffd", "\x1b", "\ufffd").Replace(caption); got != want {
		t.Errorf("the caption reads %q, want %q", got, want)
	}
}

// Captions change in scenes of several panels, and may reach beyond their panels. Each frame
// still equals the whole scene.
func TestScenes(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	var scenes []render.Scene
	for range 9 {
		s := render.Scene{Delay: time.Second}
		for range 5 {
			s.Panels = append(s.Panels, render.Panel{Drawing: random(r, 3), Caption: strings.Repeat("gj", r.IntN(4))})
		}
		scenes = append(scenes, s)
	}
	for i, theme := range render.Themes() {
		for columns := range 6 {
			rendertest.CheckGIF(t, theme.Name, scenes, columns, render.Style{Cell: rendertest.Cells(8, 25, 40)[i], Theme: theme})
		}
	}
}

func TestOneFrame(t *testing.T) {
	one := render.Scene{Panels: []render.Panel{{Lamps{true, false}, "x"}}, Delay: time.Second}
	for n := range 3 { // equal frames change nothing
		var data bytes.Buffer
		if err := render.WriteGIF(&data, slices.Repeat([]render.Scene{one}, n+1), 0, 0, render.Style{}); err != nil {
			t.Fatal(err)
		}
		if g, err := gif.DecodeAll(&data); err != nil || len(g.Image) != n+1 {
			t.Errorf("%d frames are written, and read as %v, %v", n+1, g, err)
		}
	}
}

// Films end together. A move takes the time of the longest at the same time, up to three times
// that of one cell. Moves of no cells have no frames under way.
func TestPlay(t *testing.T) {
	films := []render.Film{blink(0, 1, 4), blink(7), blink(), render.Still(render.Panel{Drawing: Lamps{true}})}
	scenes := rendertest.Play(t, time.Second, films...)
	times := make(map[string]time.Duration) // by the first film
	for i, s := range scenes {
		title := s.Panels[0].Drawing.Title()
		times[title] += s.Delay
		begun := title == "..*.*" || i == len(scenes)-1
		if now := s.Panels[1]; begun == reflect.DeepEqual(now, films[1].Frame(0, 0)) {
			t.Errorf("scene %d shows %v and %v", i, title, now.Drawing.Title())
		}
		if !reflect.DeepEqual(s.Panels[2:], []render.Panel{films[2].Frame(0, 0), films[3].Frame(0, 0)}) {
			t.Errorf("scene %d shows %v of films without moves", i, s.Panels[2:])
		}
	}
	// About three fifths of a move are under way: 8 frames of 70 ms, and 36 frames of 50 ms.
	want := map[string]time.Duration{"*....": render.DefaultHold, ".*...": time.Second, ".*..*": 560 * time.Millisecond,
		"..*..": 440 * time.Millisecond, "..*.*": 1800 * time.Millisecond, "...*.": render.DefaultHold}
	if !maps.Equal(times, want) {
		t.Errorf("the states are shown for %v, want %v", times, want)
	}
	for name, c := range map[string]struct{ got, want []render.Panel }{
		"strip": {films[1].Strip(), []render.Panel{films[1].Frame(0, 0), films[1].Frame(1, 0)}},
		"ends":  {render.Ends(films...), scenes[len(scenes)-1].Panels},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	total := func(cells int) (d time.Duration) {
		for _, s := range rendertest.Play(t, time.Second, blink(cells, 1)) {
			if s.Panels[0].Caption == "" {
				d += s.Delay
			}
		}
		return d - render.DefaultHold
	}
	if a, b := total(7), total(70); a != 1800*time.Millisecond || b != a {
		t.Errorf("moves by 7 and 70 cells are under way for %v and %v, want 1.8 s", a, b)
	}
	for n, want := range []string{"start", "end, 1 move", "end, 2 moves"} {
		if got := render.EndCaption(n); got != want {
			t.Errorf("%d moves end with %q", n, got)
		}
	}
}

func TestLimits(t *testing.T) {
	one := render.Panel{Drawing: Lamps{true}}
	with := func(panels []render.Panel, columns int, s render.Style) error {
		_, err := render.Sheet(panels, columns, s)
		return err
	}
	gifOf := func(columns, loop int, s ...render.Scene) error {
		return render.WriteGIF(io.Discard, s, columns, loop, render.Style{})
	}
	pixels := func(cells int, s render.Style) error {
		return png.Encode(io.Discard, rendertest.Sheet(t, []render.Panel{{Drawing: make(Lamps, cells)}}, 0, s))
	}
	play := func(step time.Duration) error { _, err := render.Play(step, blink(1)); return err }
	plot := func(n int) error {
		_, err := render.Plot{Layers: make([]statespace.Layer, n)}.Picture()
		return err
	}
	scene := render.Scene{Panels: []render.Panel{one}}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"small cells":  {with([]render.Panel{one}, 0, render.Style{Cell: render.MinCell - 1}), "the size of a cell is 7 pixels, expected 8 to 400"},
		"large cells":  {with([]render.Panel{one}, 0, render.Style{Cell: render.MaxCell + 1}), "expected 8 to 400"},
		"no panels":    {with(nil, 0, render.Style{}), "there are 0 drawings, expected 1 to 4096"},
		"many panels":  {with(make([]render.Panel, render.MaxPanels+1), 0, render.Style{}), "there are 4097 drawings"},
		"columns":      {with([]render.Panel{one}, -1, render.Style{}), "the number of columns is -1"},
		"gif columns":  {gifOf(-1, 0, scene), "the number of columns is -1"},
		"long caption": {with([]render.Panel{{one.Drawing, strings.Repeat("x", 201)}}, 0, render.Style{}), "found 201"},
		"lines":        {with([]render.Panel{{one.Drawing, "a\nb"}}, 0, render.Style{}), "one line"},
		"text":         {render.Text(io.Discard, nil, 0, render.Style{}), "there are 0 drawings"},
		"text cells":   {render.Text(io.Discard, []render.Panel{one}, 0, render.Style{Cell: 7}), "expected 8 to 400"},
		"pixels":       {pixels(2000, render.Style{Cell: 400}), "800480 x 880 pixels; at most 40 million"},
		"gif pixels":   {gifOf(0, 0, render.Scene{Panels: []render.Panel{{Drawing: make(Lamps, 2000)}}}), "at most 4 million"},
		"check":        {with([]render.Panel{{Drawing: Lamps{}}}, 0, render.Style{}), "there are no lamps"},
		"no drawing":   {with([]render.Panel{{}}, 0, render.Style{}), "no drawing"},
		"no frames":    {gifOf(0, 0), "there are 0 frames"},
		"few panels":   {gifOf(0, 0, render.Scene{Panels: []render.Panel{one, one}}, scene), "a frame has 1 drawings, expected 2 as in the first"},
		"no panel":     {gifOf(0, 0, render.Scene{}), "there are 0 drawings"},
		"delay":        {gifOf(0, 0, render.Scene{Panels: scene.Panels, Delay: time.Hour}), "shown for 1h0m0s, expected 0 to 10m0s"},
		"loop":         {gifOf(0, -1, scene), "-1 times, expected 1 to 65535"},
		"long loop":    {gifOf(0, render.MaxLoop+1, scene), "65536 times"},
		"fast":         {play(time.Millisecond), "the time of a move is 1ms, expected 100ms to 10s"},
		"slow":         {play(time.Minute), "the time of a move is 1m0s, expected 100ms to 10s"},
		"no layers":    {plot(0), "there are 0 layers to plot, expected 1 to 4096"},
		"many layers":  {plot(render.MaxLayers + 1), "there are 4097 layers"},
		"transparent":  {with([]render.Panel{one}, 0, render.Style{Theme: render.Theme{Name: "x"}}), `the theme "x" has the colour {0 0 0 0}, expected opaque`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}

func TestPlot(t *testing.T) {
	h := render.Plot{Space: "<a&b>", Name: "pegs"}
	for i := range 33 {
		h.Layers = append(h.Layers, statespace.Layer{Layer: 34 - i, States: uint64(i * i * 1000)})
	}
	for _, h.Log = range []bool{false, true} {
		p, err := h.Picture()
		if err != nil {
			t.Fatal(err)
		}
		_, texts := rendertest.Classes(t, p)
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
		elements, height := rendertest.Elements(t, p), 0.0
		for i, e := range elements {
			if e.Name != "title" || i < 2 {
				continue
			}
			bar := elements[i-1]
			if now := bar.Number(t, "height"); now < height || now < 1 {
				t.Errorf("the bar of %s is %.0f high, the one before it %.0f", e.Text, now, height)
			} else {
				height = now
			}
			// Texts above the plot end at 70.
			if w, _ := p.Size(); bar.Number(t, "y") < 70 || bar.Number(t, "x")+bar.Number(t, "width") > float64(w) {
				t.Errorf("the bar of %s reaches out of the plot", e.Text)
			}
		}
	}
}

// The bars are of states up to symmetry if the plot is.
func TestPlotUpToSymmetry(t *testing.T) {
	h := render.Plot{Space: "x", Name: "pegs", Orbits: true, Layers: []statespace.Layer{{Layer: 2, States: 8, Orbits: 1}, {Layer: 1, States: 12, Orbits: 3}}}
	p, err := h.Picture()
	if err != nil {
		t.Fatal(err)
	}
	_, texts := rendertest.Classes(t, p)
	if got, want := texts["title"], []string{"x: 4 states up to symmetry", "2 pegs: 1 state up to symmetry", "1 pegs: 3 states up to symmetry"}; !slices.Equal(got, want) {
		t.Errorf("the titles are %q, expected %q", got, want)
	}
	var heights []float64
	for i, e := range rendertest.Elements(t, p) {
		if e.Name == "title" && i > 1 {
			heights = append(heights, rendertest.Elements(t, p)[i-1].Number(t, "height"))
		}
	}
	if len(heights) != 2 || math.Abs(heights[1]-3*heights[0]) > 2 {
		t.Errorf("the bars are %v high", heights)
	}
}

// Labels under the bars do not run into each other, however many there are.
func TestLabels(t *testing.T) {
	for _, n := range []int{1, 2, 33, 80, 200, 1000, render.MaxLayers} {
		h := render.Plot{Space: "x", Name: "moves"}
		for i := range n {
			h.Layers = append(h.Layers, statespace.Layer{Layer: i, States: 5})
		}
		p, err := h.Picture()
		if err != nil {
			t.Fatal(err)
		}
		end, labels := 0.0, 0
		for _, e := range rendertest.Elements(t, p) {
			if e.Attr["text-anchor"] != "middle" || e.Text == "moves" {
				continue
			}
			w := render.TextWidth(e.Text, e.Number(t, "font-size"))
			start := e.Number(t, "x") - w/2
			if start < end+2 {
				t.Errorf("%d layers: the label %s begins at %.0f, the one before it ends at %.0f", n, e.Text, start, end)
			}
			end = start + w
			labels++
		}
		if labels == 0 || n > 30 && labels < 6 {
			t.Errorf("%d layers: %d labels", n, labels)
		}
	}
}
