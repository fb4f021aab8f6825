// Package typeface draws text in Go Regular.
//
// It has the outlines of the font and no reader of fonts: programs in a browser should be small. The pixels are those
// of golang.org/x/image/font/opentype, without hinting; the tests compare them. The font is by Bigelow & Holmes, and
// has the licence of Go.
package typeface

import (
	_ "embed"
	"encoding/binary"
	"image"
	"image/draw"
	"sync"

	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

//go:generate go run generate.go

// glyphs has the units of an em; the number of characters; and of each, in their order, its distance from the
// one before, its advance, the length of its outline, and that. The first, 0, stands for what is not there. An
// outline is of parts: how many points a part has, from 0 for a move, and the points, each relative to the one
// before. Numbers are those of encoding/binary.
//
//go:embed glyphs.bin
var glyphs string

// A glyph is a character: how far it moves on, and its outline, in units of the font.
type glyph struct {
	advance fixed.Int26_6
	outline string
}

// A font is all characters.
type font struct {
	units  fixed.Int26_6 // of an em
	glyphs map[rune]glyph
}

var goRegular = sync.OnceValue(func() *font {
	rest := []byte(glyphs)
	next := func() int {
		v, n := binary.Uvarint(rest)
		rest = rest[n:]
		return int(v)
	}
	f := &font{units: fixed.Int26_6(next()), glyphs: make(map[rune]glyph)}
	r := rune(0)
	for range next() {
		r += rune(next())
		g := glyph{advance: fixed.Int26_6(next())}
		n := next()
		g.outline, rest = string(rest[:n]), rest[n:]
		f.glyphs[r] = g
	}
	return f
})

func (f *font) glyph(r rune) glyph {
	if g, ok := f.glyphs[r]; ok && r > 0 {
		return g
	}
	return f.glyphs[0]
}

// A Face is the font at a size. It is for one goroutine.
type Face struct {
	font *font
	em   fixed.Int26_6
	ras  vector.Rasterizer
	mask image.Alpha
}

// New returns the font with an em of a size in pixels.
func New(size float64) *Face { return &Face{font: goRegular(), em: fixed.Int26_6(0.5 + size*64)} }

// scale turns units of the font into 64ths of a pixel, rounded.
func (f *Face) scale(v fixed.Int26_6) fixed.Int26_6 {
	v *= f.em
	if v >= 0 {
		v += f.font.units / 2
	} else {
		v -= f.font.units / 2
	}
	return v / f.font.units
}

// Width returns the width of a text, in 64ths of a pixel.
func (f *Face) Width(text string) (w fixed.Int26_6) {
	for _, r := range text {
		w += f.scale(f.font.glyph(r).advance)
	}
	return w
}

// Draw draws a text in a colour. Its first character has its origin at dot.
func (f *Face) Draw(dst draw.Image, src image.Image, dot fixed.Point26_6, text string) {
	for _, r := range text {
		g := f.font.glyph(r)
		if where := f.cover(g, dot); !where.Empty() {
			draw.DrawMask(dst, where, src, image.Point{}, &f.mask, image.Point{}, draw.Over)
		}
		dot.X += f.scale(g.advance)
	}
}

// cover makes the mask of a character, and returns where it is.
func (f *Face) cover(g glyph, dot fixed.Point26_6) (where image.Rectangle) {
	first := true
	var all fixed.Rectangle26_6 // of all points
	f.trace(g, func(_ byte, points [2]fixed.Point26_6, n int) {
		for _, p := range points[:n] {
			if first {
				all, first = fixed.Rectangle26_6{Min: p, Max: p}, false
			}
			all.Min.X, all.Min.Y = min(all.Min.X, p.X), min(all.Min.Y, p.Y)
			all.Max.X, all.Max.Y = max(all.Max.X, p.X), max(all.Max.Y, p.Y)
		}
	})
	all = all.Add(dot)
	where = image.Rect(all.Min.X.Floor(), all.Min.Y.Floor(), all.Max.X.Ceil(), all.Max.Y.Ceil())
	w, h := where.Dx(), where.Dy()
	if first || w == 0 || h == 0 {
		return image.Rectangle{}
	}
	off := fixed.Point26_6{X: dot.X - fixed.I(where.Min.X), Y: dot.Y - fixed.I(where.Min.Y)}
	if cap(f.mask.Pix) < w*h {
		f.mask.Pix = make([]uint8, 2*w*h)
	}
	f.mask = image.Alpha{Pix: f.mask.Pix[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
	f.ras.Reset(w, h)
	f.ras.DrawOp = draw.Src
	f.follow(g, off, &f.ras)
	f.ras.Draw(&f.mask, f.mask.Rect, image.Opaque, image.Point{})
	return where
}

// A Pen draws outlines. A vector.Rasterizer is one.
type Pen interface {
	MoveTo(x, y float32)
	LineTo(x, y float32)
	QuadTo(px, py, x, y float32)
}

// Trace draws the outlines of a text. Its first character has its origin at dot.
func (f *Face) Trace(pen Pen, dot fixed.Point26_6, text string) {
	for _, r := range text {
		g := f.font.glyph(r)
		f.follow(g, dot, pen)
		dot.X += f.scale(g.advance)
	}
}

// follow draws an outline, moved by off.
func (f *Face) follow(g glyph, off fixed.Point26_6, pen Pen) {
	f.trace(g, func(part byte, points [2]fixed.Point26_6, n int) {
		var at [2][2]float32
		for i, p := range points[:n] {
			p = p.Add(off)
			at[i] = [2]float32{float32(p.X) / 64, float32(p.Y) / 64}
		}
		switch part {
		case 0:
			pen.MoveTo(at[0][0], at[0][1])
		case 1:
			pen.LineTo(at[0][0], at[0][1])
		default:
			pen.QuadTo(at[0][0], at[0][1], at[1][0], at[1][1])
		}
	})
}

// trace calls do with each part of an outline, and its points in 64ths of a pixel.
func (f *Face) trace(g glyph, do func(part byte, points [2]fixed.Point26_6, n int)) {
	var at fixed.Point26_6
	for rest := []byte(g.outline); len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		n := max(1, int(part))
		var points [2]fixed.Point26_6
		for i := range n {
			for _, v := range []*fixed.Int26_6{&at.X, &at.Y} {
				d, size := binary.Varint(rest)
				rest = rest[size:]
				*v += fixed.Int26_6(d)
			}
			points[i] = fixed.Point26_6{X: f.scale(at.X), Y: f.scale(at.Y)}
		}
		do(part, points, n)
	}
}
