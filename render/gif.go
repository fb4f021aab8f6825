package render

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"reflect"
	"time"
)

// MaxGIFPixels bounds the size of a GIF: width times height.
const MaxGIFPixels = 4_000_000

// tick is the unit of time in a GIF.
const tick = 10 * time.Millisecond

// MaxDelay bounds the time of a scene, and MaxLoop how often an animation is shown.
const (
	MaxDelay = 10 * time.Minute
	MaxLoop  = 65535
)

// A Scene is panels that are shown at the same time.
type Scene struct {
	Panels []Panel
	Delay  time.Duration // how long they are shown, 0 to MaxDelay
}

// WriteGIF writes an animation, or a single picture if there is one scene. All scenes have
// equally many panels, in rows of a number of columns as in Sheet. The animation is shown
// loop times, or for ever if loop is 0. Frames after the first hold only the rectangle that
// changes; pixels in it that stay the same are transparent.
func WriteGIF(w io.Writer, scenes []Scene, columns, loop int, style Style) error {
	g, all, err := stage(scenes, columns, loop, style)
	if err != nil {
		return err
	}
	width, height := g.size()
	if err := checkPixels(width, height, MaxGIFPixels); err != nil {
		return err
	}
	m := newMapper(palette(blends(all, g.Theme)))
	to := newGIFWriter(w, width, height, m.palette, m.transparent, loop)
	c := newCanvas(width, height)
	shown := image.NewPaletted(c.img.Rect, m.palette)
	c.draw(g.picture(scenes[0].Panels), c.img.Rect)
	to.frame(m.update(shown, c.img, []image.Rectangle{c.img.Rect}, true), scenes[0].Delay)
	drawn := make([]*Picture, len(scenes[0].Panels)) // each panel alone, as shown
	for i, panel := range scenes[0].Panels {
		drawn[i] = g.one(i, panel)
	}
	for k, scene := range scenes[1:] {
		var dirty []image.Rectangle
		for i, panel := range scene.Panels {
			if reflect.DeepEqual(panel, scenes[k].Panels[i]) {
				continue
			}
			p := g.one(i, panel)
			r := changed(drawn[i], p).Intersect(g.slot(i).Inset(-g.gap / 2))
			c.draw(p, r)
			dirty = append(dirty, r)
			drawn[i] = p
		}
		to.frame(m.update(shown, c.img, dirty, false), scene.Delay)
	}
	return to.close()
}

// stage returns where the panels of an animation are, and all panels.
func stage(scenes []Scene, columns, loop int, style Style) (g grid, all []Panel, err error) {
	s, err := style.fill()
	if err == nil {
		err = checkScenes(scenes, columns, loop)
	}
	if err != nil {
		return g, nil, err
	}
	for _, scene := range scenes {
		all = append(all, scene.Panels...)
	}
	return newGrid(layout(all, s), len(scenes[0].Panels), columns), all, nil
}

func checkScenes(scenes []Scene, columns, loop int) error {
	if len(scenes) == 0 || len(scenes) > MaxPanels {
		return fmt.Errorf("there are %d frames, expected 1 to %d", len(scenes), MaxPanels)
	}
	if loop < 0 || loop > MaxLoop {
		return fmt.Errorf("the animation is to be shown %d times, expected 1 to %d, or 0 for ever", loop, MaxLoop)
	}
	for _, scene := range scenes {
		if err := check(scene.Panels, columns); err != nil {
			return err
		}
		if n := len(scenes[0].Panels); len(scene.Panels) != n {
			return fmt.Errorf("a frame has %d drawings, expected %d as in the first", len(scene.Panels), n)
		}
		if scene.Delay < 0 || scene.Delay > MaxDelay {
			return fmt.Errorf("a frame is to be shown for %v, expected 0 to %v", scene.Delay, MaxDelay)
		}
	}
	return nil
}

// blends returns the pairs of colours that meet in any of some panels, each once.
func blends(panels []Panel, t Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Text}}
	seen := make(map[[2]color.RGBA]bool)
	for _, p := range panels {
		for _, pair := range p.Drawing.Blends(t) {
			if !seen[pair] {
				seen[pair] = true
				all = append(all, pair)
			}
		}
	}
	return all
}

// changed returns a rectangle that has all differences of two pictures of the same size. It
// holds all shapes except those at both pictures' begin or end that are equal.
func changed(p, q *Picture) image.Rectangle {
	a, b := p.shapes, q.shapes
	for len(a) > 0 && len(b) > 0 && reflect.DeepEqual(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && reflect.DeepEqual(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var r image.Rectangle
	for _, shapes := range [][]Shape{a, b} {
		for _, s := range shapes {
			r = r.Union(s.bounds().pixels().Inset(-1))
		}
	}
	return r
}

// A mapper maps colours to the nearest of a palette.
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

// update copies an image to shown, which differs from it in some rectangles at most. It
// returns the frame that makes this change, of one pixel at least. If whole, the frame has
// also the pixels that stay the same.
func (m *mapper) update(shown *image.Paletted, img *image.RGBA, dirty []image.Rectangle, whole bool) *image.Paletted {
	var area image.Rectangle
	for _, r := range dirty {
		area = area.Union(r)
	}
	if area.Empty() {
		area = image.Rect(0, 0, 1, 1)
	}
	frame := image.NewPaletted(area, m.palette)
	for i := range frame.Pix {
		frame.Pix[i] = m.transparent
	}
	var change image.Rectangle
	for _, r := range dirty {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if i := m.index(img.RGBAAt(x, y)); whole || i != shown.ColorIndexAt(x, y) {
					shown.SetColorIndex(x, y, i)
					frame.SetColorIndex(x, y, i)
					change = change.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
	}
	if change.Empty() {
		change = image.Rectangle{area.Min, area.Min.Add(image.Pt(1, 1))}
	}
	return frame.SubImage(change).(*image.Paletted)
}
