package peg_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
)

func ExampleLookup() {
	sp, err := peg.Lookup("peg/english@0,2")
	if err != nil {
		panic(err)
	}
	fmt.Println(sp.Name(), sp.Size(), sp.Format(sp.Roots()[0]))
	// Output: peg/english@0,2 536870912 ##.oo/##ooo/ooooooo/ooooooo/ooooooo/##ooo/##ooo
}

func TestNames(t *testing.T) {
	for name, want := range map[string]struct {
		cells, dim int
		start      string
	}{
		"peg/5x7":       {35, 31, "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"},
		"peg/6x6":       {36, 32, "oooooo/oooooo/oo.ooo/oooooo/oooooo/oooooo"},
		"peg/7x5":       {35, 31, "ooooooo/ooooooo/ooo.ooo/ooooooo/ooooooo"},
		"peg/4x4":       {16, 12, "oooo/o.oo/oooo/oooo"},
		"peg/5x7@0,0":   {35, 31, ".oooo/ooooo/ooooo/ooooo/ooooo/ooooo/ooooo"},
		"peg/english":   {33, 29, "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		"peg/european":  {37, 33, "##ooo/#ooooo/ooooooo/ooo.ooo/ooooooo/#ooooo/##ooo"},
		"peg/wiegleb":   {45, 41, "###ooo/###ooo/###ooo/ooooooooo/oooo.oooo/ooooooooo/###ooo/###ooo/###ooo"},
		"peg/diamond41": {41, 37, "####o/###ooo/##ooooo/#ooooooo/oooo.oooo/#ooooooo/##ooooo/###ooo/####o"},

		"peg/triangle10":          {10, 8, "./oo/ooo/oooo"},
		"peg/triangle15":          {15, 13, "./oo/ooo/oooo/ooooo"},
		"peg/english@c1":          {33, 29, "##.oo/##ooo/ooooooo/ooooooo/ooooooo/##ooo/##ooo"},
		"peg/5x7@a1":              {35, 31, ".oooo/ooooo/ooooo/ooooo/ooooo/ooooo/ooooo"},
		"peg/triangle15@b3":       {15, 13, "o/oo/o.o/oooo/ooooo"},
		"peg/triangle15@2,1":      {15, 13, "o/oo/o.o/oooo/ooooo"},
		"peg/triangle21":          {21, 19, "./oo/ooo/oooo/ooooo/oooooo"},
		"peg/triangle28":          {28, 26, "./oo/ooo/oooo/ooooo/oooooo/ooooooo"},
		"peg/triangle36":          {36, 34, "./oo/ooo/oooo/ooooo/oooooo/ooooooo/oooooooo"},
		"peg/hexagon19":           {19, 17, "ooo/oooo/oo.oo/#oooo/##ooo"},
		"peg/diamond13":           {13, 9, "##o/#ooo/oo.oo/#ooo/##o"},
		"peg/4x4:diagonal":        {16, 16, "oooo/o.oo/oooo/oooo"},
		"peg/english:diagonal@c1": {33, 33, "##.oo/##ooo/ooooooo/ooooooo/ooooooo/##ooo/##ooo"},
		"peg/8x8":                 {64, 60, strings.Repeat("oooooooo/", 3) + "ooo.oooo/" + strings.Repeat("oooooooo/", 3) + "oooooooo"},
	} {
		sp := pegtest.Lookup(t, name)
		cells, dim := len(sp.Board().Cells()), sp.Class().Dim()
		if start := sp.Format(sp.Roots()[0]); cells != want.cells || dim != want.dim || start != want.start || sp.Name() != name {
			t.Errorf("%s is %s with %d cells, dimension %d, start %s", name, sp.Name(), cells, dim, start)
		}
		again, err := peg.Define(sp.Definition())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !again.Definition().SamePuzzle(sp.Definition()) || again.Name() != name {
			t.Errorf("%s: its definition makes another space", name)
		}
		for x := uint64(1); x < sp.Size()/3; x *= 3 {
			if again.Format(x) != sp.Format(x) {
				t.Fatalf("%s: number %d is %s, in the space of its definition %s", name, x, sp.Format(x), again.Format(x))
			}
		}
	}
}

// Every board that Boards lists can be looked up.
func TestBoards(t *testing.T) {
	for _, b := range peg.Boards() {
		if sp := pegtest.Lookup(t, b.Name); sp.Name() != b.Name || b.About == "" {
			t.Errorf("%s is %s, %q", b.Name, sp.Name(), b.About)
		}
	}
}

func TestRefusedNames(t *testing.T) {
	for name, want := range map[string]string{
		"peg/9x9":                        "81 cells; a position holds at most 64",
		"peg/1000000x1000000":            "at most 256 rows and columns",
		"peg/99999999999999999x1":        "at most 256 rows and columns",
		"peg/0x5":                        "at least one column and one row",
		"peg/5x7@9,9":                    "no cell in row 9, column 9",
		"peg/english@0,0":                "no cell in row 0, column 0",
		"peg/5x7@3":                      "the vacancy \"3\" is not a cell: expected row,column",
		"peg/5x7@-1,0":                   "is not a cell",
		"peg/5x7@99999999999999999999,0": "is not a cell",
		"peg/english@a1":                 "no cell in row 0, column 0 (counted from 0), a1",
		"peg/hexagon20":                  "no hexagon has 20 cells: expected hexagon19 or hexagon37",
		"peg/diamond0":                   "at least one cell",
		"peg/hexagon91":                  "91 cells; a position holds at most 64",
		"peg/triangle99999999999":        "at most 256 rows and columns",
		"peg/3x3x3":                      "a board has two dimensions: expected WxH, such as peg/3x3",
		"peg/3x3x3:diagonal@0,0":         "a board has two dimensions",
		"peg/5x5:diag":                   "unknown space",
		"peg/5x5:":                       "unknown space",
		"peg/triangle15:diagonal":        "diagonal jumps are for boards of squares; peg/triangle15 has a triangular lattice",
		"peg/hexagon019":                 "unknown space",
		"peg/hexagon":                    "unknown space",
		"peg/nothing:diagonal":           "unknown space",
		"peg/nothing":                    "unknown space",
		"5x7":                            "unknown space",
		"":                               "unknown space",
	} {
		_, err := peg.Lookup(name)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, statespace.ErrUnknown) != (want == "unknown space") {
			t.Errorf("%q: %v; want %q", name, err, want)
		}
	}
}

