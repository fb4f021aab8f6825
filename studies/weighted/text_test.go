package weighted_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
	"pagoda/studies/weighted"
	"pagoda/studies/weighted/internal/weightedtest"
)

func TestParseGame(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// The forms of the contest.
		{"-1 2 -1\n3 0 4\n-1 5 -1\n", "#o/o.o/#o: 2 3 0 4 5"},
		{"-1,2,-1\n3,0,4\n-1,5,-1\n", "#o/o.o/#o: 2 3 0 4 5"},
		{"-1;2;-1\r\n3;0;4\r\n-1;5;-1\r\n", "#o/o.o/#o: 2 3 0 4 5"},
		{"\ufeff-1\t2\t-1\n3\t0\t4\n-1\t5\t-1\n", "#o/o.o/#o: 2 3 0 4 5"},
		{"[-1 2 -1; 3 0 4; -1 5 -1]", "#o/o.o/#o: 2 3 0 4 5"},
		{"% the contest\n[-1, 2, -1\n 3, 0, 4; % rows\n\n -1, 5, -1];\n", "#o/o.o/#o: 2 3 0 4 5"},
		{"-7 +2\n0 1", "#o/.o: 2 0 1"},
		{"0", ".: 0"},

		// Ours.
		{"o.o\nweights:\n-1 x 3", `line 3, column 4: expected a whole number, found "x"`},
		{"o.o\nweights:\n-1 0 3", "o.o: -1 0 3"},
		{"o.o\nweights:\n-1 7 3\n\n", "o.o: -1 7 3"},
		{" o\no.o\n o\nweights:\n#,1,\n2,0,3\n4.5,-4,NaN", "#o/o.o/#o: 1 2 0 3 -4"},
		{" o\no.o\n o\nweights:\n[0 1 0; 2 3 4; 1e99 5 0]", "#o/o.o/#o: 1 2 3 4 5"},
		{"lattice: triangular\n.\noo\n\nweights:\n1 #\n2 3\n", "./oo: 1 2 3"},
		{"lattice: triangular\n.\noo\nweights: magic\n", "./oo: 1 4 2"},
		{"lattice: triangular\n.\noo\n\nweights:\n1\n2 3\n", "./oo: 1 2 3"},
		{"o.o\n#o\nweights:\n1 0 3\n# 2", "o.o/#o: 1 0 3 2"},
		{"o.o\n#o\nweights:\n1 0 3\n#", "line 5, column 2: expected 3 columns, found 1"},
		{"oo/oo\nweights: magic", "oo/oo: 1 3 4 2"},
		{"oo.", "oo.: none"},

		{"", "line 1, column 1: no cells"},
		{"-1 -1", "line 1, column 1: no cells: expected a matrix"},
		{"1 2\n3\n", "line 2, column 2: expected 2 columns, as in the first row, found 1"},
		{"1 2\n3 4 5\n", "line 2, column 5: expected 2 columns, as in the first row, found 3"},
		{"1,2\n3,\n", "line 2, column 3: expected a whole number, found nothing"},
		{"1 2\n3 4.5\n", `line 2, column 3: expected a whole number, found "4.5"`},
		{"1 1000000000001", "line 1, column 3: the weight is 1000000000001, expected -1000000000000 to 1000000000000"},
		{"1 " + strings.Repeat("9", 1000), "line 1, column 3: the weight is " + strings.Repeat("9", 40) + ", expected"},
		{"1 99999999999999999999", "line 1, column 3: the weight is 99999999999999999999, expected -1000000000000"},
		{"0" + strings.Repeat(" 1", 256), "line 1, column 513: a board has at most 256 rows and columns"},
		{strings.Repeat("1\n", 257), "line 257, column 1: a board has at most 256 rows and columns"},
		{"o.x\nweights:\n1 2 3", "line 1, column 3: unexpected 'x'"},
		{"o.o\nweights:\n1 2", "line 3, column 4: expected 3 columns, found 2"},
		{"o.o\nweights:\n1 2 3 4", "line 3, column 7: expected 3 columns, found 4"},
		{"o.o\nweights:\n1 2 3\n4 5 6", "line 4, column 1: expected 1 row of weights, one for each row of the board, found 2"},
		{"o.o\no.o\nweights:\n1 2 3\n", "line 4, column 6: expected 2 rows of weights, one for each row of the board, found 1"},
		{"o.o\nweights:\n", "line 3, column 1: expected 1 row of weights"},
		{"o.o\nweights: magi\n", `line 2, column 9: unknown weights "magi": expected magic`},
		{"o.o\nweights: magic\n1 2 3", `line 3, column 1: expected the end after "weights: magic", found "1"`},
		{"#o\noo\nweights:\nx 1\n1 1", `line 4, column 1: expected a number or # for a place off the board, found "x"`},
	} {
		g, err := weighted.ParseGame(tt.text)
		if err != nil {
			var syntax *cells.SyntaxError
			if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%q: %v; want %s", tt.text, err, tt.want)
			}
			continue
		}
		drawing := strings.TrimPrefix(g.Shape.Drawing(g.Pegs), "lattice: triangular\n")
		got := strings.ReplaceAll(strings.TrimSpace(drawing), "\n", "/") + ": none"
		if g.Weights != nil {
			got = strings.TrimSuffix(got, "none") + strings.Trim(fmt.Sprint(g.Weights), "[]")
		}
		if got != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestMargins: a margin of the contest's matrix counts in the numbers of jumps.
