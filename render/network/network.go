// Package network draws the graph of a space: a line for each move, and for each position a dot in the
// colour of its distance from the start, or a small drawing.
package network

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"github.com/dustin/go-humanize"

	"pagoda/internal/lists"
	"pagoda/render"
)

// A Network is a graph with places for its vertices.
type Network struct {
	Title    string
	At       []render.Point // of each vertex, in any unit
	Distance []int          // of each vertex from the start
	Edges    [][2]int
	Starts   []int
	Goals    []int
	Path     []int // vertices that a thick line joins

	// Drawings, if not nil, are of the vertices, in place of dots. The places must then be columns by
	// distance, as layout.Layered makes them. Headings, if not nil, are written above the columns.
	Drawings []render.Drawing
	Headings []string
}

// A Style says how a network is drawn.
type Style struct {
	Width      int          // of the picture, in pixels
	Cell       int          // of drawings, in place of the width: see render.Style
	Theme      render.Theme // one without a name is the first of render.Themes
	NoCaptions bool         // leaves out the legend
}

// Bounds of the width.
const (
	MinWidth     = 200
	MaxWidth     = 10_000
	DefaultWidth = 1200
)

// The layout, in pixels of a picture of the default width.
const (
	margin     = 36
	legend     = 34 // the height of the legend
	letters    = 15
	mostHeight = 1.15 // of the width
)

// A drawing is a network while it is drawn.
type drawing struct {
	Network
	Style
	p    *render.Picture
	unit float64 // pixels for a pixel of the default width
	far  int     // the greatest distance
	line float64 // the width of lines
	dot  float64 // the radius of dots
}

// Picture draws a network.
func (n Network) Picture(s Style) (*render.Picture, error) {
	if len(n.At) == 0 {
		return nil, fmt.Errorf("the graph has no vertices")
	}
	if s.Theme.Name == "" {
		s.Theme = render.Themes()[0]
	}
	if n.Drawings != nil {
		return n.drawings(s)
	}
	if s.Width < MinWidth || s.Width > MaxWidth {
		return nil, fmt.Errorf("the width is %d pixels, expected %d to %d", s.Width, MinWidth, MaxWidth)
	}
	d := &drawing{Network: n, Style: s, unit: float64(s.Width) / DefaultWidth, far: slices.Max(n.Distance)}
	d.place()
	d.p.SetTitle(n.Title)
	d.edges()
	d.dots()
	d.path()
	d.marks()
	if !s.NoCaptions {
		d.legend()
	}
	return d.p, nil
}

// place scales the places to the picture, and finds the sizes of lines and dots.
func (d *drawing) place() {
	box := render.BoxOf(d.At...)
	inner := float64(d.Width) - 2*margin*d.unit
	wide, high := max(box.Max.X-box.Min.X, 1e-9), box.Max.Y-box.Min.Y
	scale := min(inner/wide, inner*mostHeight/max(high, 1e-9))
	if len(d.At) == 1 {
		scale = 0
	}
	below := margin * d.unit
	if !d.NoCaptions {
		below += legend * d.unit
	}
	height := math.Ceil(high*scale + margin*d.unit + below)
	d.p = render.NewPicture(d.Width, int(height), d.Theme.Background)
	left := (float64(d.Width) - (box.Max.X-box.Min.X)*scale) / 2
	places := make([]render.Point, len(d.At))
	for i, q := range d.At {
		// A tenth of a pixel is enough, and keeps files small.
		places[i] = render.Pt(math.Round(10*(left+(q.X-box.Min.X)*scale))/10, math.Round(10*(margin*d.unit+(q.Y-box.Min.Y)*scale))/10)
	}
	d.At = places
	// Dots of all positions together cover the same share of the picture, within bounds.
	room := math.Sqrt(inner * max(high*scale, inner/8) / float64(len(d.At)))
	d.dot = min(max(0.13*room, 0.6*d.unit), 7*d.unit)
	d.line = min(max(0.045*room, 0.35*d.unit), 1.4*d.unit)
}

// shade returns the colour of a distance.
func (d *drawing) shade(distance float64) color.RGBA {
	return d.Theme.Shade(distance / float64(max(1, d.far)))
}

