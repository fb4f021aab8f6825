package boardtext

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// EachLine takes the lines of a text as Lines does, and of a long one the beginning.
func TestEachLine(t *testing.T) {
	long := strings.Repeat("a", 9000)
	for _, text := range []string{"", "\n", "a", "\ufeffa\r\n\nb\n", "\na\r\n" + long, long + "\r\n" + long + "\n\n"} {
		for _, most := range []int{1 << 20, 5000} {
			want := Lines(text)
			for i, line := range want {
				want[i].Text = line.Text[:min(len(line.Text), most)]
			}
			var got []Span
			for line, err := range EachLine(bufio.NewReaderSize(strings.NewReader(text), most)) {
				if cut := len(Lines(text)[line.Line-1].Text) > most; err != nil && err != bufio.ErrBufferFull || (err != nil) != cut {
					t.Errorf("%.20q, at most %d bytes: line %d is %.20q, %v", text, most, line.Line, line.Text, err)
				}
				got = append(got, line)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.20q, at most %d bytes: %d lines, want %d", text, most, len(got), len(want))
			}
		}
	}
	var failed []error
	for _, err := range EachLine(bufio.NewReader(iotest.ErrReader(iotest.ErrTimeout))) {
		failed = append(failed, err)
	}
	if !slices.Equal(failed, []error{iotest.ErrTimeout}) {
		t.Error(failed)
	}
}

func TestLines(t *testing.T) {
	got := Lines("\ufeffab\r\n\n c/äd/\n")
	if want := []Span{{1, 1, "ab"}, {2, 1, ""}, {3, 1, " c/äd/"}, {4, 1, ""}}; !slices.Equal(got, want) {
		t.Fatalf("lines are %v, want %v", got, want)
	}
	if got, want := got[2].Rows(), []Span{{3, 1, " c"}, {3, 4, "äd"}, {3, 7, ""}}; !slices.Equal(got, want) {
		t.Errorf("rows are %v, want %v", got, want)
	}
	if got, want := (Span{5, 3, " é  xy\tz "}).Words(), []Span{{5, 4, "é"}, {5, 7, "xy"}, {5, 10, "z"}}; !slices.Equal(got, want) {
		t.Errorf("words are %v, want %v", got, want)
	}
	if got := (Span{5, 3, "éx"}).Errorf(2, "no %s", "x").Error(); got != "line 5, column 4: no x" {
		t.Error(got)
	}
}

// Each character has its row and column, and its place in the text.
func TestPlaces(t *testing.T) {
	var got strings.Builder
	for p := range Places(append(Span{2, 3, "éb/#"}.Rows(), Span{7, 1, "c"})) {
		fmt.Fprintf(&got, "%d,%d %c %v; ", p.Row, p.Col, p.Char, p.Errorf("-"))
	}
	if want := "0,0 é line 2, column 3: -; 0,1 b line 2, column 4: -; 1,0 # line 2, column 6: -; 2,0 c line 7, column 1: -; "; got.String() != want {
		t.Errorf("places are %s, want %s", got.String(), want)
	}
	for range Places([]Span{{1, 1, "abc"}}) {
		break
	}
}

func TestSpaced(t *testing.T) {
	for text, want := range map[string]int{ // the column of the first cell behind a space
		"":                 0,
		"o":                0,
		"ooo\no o":         0, // a board with a gap
		"o o o\no . o":     3,
		"  o\n o o\no o .": 4,
		"o#o":              0,
		"o # o":            0,
		"o\n o":            0,
		"o\to\to\to":       0,
		"1  4 .\n. 2":      4,
	} {
		if at, spaced := Spaced(Lines(text)); spaced != (want > 0) || spaced && at.span.Col != want {
			t.Errorf("%q: %v in column %d, want %d", text, spaced, at.span.Col, want)
		}
	}
}

// What is no part of a drawing is left out, and an error is where the whole text has it.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeffoo\r\n.o\r\n":             "oo\n.o\n",
		"# my board\noo\n.o":             "oo\n.o",
		"#: any\n##oo\n# oo\n# o #":      "##oo\n# oo\n# o #",
		"# AB\n# Level\n# 3 of\nAB":      "# AB\n# 3 of\nAB",
		"1 2 # a row\n3 0":               "1 2\n3 0",
		"AA # bcde":                      "AA # bcde",
		"oo\n.o\n2 pegs":                 "oo\n.o",
		"oo\n.o\n1 letter, 2 numbers\n":  "oo\n.o",
		"gAB.\ngooa\ngoal":               "gAB.\ngooa\ngoal",
		"AB..\nAB..\ngoal\n":             "AB..\nAB..",
		"start":                          "start",
		"    tray:\n     AA\n    .A":     "tray:\n AA\n.A",
		"  oo\n .o":                      "  oo\n .o",
		"oo/ .o/ oo":                     "oo/.o/oo",
		"oo / .o / oo\n":                 "oo/.o/oo\n",
		" oo/ .o":                        " oo/ .o",
		"oo/  .o/ o":                     "oo/  .o/ o",
		"title: a / b\ntray: AA / .A":    "title: a / b\ntray: AA/.A",
		"AA/.. ../AA":                    "AA/.. ../AA",
		"```\nAA\n```":                   "AA",
		"[1, 2] / \"x\": 3 # no comment": "[1, 2] / \"x\": 3 # no comment",
	} {
		got, err := Read(text, func(text string) (string, error) { return text, nil })
		if err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"oo/ .o/oo":          "line 1, column 4: a blank behind a slash may be a place without a cell, or stand between rows",
		"# a word\noo/ .!":   "line 2, column 6: wrong",
		"  tray:\n  oo\n  !": "line 3, column 3: wrong",
		"oo\n.!":             "line 2, column 2: wrong",
	} {
		_, err := Read(text, func(text string) (string, error) {
			for _, l := range Lines(text) {
				if at := strings.IndexByte(l.Text, '!'); at >= 0 {
					return "", l.Errorf(at, "wrong")
				}
			}
			return text, nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
