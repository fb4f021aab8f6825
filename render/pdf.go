package render

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode/utf16"
)

// WritePDF writes pictures as the pages of a PDF document, with a title. A pixel is unit points of 1/72 inch. Text is
// drawn as outlines, so it looks the same everywhere.
func WritePDF(w io.Writer, title string, unit float64, pages ...*Picture) error {
	var d pdfDocument
	d.WriteString("%PDF-1.4\n")
	var kids []string
	const firstPage = 4 // after the catalog, the list of pages and the title
	for i := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", firstPage+2*i))
	}
	d.object("<< /Type /Catalog /Pages 2 0 R >>")
	d.object(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(pages), strings.Join(kids, " ")))
	d.object(fmt.Sprintf("<< /Title <feff%s> >>", utf16Hex(title)))
	for i, p := range pages {
		width, height := float64(p.width)*unit, float64(p.height)*unit
		c := &pdfPage{}
		fmt.Fprintf(c, "%s 0 0 %s 0 %s cm\n", number4(unit), number4(-unit), number4(height)) // y goes down
		background := Rect{Box: Box{Max: Point{float64(p.width), float64(p.height)}}, Fill: p.background}
		for _, s := range append([]Shape{background}, p.shapes...) {
			s.draw(c)
		}
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write(c.Bytes()) // a buffer takes everything
		z.Close()
		d.object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Resources << >> /Contents %d 0 R >>", number4(width), number4(height), firstPage+2*i+1))
		d.object(fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.Bytes()))
	}
	d.end()
	_, err := w.Write(d.Bytes())
	return err
}

// A pdfDocument is objects, from 1, and where they begin.
type pdfDocument struct {
	bytes.Buffer
	begins []int
}

func (d *pdfDocument) object(text string) {
	d.begins = append(d.begins, d.Len())
	fmt.Fprintf(d, "%d 0 obj\n%s\nendobj\n", len(d.begins), text)
}

// end writes the table of objects.
func (d *pdfDocument) end() {
	table := d.Len()
	fmt.Fprintf(d, "xref\n0 %d\n0000000000 65535 f \n", len(d.begins)+1)
	for _, at := range d.begins {
		fmt.Fprintf(d, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(d, "trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(d.begins)+1, table)
}

// utf16Hex writes a text as PDF has it.
func utf16Hex(text string) string {
	var s strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&s, "%04x", unit)
	}
	return s.String()
}

// number4 writes a number with up to four digits behind the point.
func number4(x float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", x), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// A pdfPage is what is drawn on a page. It implements surface and pen.
type pdfPage struct {
	bytes.Buffer
	x, y float32 // where the pen is
}

func (c *pdfPage) fill(_ Box, col color.RGBA, trace func(t *tracer)) {
	fmt.Fprintf(c, "%s %s %s rg\n", number4(float64(col.R)/255), number4(float64(col.G)/255), number4(float64(col.B)/255))
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
