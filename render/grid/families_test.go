package grid_test

import (
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/render/grid"
	"pagoda/render/rendertest"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func TestFamilies(t *testing.T) {
	board, err := peg.Lookup("peg/english")
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := library.Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := slide.NewSpace(t.Context(), "dads", puzzle, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, sp := range []statespace.Space{board, blocks} {
		root := sp.Roots()[0]
		pattern := func(x statespace.Index) string {
			drawn := sp.Parts().Cells
			p := cells.Open(len(drawn.Cells()))
			drawn.State(p, x)
			return drawn.FormatPattern(p)
		}
		p, err := grid.Drawer{}.Still(sp, sp.Format(root))
		if err != nil || p.Caption != "start" || p.Drawing.Title() != pattern(root) {
			t.Errorf("%s is drawn as %v, %v", sp.Name(), p, err)
		}
		e := sp.Successors(nil, root)[0]
		film, err := grid.Drawer{}.Film(sp, statespace.Path{From: root, Steps: []statespace.Step{{Move: e.Move, State: e.To}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := film.Strip()[0].Caption, "move 1: "+sp.FormatMove(root, e); got != want || film.Frame(1, 0).Drawing.Title() != pattern(e.To) {
			t.Errorf("%s: the film has the move %q, want %q", sp.Name(), got, want)
		}
		rendertest.Elements(t, rendertest.Sheet(t, film.Strip(), 0, render.Style{}))
	}
}
