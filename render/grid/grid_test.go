package grid

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// dials is a space of digits below a base, one in each cell. A move turns a digit up by one. The
// goal is all digits at their highest.
type dials struct {
	base  int
	cells []cells.Cell
}

// corner has cells that are no rectangle.
var corner = dials{4, []cells.Cell{{Row: 1, Col: 2}, {Row: 1, Col: 3}, {Row: 2, Col: 2}, {Row: 4, Col: 5}}}

func (d dials) Name() string                        { return "dials" }
func (d dials) Roots() []statespace.Index           { return []statespace.Index{0} }
func (d dials) Definition() statespace.Definition   { return statespace.Definition{Family: "dials"} }
func (d dials) Cells() []cells.Cell                 { return d.cells }
func (d dials) Contents() int                       { return d.base }
func (d dials) Format(x statespace.Index) string    { return d.FormatPattern(d.state(x)) }
func (d dials) Size() uint64                        { return d.power(len(d.cells)) }
func (d dials) digit(x statespace.Index, i int) int { return int(x / d.power(i) % uint64(d.base)) }

func (d dials) Parts() statespace.Parts {
	return statespace.Parts{Cells: d, Goals: statespace.Goals{Is: func(x statespace.Index) bool { return x == d.Size()-1 }}}
}

func (d dials) power(n int) statespace.Index {
	p := statespace.Index(1)
	for range n {
		p *= statespace.Index(d.base)
	}
	return p
}

func (d dials) state(x statespace.Index) cells.Pattern {
	p := cells.Open(len(d.cells))
	d.State(p, x)
	return p
}

func (d dials) State(dst cells.Pattern, x statespace.Index) {
	for i := range dst {
		dst[i] = int8(d.digit(x, i))
	}
}

func (d dials) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for i := range d.cells {
		if d.digit(x, i) < d.base-1 {
			dst = append(dst, statespace.Edge{To: x + d.power(i), Move: i})
		}
	}
	return dst
}

func (d dials) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for i := range d.cells {
		if d.digit(x, i) > 0 {
			dst = append(dst, statespace.Edge{To: x - d.power(i), Move: i})
		}
	}
	return dst
}

func (d dials) FormatMove(_ statespace.Index, e statespace.Edge) string {
	return fmt.Sprintf("turn dial %d", e.Move)
}

func (d dials) Parse(text string) (x statespace.Index, err error) {
	p, err := d.ParsePattern(text)
	for i, content := range p {
		if content == cells.Any {
			return 0, errors.New("a digit is open")
		}
		x += uint64(content) * d.power(i)
	}
	return x, err
}

func (d dials) ParsePattern(text string) (cells.Pattern, error) {
	fields := strings.Fields(text)
	p := cells.Open(len(fields))
	for i, field := range fields {
		if _, err := fmt.Sscan(field, &p[i]); err != nil && field != "?" {
			return nil, fmt.Errorf("%q is no digit", field)
		}
	}
	if len(p) != len(d.cells) {
		return nil, fmt.Errorf("there are %d digits, expected %d", len(p), len(d.cells))
	}
	return p, nil
}

func (d dials) FormatPattern(p cells.Pattern) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(p), "[]"), "-1", "?")
}

func TestStill(t *testing.T) {
	for text, want := range map[string]string{
		"0 0 0 0": "start", "3 3 3 3": "goal", "? 1 0 0": "", "? ? ? ?": "", "2 2 2 2": "",
	} {
		p, err := Drawer{}.Still(corner, text)
		if err != nil || p.Drawing.Title() != text || p.Caption != want {
			t.Errorf("%s is drawn as %v, %v, want the caption %q", text, p, err, want)
		}
	}
}

// starred is a space that writes * for a piece, and # for a cell of its own.
type starred struct {
	dials
	cells.Letters
}

func (s starred) Cells() []cells.Cell                  { return s.Letters.Cells() }
func (s starred) Contents() int                        { return s.Letters.Contents() }
func (s starred) FormatPattern(p cells.Pattern) string { return s.Letters.FormatPattern(p) }
func (s starred) ParsePattern(text string) (cells.Pattern, error) {
	return s.Letters.ParsePattern(text)
}

// wordy is a space that writes no characters for cells.
type wordy struct{ dials }

func (wordy) FormatPattern(cells.Pattern) string { return "some words" }

