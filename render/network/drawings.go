package network

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"pagoda/render"
)

// MaxDrawings is the most vertices that are drawings: each takes some hundred bytes to some thousand.
const MaxDrawings = 4096

// pictured is a network while it is drawn, with drawings for its vertices.
type pictured struct {
	Network
	style         render.Style
	captions      bool
	theme         render.Theme
	p             *render.Picture
	width, height float64 // of the largest drawing
	frame         float64 // how wide the mark of a start or a goal is
	letters       float64 // the size of headings
}

// drawings draws a network whose vertices are drawings, in columns.
func (n Network) drawings(s Style) (*render.Picture, error) {
	switch {
	case s.Cell < render.MinCell || s.Cell > render.MaxCell:
		return nil, fmt.Errorf("the size of a cell is %d pixels, expected %d to %d", s.Cell, render.MinCell, render.MaxCell)
	case len(n.Drawings) > MaxDrawings:
		return nil, fmt.Errorf("the graph has %d positions; at most %d are drawn each as a board", len(n.Drawings), MaxDrawings)
	case len(n.Drawings) != len(n.At):
		return nil, fmt.Errorf("the graph has %d vertices and %d drawings, expected one each", len(n.At), len(n.Drawings))
	}
	b := &pictured{Network: n, style: render.Style{Cell: s.Cell, Theme: s.Theme}, captions: !s.NoCaptions, theme: s.Theme}
	for _, d := range n.Drawings {
		if err := d.Check(); err != nil {
			return nil, err
		}
		w, h := d.Size(s.Cell)
		b.width, b.height = max(b.width, float64(w)), max(b.height, float64(h))
	}
	b.frame = max(2, 0.2*float64(s.Cell))
	b.letters = max(11, 0.8*float64(s.Cell))
	b.place()
	b.p.SetTitle(n.Title)
	b.edges()
	for i := range n.Drawings {
		b.vertex(i)
	}
	if b.captions {
		b.headings()
		b.legend()
	}
	return b.p, nil
}

// place finds the places of the middles of the drawings, and the size of the picture.
func (b *pictured) place() {
	columns := make(map[int][]int)
	for i, d := range b.Distance {
		columns[d] = append(columns[d], i)
	}
	nearest, most := math.Inf(1), 0 // vertices of a column
	for _, c := range columns {
		slices.SortFunc(c, func(i, k int) int { return cmp.Compare(b.At[i].Y, b.At[k].Y) })
		for k := 1; k < len(c); k++ {
			nearest = min(nearest, b.At[c[k]].Y-b.At[c[k-1]].Y)
		}
		most = max(most, len(c))
	}
	rowGap := 0.3*b.height + 3*b.frame
	scale := 0.0
	if most > 1 {
		scale = (b.height + rowGap) / max(nearest, 1e-9)
	}
	box := render.BoxOf(b.At...)
	high := scale * (box.Max.Y - box.Min.Y)
	// Lines are less steep in a wide picture.
	columnGap := min(max(b.width, 0.06*high), 5*b.width)
	edge := b.width/2 + margin
	top, below := b.height/2+margin, b.height/2+margin
	if b.captions {
		below += 2.4 * b.letters
		if b.Headings != nil {
			top += 2 * b.letters
		}
	}
	far := slices.Max(b.Distance)
	places := make([]render.Point, len(b.At))
	for i, q := range b.At {
		// Whole pixels keep the drawings sharp.
		places[i] = render.Pt(math.Round(edge+float64(b.Distance[i])*(b.width+columnGap)), math.Round(top+scale*(q.Y-box.Min.Y)))
	}
	b.At = places
	width := 2*edge + float64(far)*(b.width+columnGap)
	if b.captions {
		width = max(width, b.legendWidth()+2*margin)
	}
	b.p = render.NewPicture(int(math.Ceil(width)), int(math.Ceil(top+high+below)), b.theme.Background)
}

// edges draws the lines, those of the path last. A line leads from the right side of a drawing to the
// left side of another one. Under both it goes on to the middle, as not all drawings fill their boxes.
func (b *pictured) edges() {
	stroke := max(1, 0.09*float64(b.style.Cell))
	b.lines(b.Edges, stroke, b.theme.Edge)
	var path [][2]int
	for i := 1; i < len(b.Path); i++ {
		path = append(path, [2]int{b.Path[i-1], b.Path[i]})
	}
	b.lines(path, 3*stroke, b.theme.Mark)
}

