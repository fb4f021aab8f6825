package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg/board"
)

// made returns a board that must be valid: made(t)(board.OfShape(board.CrossShape(7))), say.
func made(t testing.TB) func(*board.Board, error) *board.Board {
	return func(b *board.Board, err error) *board.Board {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestParsePosition(t *testing.T) {
	english, font := made(t)(board.OfShape(board.CrossShape(7))), made(t)(board.Rectangle(5, 7))
	triangle, column := made(t)(board.OfShape(board.TriangleShape(4))), made(t)(board.Rectangle(1, 4))
	bar, _, err := board.ParseBoard("oo oo\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		board *board.Board
		text  string
		want  string // as FormatPosition writes it; or a part of the error
	}{
		{font, "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo", ""},
		{font, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"},
		{font, "11111111111111111011111111111111111", "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"},
		{font, "*****\n*****\n*****\n**-**\n*****\n*****\n*****\n", "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"},
		{font, "o.1-*/0 0 0 0 0/...../...../...../...../.....", "o.o.o/...../...../...../...../...../....."},
		{font, "-----/-----/-----/-----/-----/-----/-----", "...../...../...../...../...../...../....."},
		{english, "##ooo##/##ooo##/ooooooo/ooo.ooo/ooooooo/##ooo##/##ooo##", "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{english, "  ooo  /  ooo  /ooooooo/ooo.ooo/ooooooo/  ooo  /  ooo  ", "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{english, "ooo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo", "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{english, strings.Repeat("1", 16) + "0" + strings.Repeat("1", 16), "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{english, "# # o o o # # / ##ooo / ooooooo/ooo.ooo/ooooooo/##ooo/##ooo", "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{triangle, "\n.\noo\nooo\noooo\n", "./oo/ooo/oooo"},
		{triangle, ".\noo\nooo\noooo", "./oo/ooo/oooo"},
		{triangle, "   .\n  o o\n o o o\no o o o", "./oo/ooo/oooo"},
		{column, "o.o.", "o/./o/."},
		{bar, "oo#.o", ""},
		{bar, "oo.o", "oo#.o"},

		// With margins, as a text of the board may have them.
		{english, "\n#########\n###ooo###\n   ooo\n#ooooooo#\n#ooo.ooo#\n#ooooooo\n###ooo\n###ooo\n\n#\n", "##ooo/##ooo/ooooooo/ooo.ooo/ooooooo/##ooo/##ooo"},
		{bar, "#####/ oo#.o/ ", "oo#.o"},
		{bar, " # oo .o", "oo#.o"},

		{bar, "#/#oo..o", "the board has 1 row, the pattern has 2"},
		{font, "", "35 cells"},
		{font, "oo", "the board has 35 cells, the pattern has 2"},
		{font, "ooooo/ooooo", "the board has 7 rows, the pattern has 2"},
		{font, "ooooo/ooooo/oooo/oo.oo/ooooo/ooooo/ooooo", "row 2 of the board has 5 cells, in the pattern it has 4"},
		{font, "ooooo/ooxoo/ooooo/oo.oo/ooooo/ooooo/ooooo", `column 9: unexpected 'x'`},
		{font, "ooooo/oo#oo/ooooo/oo.oo/ooooo/ooooo/ooooo", "row 1, column 2: the board has a cell there"},
		{font, "#" + strings.Repeat("1", 35), "column 1: unexpected '#'"},
		{english, "#ooo###/##ooo##/ooooooo/ooo.ooo/ooooooo/##ooo##/##ooo##", "row 0, column 1: the board has no cell there"},
		{english, "##oo/##ooo##/ooooooo/ooo.ooo/ooooooo/##ooo##/##ooo##", "row 0, column 4: the board has a cell there"},
		{font, "\x00\xff", "column 1"},
	} {
		p, err := tt.board.ParsePosition(tt.text)
		if err != nil {
			if tt.want == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v; want %q", tt.text, err, tt.want)
			}
			continue
		}
		want := tt.want
		if want == "" {
			want = tt.text
		}
		if got := tt.board.FormatPosition(p); got != want {
			t.Errorf("%q was read as %q, want %q", tt.text, got, want)
		}
	}
}

func TestParseBoard(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"o.o\n", "o.o"},
		{"\ufeffo.o", "o.o"},
		{"ooo\r\no.o\r\n", "ooo/o.o"},
		{"\n\n   oo\n   .o\n\n", "oo/.o"},
		{" o\no.o\n o\n", "#o/o.o/#o"},
		{"#o#\no.o", "#o/o.o"},
		{"lattice: triangular\n.\noo\n", "./oo"},
		{"lattice: square\no.\n", "o."},
		{"o\n\n.\n", "o//."},
		{"ooo/o.o", "ooo/o.o"},
		{"lattice: triangular\n./oo\nooo\n", "./oo/ooo"},
		{"lattice: triangular/./oo\nooo\n", "./oo/ooo"},
		{"lattice:square/o.", "o."},
		{"o.o/\n", "o.o"},

		{"o#o#o#o", "o#o#o#o"},
		{"o o", "o#o"},

		{"o o o o\no o . o\n", "o#o#o#o/o#o#.#o"},
		{"", "line 1, column 1: no cells"},
		{" # \n", "line 1, column 1: no cells"},
		{"o.o\nox.\n", "line 2, column 2: unexpected 'x'"},
		{"o.o/ox.", "line 1, column 6: unexpected 'x'"},
		{"lattice: hexagonal\no\n", "line 1, column 9: unknown lattice \"hexagonal\""},
		{"lattice: triangular", "line 1, column 1: no cells"},
		{"lattice: square/ox", "line 1, column 18: unexpected 'x'"},
		{"o?", "unexpected '?': expected o (peg), . (hole), # or a space (off the board), or / between rows"},
		{"lattice: triangular\nO\n", "line 2, column 1: unexpected 'O'"},
		{"o\to\n", `line 1, column 2: unexpected '\t'`},
		{strings.Repeat("ooooooooo\n", 9), "line 8, column 2: the board has 81 cells; a position holds at most 64"},
		{"o" + strings.Repeat(" ", 300) + "o", "line 1, column 302: a board has at most 256 rows and columns"},
		{"o" + strings.Repeat("\n", 300) + "o", "line 301, column 1: a board has at most 256 rows and columns"},
	} {
		b, start, err := board.ParseBoard(tt.text)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v; want %q", tt.text, err, tt.want)
			}
			continue
		}
		if got := b.FormatPosition(start); got != tt.want {
			t.Errorf("%q was read as %q, want %q", tt.text, got, tt.want)
		}
		again, start2, err := board.ParseBoard(b.Text(start))
		if err != nil || again.FormatPosition(start2) != tt.want || again.Lattice() != b.Lattice() {
			t.Errorf("%q: its Text was read as %v, %v", tt.text, again, err)
		}
	}
}

// Boards are read as people draw them, or refused with what they may mean.
func TestReadBoard(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"o//.\n", "o//."},
		{"o o o o\no o o o\no o . o\no o o o\n", "oooo/oooo/oo.o/oooo"},
		{"    o\n   o o\n  o o o\n o o . o\no o o o o\n", "o/oo/ooo/oo.o/ooooo"},
		{"   o o o\n  o o o o\n o o . o o\n  o o o o\n   o o o\n", "ooo/oooo/oo.oo/#oooo/##ooo"},
		{"lattice: triangular\n   .\n  oo\n ooo\noooo\n", "./oo/ooo/oooo"},
		{"lattice: triangular\n  .\n oo\n ooo\noooo\n", "./oo/ooo/oooo"},
		{"lattice: triangular\n  .\n  oo\n ooo\n oooo\nooooo\n", "./oo/ooo/oooo/ooooo"},
		{"lattice: triangular\n      .\n    o o\n  o o o\no o o o\n", "./oo/ooo/oooo"},
		{"lattice: triangular\noooo\nooo\noo\n.\n", "oooo/#ooo/##oo/###."},
		{"lattice: triangular\n###.\n##oo\n#ooo\noooo\n", "###./##oo/#ooo/oooo"},
		{"lattice: square\n.\noo\nooo\noooo\n", "./oo/ooo/oooo"},
		{"# a comment\nooo\no.o\n2 pegs\n", "ooo/o.o"},
		{"ooo/ o.o/ ooo", "ooo/o.o/ooo"},
		{"ooo / o.o / ooo", "ooo/o.o/ooo"},
		{" oo/o..o/ oo", "#oo/o..o/#oo"},
		{"(define (problem p)\n(:init (occupied pos-0-0) (occupied pos-1-0)\n(free pos-2-0) (free pos-1-1))\n(:goal (occupied pos-2-0)))", "oo./#."},
		{"o\n\n.\n", "line 2, column 1: an empty line inside a board"},
		{"ooo\no.o\n\nooo\no.o\n", "line 3, column 1: an empty line inside a board: write # for a row without cells, or each board into a file of its own"},
		{"o o o\n  o  o\no o o\n", "line 1, column 1: here only spaces stand between cells, which are neither below each other nor shifted by half a cell"},
		{".\noo\nooo\noooo\n", "line 1, column 1: rows of 1 to 4 cells may be a triangle, or a board of squares: write the line lattice: triangular or lattice: square above them"},
		{"   .\n  oo\n ooo\noooo\n", "line 1, column 4: rows of 1 to 4 cells may be a triangle, or a board of squares"},
		{"ooo/ o.o/ooo", "line 1, column 5: a blank behind a slash may be a place without a cell, or stand between rows"},
		{"o" + strings.Repeat("/", 300) + "o", "line 1, column 302: a board has at most 256 rows and columns"},
	} {
		b, start, err := board.ReadBoard(tt.text)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v; want %q", tt.text, err, tt.want)
			}
			continue
		}
		if got := b.FormatPosition(start); got != tt.want {
			t.Errorf("%q was read as %q, want %q", tt.text, got, tt.want)
		}
		again, start2, err := board.ReadBoard(b.Text(start))
		if err != nil || again.FormatPosition(start2) != tt.want || again.Lattice() != b.Lattice() {
			t.Errorf("%q: its Text was read as %v, %v", tt.text, again, err)
		}
	}
}

