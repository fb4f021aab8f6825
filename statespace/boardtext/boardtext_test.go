package boardtext

import (
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
			if err := EachLine(strings.NewReader(text), most, func(line Span) { got = append(got, line) }); err != nil || !slices.Equal(got, want) {
				t.Errorf("%.20q, at most %d bytes: %d lines, %v, want %d", text, most, len(got), err, len(want))
			}
		}
	}
	if err := EachLine(iotest.ErrReader(iotest.ErrTimeout), 1, func(Span) {}); err != iotest.ErrTimeout {
		t.Error(err)
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
