package formats_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
	"pagoda/statespace/cells"
)

func solve(t *testing.T, p *tray.Puzzle, m tray.Metric) *slide.Result {
	t.Helper()
	r, err := slide.Solve(t.Context(), p, m, slide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRushHour(t *testing.T) {
	p, err := formats.Parse("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.\n")
	if err != nil {
		t.Fatal(err)
	}
	want := slidetest.Lookup(t, "slide/rushhour")
	for _, m := range []tray.Metric{tray.Steps, tray.Lines} {
		if r := solve(t, p, m); r.Length != want.Lengths[m] || r.States != want.States {
			t.Errorf("%v: %d, %d positions", m, r.Length, r.States)
		}
	}
	for _, name := range []string{"BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", "oooooxBBoooooooooCAAoooCooooooDDoooo", "ooooooBBooooAAoCoxoooCooooooooDDoooo", "ooooooooooooAAoxoooooooooooooooooooo"} {
		p, err := formats.ParseRushHour(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := formats.FormatRushHour(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := formats.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := formats.FormatRushHour(q); err != nil || again != text {
			t.Errorf("%s is written as %s, read as %s, %v", name, text, again, err)
		}
	}
	for text, col := range map[string]int{
		"oooooooooooooooooooooooooooooooooooo":    1,  // no car A
		"AAoxooooooooooooooooooooooooooooBooo":    33, // a car that is not a bar
		"60 AooooooAoooooooooooooooooooooooooooo": 11, // the column counts from the start of the line
		"oooooAoooooAoooooooooooooooooooooooo":    6,  // a car that is upright
		"AooooooAoooooooooooooooooooooooooooo":    8,  // a car in two parts
		"AAooo":                                   1,  // not 36 characters
	} {
		_, err := formats.ParseRushHour(text)
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line != 1 || at.Col != col {
			t.Errorf("%s: %v, want column %d", text, err, col)
		}
	}
}

// TestDesign: of what reach design prints, the last whole puzzle is read. An error names the line of the whole text.
func TestDesign(t *testing.T) {
	const solution = "BEGIN SOLUTION\n0 0 0\n-\n0\n-\nEND SOLUTION\n\n"
	output := "tray:\nA.\ngoal:\n.A\n" + solution + "title: last\ntray:\nA..\ngoal:\n..A\n" + solution
	for _, text := range []string{output, output + "tray:\nA...\nBEGIN SOLUTION\n0 0", "\ufeff" + strings.ReplaceAll(output, "\n", "\r\n")} {
		p, err := formats.Parse(text)
		if err != nil || p.Title != "last" || p.FormatPosition(p.Start()) != "A.." || p.FormatGoals()[0] != "..A" {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	_, err := formats.Parse("tray:\nA.\n" + solution + "tray:\nA!\n" + solution)
	var at *cells.SyntaxError
	if !errors.As(err, &at) || at.Line != 11 || at.Col != 2 {
		t.Errorf("the error is %v, expected line 11, column 2", err)
	}
}

// TestKnuth has the lengths of the introduction of the program SLIDING.
func TestKnuth(t *testing.T) {
	p, err := formats.Parse(`5 x 5 (a silly example)
1 = 111/01
2 = 101/111
3 = 1
1xx200000000033
000xx00033001002
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.FormatPosition(p.Start()); got != "111/212../222../...../34..." || p.Title != "(a silly example)" {
		t.Errorf("read as\n%s", p.Format())
	}
	for m, length := range []int{20, 10, 4, 10, 4, 2} {
		if r := solve(t, p, tray.Metric(m)); r.Length != length {
			t.Errorf("%v: %v, want %d", tray.Metric(m), r, length)
		}
	}
}

// TestKnuthParts: a piece can be in several parts, and another one comes out from between them.
func TestKnuthParts(t *testing.T) {
	const text = "2 x 4 a fork\n1 = 101\n2 = 1\n1200000\n2100000"
	p, err := formats.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, goal := p.FormatPosition(p.Start()), p.DrawnWants(0); got != "121./...." || !p.InParts(0) || p.InParts(1) || goal[0].Cells[1].Col != 3 {
		t.Errorf("read as\n%s", p.Format())
	}
	for m, length := range []int{4, 4, 3} {
		if r := solve(t, p, tray.Metric(m)); r.Length != length {
			t.Errorf("%v: %v, want %d", tray.Metric(m), r, length)
		}
	}
	again, err := formats.FormatKnuth(p)
	if want := "2 x 4 a fork\n1 = 101\n2 = 1\n1200000\n2100000\n"; err != nil || again != want {
		t.Errorf("written as\n%s%v, want\n%s", again, err, want)
	}
}

// TestKnuthRandom: a puzzle that is written and read again has the same answers.
func TestKnuthRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	var puzzles []*tray.Puzzle
	for range 1500 {
		puzzles = append(puzzles, slidetest.Random(rng))
	}
	for _, name := range []string{"slide/century-and-a-half", "slide/letter-block", "slide/n2x4", "slide/silly"} {
		puzzles = append(puzzles, slidetest.Lookup(t, name))
	}
	written := 0
	for _, p := range puzzles {
		text, err := formats.FormatKnuth(p)
		if err != nil {
			continue
		}
		written++
		q, err := formats.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s\nwritten for\n%s", err, text, p.Format())
		}
		if pk, err := packing.New(t.Context(), p, 0); err != nil || pk.Size() > 200000 {
			continue
		}
		want, got := solve(t, p, tray.Lines), solve(t, q, tray.Lines)
		if got.Length != want.Length || !slices.Equal(got.Layers, want.Layers) || got.Solutions.Cmp(want.Solutions) != 0 {
			t.Fatalf("written for\n%s\n%s\nread as\n%s", p.Format(), text, q.Format())
		}
	}
	if written < 50 {
		t.Errorf("only %d puzzles were written", written)
	}
}

func TestKnuthErrors(t *testing.T) {
	for _, c := range []struct {
		text      string
		line, col int
		reason    string
	}{
		{"5 x 4", 1, 1, "expected kinds of pieces"},
		{"0 x 4\n1\n1", 1, 1, "a tray has 1 to 256"},
		{"99999999999999999999 x 4\n1\n1", 1, 1, "a tray has 1 to 256"},
		{"2 x 2\ng = 1\n1\n1", 2, 1, "expected a kind of piece"},
		{"2 x 2\n1 = 1\n1 = 1\n1\n1", 3, 1, "a second kind 1"},
		{"2 x 2\n1 = 12\n1\n1", 2, 6, "unexpected '2' in a pattern"},
		{"2 x 2\n1 = 00\n1\n1", 2, 4, "a piece without cells"},
		{"2 x 2\n1 = 11\n01\n1", 3, 2, "piece 1 leaves the tray"},
		{"2 x 2\n1 = 1/1\n0x1\n1", 3, 3, "piece 1 leaves the tray"},
		{"2 x 2\n1 = 11\n2 = 01/11\n121\n1", 4, 2, "piece 2"},
		{"2 x 2\n1 = 1\n11111\n1", 3, 5, "the tray is full"},
		{"2 x 2\n1 = 1\n1\n11", 4, 2, "too many pieces of kind 1"},
		{"2 x 2 a title\n1 = 1\n00\n1", 4, 1, "too many pieces of kind 1"},
		{"2 x 2 a title\n1 = 1\n00\n0", 3, 1, "no piece in the tray"},
		{"2 x 2 a title\n1 = 1\n1\n0", 4, 1, "the drawing names no piece"},
		{"17 x 17\n1 = 1\n1\n1", 3, 1, "a tray has at most 256 cells"},
		{"2 x 2\n1 = 1\n1?\n1", 3, 2, "unexpected '?'"},
	} {
		_, err := formats.Parse(c.text)
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.Col != c.col || !strings.Contains(at.Reason, c.reason) {
			t.Errorf("%q: %v, want line %d, column %d: %s", c.text, err, c.line, c.col, c.reason)
		}
	}
}

// TestWriteErrors: an error says what a format cannot express.
func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		format, text, reason string
	}{
		{"rushhour", "rushhour:\ntray: AA.....\ngoal: .....AA", "the tray is 1 x 7, one of the format is 6 x 6"},
		{"rushhour", "rushhour:\ntray: AA....\nwalls: (0,4) right\ngoal: ...AA.", "thin walls"},
		{"rushhour", "tray: AA....\ngoal: ....AA", "piece A is no car"},
		{"rushhour", "horizontal: A\ntray: A.....\ngoal: .....A", "piece A is no car"},
		{"rushhour", "horizontal: A\nparts: A\ntray: A.A...\ngoal: ...A.A", "piece A is no car"},
		{"rushhour", "rushhour:\ntray: AA....", "0 goals"},
		{"rushhour", "rushhour:\ntray: AA....\ngoal: ....AA\ngoal: .AA...", "2 goals"},
		{"rushhour", "rushhour:\ntray: AA....\ngoal: ...AA.", "the goal is not one horizontal car at the right edge"},
		{"rushhour", "rushhour:\ntray: AA..../......\ngoal: ....../....AA", "the goal is not one horizontal car at the right edge"},
		{"rushhour", "rushhour:\ntray: BBAA..\ngoal: ..BBAA", "the goal is not one horizontal car at the right edge"},
		{"rushhour", "rushhour:\ntray: .....A/.....A/......\ngoal: ....../.....A/.....A", "the goal is not one horizontal car at the right edge"},
		{"rushhour", "rushhour:\ntray: AABB..\ngoal: ....AA\nalike: A B", "the goal is for any car that is alike with A"},
		{"knuth", "tray: A..\nwalls: (0,1) right\ngoal: .A.", "thin walls"},
		{"knuth", "tray: A..\ngate: .A\ngoal: .A.", "gates"},
		{"knuth", "floors: 2\ntray: A./..\ngoal: ../.A", "the tray has 2 floors"},
		{"jimslide", "floors: 2\ntray: A./..\ngoal: ../.A", "the tray has 2 floors"},
		{"jimslide", "tray: A./..\nupright: A\ngoal: ../.A", "piece A moves from floor to floor only"},
		{"hrd", "floors: 5\ntray: AA../AA../..../..../....\ngoal: ..../..../..../.AA./.AA.\nparts: A", "the tray has 5 floors"},
		{"rushhour", "rushhour:\nfloors: 2\ntray: AA..../......\ngoal: ....AA", "the tray has 2 floors"},
		{"rushhour", "rushhour:\ntray: AA....\ngoal: -", "no position is at the goal"},
		{"knuth", "tray: A..\nhorizontal: A\ngoal: .A.", "piece A moves along one axis only"},
		{"knuth", "tray: A..", "0 goals"},
		{"knuth", "tray: AB.\ngoal: .BA\ngoal: AB.", "2 goals"},
		{"knuth", "tray: AB.\ngoal: ..A", "the goal names 1 of 2 pieces, one of the format names all"},
		{"knuth", "tray: A..\nanywhere: A..", "3 goals"},
		{"knuth", "distinct: *\ntray: ABCDEFGHIJKLMNOP.\ngoal: .A", "16 kinds of pieces, the format has 15 names"},
	} {
		p := slidetest.Parse(t, c.text)
		i := slices.IndexFunc(formats.All(), func(f formats.Format) bool { return f.Name == c.format })
		if _, err := formats.All()[i].Write(p); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %s: %v, want %s", c.text, c.format, err, c.reason)
		}
	}
}

// TestLong: a text that is too long is an error in any format.
func TestLong(t *testing.T) {
	for _, first := range []string{"5 x 5 ", "tray: A"} {
		var at *cells.SyntaxError
		if _, err := formats.Parse(first + strings.Repeat(".", tray.MaxText)); !errors.As(err, &at) || !strings.Contains(at.Reason, "at most 1048576 bytes") {
			t.Errorf("%s...: %v", first, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range library.Names() {
		p, err := library.Lookup(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, format := range formats.All() {
			if text, err := format.Write(p); err == nil {
				f.Add(text)
			}
		}
	}
	f.Add("1A9BF0C00")
	f.Add("xsize: 3\nysize: 2\nwall: (0,1)\npiece: 1 (0,0) (1,0)\nlocky: 1\nput: 1 (0,0) 'A'\nwin: 1 (1,0)\n")
	f.Add("#####\n#a**#\n#.  -\n####.\n")
	f.Add("AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA")
	f.Add("5 x 5 (a silly example)\n1 = 111/01\n2 = 101/111\n3 = 1\n1xx200000000033\n000xx00033001002\n")
	f.Add("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
	for _, text := range []string{" XXX\nXXXXX\nXXOXX", "OXXXX/XXXX/XXX/XX/X", "111/101/111", "oXo", "AA*\n..B", "12\n3.\nAA..", "4FEA1", "4WVE1", "123456780", "A@B/..", "A+B/..",
		"BooooBooooAAooooooooooooo", "AAooooo" + strings.Repeat("o", 42), "o o o o\no . o o", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "[[1,2,3],[4,5,6],[7,8,0]]", "3\n0 1 3\n4 2 5\n7 8 6\n",
		"AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.", "............AAXX....................", "6 6\n2\nAAB..F\n..B..F\n.PP...K\n.....F\n......\nLL....\n", "4 4\n1\n  K\n....\n....\n..P.\n..P.\n",
		"AA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.\n", "- {type: 2x2, x: 1, y: 0}\n- {type: 1x2, x: 0, y: 0}\n- {type: small, x: 3, y: 4}\n", "1 2 h 2\n3 1 v 3\n", `[{"type":"car","x":1,"y":2,"orientation":"h"}]`, "width: 5\nheight: 3\n- type: square\n  x: 0\n  y: 0\n",
		"# c\n3\n1 2 3 # a\n8 0 4\n7 6 5\ngoal: spiral", "2 1 / 3 0 goal: first", "AAB/ ..B/ ... .../ AA./ ...",
		"tray:\n...\ngoal:\n...", "A\x00B\x00", `[{"blocks": [{"shape": [2, 1], "position": [0, 0], "directions": [0, 2]}], "boardSize": [3, 2], "escapePoint": [1, 0]}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := formats.Parse(text)
		if err != nil {
			var at *cells.SyntaxError
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%v", err)
			}
			return
		}
		slidetest.CheckFormat(t, p)
		if as, _ := formats.ReadAs(text); as == "" {
			t.Fatal("it is read, and as nothing")
		}
		if text, err := formats.FormatKnuth(p); err == nil {
			q, err := formats.ParseKnuth(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if again, err := formats.FormatKnuth(q); err != nil || again != text {
				t.Fatalf("written as\n%sread, and written as\n%s%v", text, again, err)
			}
		}
		for _, format := range formats.All() {
			if text, err := format.Write(p); err == nil {
				if _, err := formats.Parse(text); err != nil {
					t.Fatalf("written as %s:\n%s%v", format.Name, text, err)
				}
			}
		}
		if text, err := formats.FormatRushHour(p); err == nil {
			q, err := formats.ParseRushHour(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if again, err := formats.FormatRushHour(q); err != nil || again != text {
				t.Fatalf("written as %s, read, and written as %s, %v", text, again, err)
			}
		}
	})
}
