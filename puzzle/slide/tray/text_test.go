package tray_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text      string
		line, col int
		reason    string
	}{
		{"", 1, 1, "no tray"},
		{"###\n##", 1, 1, "no tray"},
		{"...\n...", 1, 1, "no piece in the tray"},
		{"tray:\nAB\nBA", 3, 2, "piece A is not in one part"},
		{"tray:\n.B\nA.\n.B", 4, 2, "piece B is not in one part"},
		{"tray:\n.B\nA.\n.B", 4, 2, "add a line parts: B"},
		{"tray:\n.B\nA.\n.B\nparts: A", 4, 2, "piece B is not in one part"},
		{"tray:\n.B\nA.\n.B\nparts: C", 5, 8, "the tray has no such piece"},
		{"tray:\n.B\nA.\n.B\nparts:", 5, 7, "no pieces"},
		{"tray: B.B\nparts: B\nrushhour:", 1, 7, "piece B is no straight bar"},
		{"tray: B.B\nparts: B\ngoal: BB", 3, 7, "piece B has another shape here"},
		{"tray: B.BB/..BB\nparts: B\nwalls: (1,2) right", 3, 8, "piece B lies across this wall"},
		{"tray:\nA-", 2, 2, "unexpected '-'"},
		{"Aé", 1, 2, "unexpected 'é'"},
		{"tray:\nA.\ntray:\nB.", 3, 1, "a second tray"},
		{"A.\ntray:\nB.", 2, 1, "a second tray"},
		{"A.\ncolour: red", 2, 1, `unknown heading "colour"`},
		{"title: a puzzle\nA.", 2, 1, "unexpected row"},
		{"tray:\nA.\ngoal:\n..\n", 3, 1, "the drawing names no piece"},
		{"tray:\nA.\ngoal: B", 3, 7, "the tray has no such piece"},
		{"tray:\nA.\ngoal:  .?", 3, 9, "unexpected '?'"},
		{"tray:\nA.\ngoal: ..A", 3, 9, "piece A does not fit here: the tray has no cell in row 0, column 2"},
		{"tray:\nA.\ngoal: ../A", 3, 10, "piece A does not fit here"},
		{"tray:\nA.\ngoal:\n#A", 4, 1, "the tray has no wall here"},
		{"tray:\nAA.\ngoal: ..A", 3, 9, "piece A has another shape here"},
		{"tray:\nAA./A..\ngoal: .AA\n", 3, 8, "piece A has another shape here"},
		{"AA./..B ..A", 1, 11, "piece A has another shape here"},
		{"tray: AB.\nrushhour:", 1, 7, "piece A is no straight bar"},
		{"tray: AA.\nrushhour: yes", 2, 11, "nothing comes behind rushhour:"},
		{"tray: AB.\nhorizontal: A\nvertical: B A", 3, 13, "piece A is horizontal already"},
		{"tray: AB.\ndistinct: C", 2, 11, "the tray has no such piece"},
		{"tray: AB.\ndistinct:", 2, 10, "no pieces"},
		{"tray: ABB.\nalike: A B", 2, 10, "piece B is of another shape or axis than piece A"},
		{"tray: ABC.\nalike: A B\nalike: C B", 3, 10, "piece B is in another line"},
		{"tray: ABC.\nalike: *\nalike: C B", 2, 8, "all pieces of a shape cannot be alike"},
		{"tray:\nAA\n.A\n#\n#A.A", 5, 2, "piece A is not in one part"},
		{"tray:\nAA\n..\n\n..\nAA", 5, 1, "unexpected row below an empty line: write goal: above a goal"},
		{"tray: A.\ngoal: .A\n  \nA.", 4, 1, "unexpected row below an empty line"},
		{"A.\n\n.B", 3, 2, "the tray has no such piece"},
		{"tray: A.\ngoal: .A\ngoal: -", 3, 1, "there are other goals"},
		{"tray: A.\ngoal: -\ngoal: .A", 2, 1, "there are other goals"},
		{"tray: A.\nanywhere: -", 2, 11, "unexpected '-'"},
		{"tray: A..\ngate: .A\ngate: ..A", 3, 1, "a second gate"},
		{"tray: A..\ngate: ...", 2, 1, "the drawing names no piece"},
		{"tray: A..\ngate: .B", 2, 8, "the tray has no such piece"},
		{"tray: AB.\ngate: .A", 1, 8, "piece B stands in the gate of another piece"},
		{"tray: AB.\ngate: ..A\nalike: A B", 3, 8, "piece A has a gate"},
		{"tray: AB.\nwalls:", 2, 7, "no walls"},
		{"tray: AB.\nwalls: (0,0)", 2, 8, `unexpected "(0,0)": expected a cell and one of its sides`},
		{"tray: AB.\nwalls: a1, b1 right", 2, 8, `unexpected "a1, b1 right"`},
		{"tray: AB.\nwalls: d1 left, d1 right", 2, 8, "the tray has no cell in row 0, column 3"},
		{"tray: AB.\nwalls: (0,0) right (0,1) up", 2, 20, `unexpected "(0,1) up"`},
		{"tray: AB.\nwalls: (0,0) rightly", 2, 8, "unexpected"},
		{"tray: AB.\nwalls: (0,0) right,  (0,2) right", 2, 22, "the tray has no cell in row 0, column 3"},
		{"tray: AB.\nwalls: (0,0) above", 2, 8, "the tray has no cell in row -1, column 0"},
		{"tray: AB.\nwalls: (0,9999) right", 2, 8, "the tray has no cell in row 0, column 9999"},
		{"tray:\nA#.\nwalls: (0,0) right", 3, 8, "the tray has no cell in row 0, column 1"},
		{"tray: ABB.\nwalls: (0,0) right, (0,2) left", 2, 21, "piece B lies across this wall"},
		{"tray: AA../....\nwalls: (1,1) right\ngoal: ..../.AA.", 3, 13, "piece A does not fit here: it would lie across the wall (1,1) right"},
		{"tray: AA..\ngoal: ..AAA", 2, 11, "piece A does not fit here"},
		{"tray: AA..\ngoal: ...A", 2, 10, "piece A has another shape here than in the tray (number of cells here 1, there 2)"},
		{"tray: A..\nanywhere: .B.", 2, 12, "the tray has no such piece"},
		{"tray: AB.\nhorizontal: A, C", 2, 16, "the tray has no such piece"},
		{"tray: AB.\nalike: A é", 2, 10, "the tray has no such piece"},
		{"tray: AB.\nlengths: moves", 2, 10, "expected a metric and a length"},
		{"tray: AB.\nlengths: moves 3, paces 4", 2, 19, `unknown metric "paces"`},
		{"tray: AB.\nlengths: moves -3", 2, 10, "expected a length"},
		{"tray: AB.\nstates: many", 2, 9, `unexpected "many"`},
		{"tray: AB.\nyear: about 1880", 2, 7, `unexpected "about 1880": expected a year`},
		{"tray: AB.\nyear: 18800", 2, 7, `unexpected "18800": expected a year`},
		{strings.Repeat(strings.Repeat("A", 128)+"\n", 3), 3, 1, "a tray has at most 256 cells"},
		{strings.Repeat("#", 256) + "A", 1, 257, "a tray has at most 256 columns"},
		{strings.Repeat("#\n", 256) + "A", 257, 1, "a tray has at most 256 rows"},
	} {
		_, err := tray.Parse(c.text)
		var at *cells.SyntaxError
		if !errors.As(err, &at) {
			t.Errorf("%q: error is %v", c.text, err)
		} else if at.Line != c.line || at.Col != c.col || !strings.Contains(at.Reason, c.reason) {
			t.Errorf("%q: %v, want line %d, column %d: %s", c.text, err, c.line, c.col, c.reason)
		}
	}
}