// lines draws edges as lines.
func (b *pictured) lines(edges [][2]int, stroke float64, fill color.RGBA) {
	if len(edges) == 0 {
		return
	}
	var segments []render.Segment
	ends := make(map[render.Segment]bool)
	for _, e := range edges {
		from, to := b.At[e[0]], b.At[e[1]]
		if from.X > to.X {
			from, to = to, from
		}
		right, left := from.Plus(b.width/2, 0), to.Plus(-b.width/2, 0)
		segments = append(segments, render.Segment{From: right, To: left})
		for _, end := range []render.Segment{{From: from, To: right}, {From: left, To: to}} {
			if !ends[end] {
				ends[end] = true
				segments = append(segments, end)
			}
		}
	}
	b.p.Add(render.Lines{Segments: segments, Stroke: stroke, Color: fill})
}

// vertex draws a vertex, with a frame for a start or a goal.
func (b *pictured) vertex(i int) {
	d := b.Drawings[i]
	w, h := d.Size(b.style.Cell)
	at := b.At[i].Plus(-math.Floor(float64(w)/2), -math.Floor(float64(h)/2))
	box := render.Box{Min: at, Max: at.Plus(float64(w), float64(h))}
	b.marks(box, slices.Contains(b.Starts, i), slices.Contains(b.Goals, i))
	d.Draw(b.p, at, b.style)
}

// marks draws the frames of a start and of a goal around a box.
func (b *pictured) marks(box render.Box, start, goal bool) {
	grow := 0.0
	var frames []render.Rect
	for _, m := range []struct {
		is   bool
		fill color.RGBA
	}{{start, b.theme.Text}, {goal, b.theme.Mark}} {
		if m.is {
			grow += b.frame
			frames = append(frames, render.Rect{Box: box.Grow(grow), R: grow + 0.5*float64(b.style.Cell), Fill: m.fill})
		}
	}
	for _, f := range slices.Backward(frames) {
		b.p.Add(f)
	}
	if frames != nil {
		b.p.Add(render.Rect{Box: box, R: 0.5 * float64(b.style.Cell), Fill: b.theme.Background})
	}
}

// headings writes the headings of the columns.
func (b *pictured) headings() {
	seen := make(map[int]bool)
	for i, d := range b.Distance {
		if !seen[d] && d < len(b.Headings) {
			b.p.Add(render.Label{At: render.Pt(b.At[i].X, margin+0.4*b.letters), Size: b.letters, Text: b.Headings[d], Fill: b.theme.Text})
		}
		seen[d] = true
	}
}

// The words of the legend.
var legendWords = []string{"start", "goal"}

// legendWidth returns the width of the legend with the title.
func (b *pictured) legendWidth() float64 {
	w := render.TextWidth(b.Title, b.letters)
	for _, word := range legendWords {
		w += render.TextWidth(word, b.letters) + 4*b.letters
	}
	return w
}

// legend says what the marks mean, and the title, on one line at the foot.
func (b *pictured) legend() {
	width, height := b.p.Size()
	x, y := float64(margin), float64(height)-margin-0.2*b.letters
	text := func(s string) {
		w := render.TextWidth(s, b.letters)
		b.p.Add(render.Label{At: render.Pt(x+w/2, y), Size: b.letters, Text: s, Fill: b.theme.Text})
		x += w + 2*b.letters
	}
	for i, vertices := range [][]int{b.Starts, b.Goals} {
		if len(vertices) == 0 {
			continue
		}
		side := 0.9 * b.letters
		fill := b.theme.Text
		if i == 1 {
			fill = b.theme.Mark
		}
		box := render.Box{Min: render.Pt(x, y-0.8*b.letters), Max: render.Pt(x+side, y-0.8*b.letters+side)}
		b.p.Add(render.Rect{Box: box, R: 0.25 * side, Fill: fill}, render.Rect{Box: box.Grow(-0.22 * side), R: 0.1 * side, Fill: b.theme.Background})
		x += side + 0.5*b.letters
		text(legendWords[i])
	}
	x = max(x, float64(width)-margin-render.TextWidth(b.Title, b.letters))
	text(b.Title)
}
