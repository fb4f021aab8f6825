package tray_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

func TestFloorErrors(t *testing.T) {
	for _, c := range []struct {
		text      string
		line, col int
		reason    string
	}{
		{"floors: 2\ntray: A./../B.", 1, 9, "the tray has 3 rows: expected 2 floors, each with the same number of rows"},
		{"tray: A./..\nfloors: 4", 2, 9, "the tray has 2 rows: expected 4 floors"},
		{"tray: A.\nfloors: 2", 2, 9, "the tray has 1 row: expected 2 floors"},
		{"floors: 0\ntray: A.", 1, 9, `unexpected "0": expected the number of floors, 1 to 256`},
		{"floors: 257\ntray: A.", 1, 9, `unexpected "257"`},
		{"floors: -1\ntray: A.", 1, 9, `unexpected "-1"`},
		{"floors:\ntray: A.", 1, 8, `unexpected ""`},
		{"floors: 2\nfloors: 2\ntray: A./..", 2, 1, "a second number of floors"},
		{"floors: 2\ntray: ./A/A/.", 2, 11, "piece A is not in one part"}, // the last row of a floor and the first of the next one
		{"floors: 2\ntray: .A/../A./..", 2, 13, "piece A is not in one part"},
		{"floors: 2\ntray: .A/A./../..", 2, 10, "piece A is not in one part"},
		{"floors: 2\ntray: A./../..\ngoal: ./A", 1, 9, "the tray has 3 rows"},
		{"floors: 2\ntray: AA/../../..\ngoal: ../.A/A.", 3, 11, "piece A has another shape here"},
		{"floors: 2\ntray: A./../B./..\nwalls: (1,0) below", 3, 8, "the edge of a floor is on this side of (1,0)"},
		{"floors: 2\ntray: A./../B./..\nwalls: (2,0) above", 3, 8, "the edge of a floor is on this side of (2,0)"},
		{"floors: 2\ntray: A./../B./..\nwalls: (2,0) ceiling", 3, 8, "the tray has no cell in row 4, column 0"},
		{"floors: 2\ntray: A./../B./..\nwalls: (1,0) floor", 3, 8, "the tray has no cell in row -1, column 0"},
		{"tray: A./..\nwalls: (0,0) ceiling", 2, 8, "the tray has no cell in row 2, column 0"},
		{"floors: 2\ntray: A./../A./..\nwalls: (0,0) ceiling", 3, 8, "piece A lies across this wall"},
		{"floors: 2\ntray:\nA.\n\n..\n..\n..", 5, 1, "unexpected row below an empty line: such a line may stand between two floors of 2 rows"},
		{"floors: 2\ntray:\nA.\n..\n\n..\n..\n\ngoal:\n..\n\nA.", 12, 1, "unexpected row below an empty line"},
		{"tray:\nA.\n\n..\nfloors: 2", 4, 1, "unexpected row below an empty line: write goal: above a goal"},
		{"floors: 2\ntray: AA/A./../..\nrushhour:", 2, 7, "piece A is no straight bar"},
		{"floors: 2\ntray: A./../A./..\nupright: A\nhorizontal: A", 3, 10, "piece A is horizontal already"},
	} {
		_, err := tray.Parse(c.text)
		var syntax *cells.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != c.line || syntax.Col != c.col || !strings.Contains(syntax.Reason, c.reason) {
			t.Errorf("%q: %v, want line %d, column %d: %s", c.text, err, c.line, c.col, c.reason)
		}
	}
}

// TestFloorText: the text of a puzzle with floors is read as it is written, and one floor needs no line.
func TestFloorText(t *testing.T) {
	for text, want := range map[string]string{
		"floors: 3\ntray: AB/AC/A./../#/..\nwalls: (2,1) floor, (0,0) right\nupright: C\ngoal: ../../.B\n": "floors: 3\ntray:\nAB\nAC\n\nA.\n..\n\n#\n..\n" +
			"walls: (0,0) right, (0,1) ceiling\nupright: C\ngoal:\n..\n..\n\n.B\n..\n\n#\n..\n",
		"tray: A./..\nfloors: 1\n":                    "tray:\nA.\n..\n",
		"floors: 2\ntray: A#/##/B#/##\n":              "floors: 2\ntray:\nA\n#\n\nB\n#\n",
		"floors: 2\ntray: A./.B/A./.B\nrushhour:\n":   "floors: 2\ntray:\nA.\n.B\n\nA.\n.B\nupright: A B\n",
		"floors: 2\nanywhere: A\ntray: A#/BB/../..\n": "floors: 2\ntray:\nA\nBB\n\n..\n..\nanywhere:\nA\n..\n\n..\n..\n",
	} {
		p := slidetest.Parse(t, text)
		if got := p.Format(); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
		slidetest.CheckFormat(t, p)
	}
}

