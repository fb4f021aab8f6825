package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"image/color"
	"math"
	"strconv"
)

// SVG returns the picture as an SVG document.
func (p *Picture) SVG() []byte {
	s := &svgWriter{ids: make(map[string]string)}
	s.begin(p)
	for _, shape := range p.shapes {
		shape.svg(s)
	}
	s.end()
	return s.Bytes()
}

// begin writes the begin of a document with the size, the title and the background of a picture.
func (w *svgWriter) begin(p *Picture) {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"`,
		p.width, p.height, p.width, p.height)
	w.WriteString(" font-family=\"'Go', 'Helvetica Neue', Arial, sans-serif\">\n")
	w.WriteString("<title>")
	w.escape(p.title)
	w.WriteString("</title>\n")
	Rect{Box: Box{Max: Point{float64(p.width), float64(p.height)}}, Fill: p.background}.svg(w)
}

func (w *svgWriter) end() {
	if w.defs.Len() > 0 {
		w.WriteString("<defs>\n" + w.defs.String() + "</defs>\n")
	}
	w.WriteString("</svg>\n")
}

type svgWriter struct {
	bytes.Buffer
	defs bytes.Buffer      // elements that are used in several places
	ids  map[string]string // the id of each definition
}

// define returns the id of elements and writes them once. The id is a checksum of the
// elements, so that several pictures can share a page.
func (w *svgWriter) define(elements string) string {
	id, known := w.ids[elements]
	if !known {
		h := fnv.New32a()
		h.Write([]byte(elements))
		id = fmt.Sprintf("s%x", h.Sum32())
		w.ids[elements] = id
		fmt.Fprintf(&w.defs, "<g id=\"%s\">\n%s</g>\n", id, elements)
	}
	return id
}

// escape writes text with characters of markup escaped.
func (w *svgWriter) escape(text string) {
	xml.EscapeText(w, []byte(text)) // a buffer takes everything
}

// number writes a length to a hundredth of a pixel.
func number(x float64) string { return decimal(x, 100) }

// decimal writes a number to a part of 1: 100 for two digits behind the point.
func decimal(x, parts float64) string {
	return strconv.FormatFloat(math.Round(x*parts)/parts+0, 'f', -1, 64)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// open begins an element.
func (w *svgWriter) open(element, class string) {
	w.WriteString("<" + element)
	if class != "" {
		w.WriteString(` class="`)
		w.escape(class)
		w.WriteByte('"')
	}
}

func (s Circle) svg(w *svgWriter) {
	w.open("circle", s.Class)
	fmt.Fprintf(w, " cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"/>\n", number(s.At.X), number(s.At.Y), number(s.R), hex(s.Fill))
}

// svg draws lines of length 0 with round ends.
func (s Dots) svg(w *svgWriter) {
	w.WriteString(`<path d="`)
	for _, q := range s.At {
		fmt.Fprintf(w, "M%s,%sh0", number(q.X), number(q.Y))
	}
	fmt.Fprintf(w, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"/>\n", hex(s.Fill), number(2*s.R))
}

func (s Stamp) svg(w *svgWriter) {
	var one svgWriter
	for _, r := range s.Rects {
		r.svg(&one)
	}
	for _, c := range s.Circles {
		c.svg(&one)
	}
	w.open("use", s.Class)
	fmt.Fprintf(w, " href=\"#%s\" x=\"%s\" y=\"%s\"/>\n", w.define(one.String()), number(s.At.X), number(s.At.Y))
}

func (s Dashed) svg(w *svgWriter) {
	fmt.Fprintf(w, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"%s\"/>\n",
		number(s.At.X), number(s.At.Y), number(s.R), hex(s.Color), number(s.Stroke),
		strconv.FormatFloat(math.Pi*s.R/float64(s.Dashes), 'f', 4, 64))
}

func (s Rect) svg(w *svgWriter) {
	w.open("rect", s.Class)
	fmt.Fprintf(w, ` x="%s" y="%s" width="%s" height="%s"`,
		number(s.Min.X), number(s.Min.Y), number(s.Max.X-s.Min.X), number(s.Max.Y-s.Min.Y))
	if s.R > 0 {
		fmt.Fprintf(w, ` rx="%s" ry="%s"`, number(s.R), number(s.R))
	}
	fmt.Fprintf(w, ` fill="%s"`, hex(s.Fill))
	if s.tip == "" {
		w.WriteString("/>\n")
		return
	}
	w.WriteString("><title>")
	w.escape(s.tip)
	w.WriteString("</title></rect>\n")
}

func (s Polygon) svg(w *svgWriter) {
	w.WriteString(`<polygon points="`)
	for i, q := range s.Points {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(number(q.X) + "," + number(q.Y))
	}
	fmt.Fprintf(w, `" fill="%s"`, hex(s.Fill))
	if s.Stroke > 0 {
		fmt.Fprintf(w, ` stroke="%s" stroke-width="%s" stroke-linejoin="round"`, hex(s.Fill), number(s.Stroke))
	}
	w.WriteString("/>\n")
}

func (s Lines) svg(w *svgWriter) {
	w.WriteString(`<path d="`)
	for _, l := range s.Segments {
		fmt.Fprintf(w, "M%s,%sL%s,%s", number(l.From.X), number(l.From.Y), number(l.To.X), number(l.To.Y))
	}
	fmt.Fprintf(w, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"/>\n", hex(s.Color), number(s.Stroke))
}

func (s Label) svg(w *svgWriter) {
	fmt.Fprintf(w, `<text x="%s" y="%s" font-size="%s" fill="%s"`, number(s.At.X), number(s.At.Y), number(s.Size), hex(s.Fill))
	switch s.align {
	case middle:
		w.WriteString(` text-anchor="middle"`)
	case right:
		w.WriteString(` text-anchor="end"`)
	}
	w.WriteByte('>')
	w.escape(s.Text)
	w.WriteString("</text>\n")
}

// svg draws the quarter circles of the corners as arcs.
func (s Outline) svg(w *svgWriter) {
	w.open("path", s.Class)
	w.WriteString(` d="`)
	for _, loop := range s.Loops {
		letter := "M"
		quarters(loop, func(from, to Point, c Corner, clockwise bool) {
			fmt.Fprintf(w, "%s%s,%s", letter, number(from.X), number(from.Y))
			if c.R > 0 {
				sweep := 0
				if clockwise {
					sweep = 1
				}
				fmt.Fprintf(w, "A%s,%s 0 0 %d %s,%s", number(c.R), number(c.R), sweep, number(to.X), number(to.Y))
			}
			letter = "L"
		})
		w.WriteByte('Z')
	}
	fmt.Fprintf(w, "\" fill=\"%s\"/>\n", hex(s.Fill))
}
