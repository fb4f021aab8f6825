package draw_test

import (
	"reflect"
	"testing"

	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/draw"
	"pagoda/statespace"
)

func TestSpace(t *testing.T) {
	b, positions, f := draw.SolutionOf(t, "5x5", "oo..o/...../..+../o..../...X.")
	g, err := lunar.New(t.Context(), "lunar/5x5:1-4", b, 1, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	sp := g.Whole()
	var path statespace.Path
	for i := range positions {
		x, err := sp.Parse(b.Format(positions[len(positions)-1-i]))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			path.From = x
		} else {
			path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: x})
		}
	}
	found, err := draw.Drawer{}.Film(sp, path)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := found.Strip(), f.Strip(); !reflect.DeepEqual(a[len(a)-1], b[len(b)-1]) || len(a) != len(b) || a[0].Drawing.Title() != b[0].Drawing.Title() {
		t.Errorf("the film goes from %v to %v, want %v to %v", a[0], a[len(a)-1], b[0], b[len(b)-1])
	}
}
