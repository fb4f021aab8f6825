package render

import (
	"fmt"
	"image/color"
	"math"
)

// MaxPixels bounds a picture that is made of pixels; each pixel takes four bytes of memory.
const MaxPixels = 40_000_000

// A Picture is shapes on a background, from back to front. Lengths are pixels,
// from the top left.
type Picture struct {
	width, height int
	background    color.RGBA
	title         string // describes the picture in words
	shapes        []Shape
}

// NewPicture returns a picture without shapes.
func NewPicture(width, height int, background color.RGBA) *Picture {
	return &Picture{width: width, height: height, background: background}
}

// Size returns the width and the height.
func (p *Picture) Size() (width, height int) { return p.width, p.height }

// SetTitle sets the text that describes the picture to people who do not see it.
func (p *Picture) SetTitle(title string) { p.title = title }

// Add puts shapes in front of all others.
func (p *Picture) Add(shapes ...Shape) { p.shapes = append(p.shapes, shapes...) }

// A Shape is a Circle, Dots, Stamp, Dashed, Rect, Polygon, Lines, Outline or Label.
type Shape interface {
	svg(w *svgWriter)
	draw(on surface)
	// bounds returns a rectangle that has all pixels that the shape changes.
	bounds() Box
}

// A Point is a place in a picture.
type Point struct{ X, Y float64 }

// Pt returns the point (x, y).
func Pt(x, y float64) Point { return Point{x, y} }

// Plus returns the point that lies dx to the right of p and dy below it.
func (p Point) Plus(dx, dy float64) Point { return Point{p.X + dx, p.Y + dy} }

// Towards returns the point that lies a share of the way from p to q.
func (p Point) Towards(q Point, share float64) Point {
	return Point{p.X + (q.X-p.X)*share, p.Y + (q.Y-p.Y)*share}
}

// A Box is a rectangle by its upper left and lower right corners.
type Box struct{ Min, Max Point }

// BoxOf returns the smallest box that holds the points, at least one.
func BoxOf(points ...Point) Box {
	b := Box{points[0], points[0]}
	for _, q := range points[1:] {
		b = b.union(Box{q, q})
	}
	return b
}

// Grow returns the box with all sides moved outwards.
func (b Box) Grow(by float64) Box { return Box{b.Min.Plus(-by, -by), b.Max.Plus(by, by)} }

// union returns the smallest box that holds both.
func (b Box) union(c Box) Box {
	return Box{
		Point{math.Min(b.Min.X, c.Min.X), math.Min(b.Min.Y, c.Min.Y)},
		Point{math.Max(b.Max.X, c.Max.X), math.Max(b.Max.Y, c.Max.Y)},
	}
}

// A Circle is a filled circle.
type Circle struct {
	At    Point
	R     float64
	Fill  color.RGBA
	Class string // of the SVG element; may be empty
}

func (s Circle) bounds() Box { return BoxOf(s.At).Grow(s.R) }

// Dots are equal circles, at least one. An SVG has one element for all of them.
type Dots struct {
	At   []Point
	R    float64
	Fill color.RGBA
}

func (s Dots) bounds() Box { return BoxOf(s.At...).Grow(s.R) }

// A Stamp is rectangles and then circles around a point. An SVG stores equal stamps once.
type Stamp struct {
	At    Point
	Class string // of the SVG element
	// Rects and Circles are relative to At.
	Rects   []Rect
	Circles []Circle
}

// each calls do for each shape, where it is.
func (s Stamp) each(do func(Shape)) {
	for _, r := range s.Rects {
		r.Min, r.Max = s.At.Plus(r.Min.X, r.Min.Y), s.At.Plus(r.Max.X, r.Max.Y)
		do(r)
	}
	for _, c := range s.Circles {
		c.At = s.At.Plus(c.At.X, c.At.Y)
		do(c)
	}
}

func (s Stamp) bounds() Box {
	b := BoxOf(s.At)
	s.each(func(one Shape) { b = b.union(one.bounds()) })
	return b
}

// A Dashed is a circle line of dashes and gaps of equal length.
type Dashed struct {
	At     Point
	R      float64 // to the middle of the line
	Stroke float64 // the width of the line
	Dashes int
	Color  color.RGBA
}

func (s Dashed) bounds() Box { return BoxOf(s.At).Grow(s.R + s.Stroke) }

// A Rect is a rectangle, with rounded corners if the radius R is above 0.
type Rect struct {
	Box
	R     float64
	Fill  color.RGBA
	Class string // of the SVG element; may be empty
	tip   string // what an SVG shows under the mouse pointer
}

func (s Rect) bounds() Box { return s.Box }

// A Polygon is filled. If Stroke is above 0, it is half a stroke larger on all sides and has
// rounded corners.
type Polygon struct {
	Points []Point
	Stroke float64
	Fill   color.RGBA
}

func (s Polygon) bounds() Box { return BoxOf(s.Points...).Grow(s.Stroke) }