// The text has a character for each cell: that which the puzzle writes, or else a different one for each
// content.
func TestText(t *testing.T) {
	text := func(sp cells.Celled, p cells.Pattern) string {
		return rendertest.Text(t, []render.Panel{{Drawing: State{sp, p}}}, 0, render.Style{})
	}
	for _, c := range []struct {
		sp   cells.Celled
		p    cells.Pattern
		want string
	}{
		{corner, cells.Pattern{0, 1, cells.Any, 3}, "01\n?\n\n   3\n"},
		{starred{corner, cells.NewLetters(corner.cells, ".*#")}, cells.Pattern{2, 1, cells.Any, 0}, "#*\n?\n\n   .\n"},
		{wordy{dials{2, corner.cells}}, cells.Pattern{0, 1, cells.Any, 1}, ".o\n?\n\n   o\n"},
		{wordy{corner}, cells.Pattern{0, 1, cells.Any, 3}, ".1\n?\n\n   3\n"},
	} {
		if got := text(c.sp, c.p); got != c.want {
			t.Errorf("found\n%s\nwant\n%s", got, c.want)
		}
	}
	many := dials{base: 127}
	p := cells.Pattern{cells.Any}
	for i := range many.base {
		many.cells, p = append(many.cells, cells.Cell{Col: i}), append(p, int8(i))
	}
	many.cells = append(many.cells, cells.Cell{Col: many.base})
	row := []rune(State{many, p}.Rows()[0])
	slices.Sort(row)
	if n := len(slices.Compact(row)); n != 128 {
		t.Errorf("127 contents and an open cell have %d characters", n)
	}
}

// The picture has a square for each cell, with a piece, the mark of an open cell, or nothing. The
// number of a content is on its piece, and fits.
func TestSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, base := range []int{1, 2, 3, 12, 127} {
		sp := dials{base, corner.cells}
		for range 5 {
			d := State{sp, cells.Open(len(sp.cells))}
			numbers, pieces, open := []string(nil), 0, 0
			for i := range d.Pattern {
				if d.Pattern[i] = int8(r.IntN(base+1) - 1); d.Pattern[i] == cells.Any {
					open++
				} else if d.Pattern[i] > 0 {
					pieces++
					numbers = append(numbers, fmt.Sprint(d.Pattern[i]))
				}
			}
			if base <= 2 {
				numbers = nil
			}
			style := render.Style{Cell: 30}
			p := rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, style)
			class, texts := rendertest.Classes(t, p)
			if class["cell"] != 4 || class["piece"] != pieces || class["any"] != open || !slices.Equal(texts["text"], numbers) {
				t.Errorf("%v has the classes %v and the numbers %v", d.Pattern, class, texts["text"])
			}
			width := 0.0
			for _, e := range rendertest.Elements(t, p) {
				switch {
				case e.Attr["class"] == "piece":
					width = e.Number(t, "width")
				case e.Name == "text" && render.TextWidth(e.Text, e.Number(t, "font-size")) > width:
					t.Errorf("the number %s does not fit into %.0f pixels", e.Text, width)
				}
			}
			style.NoLetters = true
			if _, texts := rendertest.Classes(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, style)); len(texts["text"]) > 0 {
				t.Errorf("without letters there are %q", texts["text"])
			}
		}
	}
}

// The middle of each cell has the colour of its content, and cells that touch have a line between
// them.
func TestImage(t *testing.T) {
	for i, cell := range []int{render.MinCell, 13, 40, 57} {
		theme := render.Themes()[i%3]
		for _, p := range []cells.Pattern{{0, 1, 2, 3}, {cells.Any, cells.Any, 0, 1}} {
			d := State{corner, p}
			img := rendertest.Image(t, rendertest.Sheet(t, []render.Panel{{Drawing: d}}, 0, render.Style{Cell: cell, Theme: theme, NoLetters: true}))
			width, _ := d.Size(cell)
			border := (img.Rect.Dx()-width)/2 + render.Rim(cell)
			for i, c := range corner.cells {
				want := theme.Hole
				switch {
				case p[i] == cells.Any:
					want = theme.Any
				case p[i] > 0:
					want = theme.Blocks[p[i]-1]
				}
				x, y := border+(c.Col-2)*cell, border+(c.Row-1)*cell
				if got := img.RGBAAt(x+cell/2, y+cell/2); got != want {
					t.Errorf("cells of %d, %v: %v is %v, want %v", cell, p, c, got, want)
				}
				if got := img.RGBAAt(x, y+cell/2); got != theme.Edge {
					t.Errorf("cells of %d, %v: the edge of %v is %v, want %v", cell, p, c, got, theme.Edge)
				}
			}
			if got := img.RGBAAt(border+cell*3/2, border+cell*3/2); got != theme.Background {
				t.Errorf("cells of %d: a place without a cell is %v", cell, got)
			}
		}
	}
	// Contents have the colours in turn.
	theme := render.Themes()[0]
	for content := int8(1); content < 20; content++ {
		if got, want := block(theme, content).Face, theme.Blocks[(content-1)%6]; got != want {
			t.Errorf("content %d is %v, want %v", content, got, want)
		}
	}
}