// An open board is read as a board with ? in place of some holes.
func TestParseOpenBoard(t *testing.T) {
	for _, text := range []string{"o?o", "?", "##?/o.?\n???", "lattice: triangular/?/o?", "\n o \n ?"} {
		b, p, err := board.ParseOpenBoard(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		c, pegs, err := board.ParseBoard(strings.ReplaceAll(text, "?", "."))
		if err != nil || pegs != p.Pegs || !slices.Equal(b.Cells(), c.Cells()) || b.Lattice() != c.Lattice() {
			t.Errorf("%q was read as %s, without open cells as %s, %v", text, b.FormatPattern(p), c.FormatPosition(pegs), err)
		}
		if q, err := b.ParsePattern(b.FormatPattern(p)); err != nil || q != p || strings.Count(b.FormatPattern(p), "?") != strings.Count(text, "?") {
			t.Errorf("%q was read as %s", text, b.FormatPattern(p))
		}
	}
	for text, want := range map[string]string{
		"":                              "no cells: expected rows of o (peg) and . (hole) and ? (either)",
		"ox":                            "line 1, column 2: unexpected 'x': expected o (peg), . (hole), ? (either), #",
		strings.Repeat("????????\n", 9): "the board has 72 cells",
	} {
		if _, _, err := board.ParseOpenBoard(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParsePattern(t *testing.T) {
	b := made(t)(board.OfShape(board.CrossShape(7)))
	p, err := b.ParsePattern("##o?.##/##???/ooooooo/???????/oo...oo/##ooo/##?oo")
	if err != nil {
		t.Fatal(err)
	}
	if got := b.FormatPattern(p); got != "##o?./##???/ooooooo/???????/oo...oo/##ooo/##?oo" || p.Pegs&p.Any != 0 {
		t.Errorf("%s, %+v", got, p)
	}
	q := p.Pegs | p.Any&0x0f0f0f0f0f
	if !p.Matches(q) || p.Matches(q^1) || p.Matches(q^4) {
		t.Errorf("%+v matches the wrong positions", p)
	}
	for _, text := range []string{"?", "?o.", "ooo?"} {
		if _, err := b.ParsePosition(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("column %d: unexpected '?'", strings.Index(text, "?")+1)) {
			t.Errorf("%v", err)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	for _, text := range []string{"o.o", "##ooo##/##ooo##", "1 0 1", "-*-/\n", "\xff#", "?.o", "##o?o/?"} {
		f.Add(text)
	}
	boards := []*board.Board{made(f)(board.Rectangle(5, 7)), made(f)(board.OfShape(board.CrossShape(7))), made(f)(board.OfShape(board.TriangleShape(4))), made(f)(board.Rectangle(3, 1))}
	f.Fuzz(func(t *testing.T, text string) {
		for _, b := range boards {
			p, err := b.ParsePattern(text)
			if err != nil {
				continue
			}
			if q, err := b.ParsePattern(b.FormatPattern(p)); err != nil || q != p || p.Pegs&p.Any != 0 {
				t.Errorf("%q was read as %x, and that again as %x, %v", text, p, q, err)
			}
			q, err := b.ParsePosition(text)
			if (err == nil) != (p.Any == 0) || q != p.Pegs && err == nil {
				t.Errorf("%q: the pattern is %x, the position %x, %v", text, p, q, err)
			}
		}
	})
}

func FuzzParseBoard(f *testing.F) {
	for _, text := range []string{"o.o", "lattice: triangular\n.\noo\nooo\n", " o \no#.\n", "\x00", "o o o o\no . o o", "  o\n o o\no o o\n", "o#o#o#o", "XXXOXXX"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, start, err := board.ParseBoard(text)
		if err != nil {
			return
		}
		c, start2, err := board.ParseBoard(b.Text(start))
		if err != nil || c.FormatPosition(start2) != b.FormatPosition(start) {
			t.Errorf("%q: its Text was read as %v, %v", text, c, err)
		}
		if b, start, err = board.ReadBoard(text); err != nil {
			return
		}
		c, start2, err = board.ReadBoard(b.Text(start))
		if err != nil || c.FormatPosition(start2) != b.FormatPosition(start) || c.Lattice() != b.Lattice() {
			t.Errorf("%q: its Text, as people write it, was read as %v, %v", text, c, err)
		}
	})
}
