package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"pagoda/render/internal/typeface"
)

// Image draws the picture in pixels. It refuses more than MaxPixels.
func (p *Picture) Image() (*image.RGBA, error) {
	if err := checkPixels(p.width, p.height, MaxPixels); err != nil {
		return nil, err
	}
	c := newCanvas(p.width, p.height)
	c.draw(p, c.img.Rect)
	return c.img, nil
}

// A surface is what shapes draw themselves on: the pixels of a canvas, or a page of a PDF document.
type surface interface {
	// fill fills the outline that trace draws, which lies in b.
	fill(b Box, col color.RGBA, trace func(t *tracer))
	lines(s Lines)
	label(s Label)
}

// A canvas draws shapes in pixels.
type canvas struct {
	img  *image.RGBA
	clip image.Rectangle // nothing is drawn outside
	ras  vector.Rasterizer
	mask []uint8
}

func newCanvas(width, height int) *canvas {
	return &canvas{img: image.NewRGBA(image.Rect(0, 0, width, height))}
}

// draw draws the part of a picture that lies in clip. The pixels in it do not depend on
// where the clip ends.
func (c *canvas) draw(p *Picture, clip image.Rectangle) {
	c.clip = clip.Intersect(c.img.Rect)
	draw.Draw(c.img, c.clip, image.NewUniform(p.background), image.Point{}, draw.Src)
	for _, s := range p.shapes {
		if s.bounds().pixels().Overlaps(c.clip) {
			s.draw(c)
		}
	}
}

// pixels returns the rectangle of the pixels that a box touches.
func (b Box) pixels() image.Rectangle {
	return image.Rect(int(math.Floor(b.Min.X)), int(math.Floor(b.Min.Y)), int(math.Ceil(b.Max.X)), int(math.Ceil(b.Max.Y)))
}

// fill fills the outline that trace draws, with smooth edges.
func (c *canvas) fill(b Box, col color.RGBA, trace func(t *tracer)) {
	if mask := c.cover(b, trace); mask != nil {
		c.paint(mask, col)
	}
}

// cover returns a mask: how much of each pixel the outline that trace draws covers. The
// outline lies in b. The mask is nil if b lies outside the picture; the next call
// overwrites it.
func (c *canvas) cover(b Box, trace func(t *tracer)) *image.Alpha {
	r := b.pixels().Inset(-1).Intersect(c.img.Rect)
	if r.Empty() {
		return nil
	}
	c.ras.Reset(r.Dx(), r.Dy())
	c.ras.DrawOp = draw.Src
	trace(&tracer{&c.ras, Point{float64(r.Min.X), float64(r.Min.Y)}})
	n := r.Dx() * r.Dy()
	if len(c.mask) < n {
		c.mask = make([]uint8, n)
	}
	mask := &image.Alpha{Pix: c.mask[:n], Stride: r.Dx(), Rect: r}
	c.ras.Draw(mask, r, image.Opaque, image.Point{})
	return mask
}

// paint paints a colour through a mask.
func (c *canvas) paint(mask *image.Alpha, col color.RGBA) {
	r := mask.Rect.Intersect(c.clip)
	draw.DrawMask(c.img, r, image.NewUniform(col), image.Point{}, mask, r.Min, draw.Over)
}

// A pen draws an outline.
type pen interface {
	typeface.Pen
	CubeTo(px, py, qx, qy, x, y float32)
	ClosePath()
}

// A tracer traces outlines. Clockwise ones add, others cut out.
type tracer struct {
	ras    pen
	origin Point
}

func (t *tracer) pt(q Point) (x, y float32) {
	return float32(q.X - t.origin.X), float32(q.Y - t.origin.Y)
}

func (t *tracer) polygon(points []Point) {
	x, y := t.pt(points[0])
	t.ras.MoveTo(x, y)
	for _, q := range points[1:] {
		x, y = t.pt(q)
		t.ras.LineTo(x, y)
	}
	t.ras.ClosePath()
}

// quarter is the distance of the control points from the ends of a cubic that draws a
// quarter of a circle of radius 1.
const quarter = 0.5522847498

// rect traces a rectangle with rounded corners.
func (t *tracer) rect(b Box, r float64) {
	r = math.Min(r, math.Min(b.Max.X-b.Min.X, b.Max.Y-b.Min.Y)/2)
	k := r * (1 - quarter)
	move := func(x, y float64) { fx, fy := t.pt(Point{x, y}); t.ras.MoveTo(fx, fy) }
	to := func(x, y float64) { fx, fy := t.pt(Point{x, y}); t.ras.LineTo(fx, fy) }
	curve := func(p, q, s Point) {
		px, py := t.pt(p)
		qx, qy := t.pt(q)
		sx, sy := t.pt(s)
		t.ras.CubeTo(px, py, qx, qy, sx, sy)
	}
	x0, y0, x1, y1 := b.Min.X, b.Min.Y, b.Max.X, b.Max.Y
	move(x0+r, y0)
	to(x1-r, y0)
	curve(Point{x1 - k, y0}, Point{x1, y0 + k}, Point{x1, y0 + r})
	to(x1, y1-r)
	curve(Point{x1, y1 - k}, Point{x1 - k, y1}, Point{x1 - r, y1})
	to(x0+r, y1)
	curve(Point{x0 + k, y1}, Point{x0, y1 - k}, Point{x0, y1 - r})
	to(x0, y0+r)
	curve(Point{x0, y0 + k}, Point{x0 + k, y0}, Point{x0 + r, y0})
	t.ras.ClosePath()
}

