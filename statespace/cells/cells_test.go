package cells_test

import (
	"slices"
	"strings"
	"testing"

	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
)

// row is three coins in a row: their states are the numbers from 0 to 7.
func row() toys.Lights { return toys.NewLights(1, 3, 0) }

func TestTarget(t *testing.T) {
	target, err := cells.NewTarget(row(), []uint64{1, 10, 100}, cells.Pattern{1, 1, cells.Any}, cells.Pattern{0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	state := make(cells.Pattern, 3)
	for x, want := range []uint64{1 + 20 + 100, 1 + 20 + 100, 1 + 100, 1 + 100, 1 + 20, 1 + 20, 1, 1} {
		if row().State(state, uint64(x)); target.Distance(state) != want {
			t.Errorf("the distance of %v is %d, want %d", state, target.Distance(state), want)
		}
	}
	if far := target.Farthest(); far != 121 {
		t.Errorf("nothing is farther than %d, want 121", far)
	}
	plain, err := cells.NewTarget(row(), nil, cells.Pattern{1, 0, 1})
	if err != nil || plain.Distance(cells.Pattern{0, 0, 0}) != 2 || plain.Farthest() != 3 {
		t.Errorf("without weights: %+v, %v", plain, err)
	}
	for _, tt := range []struct {
		weights  []uint64
		patterns []cells.Pattern
		want     string
	}{
		{make([]uint64, 2), []cells.Pattern{state}, "the board has 3 cells, there are 2 weights"},
		{slices.Repeat([]uint64{1 << 55}, 3), []cells.Pattern{state}, "too large"},
		{[]uint64{1 << 63, 0, 0}, []cells.Pattern{state, state}, "too large"},
		{nil, []cells.Pattern{{1, 0}}, "expected a pattern of 3 cells, found 2"},
		{nil, []cells.Pattern{state, {1, 0, 2}}, "contents of cells are from 0 to 1, found 2 in cell 2"},
		{nil, []cells.Pattern{{-2, 0, 0}}, "found -2 in cell 0"},
	} {
		if _, err := cells.NewTarget(row(), tt.weights, tt.patterns...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v %v: %v, want %q", tt.weights, tt.patterns, err, tt.want)
		}
	}
}

func TestLetters(t *testing.T) {
	// A cross of five cells.
	cross := cells.NewLetters([]cells.Cell{{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}}, "abc")
	p := cells.Pattern{2, cells.Any, 0, 1, 2}
	if text := cross.FormatPattern(p); text != "c/?ab/c" {
		t.Errorf("%v is written as %q", p, text)
	}
	if q, err := cross.ParsePattern("c/?ab/c"); err != nil || !slices.Equal(p, q) {
		t.Errorf("read as %v, %v", q, err)
	}
	for text, want := range map[string]string{
		"c/?ab/c":  "column 3: expected one of abc, found '?'",
		"":         "column 1: expected one of abc, found the end",
		"c":        "column 2: expected / after a row, found the end",
		"caab/c":   "column 2: expected / after a row, found 'a'",
		"c/a/b/c":  "column 4: expected one of abc, found '/'",
		"c/aax/c":  "column 5: expected one of abc, found 'x'",
		"c/aab/cc": "column 8: expected the end, found 'c'",
	} {
		if p, err := cross.ParseState(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the state %q is read as %v, %v; want %s", text, p, err, want)
		}
	}
	if got := cells.Grid(2, 2, "ab").Cells(); !slices.Equal(got, []cells.Cell{{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
		t.Errorf("the cells of a grid are %v", got)
	}
}

func TestPattern(t *testing.T) {
	open := cells.Open(3)
	for _, tt := range []struct {
		pattern, state cells.Pattern
		open, matches  bool
	}{
		{open, cells.Pattern{0, 1, 0}, true, true},
		{cells.Pattern{cells.Any, 1, cells.Any}, cells.Pattern{0, 1, 0}, false, true},
		{cells.Pattern{cells.Any, 1, 1}, cells.Pattern{0, 1, 0}, false, false},
		{cells.Pattern{}, cells.Pattern{}, true, true},
	} {
		if tt.pattern.IsOpen() != tt.open || tt.pattern.Matches(tt.state) != tt.matches {
			t.Errorf("%v is open: %t; it matches %v: %t", tt.pattern, !tt.open, tt.state, !tt.matches)
		}
	}
	if text := (cells.Cell{Row: 2, Col: 5}).String(); text != "(2,5)" {
		t.Errorf("a cell is %s", text)
	}
}

func TestRange(t *testing.T) {
	for text, want := range map[string]cells.Range{"17": {17, 17}, "12-17": {12, 17}, "0-0": {0, 0}} {
		if r, err := cells.ParseRange(text); err != nil || r != want {
			t.Errorf("%q is %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "-", "3-", "-3", "5-4", "1e3", "99999999999"} {
		if r, err := cells.ParseRange(text); err == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
	if r := (cells.Range{3, 5}); !r.Holds(3) || !r.Holds(5) || r.Holds(2) || r.Holds(6) || r.String() != "3-5" || cells.AllLayers.String() != "" {
		t.Errorf("%v", r)
	}
	if r := (cells.Range{3, 3}); r.String() != "3" {
		t.Errorf("%v", r)
	}
}

// TestSameShape: margins make no difference, holes and ends do.
func TestSameShape(t *testing.T) {
	shape := []cells.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 2}}
	moved := []cells.Cell{{Row: 3, Col: 6}, {Row: 4, Col: 5}, {Row: 4, Col: 7}}
	other := []cells.Cell{{Row: 3, Col: 6}, {Row: 4, Col: 5}, {Row: 4, Col: 6}}
	if !cells.SameShape(shape, moved) || cells.SameShape(shape, other) || cells.SameShape(shape, shape[:2]) || !cells.SameShape(nil, nil) {
		t.Error("shapes are the same if they differ in their margins only")
	}
}
