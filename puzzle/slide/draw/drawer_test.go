package draw_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/render/rendertest"
	"pagoda/statespace"
)

func TestEnd(t *testing.T) {
	p := draw.Puzzles()["slide/klotski"]
	result, err := slide.Solve(t.Context(), p, tray.Moves, slide.Options{ToGoal: true})
	if err != nil {
		t.Fatal(err)
	}
	s := draw.SolutionOf(t, p, result.Moves...)
	all := rendertest.Play(t, 0, s)
	end := draw.Tray{Puzzle: p, Position: draw.EndOf(s)}
	for i, want := range map[int]render.Panel{0: {Drawing: draw.Tray{Puzzle: p, Position: p.Start()}, Caption: "start"}, len(all) - 1: {Drawing: end, Caption: "end, 81 moves"}} {
		if !reflect.DeepEqual(all[i].Panels, []render.Panel{want}) {
			t.Errorf("scene %d is %v, want %s", i, all[i].Panels, want.Drawing.Title())
		}
	}
	if caption := end.Caption(); caption != "goal" {
		t.Errorf("the caption of the end is %q", caption)
	}
	if !long.Tests {
		return // the film takes a second
	}
	var data bytes.Buffer
	if err := render.WriteGIF(&data, all, 0, 0, render.Style{}); err != nil {
		t.Fatal(err)
	}
	if n := data.Len(); n > 500_000 {
		t.Errorf("Klotski in 81 moves takes %d bytes", n)
	}
}

func TestDrawer(t *testing.T) {
	p := draw.Puzzles()["slide/dads"]
	sp, err := slide.NewSpace(t.Context(), "dads", p, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"AABB/AACC/12../DEFF/DEGG": "start", "AABB/AACC/1..2/DEFF/DEGG": "", "EDCC/EDBB/..21/AAGG/AAFF": "goal"} {
		panel, err := draw.Drawer{}.Still(sp, text)
		if err != nil || panel.Caption != want || panel.Drawing.Title() != text {
			t.Errorf("%s is drawn as %v, %v, want the caption %q", text, panel, err, want)
		}
	}
	// A random path, with moves by their ends only.
	r := rand.New(rand.NewPCG(45, 46))
	path := statespace.Path{From: sp.Roots()[0]}
	for at := path.From; len(path.Steps) < 5; {
		edges := sp.Successors(nil, at)
		e := edges[r.IntN(len(edges))]
		path.Steps, at = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: e.To}), e.To
	}
	film, err := draw.Drawer{}.Film(sp, path)
	if err != nil || film.Moves() != 5 {
		t.Fatalf("the path is drawn as %v, %v", film, err)
	}
	for i, panel := range film.Strip() {
		want := path.From
		if i > 0 {
			want = path.Steps[i-1].State
		}
		if x, err := sp.Parse(panel.Drawing.Title()); err != nil || x != want {
			t.Errorf("panel %d is %s, want %s", i, panel.Drawing.Title(), sp.Format(want))
		}
	}
	board, err := peg.Lookup("peg/4x4")
	if err != nil {
		t.Fatal(err)
	}
	still := func(sp statespace.Space, text string) error { _, err := draw.Drawer{}.Still(sp, text); return err }
	drawn := func(sp statespace.Space, path statespace.Path) error {
		_, err := draw.Drawer{}.Film(sp, path)
		return err
	}
	long := statespace.Path{From: path.From, Steps: make([]statespace.Step, render.MaxPanels)}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"text":         {still(sp, "AABB"), "the tray has 5 rows"},
		"still, other": {still(board, "AABB"), "peg/4x4 cannot be drawn: " + render.ErrFamily.Error()},
		"film, other":  {drawn(board, statespace.Path{}), "peg/4x4 cannot be drawn: " + render.ErrFamily.Error()},
		"from":         {drawn(sp, statespace.Path{From: sp.Size()}), "the path has a state with number"},
		"long":         {drawn(sp, long), "the path has 4096 moves, expected at most 4095"},
		"no move":      {drawn(sp, statespace.Path{From: path.From, Steps: []statespace.Step{{State: path.From}}}), "no move leads from"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}
