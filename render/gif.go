package render

import (
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"reflect"
	"time"
)

// MaxGIFPixels bounds the picture of a GIF.
const MaxGIFPixels = 4_000_000

// tick is the unit of time of a GIF.
const tick = 10 * time.Millisecond

// A Timing says how fast an animation is. Times are rounded down to hundredths of
// a second.
type Timing struct {
	// Jump is the time of one jump, or of a move of a sliding block by one cell,
	// MinJump to MaxJump; 0 is DefaultJump. Along a path it takes up to three times
	// as long.
	Jump time.Duration
	// Hold is how long the first and the last position are shown, up to MaxJump;
	// 0 is DefaultHold.
	Hold time.Duration
}

// The times of an animation.
const (
	MinJump     = 100 * time.Millisecond
	MaxJump     = 10 * time.Second
	DefaultJump = 700 * time.Millisecond
	DefaultHold = 2 * time.Second
)

func (t Timing) fill() (Timing, error) {
	if t.Jump == 0 {
		t.Jump = DefaultJump
	}
	if t.Hold == 0 {
		t.Hold = DefaultHold
	}
	if t.Jump < MinJump || t.Jump > MaxJump {
		return t, fmt.Errorf("the time of a jump is %v, expected %v to %v", t.Jump, MinJump, MaxJump)
	}
	if t.Hold < MinJump || t.Hold > MaxJump {
		return t, fmt.Errorf("the first and the last position are shown for %v, expected %v to %v", t.Hold, MinJump, MaxJump)
	}
	t.Jump, t.Hold = t.Jump.Truncate(tick), t.Hold.Truncate(tick)
	return t, nil
}

// A Frame is a panel that is shown for a time, up to MaxDelay.
type Frame struct {
	Panel
	Delay time.Duration
}

// MaxDelay bounds the time of a frame, and MaxLoop how often an animation is shown.
const (
	MaxDelay = 10 * time.Minute
	MaxLoop  = 65535
)

// WriteGIF writes an animation, or a single picture if there is one frame. It is
// shown loop times, or for ever if loop is 0. Frames after the first hold only the
// rectangle that changes, with all that stays the same transparent.
func WriteGIF(w io.Writer, frames []Frame, loop int, style Style) error {
	g, err := animate(frames, loop, style)
	if err != nil {
		return err
	}
	return gif.EncodeAll(w, g)
}

func animate(frames []Frame, loop int, style Style) (*gif.GIF, error) {
	pictures, err := animationPictures(frames, style)
	if err != nil {
		return nil, err
	}
	if loop < 0 || loop > MaxLoop {
		return nil, fmt.Errorf("the animation is to be shown %d times, expected 1 to %d, or 0 for ever", loop, MaxLoop)
	}
	for _, f := range frames {
		if f.Delay < 0 || f.Delay > MaxDelay {
			return nil, fmt.Errorf("a frame is to be shown for %v, expected 0 to %v", f.Delay, MaxDelay)
		}
	}
	s, err := style.fill()
	if err != nil {
		return nil, err
	}
	width, height := pictures[0].Size()
	m := newMapper(palette(blends(frames, s.Theme)))
	g := &gif.GIF{LoopCount: loop - 1, Config: image.Config{ColorModel: m.palette, Width: width, Height: height}}
	if loop == 0 {
		g.LoopCount = 0 // for ever
	} else if loop == 1 {
		g.LoopCount = -1 // once
	}
	c := newCanvas(width, height)
	shown := image.NewPaletted(c.img.Rect, m.palette)
	for i, p := range pictures {
		dirty := c.img.Rect
		if i > 0 {
			dirty = changed(pictures[i-1], p).Intersect(c.img.Rect)
		}
		c.draw(p, dirty)
		g.Image = append(g.Image, m.update(shown, c.img, dirty, i == 0))
		g.Delay = append(g.Delay, int(frames[i].Delay/tick))
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return g, nil
}

// blends returns the pairs of colours that meet in any of some frames, each once.
func blends(frames []Frame, t Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Text}}
	seen := make(map[[2]color.RGBA]bool)
	for _, f := range frames {
		for _, pair := range f.Drawing.blends(t) {
			if !seen[pair] {
				seen[pair] = true
				all = append(all, pair)
			}
		}
	}
	return all
}

// animationPictures draws each frame as a picture, all of one size.
func animationPictures(frames []Frame, style Style) ([]*Picture, error) {
	s, err := style.fill()
	if err != nil {
		return nil, err
	}
	panels := make([]Panel, len(frames))
	for i, f := range frames {
		panels[i] = f.Panel
	}
	if err := check(panels, 0); err != nil {
		return nil, err
	}
	l := layout(panels, s)
	width, height := l.width+2*l.gap, l.height+2*l.gap
	if err := checkPixels(width, height, MaxGIFPixels); err != nil {
		return nil, err
	}
	pictures := make([]*Picture, len(panels))
	for i, panel := range panels {
		pictures[i] = &Picture{width: width, height: height, background: s.Theme.Background}
		l.draw(pictures[i], panel, l.gap, l.gap)
	}
	return pictures, nil
}

// changed returns a rectangle outside of which two pictures of a size are equal:
// that of all shapes but those that both begin with and both end with.
func changed(p, q *Picture) image.Rectangle {
	a, b := p.shapes, q.shapes
	for len(a) > 0 && len(b) > 0 && reflect.DeepEqual(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && reflect.DeepEqual(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var r image.Rectangle
	for _, shapes := range [][]shape{a, b} {
		for _, s := range shapes {
			r = r.Union(s.bounds().pixels().Inset(-1))
		}
	}
	return r
}

// A mapper finds the nearest colours of a palette.
type mapper struct {
	palette     color.Palette
	transparent uint8 // the last
	known       map[color.RGBA]uint8
}

func newMapper(p color.Palette) *mapper {
	return &mapper{append(p, color.RGBA{}), uint8(len(p)), make(map[color.RGBA]uint8)}
}

func (m *mapper) index(c color.RGBA) uint8 {
	i, ok := m.known[c]
	if !ok {
		i = uint8(m.palette[:m.transparent].Index(c))
		m.known[c] = i
	}
	return i
}

// update brings what is shown up to date with an image that differs from it in a
// rectangle at most. It returns the frame that does so, of one pixel at least.
func (m *mapper) update(shown *image.Paletted, img *image.RGBA, dirty image.Rectangle, whole bool) *image.Paletted {
	if dirty.Empty() {
		dirty = image.Rect(0, 0, 1, 1)
	}
	frame := image.NewPaletted(dirty, m.palette)
	var change image.Rectangle
	for y := dirty.Min.Y; y < dirty.Max.Y; y++ {
		for x := dirty.Min.X; x < dirty.Max.X; x++ {
			i := m.index(img.RGBAAt(x, y))
			if !whole && i == shown.ColorIndexAt(x, y) {
				i = m.transparent
			} else {
				shown.SetColorIndex(x, y, i)
				change = change.Union(image.Rect(x, y, x+1, y+1))
			}
			frame.SetColorIndex(x, y, i)
		}
	}
	if change.Empty() {
		change = image.Rectangle{dirty.Min, dirty.Min.Add(image.Pt(1, 1))}
	}
	return frame.SubImage(change).(*image.Paletted)
}
