package tray_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

func TestParseBoard(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"...\n.#.\n", "tray:\n...\n.#.\n"},
		{".../.#.", "tray:\n...\n.#.\n"},
		{"title: a cross\ntray: \" \"", ""},
		{"title: a cross\nyear: 2001\ntray:\n .\n...\n .\n", "tray:\n#.\n...\n#.\n"},
		{"tray: ../..\nwalls: (1,0) above, b2 left", "tray:\n..\n..\nwalls: (0,0) below, (1,0) right\n"},
		{"floors: 2\ntray:\n..\n#\n..\n.#", "floors: 2\ntray:\n..\n#\n\n..\n.\n"},
		{"####\n#..#\n#.##\n####\nwalls: (1,1) below, (1,1) right", "tray:\n..\n.\nwalls: (0,0) right, (0,0) below\n"},
		{"floors: 4\ntray: ##/##/#./#./#./#./##/##\nwalls: (3,1) ceiling", "floors: 2\ntray:\n.\n.\n\n.\n.\nwalls: (1,0) ceiling\n"},
		{"floors: 3\ntray: ##/##/##/.#/##/##", "tray:\n.\n"},
	} {
		b, err := tray.ParseBoard(c.text)
		if c.want == "" {
			if err == nil {
				t.Errorf("%q was read", c.text)
			}
			continue
		}
		if err != nil || b.Format() != c.want {
			t.Errorf("%q is %v, %v, want %q", c.text, b, err, c.want)
			continue
		}
		again, err := tray.ParseBoard(b.Format())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(b) {
			t.Errorf("%q is read again as %v, %v, want %v", c.text, again, err, b)
		}
	}
	for _, c := range []struct {
		text      string
		line, col int
		reason    string
	}{
		{"", 1, 1, "no tray"},
		{"..\n.A", 2, 2, "a board has no pieces"},
		{"../A.", 1, 4, "a board has no pieces"},
		{"../.. ../.A", 1, 7, "no pieces and goals"},
		{"..\n\n..", 3, 1, "no pieces and goals"},
		{"..\ngoal: -", 2, 1, "no pieces and goals"},
		{"..\ngate: A", 2, 1, "no pieces and goals"},
		{"..\nrushhour:", 2, 1, "no pieces and goals"},
		{"..\nvertical: A", 2, 11, "no pieces and goals"},
		{"..\nalike: *", 2, 8, "no pieces and goals"},
		{"..\nwalls: (5,5) right", 2, 8, "a wall lies between two cells"},
		{"floors: 2\ntray: .../.../...", 1, 9, "expected 2 floors, each with the same number of rows"},
	} {
		_, err := tray.ParseBoard(c.text)
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.Col != c.col || !strings.Contains(at.Reason, c.reason) {
			t.Errorf("%q: %v, want %d:%d: %s", c.text, err, c.line, c.col, c.reason)
		}
	}
}

// A board with pieces in it is that of the puzzle.
func TestFormatWith(t *testing.T) {
	p, err := tray.Parse("floors: 2\ntray:\nA.\nA#\n.B\n.#\nwalls: (0,0) right, (0,1) ceiling\n")
	if err != nil {
		t.Fatal(err)
	}
	b, err := tray.ParseBoard("floors: 2\ntray:\n..\n.#\n..\n.#\nwalls: (0,0) right, (0,1) ceiling\n")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[tray.Cell]byte)
	for i, name := range []byte(p.Pieces()) {
		for _, c := range p.PieceCells(p.Start(), i) {
			names[c] = name
		}
	}
	if got := b.FormatWith(names); got != p.Format() {
		t.Errorf("%s\nwant %s", got, p.Format())
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add("...\n.#.\n")
	f.Add("tray: ../..\nwalls: (1,0) above, b2 left")
	f.Add("floors: 2\ntray:\n..\n#\n..\n.#\nwalls: (0,0) ceiling")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := tray.ParseBoard(text)
		if err != nil {
			var at *cells.SyntaxError
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := tray.ParseBoard(b.Format())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(b) {
			t.Fatalf("%v is read again as %v, %v", b, again, err)
		}
		cell := b.Cells[0]
		if p, err := tray.Parse(b.FormatWith(map[tray.Cell]byte{cell: 'A'})); err != nil || len(p.Cells()) != len(b.Cells) {
			t.Fatalf("with a piece in it: %v, %v", p, err)
		}
	})
}
