package pdf_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pagoda/render"
	"pagoda/render/pdf"
)

// readPDF reads what Encode writes: the objects by the table, which must be where it says, and the streams.
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

func TestEncode(t *testing.T) {
	var doc bytes.Buffer
	if err := pdf.Encode(&doc, "H\u00e4 \U0001f600", 1, render.NewPicture(10, 20, color.RGBA{}), render.NewPicture(30, 40, color.RGBA{})); err != nil {
		t.Fatal(err)
	}
	objects, streams := readPDF(t, doc.Bytes())
	if len(streams) == 2 && streams[1] != string(render.NewPicture(30, 40, color.RGBA{}).PDF(1)) {
		t.Errorf("the second page is %q", streams[1])
	}
	if len(objects) != 7 || len(streams) != 2 || objects[2] != "<< /Title <feff004800e40020d83dde00> >>" ||
		!strings.Contains(objects[1], "/Count 2 /Kids [4 0 R 6 0 R]") || !strings.Contains(objects[5], "/MediaBox [0 0 30.0000 40.0000] /Resources << >> /Contents 7 0 R") {
		t.Errorf("the objects are %q", objects)
	}
}