// path makes moves with the first, the second, the first dial again and so on.
func path(sp dials, moves int) statespace.Path {
	var p statespace.Path
	at := p.From
	for i := range moves {
		edges := sp.Successors(nil, at)
		e := edges[i%2]
		p.Steps, at = append(p.Steps, statespace.Step{Move: e.Move, State: e.To}), e.To
	}
	return p
}

// A film strip has a caption for the move that comes next, an animation for the last one.
func TestFilm(t *testing.T) {
	film, err := Drawer{}.Film(corner, path(corner, 3))
	if err != nil {
		t.Fatal(err)
	}
	scenes := rendertest.Play(t, 0, film)
	var played []render.Panel
	for _, s := range scenes {
		played = append(played, s.Panels...)
	}
	for _, c := range []struct {
		what   string
		panels []render.Panel
		want   string
	}{
		{"strip", film.Strip(), "0 0 0 0: move 1: turn dial 0|1 0 0 0: move 2: turn dial 1|1 1 0 0: move 3: turn dial 0|2 1 0 0: end, 3 moves"},
		{"animation", played, "0 0 0 0: start|1 0 0 0: move 1: turn dial 0|1 1 0 0: move 2: turn dial 1|2 1 0 0: move 3: turn dial 0"},
	} {
		var got []string
		for _, p := range c.panels {
			got = append(got, p.Drawing.Title()+": "+p.Caption)
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("the %s is %s, want %s", c.what, got, c.want)
		}
	}
	for i, theme := range render.Themes() {
		rendertest.CheckGIF(t, theme.Name, scenes, 0, render.Style{Cell: 20 + 9*i, Theme: theme})
	}
	long := caption(7, "  many\n\twords "+strings.Repeat("\u00e9", 100))
	if want := "move 7: many words " + strings.Repeat("\u00e9", maxMove-14) + "..."; long != want {
		t.Errorf("a long move has the caption %q, want %q", long, want)
	}
}

// Families that have a drawer of their own can be drawn by this one.
// cellless is a space that is not drawn cell by cell.
type cellless struct{ statespace.Space }

func (cellless) Parts() statespace.Parts { return statespace.Parts{} }

func TestLimits(t *testing.T) {
	with := func(d State) error {
		_, err := render.Sheet([]render.Panel{{Drawing: d}}, 0, render.Style{})
		return err
	}
	still := func(sp statespace.Space, text string) error { _, err := Drawer{}.Still(sp, text); return err }
	film := func(sp statespace.Space, p statespace.Path) error { _, err := Drawer{}.Film(sp, p); return err }
	bare := cellless{corner} // hides the cells
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"nothing":      {with(State{}), "a state has no cells"},
		"no cells":     {with(State{Cells: dials{base: 2}}), "a state has no cells"},
		"short":        {with(State{corner, cells.Open(3)}), "a state has 3 cells, expected 4"},
		"content":      {with(State{corner, cells.Pattern{0, 4, 0, 0}}), "cell (1,3) has content 4, expected 0 to 3"},
		"negative":     {with(State{corner, cells.Pattern{0, -2, 0, 0}}), "cell (1,3) has content -2"},
		"far":          {with(State{dials{2, []cells.Cell{{Row: MaxSide}}}, cells.Open(1)}), "cell (4096,0) is out of range"},
		"before":       {with(State{dials{2, []cells.Cell{{Col: -1}}}, cells.Open(1)}), "cell (0,-1) is out of range"},
		"text":         {still(corner, "1 2 3 x"), `"x" is no digit`},
		"still, other": {still(bare, "0 0 0 0"), "dials cannot be drawn: " + render.ErrFamily.Error()},
		"film, other":  {film(bare, statespace.Path{}), "dials cannot be drawn: " + render.ErrFamily.Error()},
		"state":        {film(corner, statespace.Path{From: corner.Size()}), "the path has a state with number 256; the numbers of dials are below 256"},
		"long":         {film(corner, statespace.Path{Steps: make([]statespace.Step, render.MaxPanels)}), "the path has 4096 moves, expected at most 4095"},
		"no move":      {film(corner, statespace.Path{Steps: []statespace.Step{{State: 2}}}), "move 1: no move leads from 0 0 0 0 to 2 0 0 0"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
	if !errors.Is(still(bare, ""), render.ErrFamily) {
		t.Error("a space without cells is not ErrFamily")
	}
}
