package render

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dustin/go-humanize"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/statespace"
)

// A Plot is a histogram of layers, a bar for each.
type Plot struct {
	Space  string // the name of the space
	Name   string // the unit of layer numbers, in the plural: "pegs"
	Layers []statespace.Layer
	// Orbits plots the states up to symmetry, which Layers must have.
	Orbits bool
	// Log makes the scale logarithmic.
	Log bool
	// Theme has the colours; one without a name is the first of Themes.
	Theme Theme
}

// MaxLayers bounds the layers of a plot.
const MaxLayers = 4096

// The layout of a plot, in pixels.
const (
	plotWidth, plotHeight = 880, 500
	plotTop, plotBottom   = 84, 64
	plotRight             = 32
	plotTitle, plotText   = 19, 13 // sizes of letters
)

// Picture draws the plot.
func (h Plot) Picture() (*Picture, error) {
	if len(h.Layers) == 0 || len(h.Layers) > MaxLayers {
		return nil, fmt.Errorf("there are %d layers to plot, expected 1 to %d", len(h.Layers), MaxLayers)
	}
	t, err := h.Theme.fill()
	if err != nil {
		return nil, err
	}
	total, most, upTo := new(big.Int), uint64(0), ""
	if h.Orbits {
		upTo = " up to symmetry"
	}
	for _, l := range h.Layers {
		total.Add(total, new(big.Int).SetUint64(h.count(l)))
		most = max(most, h.count(l))
	}
	title := fmt.Sprintf("%s: %s%s", h.Space, amount.Commas(total, "state"), upTo)
	p := NewPicture(plotWidth, plotHeight, t.Background)
	p.title = title

	scale := linear(most)
	if h.Log {
		scale = logarithmic(most)
	}
	labels := lists.Map(scale.ticks, humanize.Commaf)
	x0, x1 := math.Ceil(widest(labels, plotText))+40, float64(plotWidth-plotRight)
	y0, y1 := float64(plotHeight-plotBottom), float64(plotTop)
	p.Add(Label{Point{x0, 38}, plotTitle, title, t.Text, left})
	unit := "states" + upTo
	if h.Log {
		unit += ", logarithmic scale"
	}
	p.Add(Label{Point{x0, 66}, plotText, unit, t.Text, left})
	for i, v := range scale.ticks {
		y := math.Round(y0 + (y1-y0)*scale.at(v))
		p.Add(Rect{Box: Box{Point{x0, y}, Point{x1, y + 1}}, Fill: t.Faint},
			Label{Point{x0 - 10, y + plotText*0.36}, plotText, labels[i], t.Text, right})
	}

	slot := (x1 - x0) / float64(len(h.Layers))
	gap := math.Floor(math.Min(6, slot/4))
	every := h.labelled(slot)
	for i, l := range h.Layers {
		left, end := math.Round(x0+float64(i)*slot), math.Round(x0+float64(i+1)*slot)
		if n := h.count(l); n > 0 {
			// The lowest bar is still a pixel high.
			y := math.Min(y0-1, math.Round(y0+(y1-y0)*scale.at(float64(n))))
			bar := Box{Point{left + math.Floor(gap/2), y}, Point{math.Max(left+1, end-math.Ceil(gap/2)), y0}}
			p.Add(Rect{Box: bar, Fill: t.Bar, tip: fmt.Sprintf("%d %s: %s", l.Layer, h.Name, amount.Commas(n, "state")+upTo)})
		}
		if l.Layer%every == 0 {
			p.Add(Label{Point{(left + end) / 2, y0 + 20}, plotText, fmt.Sprint(l.Layer), t.Text, middle})
		}
	}
	p.Add(Rect{Box: Box{Point{x0, y0}, Point{x1, y0 + 1}}, Fill: t.Text},
		Label{Point{(x0 + x1) / 2, y0 + 46}, plotText, h.Name, t.Text, middle})
	return p, nil
}

// count returns what the bar of a layer shows.
func (h Plot) count(l statespace.Layer) uint64 {
	if h.Orbits {
		return l.Orbits
	}
	return l.States
}

// labelled returns the distance of labels: the least of 1, 2, 5, 10, 20... for which they do
// not touch. Multiples of it get a label.
func (h Plot) labelled(slot float64) int {
	width := widest(lists.Map(h.Layers, func(l statespace.Layer) string { return fmt.Sprint(l.Layer) }), plotText)
	for ten := 1; ; ten *= 10 {
		for _, n := range []int{1, 2, 5} {
			// Labels are at least this number of slots apart, if no layer is missing.
			if n*ten >= len(h.Layers) || float64(n*ten)*slot > width+6 {
				return n * ten
			}
		}
	}
}

// A scale maps numbers of states to heights.
type scale struct {
	ticks []float64
	at    func(v float64) float64 // 1 at the top
}

// linear makes a scale with up to 9 ticks that reaches to a value.
func linear(most uint64) scale {
	step := 1.0
	for i := 0; float64(most)/step > 8; i++ {
		step *= [3]float64{2, 2.5, 2}[i%3] // 1, 2, 5, 10, 20...
	}
	top := math.Max(step, math.Ceil(float64(most)/step)*step)
	s := scale{at: func(v float64) float64 { return v / top }}
	for v := 0.0; v <= top; v += step {
		s.ticks = append(s.ticks, v)
	}
	return s
}

// logarithmic makes a scale with ticks at powers of ten. It begins below 1, so that
// a bar of 1 can be seen.
func logarithmic(most uint64) scale {
	const below = 0.3
	top := math.Max(1, math.Log10(float64(max(most, 1))))
	s := scale{at: func(v float64) float64 { return (math.Log10(v) + below) / (top + below) }}
	every := math.Ceil(top / 12)
	for e := 0.0; e <= top; e += every {
		s.ticks = append(s.ticks, math.Pow(10, e))
	}
	return s
}
