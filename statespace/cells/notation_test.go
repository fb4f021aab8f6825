package cells_test

import (
	"strings"
	"testing"

	"pagoda/statespace/cells"
)

func TestParseCell(t *testing.T) {
	for text, want := range map[string]cells.Cell{
		"3,2": {3, 2}, "(3,2)": {3, 2}, "( 3 , 2 )": {3, 2}, "3, 2": {3, 2}, "03,2": {3, 2}, "0,0": {0, 0},
		"a1": {0, 0}, "c4": {3, 2}, "C4": {3, 2}, "d4": {3, 3}, "z1": {0, 25}, "aa1": {0, 26}, "az10": {9, 51}, "ba2": {1, 52}, "zz1": {0, 701}, "aaa1": {0, 702},
	} {
		if c, err := cells.ParseCell(text); err != nil || c != want {
			t.Errorf("%q is %v, %v; want %v", text, c, err, want)
		}
	}
	for _, text := range []string{"", "4", "d", "d0", "d04", "4d", "3;2", "(3,2", "3,2)", "-1,0", "3,-2", "d4 ", " d4", "d4,", "abcd1", "a123456", "123456,0", "é1", "d-4"} {
		c, err := cells.ParseCell(text)
		if err == nil || !strings.Contains(err.Error(), "is not a cell: expected row,column, counted from 0 at the top left, such as 3,2, or the letter") {
			t.Errorf("%q is %v, %v", text, c, err)
		}
	}
	for text, length := range map[string]int{"(0,1) right": 5, "b1 right": 2, "0,1 right": 3, "b1right": 2, "right": 0, " b1": 0} {
		if _, n := cells.CutCell(text); n != length {
			t.Errorf("%q begins with a cell of %d bytes, want %d", text, n, length)
		}
	}
}

func TestNotations(t *testing.T) {
	for c, want := range map[cells.Cell][2]string{
		{Row: 0, Col: 0}: {"(0,0)", "a1"}, {Row: 3, Col: 2}: {"(3,2)", "c4"}, {Row: 254, Col: 26}: {"(254,26)", "aa255"}, {Row: 0, Col: 51}: {"(0,51)", "az1"},
	} {
		for n, text := range want {
			if got := cells.Notation(n).Cell(c); got != text {
				t.Errorf("%v is written %s, want %s", c, got, text)
			}
		}
	}
	if len(cells.Notations) != 2 || cells.Notations[cells.LetterNumber] != "d4" {
		t.Errorf("the notations are %v", cells.Notations)
	}
}

// Every cell is read as it is written, in each notation, and nothing makes a panic.
func FuzzCell(f *testing.F) {
	for _, text := range []string{"3,2", "(3,2)", "d4", "aa10", "( 1, 2 ) right", "zzz99999", "(,)", "a0"} {
		f.Add(text, 3, 2)
	}
	f.Fuzz(func(t *testing.T, text string, row, col int) {
		if c, n := cells.CutCell(text); n > 0 {
			if again, err := cells.ParseCell(text[:n]); err != nil || again != c || c.Row < 0 || c.Col < 0 {
				t.Errorf("%q begins with %v, which is read as %v, %v", text, c, again, err)
			}
		} else if c != (cells.Cell{}) {
			t.Errorf("%q has no cell, and %v is returned", text, c)
		}
		c := cells.Cell{Row: row & 0x7fff, Col: col & 0x3fff}
		for n := range cells.Notations {
			written := cells.Notation(n).Cell(c)
			if read, err := cells.ParseCell(written); err != nil || read != c {
				t.Errorf("%v is written %s, and read as %v, %v", c, written, read, err)
			}
		}
	})
}
