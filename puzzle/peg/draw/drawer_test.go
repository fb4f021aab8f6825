package draw_test

import (
	"reflect"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/statespace"
)

func init() {
	draw.NamedBoards = func() map[string]*board.Board {
		all := make(map[string]*board.Board)
		for _, b := range peg.Boards() {
			sp, err := peg.Lookup(b.Name)
			if err != nil {
				panic(err)
			}
			all[b.Name] = sp.Board()
		}
		return all
	}
}

func TestDrawer(t *testing.T) {
	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		t.Fatal(err)
	}
	p, err := draw.Drawer{}.Still(sp, "?ooo/oooo/oooo/oooo")
	if want := draw.PanelOf(sp.Board(), board.Pattern{Pegs: 0xfffe, Any: 1}); err != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("the pattern is drawn as %v, %v, want %v", p, err, want)
	}
	// A random path, with moves by number and without.
	path := statespace.Path{From: sp.Roots()[0]}
	var jumps []int
	for at := path.From; len(jumps) < 5; {
		e := sp.Successors(nil, at)[0]
		step := statespace.Step{Move: e.Move, State: e.To}
		if len(jumps)%2 == 1 {
			step.Move = statespace.AnyMove
		}
		path.Steps, jumps, at = append(path.Steps, step), append(jumps, e.Move), e.To
	}
	film, err := draw.Drawer{}.Film(sp, path)
	if want := draw.SolutionOf(t, sp.Board(), sp.Start(), jumps...); err != nil || !reflect.DeepEqual(film.Strip(), want.Strip()) {
		t.Errorf("the path is drawn as %v, %v, want %v", film.Strip(), err, want.Strip())
	}
	other, err := library.Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := slide.NewSpace(t.Context(), "dads", other, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	still := func(sp statespace.Space, text string) error { _, err := draw.Drawer{}.Still(sp, text); return err }
	drawn := func(sp statespace.Space, path statespace.Path) error {
		_, err := draw.Drawer{}.Film(sp, path)
		return err
	}
	step := func(move int, to statespace.Index) statespace.Path {
		return statespace.Path{From: path.From, Steps: []statespace.Step{{Move: move, State: to}}}
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"text":         {still(sp, "oooo"), "the board has 16 cells, the pattern has 4"},
		"still, other": {still(blocks, "oooo"), "dads cannot be drawn: " + render.ErrFamily.Error()},
		"film, other":  {drawn(blocks, statespace.Path{}), "dads cannot be drawn: " + render.ErrFamily.Error()},
		"from":         {drawn(sp, statespace.Path{From: sp.Size()}), "the path has a state with number"},
		"to":           {drawn(sp, step(statespace.AnyMove, sp.Size())), "the path has a state with number"},
		"no jump":      {drawn(sp, step(statespace.AnyMove, path.From)), "jump 1 of the path: no jump leads from"},
		"other jump":   {drawn(sp, step(jumps[0]+1, path.Steps[0].State)), "jump 1 of the path: no jump leads from"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, c.err, c.want)
		}
	}
}
