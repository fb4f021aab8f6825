package slide_test

import (
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// Mirrors keep the start, and take moves to moves, in every metric.
func TestMirrors(t *testing.T) {
	read := func(text string) *tray.Puzzle {
		p, err := tray.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	named := func(name string) *tray.Puzzle {
		p, err := library.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, tt := range []struct {
		name    string
		puzzle  *tray.Puzzle
		mirrors int
	}{
		{"klotski", named("slide/klotski"), 1},
		{"dads", named("slide/dads"), 0},
		{"n3x3", read("tray:\n123\n456\n78."), 1},
		{"n2x3", read("tray:\n123\n45."), 0},
		{"four corners", read("tray:\nA.B\n...\nC.D"), 7},
		{"a row", read("tray:\nA..B"), 1},
		{"distinct", read("tray:\nA..B\ndistinct: A B"), 1},
		{"a pinwheel", read("tray:\nAA.B\nC..B\nC..D\nE.DD"), 0},
		{"turns only", read("tray:\nAA.B\nD..B\nD...\n..CC"), 0},
		{"bars that turn", read("tray:\nAA.B\n...B\nC...\nC.DD"), 3},
		{"a wall", read("tray:\nA.B\n...\nwalls: a1 right"), 0},
		{"walls", read("tray:\nA.B\n...\nwalls: a1 right, b1 right"), 1},
		{"a gate", read("tray:\nA.B\n...\ngate:\n...\nA.."), 0},
		{"floors", read("floors: 2\ntray:\nA.\n..\n.B\n.."), 3},
		{"a cube", read("floors: 2\ntray:\nA.\n.B\n.C\nD."), 23},
		{"opposite corners", read("floors: 2\ntray:\nA.\n..\n..\n.B"), 11},
		{"a bar between floors", read("floors: 2\ntray:\nA.\n..\nA.\n.."), 1},
		{"a turned tray", read("floors: 3\ntray:\nA.B\n...\nC.D"), 7},
		{"a ceiling", read("floors: 2\ntray:\nA.\n..\n.B\n..\nwalls: a1 ceiling"), 0},
		{"axes", read("tray:\nA.B\n...\n...\nhorizontal: A B"), 1},
	} {
		for metric := range tray.Metric(tray.Metrics) {
			sp, err := slide.NewSpace(t.Context(), tt.name, tt.puzzle, metric, false, 0)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			mirrors := sp.Mirrors()
			if len(mirrors) != tt.mirrors {
				t.Errorf("%s: %d mirrors, want %d", tt.name, len(mirrors), tt.mirrors)
				continue
			}
			checkMirrors(t, sp, mirrors)
			if sp.Size() > 10000 || !long.Tests {
				break // one metric will do
			}
		}
	}
}

// checkMirrors looks at the first states that are reached.
func checkMirrors(t *testing.T, sp *slide.Space, mirrors []statespace.Symmetry) {
	t.Helper()
	reached := sp.Roots()
	for at := 0; at < len(reached) && at < 300; at++ {
		for _, e := range sp.Successors(nil, reached[at]) {
			if !slices.Contains(reached, e.To) {
				reached = append(reached, e.To)
			}
		}
	}
	next := func(x uint64) (all []uint64) {
		for _, e := range sp.Successors(nil, x) {
			all = append(all, e.To)
		}
		slices.Sort(all)
		return all
	}
	for i, m := range mirrors {
		moved := false
		for _, x := range reached[:min(len(reached), 300)] {
			var images []uint64
			for _, y := range next(x) {
				images = append(images, m.Map(y))
			}
			slices.Sort(images)
			if !slices.Equal(images, next(m.Map(x))) {
				t.Fatalf("%s: mirror %d takes %s to %s, and its moves not to moves", sp.Name(), i, sp.Format(x), sp.Format(m.Map(x)))
			}
			moved = moved || m.Map(x) != x
			// The mirrors and the identity are a group.
			for _, n := range mirrors {
				y := n.Map(m.Map(x))
				if y != x && !slices.ContainsFunc(mirrors, func(o statespace.Symmetry) bool { return o.Map(x) == y }) {
					t.Fatalf("%s: two mirrors take %s to %s, and none does", sp.Name(), sp.Format(x), sp.Format(y))
				}
			}
		}
		if root := sp.Roots()[0]; m.Map(root) != root || !moved {
			t.Errorf("%s: mirror %d takes the start to %s; it moves a position: %t", sp.Name(), i, sp.Format(m.Map(root)), moved)
		}
	}
}
