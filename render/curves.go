package render

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"pagoda/internal/lists"
)

// Curves is a plot of chances: for each series, the chance to reach at least a value. It is a
// step function, as all values between two points have the chance of the greater one.
type Curves struct {
	Title string
	Name  string // the unit of values: "score"
	// Series are drawn in this order. The first is in front.
	Series []Series
	// Log makes the scale of values logarithmic. Up to 16 different values are then labelled
	// themselves.
	Log bool
	// Theme has the colours; one without a name is the first of Themes.
	Theme Theme
}

// A Series is one curve of a plot.
type Series struct {
	Name   string // in the legend, at most 40 characters; a single series may have none
	Points []Chance
}

// A Chance is a point of a curve: the chance, 0 to 1, to reach at least a value. Values are at
// least 0, and above 0 on a logarithmic scale.
type Chance struct{ Value, Chance float64 }

// The limits of a plot of curves.
const (
	MaxSeries = 12
	MaxPoints = 100_000 // of a series
	maxValue  = 1e15
	maxName   = 40 // characters
)

// check says what cannot be drawn.
func (c Curves) check() error {
	if len(c.Series) == 0 || len(c.Series) > MaxSeries {
		return fmt.Errorf("there are %d series to plot, expected 1 to %d", len(c.Series), MaxSeries)
	}
	for _, s := range c.Series {
		if n := utf8.RuneCountInString(s.Name); n > maxName {
			return fmt.Errorf("the series %.40q... has a name of %d characters, expected at most %d", s.Name, n, maxName)
		}
		if len(s.Points) == 0 || len(s.Points) > MaxPoints {
			return fmt.Errorf("the series %.40q has %d points, expected 1 to %d", s.Name, len(s.Points), MaxPoints)
		}
		for i, q := range s.Points {
			switch {
			case !(q.Chance >= 0 && q.Chance <= 1):
				return fmt.Errorf("the series %.40q has the chance %v at %v, expected 0 to 1", s.Name, q.Chance, q.Value)
			case !(q.Value >= 0 && q.Value <= maxValue):
				return fmt.Errorf("the series %.40q has the value %v, expected 0 to %v", s.Name, q.Value, maxValue)
			case c.Log && q.Value == 0:
				return fmt.Errorf("the series %.40q has the value 0, which a logarithmic scale cannot show: leave it out", s.Name)
			case i > 0 && q.Value <= s.Points[i-1].Value:
				return fmt.Errorf("the series %.40q has the value %v after %v, expected a greater one", s.Name, q.Value, s.Points[i-1].Value)
			case i > 0 && q.Chance > s.Points[i-1].Chance:
				return fmt.Errorf("the series %.40q has the chance %v at %v, more than %v before: a greater value cannot be more likely to be reached",
					s.Name, q.Chance, q.Value, s.Points[i-1].Chance)
			}
		}
	}
	return nil
}

// Picture draws the plot. The error says which series or point cannot be drawn.
func (c Curves) Picture() (*Picture, error) {
	t, err := c.Theme.fill()
	if err = errors.Join(c.check(), err); err != nil {
		return nil, err
	}
	p := NewPicture(plotWidth, plotHeight, t.Background)
	p.title = c.Title
	x0, x1 := math.Ceil(TextWidth("100 %", plotText))+40, float64(plotWidth-plotRight)
	legend := len(c.Series) > 1 || c.Series[0].Name != ""
	if legend {
		names := lists.Map(c.Series, func(s Series) string { return s.Name })
		x1 -= math.Ceil(widest(names, plotText)) + 28 + 24
	}
	y0, y1 := float64(plotHeight-plotBottom), float64(plotTop)
	at := c.scale()
	place := func(q Chance) Point { return Pt(x0+(x1-x0)*at.at(q.Value), y0+(y1-y0)*q.Chance) }

	p.Add(Label{Point{x0, 38}, plotTitle, c.Title, t.Text, left}, Label{Point{x0, 66}, plotText, "chance to reach it", t.Text, left})
	for i := range 6 {
		y := math.Round(y0 + (y1-y0)*float64(i)/5)
		p.Add(Rect{Box: Box{Point{x0, y}, Point{x1, y + 1}}, Fill: t.Faint},
			Label{Point{x0 - 10, y + plotText*0.36}, plotText, fmt.Sprintf("%d %%", 20*i), t.Text, right})
	}
	end := math.Inf(-1) // of the last label
	for _, v := range at.ticks {
		x := place(Chance{v, 0}).X
		text := humanize.Commaf(v)
		half := TextWidth(text, plotText) / 2
		p.Add(Rect{Box: Box{Point{math.Round(x), y0}, Point{math.Round(x) + 1, y0 + 5}}, Fill: t.Text})
		if x-half > end+8 {
			p.Add(Label{Point{x, y0 + 20}, plotText, text, t.Text, middle})
			end = x + half
		}
	}
	for i, s := range slices.Backward(c.Series) {
		c.curve(p, t, i, s, place, x0, x1)
	}
	p.Add(Rect{Box: Box{Point{x0, y0}, Point{x1, y0 + 1}}, Fill: t.Text},
		Label{Point{(x0 + x1) / 2, y0 + 46}, plotText, c.Name, t.Text, middle})
	if legend {
		c.legend(p, t, x1+24, y1+10)
	}
	return p, nil
}