// A Segment is a straight line.
type Segment struct{ From, To Point }

// Lines are straight lines with round ends, at least one. Edges stay smooth where lines
// meet.
type Lines struct {
	Segments []Segment
	Stroke   float64 // the width of the lines
	Color    color.RGBA
}

func (s Lines) bounds() Box {
	b := BoxOf(s.Segments[0].From)
	for _, l := range s.Segments {
		b = b.union(BoxOf(l.From, l.To))
	}
	return b.Grow(s.Stroke)
}

// An Outline is closed lines with right angles and rounded corners, filled. Clockwise
// lines add, others cut out.
type Outline struct {
	Loops [][]Corner
	Fill  color.RGBA
	Class string // of the SVG element; may be empty
}

// A Corner is where two straight lines meet, rounded by a quarter of a circle of radius R.
type Corner struct {
	At Point
	R  float64
}

func (s Outline) bounds() Box {
	b := BoxOf(s.Loops[0][0].At)
	for _, loop := range s.Loops {
		for _, c := range loop {
			b = b.union(BoxOf(c.At))
		}
	}
	return b
}

// quarters calls do for each corner of a loop, with the points where its quarter of a
// circle begins and ends, and whether it turns clockwise.
func quarters(loop []Corner, do func(from, to Point, c Corner, clockwise bool)) {
	for i, c := range loop {
		before, after := loop[(i+len(loop)-1)%len(loop)].At, loop[(i+1)%len(loop)].At
		cross := (c.At.X-before.X)*(after.Y-c.At.Y) - (c.At.Y-before.Y)*(after.X-c.At.X)
		toward := func(q Point) Point {
			return c.At.Towards(q, c.R/math.Hypot(q.X-c.At.X, q.Y-c.At.Y))
		}
		do(toward(before), toward(after), c, cross > 0)
	}
}

// An align says which part of a text is at its point.
type align int

const (
	middle align = iota
	left
	right
)

// A Label is a line of text. At is the middle of its base line.
type Label struct {
	At    Point
	Size  float64 // of an em
	Text  string
	Fill  color.RGBA
	align align // of a plot's labels, which may begin or end at At
}

func (s Label) bounds() Box {
	w := TextWidth(s.Text, s.Size)
	x := s.start(w)
	return Box{Point{x, s.At.Y - 1.2*s.Size}, Point{x + w, s.At.Y + 0.5*s.Size}}.Grow(2 + s.Size/4)
}

// start returns where a text of a width begins.
func (s Label) start(width float64) float64 {
	switch s.align {
	case left:
		return s.At.X
	case right:
		return s.At.X - width
	}
	return s.At.X - width/2
}

// Rim returns the width of the edge around a board, for cells at a distance in pixels.
func Rim(cell int) int { return max(1, (cell+14)/28) }

// minLetter is the smallest size of letters that can be read.
const minLetter = 7

// Letter adds the name of a piece in the middle of a point. It adds nothing if the style has
// no letters or the size is too small to read.
func (p *Picture) Letter(at Point, size float64, text string, fill color.RGBA, s Style) {
	if size >= minLetter && !s.NoLetters {
		p.Add(Label{At: at.Plus(0, 0.36*size), Size: size, Text: text, Fill: fill})
	}
}

// checkPixels refuses a picture that would take too much memory as pixels.
func checkPixels(width, height, most int) error {
	if width > most || height > most || width*height > most {
		return fmt.Errorf("the picture would have %d x %d pixels; at most %d million are drawn: make the cells smaller, or choose SVG",
			width, height, most/1_000_000)
	}
	return nil
}

// PathArrow adds an arrow along a path of at least two points, with a rim that sets it off from
// its background. Its shaft is about a sixth as wide as unit.
func (p *Picture) PathArrow(path []Point, unit float64, t Theme) {
	n := len(path) - 1
	length := math.Hypot(path[n].X-path[n-1].X, path[n].Y-path[n-1].Y)
	ux, uy := (path[n].X-path[n-1].X)/length, (path[n].Y-path[n-1].Y)/length
	neck := path[n].Plus(-0.34*unit*ux, -0.34*unit*uy)
	head := []Point{path[n], neck.Plus(-0.2*unit*uy, 0.2*unit*ux), neck.Plus(0.2*unit*uy, -0.2*unit*ux)}
	var shaft []Segment
	for i := range n {
		to := path[i+1]
		if i == n-1 {
			to = neck
		}
		shaft = append(shaft, Segment{From: path[i], To: to})
	}
	p.Add(Lines{Segments: shaft, Stroke: 0.26 * unit, Color: t.MarkRim}, Polygon{Points: head, Stroke: 0.14 * unit, Fill: t.MarkRim},
		Lines{Segments: shaft, Stroke: 0.16 * unit, Color: t.Mark}, Polygon{Points: head, Stroke: 0.04 * unit, Fill: t.Mark})
}