// capsule returns the outline of a line with round ends.
func capsule(from, to Point, stroke float64) []Point {
	angle := math.Atan2(to.Y-from.Y, to.X-from.X)
	r := stroke / 2
	n := 6 + int(math.Sqrt(r)*4) // points of half a circle
	points := make([]Point, 0, 2*n+2)
	for _, end := range []struct {
		at    Point
		angle float64
	}{{to, angle - math.Pi/2}, {from, angle + math.Pi/2}} {
		for i := range n + 1 {
			a := end.angle + math.Pi*float64(i)/float64(n)
			points = append(points, end.at.Plus(r*math.Cos(a), r*math.Sin(a)))
		}
	}
	return points
}

func (s Circle) draw(on surface) {
	on.fill(s.bounds(), s.Fill, func(t *tracer) { t.rect(s.bounds(), s.R) })
}

func (s Dots) draw(on surface) {
	for _, q := range s.At {
		Circle{At: q, R: s.R, Fill: s.Fill}.draw(on)
	}
}

func (s Stamp) draw(on surface) { s.each(func(one Shape) { one.draw(on) }) }

func (s Dashed) draw(on surface) {
	on.fill(s.bounds(), s.Color, func(t *tracer) {
		step := math.Pi / float64(s.Dashes)
		const n = 6 // sides of a dash
		for d := range s.Dashes {
			points := make([]Point, 2*n+2)
			for i := range n + 1 {
				a := step * (2*float64(d) + float64(i)/n)
				points[i] = s.At.Plus((s.R+s.Stroke/2)*math.Cos(a), (s.R+s.Stroke/2)*math.Sin(a))
				points[2*n+1-i] = s.At.Plus((s.R-s.Stroke/2)*math.Cos(a), (s.R-s.Stroke/2)*math.Sin(a))
			}
			t.polygon(points)
		}
	})
}

func (s Rect) draw(on surface) {
	on.fill(s.Box, s.Fill, func(t *tracer) { t.rect(s.Box, s.R) })
}

func (s Polygon) draw(on surface) {
	on.fill(s.bounds(), s.Fill, func(t *tracer) {
		points := s.Points
		if area(points) < 0 { // the outlines of the strokes are clockwise
			points = slices.Clone(points)
			slices.Reverse(points)
		}
		t.polygon(points)
		if s.Stroke == 0 {
			return
		}
		for i, q := range points {
			t.polygon(capsule(q, points[(i+1)%len(points)], s.Stroke))
		}
	})
}

// area returns the area of a polygon, positive if it is clockwise on the screen.
func area(points []Point) float64 {
	sum := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}

func (s Lines) draw(on surface) { on.lines(s) }

func (c *canvas) lines(s Lines) {
	union := image.NewAlpha(s.bounds().pixels().Inset(-1).Intersect(c.img.Rect))
	for _, l := range s.Segments {
		mask := c.cover(BoxOf(l.From, l.To).Grow(s.Stroke), func(t *tracer) { t.polygon(capsule(l.From, l.To, s.Stroke)) })
		if mask == nil {
			continue
		}
		for y := mask.Rect.Min.Y; y < mask.Rect.Max.Y; y++ {
			from := union.Pix[union.PixOffset(mask.Rect.Min.X, y):]
			for i, v := range mask.Pix[mask.PixOffset(mask.Rect.Min.X, y):][:mask.Rect.Dx()] {
				from[i] = max(from[i], v)
			}
		}
	}
	c.paint(union, s.Color)
}

func (s Outline) draw(on surface) {
	on.fill(s.bounds(), s.Fill, func(t *tracer) {
		for _, loop := range s.Loops {
			first := true
			quarters(loop, func(from, to Point, c Corner, _ bool) {
				x, y := t.pt(from)
				if first {
					t.ras.MoveTo(x, y)
					first = false
				} else {
					t.ras.LineTo(x, y)
				}
				px, py := t.pt(from.Towards(c.At, quarter))
				qx, qy := t.pt(to.Towards(c.At, quarter))
				x, y = t.pt(to)
				t.ras.CubeTo(px, py, qx, qy, x, y)
			})
			t.ras.ClosePath()
		}
	})
}

func (s Label) draw(on surface) { on.label(s) }

func (c *canvas) label(s Label) {
	face, dot := s.face()
	face.Draw(c.img.SubImage(c.clip).(draw.Image), image.NewUniform(s.Fill), dot, s.Text)
}

// face returns the font of a label, and where its text begins.
func (s Label) face() (*typeface.Face, fixed.Point26_6) {
	face := typeface.New(s.Size)
	x := s.start(pixels(face.Width(s.Text)))
	return face, fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(s.At.Y * 64))}
}

func pixels(v fixed.Int26_6) float64 { return float64(v) / 64 }

// TextWidth returns the width of a text with an em of a size, in pixels. A viewer that shows
// an SVG in another font may differ a little.
func TextWidth(text string, size float64) float64 { return pixels(typeface.New(size).Width(text)) }
