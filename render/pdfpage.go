package render

import (
	"bytes"
	"fmt"
	"image/color"
)

// PDF returns the content of a page of a PDF document that shows the picture. A pixel is unit points of 1/72 inch. Text is drawn as
// outlines, so it looks the same everywhere. Package pdf writes documents.
func (p *Picture) PDF(unit float64) []byte {
	c := &pdfPage{}
	fmt.Fprintf(c, "%s 0 0 %s 0 %s cm\n", decimal(unit, 1e4), decimal(-unit, 1e4), decimal(float64(p.height)*unit, 1e4)) // y goes down
	background := Rect{Box: Box{Max: Point{float64(p.width), float64(p.height)}}, Fill: p.background}
	for _, s := range append([]Shape{background}, p.shapes...) {
		s.draw(c)
	}
	return c.Bytes()
}

// A pdfPage is what is drawn on a page. It implements surface and pen.
type pdfPage struct {
	bytes.Buffer
	x, y float32 // where the pen is
}

func (c *pdfPage) fill(_ Box, col color.RGBA, trace func(t *tracer)) {
	fmt.Fprintf(c, "%s %s %s rg\n", decimal(float64(col.R)/255, 1e4), decimal(float64(col.G)/255, 1e4), decimal(float64(col.B)/255, 1e4))
	trace(&tracer{ras: c})
	c.WriteString("f\n")
}

func (c *pdfPage) lines(s Lines) {
	c.fill(s.bounds(), s.Color, func(t *tracer) {
		for _, l := range s.Segments {
			t.polygon(capsule(l.From, l.To, s.Stroke))
		}
	})
}

func (c *pdfPage) label(s Label) {
	face, dot := s.face()
	c.fill(s.bounds(), s.Fill, func(*tracer) { face.Trace(c, dot, s.Text) })
}

// op writes points and an operator.
func (c *pdfPage) op(name string, at ...float32) {
	for _, v := range at {
		c.WriteString(number(float64(v)) + " ")
	}
	c.WriteString(name + "\n")
	if len(at) > 0 {
		c.x, c.y = at[len(at)-2], at[len(at)-1]
	}
}

func (c *pdfPage) MoveTo(x, y float32)                 { c.op("m", x, y) }
func (c *pdfPage) LineTo(x, y float32)                 { c.op("l", x, y) }
func (c *pdfPage) CubeTo(px, py, qx, qy, x, y float32) { c.op("c", px, py, qx, qy, x, y) }
func (c *pdfPage) ClosePath()                          { c.op("h") }

// QuadTo draws a curve of the second degree as one of the third.
func (c *pdfPage) QuadTo(px, py, x, y float32) {
	c.CubeTo(c.x+(px-c.x)*2/3, c.y+(py-c.y)*2/3, x+(px-x)*2/3, y+(py-y)*2/3, x, y)
}