// scale returns the scale of values, with shares from 0 on the left to 1 on the right.
func (c Curves) scale() scale {
	least, most := math.Inf(1), 0.0
	var values []float64
	for _, s := range c.Series {
		for _, q := range s.Points {
			least, most = min(least, q.Value), max(most, q.Value)
			values = append(values, q.Value)
		}
	}
	if !c.Log {
		s := linear(uint64(math.Ceil(most)))
		top := max(1, most)
		for s.ticks[len(s.ticks)-1] > top {
			s.ticks = s.ticks[:len(s.ticks)-1]
		}
		s.at = func(v float64) float64 { return v / top }
		return s
	}
	slices.Sort(values)
	values = slices.Compact(values)
	low, high := math.Log(least), math.Log(most)
	margin := max(0.04*(high-low), 0.05) // so that the first and the last point are inside
	low, high = low-margin, high+margin
	s := scale{at: func(v float64) float64 { return (math.Log(v) - low) / (high - low) }}
	if len(values) <= 16 {
		s.ticks = values
		return s
	}
	digits := []float64{1, 2, 5}
	if high-low > math.Log(1e4) {
		digits = digits[:1]
	}
	for ten := math.Floor(math.Log10(least)); ten <= math.Log10(most); ten++ {
		for _, d := range digits {
			if v := d * math.Pow(10, ten); v >= least && v <= most {
				s.ticks = append(s.ticks, v)
			}
		}
	}
	return s
}

// curve draws series i as steps, with marks that distinguish it without its colour.
func (c Curves) curve(p *Picture, t Theme, i int, s Series, place func(Chance) Point, x0, x1 float64) {
	ink := t.ink(i)
	now := Pt(x0, place(s.Points[0]).Y) // smaller values have the chance of the first at least
	line := Lines{Stroke: 2, Color: ink}
	to := func(q Point) {
		line.Segments = append(line.Segments, Segment{now, q})
		now = q
	}
	for _, q := range s.Points {
		next := place(q)
		if q != s.Points[len(s.Points)-1] && math.Hypot(next.X-now.X, next.Y-now.Y) < 1 {
			continue // the step is too small to see
		}
		if next.Y != now.Y {
			to(Pt(now.X, next.Y))
		}
		if next.X != now.X {
			to(next)
		}
	}
	if now.X < x1 && s.Points[len(s.Points)-1].Chance == 0 {
		to(Pt(x1, now.Y))
	}
	if line.Segments != nil {
		p.Add(line)
	}
	const apart = 60 // pixels between marks of a long series, which begin at different places
	last := math.Inf(-1)
	if len(s.Points) > 32 {
		last = place(s.Points[0]).X - apart + float64(i%6)*apart/6
	}
	for _, q := range s.Points {
		if at := place(q); len(s.Points) <= 32 || at.X >= last+apart {
			t.addMark(p, at, i)
			last = at.X
		}
	}
}

// legend draws the names of the series beside the plot.
func (c Curves) legend(p *Picture, t Theme, x, y float64) {
	for i, s := range c.Series {
		y := y + 22*float64(i)
		p.Add(Lines{[]Segment{{Pt(x, y), Pt(x+20, y)}}, 2, t.ink(i)})
		t.addMark(p, Pt(x+10, y), i)
		p.Add(Label{Pt(x+28, y+plotText*0.36), plotText, s.Name, t.Text, left})
	}
}

// ink returns a colour for lines of series i that stands out from the background.
func (t Theme) ink(i int) color.RGBA {
	c := t.Blocks[i%len(t.Blocks)]
	for share := 0.1; Contrast(c, t.Background) < 3 && share < 1; share += 0.1 {
		c = Mix(t.Blocks[i%len(t.Blocks)], t.Text, share)
	}
	return c
}

// addMark adds the mark of series i. There are six shapes; those of the second six series are hollow.
func (t Theme) addMark(p *Picture, at Point, i int) {
	shape := func(r float64, fill color.RGBA) Shape {
		corners := func(n int, turn float64) Polygon {
			q := Polygon{Fill: fill}
			for k := range n {
				sin, cos := math.Sincos(turn + 2*math.Pi*float64(k)/float64(n))
				q.Points = append(q.Points, at.Plus(1.15*r*sin, -1.15*r*cos))
			}
			return q
		}
		switch i % 6 {
		case 1:
			return corners(4, math.Pi/4)
		case 2:
			return corners(3, 0)
		case 3:
			return corners(4, 0)
		case 4:
			return corners(3, math.Pi)
		case 5:
			return corners(6, 0)
		}
		return Circle{At: at, R: r, Fill: fill, Class: "mark" + strconv.Itoa(i)}
	}
	p.Add(shape(5, t.ink(i)))
	if i >= 6 {
		p.Add(shape(2.5, t.Background))
	}
}