// TestStairs has the moves of small puzzles in each metric.
func TestStairs(t *testing.T) {
	for _, c := range []struct {
		text string
		want [tray.Metrics]string
	}{
		{"floors: 3\ntray: A./../.B", [tray.Metrics]string{
			"A C, A R, B L, B S", "A C, A CC, A R, B L, B S, B SS", "A C, A CC, A R, A RC, B L, B LS, B S, B SS",
			"A C, A R, B L, B S", "A C, A CC, A R, B L, B S, B SS", "A C, A CC, A R, A RC, B L, B LS, B S, B SS"}},
		// Row 1 of a floor is not beside row 0 of the next one.
		{"floors: 2\ntray: #/A/./#", [tray.Metrics]string{"", "", "", "", "", ""}},
		{"floors: 2\ntray: ./A/#/.", [tray.Metrics]string{"A C, A U", "A C, A U", "A C, A U", "A C, A U", "A C, A U", "A C, A U"}},
		// B pushes A, and an upright piece does not leave its column.
		{"floors: 3\ntray: B./A./..\nupright: B", [tray.Metrics]string{
			"A C, A R", "A C, A R", "A C, A R, A RC, A RS",
			"A C, A R, BA C", "A C, A R, BA C", "A C, A R, A RC, A RS, BA C"}},
		{"floors: 2\ntray: A./..\nwalls: (0,0) ceiling", [tray.Metrics]string{"A R", "A R", "A R, A RC, A RCL", "A R", "A R", "A R, A RC, A RCL"}},
		{"floors: 2\ntray: A./A.", [tray.Metrics]string{"A R", "A R", "A R", "A R", "A R", "A R"}},
	} {
		p := slidetest.Parse(t, c.text)
		for m := range tray.Metric(tray.Metrics) {
			var got []string
			for _, s := range p.Successors(m, p.Start()) {
				got = append(got, p.Move(s).String())
			}
			slices.Sort(got)
			if want := c.want[m]; strings.Join(got, ", ") != want {
				t.Errorf("%q: the %v are %s, want %s", c.text, m, strings.Join(got, ", "), want)
			}
		}
	}
}

// TestFloorShapes: what has the same difference in rows may have another one in floors.
func TestFloorShapes(t *testing.T) {
	p := slidetest.Parse(t, "floors: 2\ntray: AB/BA/A./.A\nparts: *\ndistinct: *")
	if _, err := p.ParsePosition("AB/BA/A./.A"); err != nil {
		t.Error(err)
	}
	p = slidetest.Parse(t, "floors: 2\ntray:\n..\nA.\n\nA.\n..\nparts: A")
	if len(p.Successors(tray.Steps, p.Start())) != 1 {
		t.Errorf("%v", p.Successors(tray.Steps, p.Start()))
	}
	if pos, err := p.ParsePosition("\n.A\n..\n \n..\n.A\n"); err == nil || pos != nil {
		t.Errorf("%v, %v", pos, err)
	}
	if pos, err := p.ParsePosition("..\n.A\n  \n.A\n..\n"); err != nil || p.FormatPosition(pos) != "../.A/.A/.." {
		t.Errorf("%v, %v", pos, err)
	}
	if pos, err := p.ParsePosition("../.A//.A/.."); err != nil || p.FormatPosition(pos) != "../.A/.A/.." {
		t.Errorf("%v, %v", pos, err)
	}
	for _, text := range []string{"A./A./../..", "../../A./A."} {
		if _, err := p.ParsePosition(text); err == nil || !strings.Contains(err.Error(), "piece A has another shape here") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestBeside: the way back leads back, unless the edge of a floor is there.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		d    tray.Direction
		rows int
		want tray.Cell
		on   bool
	}{
		{tray.Up, 3, tray.Cell{Row: 2, Col: 4}, false}, {tray.Up, 2, tray.Cell{Row: 2, Col: 4}, true},
		{tray.Down, 4, tray.Cell{Row: 4, Col: 4}, false}, {tray.Down, 3, tray.Cell{Row: 4, Col: 4}, true},
		{tray.Left, 3, tray.Cell{Row: 3, Col: 3}, true}, {tray.Right, 3, tray.Cell{Row: 3, Col: 5}, true},
		{tray.Climb, 3, tray.Cell{Row: 6, Col: 4}, true}, {tray.Sink, 2, tray.Cell{Row: 1, Col: 4}, true},
	} {
		from := tray.Cell{Row: 3, Col: 4}
		got, on := c.d.Beside(from, c.rows)
		back, _ := c.d.Opposite().Beside(got, c.rows)
		if got != c.want || on != c.on || back != from {
			t.Errorf("%v of %v in floors of %d rows is %v, %t, and back %v", c.d, from, c.rows, got, on, back)
		}
	}
	if got := tray.Direction(200).String(); got != "Direction(200)" {
		t.Error(got)
	}
}
