package typeface_test

import (
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"pagoda/render/internal/typeface"
)

// Every character of every font that is likely has the pixels and the width that opentype gives it, at any size and
// place.
func TestPixels(t *testing.T) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for r := rune(1); r < 0x2700; r += 40 {
		var line []rune
		for i := range rune(40) {
			line = append(line, r+i)
		}
		texts = append(texts, string(line))
	}
	texts = append(texts, "", "AVAToWaPJ.", "12,345 moves", "\U0001f600\xff\uffff")
	ink := image.NewUniform(color.RGBA{40, 90, 200, 255})
	for _, size := range []float64{7, 11.5, 24, 63.3} {
		face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			t.Fatal(err)
		}
		mine := typeface.New(size)
		for i, text := range texts {
			if got, want := mine.Width(text), font.MeasureString(face, text); got != want {
				t.Errorf("%q at %v is %v wide, want %v", text, size, got, want)
			}
			dot := fixed.Point26_6{X: fixed.Int26_6(300 + 7*i), Y: fixed.Int26_6(size*64) + fixed.Int26_6(i%64)}
			bounds := image.Rect(0, 0, int(size)*42, int(size)*2)
			got, want := image.NewRGBA(bounds), image.NewRGBA(bounds)
			mine.Draw(got, ink, dot, text)
			d := font.Drawer{Dst: want, Src: ink, Face: face, Dot: dot}
			d.DrawString(text)
			if string(got.Pix) != string(want.Pix) {
				t.Errorf("%q at %v has other pixels", text, size)
			}
		}
	}
}