func TestFormat(t *testing.T) {
	slidetest.CheckFormat(t, slidetest.Lookup(t, "slide/n3x4"))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p := slidetest.Random(rng)
		slidetest.CheckFormat(t, p)
		slidetest.CheckFormat(t, slidetest.Enlarge(t, rng, p))
	}
}

func TestOneLine(t *testing.T) {
	p := slidetest.Parse(t, "  AABB/AACC/12../DEFF/DEGG   ..../..../..../AA/AA ..AA/..AA  \n")
	if p.Goals() != 2 || len(p.Cells()) != 20 || p.Pieces() != "ABC12DEFG" || len(p.Kinds()) != 4 {
		t.Errorf("read as\n%s", p.Format())
	}
}

// TestIsPuzzle: drawings without headings, capital letters and digits are not puzzles.
func TestIsPuzzle(t *testing.T) {
	for text, want := range map[string]bool{
		"AABB/AACC":            true,
		"..\n.1":               true,
		"tray: aab/..b":        true,
		"note: for x\naab/..b": true,
		"aab/..b":              false,
		"ooo\no.o\nooo":        false,
		" #o# \n*.-":           false,
		"Notes: a\nooo":        false,
		"":                     false,
	} {
		if got := tray.IsPuzzle(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestKinds checks which pieces are interchangeable.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		text  string
		kinds int
	}{
		{"tray: ABCD..", 1},
		{"tray: ABCD..\ndistinct: B", 2},
		{"tray: ABCD..\ndistinct: *", 4},
		{"tray: ABCD..\ngoal: .....A", 2},
		{"tray: ABCD..\ngoal: .....A\nalike: *", 1},
		{"tray: ABCD..\ngoal: .....A\nalike: A B", 2},
		{"tray: ABCD..\ngoal: .....A\ngoal: .....C\nalike: A B", 3},
		{"tray: ABCD..\nhorizontal: A", 2},
		{"tray:\nAB.\n###\nCD.", 2}, // they can never meet
		{"rushhour:\ntray:\nAA.\n.BB\n", 2},
		{"rushhour:\ntray:\nAABB.\n", 1},
	} {
		if p := slidetest.Parse(t, c.text); len(p.Kinds()) != c.kinds {
			t.Errorf("%s: %d kinds, want %d", c.text, len(p.Kinds()), c.kinds)
		}
	}
}

func TestParsePattern(t *testing.T) {
	p := slidetest.Parse(t, "tray:\nAB.#\n.CCD\n")
	one := int8(1 + p.KindOf(0))
	pattern, err := p.ParsePattern("A?.\n.A.B")
	if want := (cells.Pattern{one, cells.Any, tray.Empty, tray.Empty, one, tray.Empty, one}); err != nil || !slices.Equal(pattern, want) {
		t.Errorf("%v, %v", pattern, err)
	}
	if text := p.FormatPattern(pattern); text != "A?./.A.A" {
		t.Errorf("written as %s", text)
	}
	for _, text := range []string{"", "A?.#", "A?.#/.CCE", "A?.?/.CCD", "A?.#/.C"} {
		var syntax *cells.SyntaxError
		if _, err := p.ParsePattern(text); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCheckPosition(t *testing.T) {
	p := slidetest.Parse(t, "tray: AA../.B..\nhorizontal: A")
	for _, c := range []struct {
		pos    tray.Position
		reason string // empty: no error
	}{
		{tray.Position{0, 5}, ""},
		{tray.Position{2, 1}, ""},
		{tray.Position{0}, "1 places for the puzzle's 2 pieces"},
		{tray.Position{4, 0}, "piece A cannot come to cell 4"},
		{tray.Position{0, 200}, "piece B cannot come to cell 200"},
		{tray.Position{0, 1}, "piece B and one before it are in the same cell"},
	} {
		err := p.CheckPosition(c.pos)
		if (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%v: %v, want %q", c.pos, err, c.reason)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range library.Names() {
		p, err := library.Lookup(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.Format())
	}
	f.Add("AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA")
	f.Add("tray: AA./B..\nwalls: (0,2) below, (1, 1)left\nanywhere: AA")
	f.Add("tray: A.A/B.B\nparts: A, B\nalike: A B\nanywhere: A.A")
	f.Add(strings.Repeat("AB.....##....", 13) + "\nanywhere: A")
	f.Add(strings.Repeat("A"+strings.Repeat(".", 70)+"/", 3) + "B ./.A")
	f.Add("floors: 2\ntray:\nAB\nA.\n\nAC\nA.\nwalls: (1,1) ceiling, (2,1) right\nupright: A\nanywhere: /.B//.C\ngate: .././.D")
	f.Add("floors: 9\ntray: A/././././././././\nupright: *\ngoal: /////A")
	f.Add("tray: A#B/..\ngoal:\nB\nalike: A B\nvertical: A, B\ndistinct: *")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := tray.Parse(text)
		if err == nil {
			slidetest.CheckFormat(t, p)
			return
		}
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Line > 1+strings.Count(text, "\n") {
			t.Fatalf("%v", err)
		}
	})
}

// A text of a few kilobytes, which may be the definition in a file from anyone, takes little time
// and memory: goals anywhere in a tray with few cells and long rows took a second for each 90 bytes.
func TestLongTexts(t *testing.T) {
	far := "tray:\nA" + strings.Repeat(" ", 254) + ".\n" + strings.Repeat("#\n", 250) + ".\n"
	p, err := tray.Parse(far + strings.Repeat("anywhere:\nA\n", 10000))
	if err != nil || p.Goals() != 30000 {
		t.Errorf("many goals anywhere in a tray of three cells: %v", err)
	}
	full := "tray:\nABCDEFGH/IJKLMNPQ/RSTUVWXY/Zabcdefg/hijkmnpq/rstuvwxy/z0123456/7......8\n"
	if _, err := tray.Parse(full + "distinct: " + strings.Repeat("*", 1<<19)); err != nil {
		t.Errorf("all pieces named often: %v", err)
	}
	var at *cells.SyntaxError
	if _, err := tray.Parse("tray:\nA......./......../......../........\n" + strings.Repeat("anywhere:\nA\n", 80000)); !errors.As(err, &at) || !strings.Contains(err.Error(), "more than 1048576 pieces") {
		t.Errorf("goals with millions of pieces: %v", err)
	}
}
