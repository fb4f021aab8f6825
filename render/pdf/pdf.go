// Package pdf writes pictures as the pages of a PDF document. It is a package of its own, so that a small
// program need not have the encoder:
//
//	err := pdf.Encode(w, "Ten puzzles", 0.5, pictures...)
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"pagoda/render"
)

// Encode writes pictures as the pages of a document with a title. A pixel is unit points of 1/72 inch.
func Encode(w io.Writer, title string, unit float64, pages ...*render.Picture) error {
	var d document
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
		width, height := p.Size()
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write(p.PDF(unit)) // a buffer takes everything
		z.Close()
		d.object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.4f %.4f] /Resources << >> /Contents %d 0 R >>", float64(width)*unit, float64(height)*unit, firstPage+2*i+1))
		d.object(fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.Bytes()))
	}
	d.end()
	_, err := w.Write(d.Bytes())
	return err
}

// A document is objects, from 1, and where they begin.
type document struct {
	bytes.Buffer
	begins []int
}

func (d *document) object(text string) {
	d.begins = append(d.begins, d.Len())
	fmt.Fprintf(d, "%d 0 obj\n%s\nendobj\n", len(d.begins), text)
}

// end writes the table of objects.
func (d *document) end() {
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