// TestLookupShape: LookupShape finds the boards of Lookup, with the same start, and larger ones.
func TestLookupShape(t *testing.T) {
	for _, name := range []string{"peg/english", "peg/english@0,2", "peg/triangle15", "peg/8x8", "peg/5x7@a1", "peg/hexagon37", "peg/5x5:diagonal@b2"} {
		s, pegs, err := peg.LookupShape(name)
		if err != nil {
			t.Fatal(err)
		}
		sp := pegtest.Lookup(t, name)
		if b := sp.Board(); s.Drawing(pegs) != b.Text(sp.Class().Position(sp.Roots()[0])) {
			t.Errorf("%s is\n%s", name, s.Drawing(pegs))
		}
	}
	s, pegs, err := peg.LookupShape("peg/256x20@c2")
	if err != nil || len(s.Cells()) != 256*20 || pegs[256+2] || !pegs[256+1] {
		t.Errorf("peg/256x20@c2: %v", err)
	}
	for name, want := range map[string]string{
		"peg/257x1":         "peg/257x1: a board has at most 256 rows and columns",
		"peg/99999999999x2": "at most 256 rows and columns",
		"peg/0x5":           "at least one column and one row",
		"peg/20x20@20,0":    "no cell in row 20, column 0",
		"peg/20x20@x":       "is not a cell",
		"peg/nothing":       "unknown space",
		"english":           "unknown space",
	} {
		_, _, err := peg.LookupShape(name)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, statespace.ErrUnknown) != (want == "unknown space") {
			t.Errorf("%q: %v; want %q", name, err, want)
		}
	}
}

func TestRefusedDefinitions(t *testing.T) {
	good := pegtest.Lookup(t, "peg/3x3").Definition()
	puzzle, numbering := string(good.Puzzle), string(good.Numbering)
	for _, tt := range []struct{ puzzle, numbering, want string }{
		{"", numbering, "JSON"},
		{puzzle, "[]", "JSON|json"},
		{"{}", numbering, `unknown lattice "": expected square, triangular or diagonal; a board has two dimensions`},
		{strings.Replace(puzzle, "square", "round", 1), numbering, "unknown lattice"},
		{strings.Replace(puzzle, "ooo", "oxo", 1), numbering, "unexpected 'x'"},
		{puzzle, strings.Replace(numbering, `[`, `[99,`, 1), "cell 99"},
		{puzzle, strings.Replace(numbering, `[`, `[-1,`, 1), "cell -1"},
		{`{"lattice":"square","start":"oo/oo"}`, `{"free":[1]}`, "0 free cells were expected"},
		{`{"lattice":"square","start":"ooo/ooo"}`, `{"free":[0,1]}`, "determine the others"},
		{`{"lattice":"square","start":"o` + strings.Repeat("/", 300) + `o"}`, `{"free":[]}`, "at most 256 rows and columns"},
	} {
		d := statespace.Definition{Family: peg.FamilyName, Name: "bad", Puzzle: []byte(tt.puzzle), Numbering: []byte(tt.numbering)}
		_, err := peg.Define(d)
		if err == nil || !regexp.MustCompile(tt.want).MatchString(err.Error()) || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%s %s: %v; want %q", tt.puzzle, tt.numbering, err, tt.want)
		}
	}
}
