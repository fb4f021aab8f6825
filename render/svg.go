package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"image/color"
	"io"
	"math"
	"strconv"
)

// WriteSVG writes the picture as an SVG document.
func (p *Picture) WriteSVG(w io.Writer) error {
	s := &svgWriter{ids: make(map[string]string)}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"`,
		p.width, p.height, p.width, p.height)
	s.WriteString(" font-family=\"'Go', 'Helvetica Neue', Arial, sans-serif\">\n")
	s.WriteString("<title>")
	s.escape(p.title)
	s.WriteString("</title>\n")
	rect{box{max: point{float64(p.width), float64(p.height)}}, 0, p.background, ""}.svg(s)
	for _, shape := range p.shapes {
		shape.svg(s)
	}
	if s.defs.Len() > 0 {
		s.WriteString("<defs>\n" + s.defs.String() + "</defs>\n")
	}
	s.WriteString("</svg>\n")
	_, err := w.Write(s.Bytes())
	return err
}

type svgWriter struct {
	bytes.Buffer
	defs bytes.Buffer      // what is used at several places
	ids  map[string]string // of what is in defs
}

// define returns the id of elements, which are written once. It is made of what they
// are, so that pictures in one page do not take them for others.
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

// escape writes text so that it is not mistaken for markup.
func (w *svgWriter) escape(text string) {
	xml.EscapeText(w, []byte(text)) // a buffer takes everything
}

// number writes a length to a hundredth of a pixel.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100+0, 'f', -1, 64)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func (s circle) svg(w *svgWriter) {
	w.WriteString("<circle")
	if s.kind != "" {
		fmt.Fprintf(w, ` class="%s"`, s.kind)
	}
	fmt.Fprintf(w, " cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"/>\n", number(s.at.x), number(s.at.y), number(s.r), hex(s.fill))
}

func (s stamp) svg(w *svgWriter) {
	var one svgWriter
	for _, c := range s.circles {
		c.svg(&one)
	}
	fmt.Fprintf(w, "<use class=\"%s\" href=\"#%s\" x=\"%s\" y=\"%s\"/>\n", s.kind, w.define(one.String()), number(s.at.x), number(s.at.y))
}

func (s dashed) svg(w *svgWriter) {
	fmt.Fprintf(w, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"%s\"/>\n",
		number(s.at.x), number(s.at.y), number(s.r), hex(s.color), number(s.stroke),
		strconv.FormatFloat(math.Pi*s.r/float64(s.dashes), 'f', 4, 64))
}

func (s rect) svg(w *svgWriter) {
	fmt.Fprintf(w, `<rect x="%s" y="%s" width="%s" height="%s"`,
		number(s.min.x), number(s.min.y), number(s.max.x-s.min.x), number(s.max.y-s.min.y))
	if s.r > 0 {
		fmt.Fprintf(w, ` rx="%s" ry="%s"`, number(s.r), number(s.r))
	}
	fmt.Fprintf(w, ` fill="%s"`, hex(s.fill))
	if s.tip == "" {
		w.WriteString("/>\n")
		return
	}
	w.WriteString("><title>")
	w.escape(s.tip)
	w.WriteString("</title></rect>\n")
}

func (s polygon) svg(w *svgWriter) {
	w.WriteString(`<polygon points="`)
	for i, q := range s.points {
		if i > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(number(q.x) + "," + number(q.y))
	}
	fmt.Fprintf(w, `" fill="%s"`, hex(s.fill))
	if s.stroke > 0 {
		fmt.Fprintf(w, ` stroke="%s" stroke-width="%s" stroke-linejoin="round"`, hex(s.fill), number(s.stroke))
	}
	w.WriteString("/>\n")
}

func (s lines) svg(w *svgWriter) {
	w.WriteString(`<path d="`)
	for _, l := range s.lines {
		fmt.Fprintf(w, "M%s,%sL%s,%s", number(l.from.x), number(l.from.y), number(l.to.x), number(l.to.y))
	}
	fmt.Fprintf(w, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"/>\n", hex(s.color), number(s.stroke))
}

func (s label) svg(w *svgWriter) {
	fmt.Fprintf(w, `<text x="%s" y="%s" font-size="%s" fill="%s"`, number(s.at.x), number(s.at.y), number(s.size), hex(s.fill))
	switch s.align {
	case middle:
		w.WriteString(` text-anchor="middle"`)
	case right:
		w.WriteString(` text-anchor="end"`)
	}
	w.WriteByte('>')
	w.escape(s.text)
	w.WriteString("</text>\n")
}