func TestMargins(t *testing.T) {
	g, err := weighted.ParseGame("-1 -1 -1 -1\n-1 1 9 0")
	if err != nil {
		t.Fatal(err)
	}
	if score := play(t, g, "2 2 2 4"); score.Score != 2 {
		t.Errorf("%+v", score)
	}
}

func TestLargeBoard(t *testing.T) {
	g := magicOn(t, "peg/20x20")
	if n := len(g.Shape.Cells()); n != 400 || g.Pegs[9*20+9] || len(g.Shape.Lines()) != 720 {
		t.Errorf("peg/20x20 has %d cells and %d lines", n, len(g.Shape.Lines()))
	}
	if score := play(t, g, "10 8 10 10"); score.Jumps != 1 || score.Pegs != 398 {
		t.Errorf("%+v", score)
	}
}

func TestParseJumps(t *testing.T) {
	shape, _, err := peg.LookupShape("peg/english")
	if err != nil {
		t.Fatal(err)
	}
	want := "2 4 4 4\n3 6 3 4\n"
	for _, text := range []string{
		want, "2 4 4 4; 3 6 3 4", "[2 4 4 4; 3 6 3 4];", "2,4,4,4\r\n3,6,3,4", "% game\n2 4 4 4 # first\n\n\t3 6 3 4;;\n", "\ufeff2 4 4 4\n3 6 3 4",
		`{"jumps":[[2,4,4,4],[3,6,3,4]]}`, ` {"score": 7, "jumps": [[2, 4, 4, 4], [3, 6, 3, 4]], "more": {}}`,
	} {
		jumps, err := weighted.ParseJumps(shape, text)
		if got := weighted.FormatJumps(shape, jumps); err != nil || got != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
		if rows := weighted.Rows(shape, jumps); !slices.Equal(rows, [][4]int{{2, 4, 4, 4}, {3, 6, 3, 4}}) {
			t.Errorf("%q has rows %v", text, rows)
		}
	}
	for text, want := range map[string]string{
		"2 4 4":                       "line 1, column 1: expected 4 numbers for a jump, from-row from-column to-row to-column, counted from 1, found 3",
		"2 4 4 4 3 6 3 4":             "found 8",
		"2 4 4 4\n  2 4 4 x":          `line 2, column 9: expected a number, found "x"`,
		"2 4 4 4\n3 6 3 99999999999":  `line 2, column 7: expected a number, found "99999999999"`,
		"2 4 4 4; 2 4; 4 4":           "line 1, column 10: expected 4 numbers",
		"{":                           "line 1, column 1: JSON: unexpected end",
		"{\n \"jumps\": 3}":           "line 2, column 11: JSON: expected lists of 4 whole numbers in the field jumps, found number",
		`{"jumps":[[1,2,3,4.5]]}`:     "JSON: expected lists of 4 whole numbers",
		`{"jumps":[[2,4,4,4],[2,4]]}`: "JSON: jump 2: expected 4 numbers",
		`{"jumps":[[2,4,4,4],null]}`:  "JSON: jump 2: expected 4 numbers",
		`{"jumps":null}`:              "JSON: expected a field \"jumps\"",
		`{}`:                          "JSON: expected a field \"jumps\"",
	} {
		_, err := weighted.ParseJumps(shape, text)
		var syntax *cells.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

// TestFormat: what Format writes is read as the same game.
func TestFormat(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		g := weightedtest.Random(rng, 22)
		again, err := weighted.ParseGame(g.Format())
		if err != nil || again.Format() != g.Format() || !slices.Equal(again.Pegs, g.Pegs) || again.Shape.Lattice() != g.Shape.Lattice() {
			t.Fatalf("%s is read as %v, %v", g.Format(), again, err)
		}
		for cell, peg := range g.Pegs {
			if peg && again.Weights[cell] != g.Weights[cell] {
				t.Fatalf("%s: cell %d weighs %d", g.Format(), cell, again.Weights[cell])
			}
		}
	}
}

func FuzzParseGame(f *testing.F) {
	for _, text := range []string{"-1 2\n0 3", "[1, 0; 2 3]", "o.o\nweights:\n-1 0 3", "lattice: triangular\n.\noo\nweights: magic\n", " o\n\n.\nweights:\n#,1\n;;\n", "1,,", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := weighted.ParseGame(text)
		if err != nil {
			var syntax *cells.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Col < 1 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if g.Weights == nil {
			return
		}
		if _, err := g.Play(nil); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := weighted.ParseGame(g.Format())
		if err != nil || again.Format() != g.Format() {
			t.Errorf("%q is written as %q and read as %v, %v", text, g.Format(), again, err)
		}
	})
}

func FuzzParseJumps(f *testing.F) {
	for _, text := range []string{"2 4 4 4; 3 6 3 4", "[2,4,4,4]%", `{"jumps":[[2,4,4,4]]}`, "{\"jumps\":\n[[2,4,4", "1 1 3 3", "\xff"} {
		f.Add(text)
	}
	square, err1 := board.CrossShape(7)
	triangle, err2 := board.TriangleShape(5)
	if err1 != nil || err2 != nil {
		f.Fatal(err1, err2)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, shape := range []*board.Shape{square, triangle} {
			jumps, err := weighted.ParseJumps(shape, text)
			var syntax *cells.SyntaxError
			var jump *weighted.JumpError
			if err != nil {
				if !errors.As(err, &syntax) && !errors.As(err, &jump) || syntax != nil && (syntax.Line < 1 || syntax.Col < 1) {
					t.Errorf("%q: %v", text, err)
				}
				continue
			}
			for _, j := range jumps {
				if !slices.Contains(shape.Lines(), board.Line{A: j.From, B: j.Over, C: j.To}) && !slices.Contains(shape.Lines(), board.Line{A: j.To, B: j.Over, C: j.From}) {
					t.Errorf("%q has the jump %v", text, j)
				}
			}
			again, err := weighted.ParseJumps(shape, weighted.FormatJumps(shape, jumps))
			if err != nil || !slices.Equal(again, jumps) {
				t.Errorf("%q is %v, and again %v, %v", text, jumps, again, err)
			}
		}
	})
}