// edges draws the lines, those of the farthest first.
func (d *drawing) edges() {
	levels := make(map[int][]render.Segment) // by twice the mean distance of the ends
	for _, e := range d.Edges {
		level := d.Distance[e[0]] + d.Distance[e[1]]
		levels[level] = append(levels[level], render.Segment{From: d.At[e[0]], To: d.At[e[1]]})
	}
	faded := min(0.4+0.08*float64(len(d.Edges))/float64(len(d.At)), 0.8) // many lines are fainter
	for _, level := range slices.Backward(slices.Sorted(maps.Keys(levels))) {
		d.p.Add(render.Lines{Segments: levels[level], Stroke: d.line, Color: d.Theme.Faded(d.shade(float64(level)/2), faded)})
	}
}

// path draws the path.
func (d *drawing) path() {
	var segments []render.Segment
	for i := 1; i < len(d.Path); i++ {
		segments = append(segments, render.Segment{From: d.At[d.Path[i-1]], To: d.At[d.Path[i]]})
	}
	if segments != nil {
		d.p.Add(render.Lines{Segments: segments, Stroke: max(3*d.line, 3.6*d.unit), Color: d.Theme.MarkRim},
			render.Lines{Segments: segments, Stroke: max(1.8*d.line, 2*d.unit), Color: d.Theme.Mark},
			render.Dots{At: d.points(d.Path), R: 0.9 * d.dot, Fill: d.Theme.Mark})
	}
}

// dots draws the vertices, the farthest first.
func (d *drawing) dots() {
	levels := make(map[int][]render.Point)
	for i, q := range d.At {
		levels[d.Distance[i]] = append(levels[d.Distance[i]], q)
	}
	for _, level := range slices.Backward(slices.Sorted(maps.Keys(levels))) {
		points := levels[level]
		slices.SortFunc(points, func(a, b render.Point) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
		d.p.Add(render.Dots{At: slices.Compact(points), R: d.dot, Fill: d.shade(float64(level))})
	}
}

// points returns where vertices are.
func (d *drawing) points(vertices []int) []render.Point {
	return lists.Map(vertices, func(i int) render.Point { return d.At[i] })
}

// marks draws the goals and the starts.
func (d *drawing) marks() {
	if len(d.Goals) > 0 {
		// Many goals are smaller, so that they do not hide the rest.
		r := max(1.25*d.dot, min(5, 40/math.Sqrt(float64(len(d.Goals))))*d.unit)
		d.p.Add(render.Dots{At: d.points(d.Goals), R: r * 1.35, Fill: d.Theme.MarkRim}, render.Dots{At: d.points(d.Goals), R: r, Fill: d.Theme.Mark})
	}
	for _, q := range d.points(d.Starts) {
		d.start(q, max(2*d.dot, 6*d.unit))
	}
}

// start draws the mark of a start: a ring.
func (d *drawing) start(q render.Point, r float64) {
	d.p.Add(render.Circle{At: q, R: r * 1.25, Fill: d.Theme.Background}, render.Circle{At: q, R: r, Fill: d.Theme.Text},
		render.Circle{At: q, R: r * 0.62, Fill: d.Theme.Background}, render.Circle{At: q, R: r * 0.36, Fill: d.Theme.Text})
}

// legend says what the marks and the colours mean, on one line at the foot.
func (d *drawing) legend() {
	u := d.unit
	_, height := d.p.Size()
	y, x, size := float64(height)-24*u, margin*u, letters*u
	text := func(s string) {
		w := render.TextWidth(s, size)
		d.p.Add(render.Label{At: render.Pt(x+w/2, y+0.36*size), Size: size, Text: s, Fill: d.Theme.Text})
		x += w
	}
	if len(d.Starts) > 0 {
		d.start(render.Pt(x+6*u, y), 6*u)
		x += 20 * u
		text("start")
		x += 24 * u
	}
	if len(d.Goals) > 0 {
		d.p.Add(render.Circle{At: render.Pt(x+5*u, y), R: 5 * u, Fill: d.Theme.Mark})
		x += 18 * u
		text("goal")
		x += 24 * u
	}
	if d.far > 0 {
		const steps, step = 60, 3
		for i := range steps { // each reaches to the end, so that there are no seams
			left := render.Pt(x+float64(i*step)*u, y-4*u)
			d.p.Add(render.Rect{Box: render.Box{Min: left, Max: render.Pt(x+steps*step*u, y+4*u)}, Fill: d.Theme.Shade(float64(i) / (steps - 1))})
		}
		x += (steps*step + 10) * u
		text(fmt.Sprintf("0 to %s moves", humanize.Comma(int64(d.far))))
	}
	w := render.TextWidth(d.Title, size)
	if right := float64(d.Width) - margin*u - w; right > x+20*u {
		x = right
		text(d.Title)
	}
}
