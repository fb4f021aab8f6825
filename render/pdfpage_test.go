package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

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
			page := string(p.PDF(0.5))
			if !strings.HasPrefix(page, "0.5 0 0 -0.5 0 45 cm\n") {
				t.Fatalf("the page is %.60q", page)
			}
			// Edges differ a little: numbers are rounded, and lines that meet are one outline.
			got, off, dark := drawPDF(t, page, size, size), 0, 0
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
