package render

import (
	"fmt"
	"image/color"
	"math"
)

// MaxPixels bounds a picture that is made of pixels; four bytes of memory go into each.
const MaxPixels = 40_000_000

// A Picture is shapes on a background, from back to front. Lengths are pixels,
// from the top left.
type Picture struct {
	width, height int
	background    color.RGBA
	title         string // tells what there is to see
	shapes        []shape
}

// Size returns the width and the height.
func (p *Picture) Size() (width, height int) { return p.width, p.height }

// SetTitle says what there is to see, to those who do not see it.
func (p *Picture) SetTitle(title string) { p.title = title }

// A shape can be written as SVG and drawn in pixels.
type shape interface {
	svg(w *svgWriter)
	raster(c *canvas)
	// bounds is a rectangle outside of which the shape changes no pixel.
	bounds() box
}

// A point is a place in a picture.
type point struct{ x, y float64 }

func (p point) plus(dx, dy float64) point { return point{p.x + dx, p.y + dy} }

// towards is the point a share of the way from p to q.
func (p point) towards(q point, share float64) point {
	return point{p.x + (q.x-p.x)*share, p.y + (q.y-p.y)*share}
}

// A box is a rectangle by two corners.
type box struct{ min, max point }

func (b box) grow(by float64) box { return box{b.min.plus(-by, -by), b.max.plus(by, by)} }

// union is the least box that holds both.
func (b box) union(c box) box {
	return box{
		point{math.Min(b.min.x, c.min.x), math.Min(b.min.y, c.min.y)},
		point{math.Max(b.max.x, c.max.x), math.Max(b.max.y, c.max.y)},
	}
}

// boxOf is the least box that holds the points.
func boxOf(points ...point) box {
	b := box{points[0], points[0]}
	for _, q := range points[1:] {
		b = b.union(box{q, q})
	}
	return b
}

// A circle is a disc.
type circle struct {
	at   point
	r    float64
	fill color.RGBA
	kind string // what it stands for: the class of the SVG element
}

func (s circle) bounds() box { return boxOf(s.at).grow(s.r) }

// A stamp is circles around a point. An SVG has those of equal stamps only once.
type stamp struct {
	at      point
	kind    string
	circles []circle // as if at were the origin
}

// each calls do for each circle, where it is.
func (s stamp) each(do func(circle)) {
	for _, c := range s.circles {
		c.at = s.at.plus(c.at.x, c.at.y)
		do(c)
	}
}

func (s stamp) bounds() box {
	b := boxOf(s.at)
	s.each(func(c circle) { b = b.union(c.bounds()) })
	return b
}

// A dashed is a circle of dashes and gaps of equal length.
type dashed struct {
	at     point
	r      float64 // to the middle of the stroke
	stroke float64
	dashes int
	color  color.RGBA
}

func (s dashed) bounds() box { return boxOf(s.at).grow(s.r + s.stroke) }

// A rect is a rectangle, with rounded corners if r is not 0.
type rect struct {
	box
	r    float64
	fill color.RGBA
	tip  string // what an SVG shows when it is pointed at
}

func (s rect) bounds() box { return s.box }

// A polygon is filled, and has rounded corners if stroke is not 0: it is then
// half a stroke larger on all sides.
type polygon struct {
	points []point
	stroke float64
	fill   color.RGBA
}

func (s polygon) bounds() box { return boxOf(s.points...).grow(s.stroke) }

// A segment is a straight line.
type segment struct{ from, to point }

// A lines is lines with round ends. Where some of them end at the edge of others, it
// stays smooth.
type lines struct {
	lines  []segment
	stroke float64
	color  color.RGBA
}

func (s lines) bounds() box {
	b := boxOf(s.lines[0].from)
	for _, l := range s.lines {
		b = b.union(boxOf(l.from, l.to))
	}
	return b.grow(s.stroke)
}

// An align says which part of a text is at its point.
type align int

const (
	middle align = iota
	left
	right
)

// A label is a line of text.
type label struct {
	at    point // on the base line
	size  float64
	text  string
	align align
	fill  color.RGBA
}

func (s label) bounds() box {
	w := textWidth(s.text, s.size)
	x := s.start(w)
	return box{point{x, s.at.y - 1.2*s.size}, point{x + w, s.at.y + 0.5*s.size}}.grow(2 + s.size/4)
}

// start is where a text of a width begins.
func (s label) start(width float64) float64 {
	switch s.align {
	case left:
		return s.at.x
	case right:
		return s.at.x - width
	}
	return s.at.x - width/2
}

// add puts shapes in front of all others.
func (p *Picture) add(shapes ...shape) { p.shapes = append(p.shapes, shapes...) }

// arrow adds an arrow with a rim that sets it off from what is behind it. Its shaft
// is a fifth as wide as unit.
func (p *Picture) arrow(from, to point, unit float64, fill, rim color.RGBA) {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return
	}
	ux, uy := (to.x-from.x)/length, (to.y-from.y)/length
	at := func(along, across float64) point {
		return from.plus(along*ux-across*uy, along*uy+across*ux)
	}
	shaft, head, barb := 0.06*unit, 0.34*unit, 0.2*unit
	points := []point{at(0, -shaft), at(length-head, -shaft), at(length-head, -barb), at(length, 0),
		at(length-head, barb), at(length-head, shaft), at(0, shaft)}
	p.add(polygon{points, 0.14 * unit, rim}, polygon{points, 0.04 * unit, fill})
}

// pathArrow adds an arrow along a path, with a rim.
func (p *Picture) pathArrow(path []point, unit float64, fill, rim color.RGBA) {
	n := len(path) - 1
	length := math.Hypot(path[n].x-path[n-1].x, path[n].y-path[n-1].y)
	ux, uy := (path[n].x-path[n-1].x)/length, (path[n].y-path[n-1].y)/length
	neck := path[n].plus(-0.34*unit*ux, -0.34*unit*uy)
	head := []point{path[n], neck.plus(-0.2*unit*uy, 0.2*unit*ux), neck.plus(0.2*unit*uy, -0.2*unit*ux)}
	var shaft []segment
	for i := range n {
		to := path[i+1]
		if i == n-1 {
			to = neck
		}
		shaft = append(shaft, segment{path[i], to})
	}
	p.add(lines{shaft, 0.26 * unit, rim}, polygon{head, 0.14 * unit, rim},
		lines{shaft, 0.16 * unit, fill}, polygon{head, 0.04 * unit, fill})
}

// checkPixels refuses a picture that would take too much memory as pixels.
func checkPixels(width, height, most int) error {
	if width > most || height > most || width*height > most {
		return fmt.Errorf("the picture would have %d x %d pixels; at most %d million are drawn: make the cells smaller, or choose SVG",
			width, height, most/1_000_000)
	}
	return nil
}
