package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// WritePNG writes the picture as a PNG.
func (p *Picture) WritePNG(w io.Writer) error {
	img, err := p.Image()
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}

// Image draws the picture in pixels. It refuses more than MaxPixels.
func (p *Picture) Image() (*image.RGBA, error) {
	if err := checkPixels(p.width, p.height, MaxPixels); err != nil {
		return nil, err
	}
	c := newCanvas(p.width, p.height)
	c.draw(p, c.img.Rect)
	return c.img, nil
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

// draw draws the part of a picture that lies in clip. What it draws there does not
// depend on where the clip ends.
func (c *canvas) draw(p *Picture, clip image.Rectangle) {
	c.clip = clip.Intersect(c.img.Rect)
	draw.Draw(c.img, c.clip, image.NewUniform(p.background), image.Point{}, draw.Src)
	for _, s := range p.shapes {
		if s.bounds().pixels().Overlaps(c.clip) {
			s.raster(c)
		}
	}
}

// pixels is the rectangle of the pixels that a box touches.
func (b box) pixels() image.Rectangle {
	return image.Rect(int(math.Floor(b.min.x)), int(math.Floor(b.min.y)), int(math.Ceil(b.max.x)), int(math.Ceil(b.max.y)))
}

// fill fills what trace draws, with smooth edges.
func (c *canvas) fill(b box, col color.RGBA, trace func(t *tracer)) {
	if mask := c.cover(b, trace); mask != nil {
		c.paint(mask, col)
	}
}

// cover tells how much of each pixel lies in what trace draws, which lies in b. It
// returns nil if that is out of the picture, and else a mask that the next call
// overwrites.
func (c *canvas) cover(b box, trace func(t *tracer)) *image.Alpha {
	r := b.pixels().Inset(-1).Intersect(c.img.Rect)
	if r.Empty() {
		return nil
	}
	c.ras.Reset(r.Dx(), r.Dy())
	c.ras.DrawOp = draw.Src
	trace(&tracer{&c.ras, point{float64(r.Min.X), float64(r.Min.Y)}})
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

// A tracer traces outlines. Clockwise ones add, others cut out.
type tracer struct {
	ras    *vector.Rasterizer
	origin point
}

func (t *tracer) pt(q point) (x, y float32) {
	return float32(q.x - t.origin.x), float32(q.y - t.origin.y)
}

func (t *tracer) polygon(points []point) {
	x, y := t.pt(points[0])
	t.ras.MoveTo(x, y)
	for _, q := range points[1:] {
		x, y = t.pt(q)
		t.ras.LineTo(x, y)
	}
	t.ras.ClosePath()
}

// quarter is how far the control points of a cubic that draws a quarter of a circle
// of radius 1 are from its ends.
const quarter = 0.5522847498

// rect traces a rectangle with rounded corners.
func (t *tracer) rect(b box, r float64) {
	r = math.Min(r, math.Min(b.max.x-b.min.x, b.max.y-b.min.y)/2)
	k := r * (1 - quarter)
	move := func(x, y float64) { fx, fy := t.pt(point{x, y}); t.ras.MoveTo(fx, fy) }
	to := func(x, y float64) { fx, fy := t.pt(point{x, y}); t.ras.LineTo(fx, fy) }
	curve := func(p, q, s point) {
		px, py := t.pt(p)
		qx, qy := t.pt(q)
		sx, sy := t.pt(s)
		t.ras.CubeTo(px, py, qx, qy, sx, sy)
	}
	x0, y0, x1, y1 := b.min.x, b.min.y, b.max.x, b.max.y
	move(x0+r, y0)
	to(x1-r, y0)
	curve(point{x1 - k, y0}, point{x1, y0 + k}, point{x1, y0 + r})
	to(x1, y1-r)
	curve(point{x1, y1 - k}, point{x1 - k, y1}, point{x1 - r, y1})
	to(x0+r, y1)
	curve(point{x0 + k, y1}, point{x0, y1 - k}, point{x0, y1 - r})
	to(x0, y0+r)
	curve(point{x0, y0 + k}, point{x0 + k, y0}, point{x0 + r, y0})
	t.ras.ClosePath()
}

// capsule returns the outline of a line with round ends.
func capsule(from, to point, stroke float64) []point {
	angle := math.Atan2(to.y-from.y, to.x-from.x)
	r := stroke / 2
	n := 6 + int(math.Sqrt(r)*4) // points of half a circle
	points := make([]point, 0, 2*n+2)
	for _, end := range []struct {
		at    point
		angle float64
	}{{to, angle - math.Pi/2}, {from, angle + math.Pi/2}} {
		for i := range n + 1 {
			a := end.angle + math.Pi*float64(i)/float64(n)
			points = append(points, end.at.plus(r*math.Cos(a), r*math.Sin(a)))
		}
	}
	return points
}

func (s circle) raster(c *canvas) {
	c.fill(s.bounds(), s.fill, func(t *tracer) { t.rect(s.bounds(), s.r) })
}

func (s stamp) raster(c *canvas) { s.each(func(one circle) { one.raster(c) }) }

func (s dashed) raster(c *canvas) {
	c.fill(s.bounds(), s.color, func(t *tracer) {
		step := math.Pi / float64(s.dashes)
		const n = 6 // sides of a dash
		for d := range s.dashes {
			points := make([]point, 2*n+2)
			for i := range n + 1 {
				a := step * (2*float64(d) + float64(i)/n)
				points[i] = s.at.plus((s.r+s.stroke/2)*math.Cos(a), (s.r+s.stroke/2)*math.Sin(a))
				points[2*n+1-i] = s.at.plus((s.r-s.stroke/2)*math.Cos(a), (s.r-s.stroke/2)*math.Sin(a))
			}
			t.polygon(points)
		}
	})
}

func (s rect) raster(c *canvas) {
	c.fill(s.box, s.fill, func(t *tracer) { t.rect(s.box, s.r) })
}

func (s polygon) raster(c *canvas) {
	c.fill(s.bounds(), s.fill, func(t *tracer) {
		points := s.points
		if area(points) < 0 { // the outlines of the strokes are clockwise
			points = make([]point, 0, len(s.points))
			for i := range s.points {
				points = append(points, s.points[len(s.points)-1-i])
			}
		}
		t.polygon(points)
		if s.stroke == 0 {
			return
		}
		for i, q := range points {
			t.polygon(capsule(q, points[(i+1)%len(points)], s.stroke))
		}
	})
}

// area is the area of a polygon, positive if it is clockwise on the screen.
func area(points []point) float64 {
	sum := 0.0
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += p.x*q.y - q.x*p.y
	}
	return sum / 2
}

func (s lines) raster(c *canvas) {
	union := image.NewAlpha(s.bounds().pixels().Inset(-1).Intersect(c.img.Rect))
	for _, l := range s.lines {
		mask := c.cover(boxOf(l.from, l.to).grow(s.stroke), func(t *tracer) { t.polygon(capsule(l.from, l.to, s.stroke)) })
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
	c.paint(union, s.color)
}

func (s label) raster(c *canvas) {
	face := newFace(s.size)
	x := s.start(width(face, s.text))
	d := font.Drawer{Dst: c.img.SubImage(c.clip).(draw.Image), Src: image.NewUniform(s.fill), Face: face,
		Dot: fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(s.at.y * 64))}}
	d.DrawString(s.text)
}

// goFont is the font of all pictures.
var goFont = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// newFace returns the font in a size, which is that of an em in pixels.
func newFace(size float64) font.Face {
	face, err := opentype.NewFace(goFont(), &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // it never fails for a font that was read
	}
	return face
}

func width(face font.Face, text string) float64 {
	return float64(font.MeasureString(face, text)) / 64
}

// textWidth is the width of a text. Another font that shows an SVG may differ a little.
func textWidth(text string, size float64) float64 { return width(newFace(size), text) }
