package render_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pagoda/render"
	"pagoda/render/rendertest"
)

// twoCurves are the chances of marks for two ways to play.
func twoCurves() render.Curves {
	return render.Curves{Title: "3x3, marks", Name: "mark", Log: true, Series: []render.Series{
		{Name: "best for 512", Points: []render.Chance{{128, 1}, {256, 0.995}, {512, 0.737}, {1024, 0.004}}},
		{Name: "best for <1024>", Points: []render.Chance{{128, 1}, {256, 0.9}, {512, 0.5}, {1024, 0.0113}}},
	}}
}

func curves(t *testing.T, c render.Curves) *render.Picture {
	t.Helper()
	p, err := c.Picture()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Values that are few have a label each. Each curve has its name, and a mark at each point and in the
// legend, so that it can be followed without its colour.
func TestCurves(t *testing.T) {
	c := twoCurves()
	p := curves(t, c)
	_, texts := rendertest.Classes(t, p)
	for _, want := range []string{"3x3, marks", "mark", "128", "256", "512", "1,024", "0 %", "20 %", "100 %", "best for 512", "best for <1024>"} {
		if !slices.Contains(texts["text"], want) {
			t.Errorf("the plot lacks %q: %q", want, texts["text"])
		}
	}
	circles, squares := 0, 0
	var y []float64
	for _, e := range rendertest.Elements(t, p) {
		switch e.Name {
		case "circle":
			circles++
			y = append(y, e.Number(t, "cy"))
		case "polygon":
			if squares++; len(e.Points(t)) != 4 {
				t.Errorf("a mark of the second series has %d corners", len(e.Points(t)))
			}
		}
	}
	if circles != 5 || squares != 5 {
		t.Errorf("there are %d circles and %d squares, want 5 each", circles, squares)
	}
	// Heights are in proportion to the chances: those of the first series come last but the legend.
	height := y[3] - y[0]
	for i, q := range c.Series[0].Points {
		if got, want := (y[3]-y[i])/height, (q.Chance-0.004)/0.996; math.Abs(got-want) > 1e-3 {
			t.Errorf("the chance %v is at %.4f of the height, want %.4f", q.Chance, got, want)
		}
	}
	for _, theme := range render.Themes() {
		c.Theme = theme
		rendertest.Image(t, curves(t, c))
	}
}

// A long series is drawn as a line of few pieces, and its steps go right and down only.
func TestLongCurve(t *testing.T) {
	var s render.Series
	for i := range 20_000 {
		s.Points = append(s.Points, render.Chance{Value: float64(4 * i), Chance: math.Exp(-float64(i) / 3000)})
	}
	p := curves(t, render.Curves{Title: "score", Name: "score", Series: []render.Series{s}})
	if n := len(rendertest.SVG(t, p)); n > 80_000 {
		t.Errorf("the plot has %d bytes", n)
	}
	for _, e := range rendertest.Elements(t, p) {
		if e.Name != "path" {
			continue
		}
		lastX, lastY := 0.0, 0.0
		for _, part := range strings.Split(e.Attr["d"], "M")[1:] {
			var x0, y0, x1, y1 float64
			if _, err := fmt.Sscanf(part, "%g,%gL%g,%g", &x0, &y0, &x1, &y1); err != nil {
				t.Fatal(err)
			}
			if x1 < x0 || y1 < y0 || x1 != x0 && y1 != y0 || x0 < lastX || y0 < lastY {
				t.Fatalf("a step goes from %v,%v to %v,%v", x0, y0, x1, y1)
			}
			lastX, lastY = x1, y1
		}
		if lastX < 800 {
			t.Errorf("the curve ends at %v", lastX)
		}
	}
	_, texts := rendertest.Classes(t, p)
	for _, want := range []string{"0", "10,000", "70,000"} {
		if !slices.Contains(texts["text"], want) {
			t.Errorf("the plot lacks the label %q: %q", want, texts["text"])
		}
	}
}

// Labels of values do not overlap, and lie within the picture.
func TestLabelsOfCurves(t *testing.T) {
	for _, top := range []float64{0, 1, 7, 999, 123_456, 3_932_156, 1e12} {
		for _, log := range []bool{false, true} {
			s := render.Series{Name: "a"}
			for i := range 40 {
				s.Points = append(s.Points, render.Chance{Value: 1 + top*float64(i), Chance: 1 - float64(i)/40})
				if top == 0 {
					break
				}
			}
			p := curves(t, render.Curves{Name: "score", Log: log, Series: []render.Series{s}})
			width, _ := p.Size()
			end, labels := 0.0, 0
			for _, e := range rendertest.Elements(t, p) {
				if e.Name != "text" || e.Attr["text-anchor"] != "middle" || e.Text == "score" {
					continue
				}
				labels++
				half := render.TextWidth(e.Text, e.Number(t, "font-size")) / 2
				if x := e.Number(t, "x"); x-half < end || x+half > float64(width) {
					t.Errorf("top %v, log %v: the label %s is at %v, the one before ends at %v", top, log, e.Text, x, end)
				} else {
					end = x + half
				}
			}
			if labels == 0 {
				t.Errorf("top %v, log %v: there are no labels", top, log)
			}
		}
	}
}

// Lines of all series stand out from the background, and each has its own mark.
func TestManyCurves(t *testing.T) {
	for _, theme := range render.Themes() {
		c := render.Curves{Name: "score", Theme: theme}
		for i := range render.MaxSeries {
			c.Series = append(c.Series, render.Series{Name: fmt.Sprint("player ", i), Points: []render.Chance{{10, 1}, {float64(20 + i), 0.5}}})
		}
		seen := make(map[string]bool)
		marks := ""
		for _, e := range rendertest.Elements(t, curves(t, c)) {
			switch e.Name {
			case "circle":
				marks += "c" + e.Attr["fill"]
			case "polygon":
				x := e.Points(t)
				marks += fmt.Sprint(len(x), math.Abs(x[0].X-x[1].X) < 0.1, x[0].Y < x[1].Y, e.Attr["fill"])
			case "path":
				marks = ""
			case "text":
				if strings.HasPrefix(e.Text, "player") {
					seen[marks] = true
				}
			}
		}
		if len(seen) != render.MaxSeries {
			t.Errorf("%s: %d series have %d different marks", theme.Name, render.MaxSeries, len(seen))
		}
	}
}

func TestCurvesLimits(t *testing.T) {
	with := func(change func(c *render.Curves)) error {
		c := twoCurves()
		change(&c)
		_, err := c.Picture()
		return err
	}
	points := func(p ...render.Chance) func(c *render.Curves) {
		return func(c *render.Curves) { c.Series[1].Points = p }
	}
	for want, change := range map[string]func(c *render.Curves){
		"there are 0 series to plot, expected 1 to 12":        func(c *render.Curves) { c.Series = nil },
		"there are 13 series":                                 func(c *render.Curves) { c.Series = make([]render.Series, 13) },
		`the series "best for <1024>" has 0 points`:           points(),
		"has the chance 1.5 at 3, expected 0 to 1":            points(render.Chance{3, 1.5}),
		"has the chance NaN at 3":                             points(render.Chance{3, math.NaN()}),
		"has the value -1, expected 0":                        points(render.Chance{-1, 1}),
		"has the value NaN":                                   points(render.Chance{math.NaN(), 1}),
		"has the value 0, which a logarithmic scale":          points(render.Chance{0, 1}),
		"has the value 4 after 4, expected a greater one":     points(render.Chance{4, 1}, render.Chance{4, 0.5}),
		"has the chance 0.9 at 8, more than 0.5 before":       points(render.Chance{4, 0.5}, render.Chance{8, 0.9}),
		"has a name of 41 characters, expected at most 40":    func(c *render.Curves) { c.Series[0].Name = strings.Repeat("x", 41) },
		`the theme "own" has the colour {0 0 0 0}, expected `: func(c *render.Curves) { c.Theme.Name = "own" },
	} {
		if err := with(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
}

func ExampleCurves() {
	p, err := twoCurves().Picture()
	if err != nil {
		fmt.Println(err)
		return
	}
	width, height := p.Size()
	fmt.Println(width, height, strings.Contains(string(p.SVG()), ">1,024<"))
	// Output: 880 500 true
}
