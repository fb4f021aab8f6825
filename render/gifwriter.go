package render

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"math/bits"
	"time"
)

// A gifWriter writes a GIF frame by frame. The encoder of image/gif needs all frames in
// memory, which is too much when many boards are side by side. close returns the first error
// of writing.
type gifWriter struct {
	w           *bufio.Writer
	transparent uint8
	width       int // bits of a colour
}

// newGIFWriter begins a GIF that is shown loop times, or for ever if loop is 0.
func newGIFWriter(w io.Writer, width, height int, p color.Palette, transparent uint8, loop int) *gifWriter {
	g := &gifWriter{bufio.NewWriter(w), transparent, max(2, bits.Len(uint(len(p)-1)))}
	g.w.WriteString("GIF89a")
	g.numbers(width, height)
	g.w.Write([]byte{0xf0 | uint8(g.width-1), 0, 0}) // one palette for all frames
	for i := range 1 << g.width {
		var c color.RGBA
		if i < len(p) {
			c = color.RGBAModel.Convert(p[i]).(color.RGBA)
		}
		g.w.Write([]byte{c.R, c.G, c.B})
	}
	if loop != 1 {
		g.w.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01")
		g.numbers(max(0, loop-1)) // repetitions
		g.w.WriteByte(0)
	}
	return g
}

// numbers writes numbers of 16 bits.
func (g *gifWriter) numbers(n ...int) {
	for _, v := range n {
		g.w.Write(binary.LittleEndian.AppendUint16(nil, uint16(v)))
	}
}

// frame adds a frame, drawn over those before it.
func (g *gifWriter) frame(img *image.Paletted, delay time.Duration) {
	g.w.WriteString("\x21\xf9\x04\x05") // the frame stays; one colour is transparent
	g.numbers(int(delay / tick))
	g.w.Write([]byte{g.transparent, 0, 0x2c})
	r := img.Rect
	g.numbers(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	g.w.Write([]byte{0, uint8(g.width)})
	compressed := lzw.NewWriter(bufio.NewWriterSize(gifBlock{g.w}, 255), lzw.LSB, g.width)
	for y := range r.Dy() {
		compressed.Write(img.Pix[y*img.Stride:][:r.Dx()])
	}
	compressed.Close()
	g.w.WriteByte(0)
}

// close ends the GIF.
func (g *gifWriter) close() error {
	g.w.WriteByte(0x3b)
	return g.w.Flush()
}

// A gifBlock writes data of up to 255 bytes as a block, with its length before it.
type gifBlock struct{ w *bufio.Writer }

// Write implements io.Writer.
func (b gifBlock) Write(data []byte) (int, error) {
	b.w.WriteByte(uint8(len(data)))
	return b.w.Write(data)
}
