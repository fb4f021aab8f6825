package render

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// readPDF reads what WritePDF writes: the objects by the table, which must be where it says, and the streams.
func readPDF(t *testing.T, doc []byte) (objects, streams []string) {
	t.Helper()
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(doc)
	if !bytes.HasPrefix(doc, []byte("%PDF-1.4\n")) || m == nil {
		t.Fatalf("no PDF: %.40q", doc)
	}
	table, _ := strconv.Atoi(string(m[1]))
	var n int
	if _, err := fmt.Sscanf(string(doc[table:]), "xref\n0 %d\n", &n); err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`(\d{10}) 00000 n \n`).FindAllSubmatch(doc[table:], -1)
	if len(entries) != n-1 {
		t.Fatalf("%d entries, expected %d", len(entries), n-1)
	}
	for i, e := range entries {
		at, _ := strconv.Atoi(string(e[1]))
		head := fmt.Sprintf("%d 0 obj\n", i+1)
		if !bytes.HasPrefix(doc[at:], []byte(head)) {
			t.Fatalf("object %d is not at %d", i+1, at)
		}
		body := doc[at+len(head):]
		text, _, _ := bytes.Cut(body, []byte("\nendobj\n"))
		objects = append(objects, string(text))
		if length, ok := strings.CutPrefix(string(text), "<< /Length "); ok {
			size, _ := strconv.Atoi(strings.Fields(length)[0])
			_, data, _ := bytes.Cut(body, []byte("stream\n"))
			if !bytes.HasPrefix(data[size:], []byte("\nendstream\nendobj\n")) {
				t.Fatalf("the stream of object %d does not end after %d bytes", i+1, size)
			}
			z, err := zlib.NewReader(bytes.NewReader(data[:size]))
			if err != nil {
				t.Fatal(err)
			}
			stream, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			streams = append(streams, string(stream))
		}
	}
	return objects, streams
}

// drawPDF draws the stream of a page in pixels, apart from its first line, the scale.
func drawPDF(t *testing.T, stream string, width, height int) *image.RGBA {
	t.Helper()
	c := newCanvas(width, height)
	c.clip = c.img.Rect
	var fill color.RGBA
	var path [][]float32
	var ops []string
	for _, line := range strings.Split(strings.TrimSpace(stream), "\n")[1:] {
		words := strings.Fields(line)
		var v []float32
		for _, w := range words[:len(words)-1] {
			x, err := strconv.ParseFloat(w, 32)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, float32(x))
		}
		switch op := words[len(words)-1]; op {
		case "rg":
			fill = color.RGBA{uint8(math.Round(float64(v[0]) * 255)), uint8(math.Round(float64(v[1]) * 255)), uint8(math.Round(float64(v[2]) * 255)), 255}
		case "m", "l", "c", "h":
			ops, path = append(ops, op), append(path, v)
		case "f":
			c.fill(Box{Max: Point{float64(width), float64(height)}}, fill, func(tr *tracer) {
				for i, op := range ops {
					p := path[i]
					for k := range p {
						p[k] -= float32([]float64{tr.origin.X, tr.origin.Y}[k%2])
					}
					switch op {
					case "m":
						tr.ras.MoveTo(p[0], p[1])
					case "l":
						tr.ras.LineTo(p[0], p[1])
					case "c":
						tr.ras.CubeTo(p[0], p[1], p[2], p[3], p[4], p[5])
					case "h":
						tr.ras.ClosePath()
					}
				}
			})
			ops, path = nil, nil
		default:
			t.Fatalf("unexpected operator %s", op)
		}
	}
	return c.img
}

// TestPDF: the outlines of a page cover the pixels that the picture has.
func TestPDF(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	const size = 90
	for range 20 {
		for _, s := range someShapes(r) {
			p := NewPicture(size, size, rgb(0xfdfbf6))
			p.Add(s)
			want, err := p.Image()
			if err != nil {
				t.Fatal(err)
			}
			var doc bytes.Buffer
			if err := WritePDF(&doc, "(t)", 0.5, p); err != nil {
				t.Fatal(err)
			}
			_, streams := readPDF(t, doc.Bytes())
			if len(streams) != 1 || !strings.HasPrefix(streams[0], "0.5 0 0 -0.5 0 45 cm\n") {
				t.Fatalf("the page is %.60q", streams)
			}
			// Edges differ a little: numbers are rounded, and lines that meet are one outline.
			got, off, dark := drawPDF(t, streams[0], size, size), 0, 0
			for i, v := range want.Pix {
				off += max(int(v), int(got.Pix[i])) - min(int(v), int(got.Pix[i]))
				dark += 255 - int(v)
			}
			if off > dark/15+2000 {
				t.Errorf("%#v: the pixels differ by %d of %d", s, off, dark)
			}
		}
	}
}

func TestPDFPages(t *testing.T) {
	var doc bytes.Buffer
	if err := WritePDF(&doc, "H\u00e4 \U0001f600", 1, NewPicture(10, 20, rgb(0)), NewPicture(30, 40, rgb(0))); err != nil {
		t.Fatal(err)
	}
	objects, streams := readPDF(t, doc.Bytes())
	if len(objects) != 7 || len(streams) != 2 || objects[2] != "<< /Title <feff004800e40020d83dde00> >>" ||
		!strings.Contains(objects[1], "/Count 2 /Kids [4 0 R 6 0 R]") || !strings.Contains(objects[5], "/MediaBox [0 0 30 40] /Resources << >> /Contents 7 0 R") {
		t.Errorf("the objects are %q", objects)
	}
}
