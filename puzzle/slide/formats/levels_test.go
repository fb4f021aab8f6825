package formats_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// readLevel returns the text of a file of testdata, whose README says where it comes from.
func readLevel(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil || len(text) == 0 {
		t.Fatalf("%s is empty: %v", name, err)
	}
	return string(text)
}

// TestRushHourDatabase: the numbers of moves and of positions are those of the database.
func TestRushHourDatabase(t *testing.T) {
	for text := range strings.Lines(readLevel(t, "rush.txt")) {
		p, err := formats.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := solve(t, p, tray.Lines)
		if p.States == 0 || r.Length != p.Lengths[tray.Lines] || r.States != p.States {
			t.Errorf("%s%d moves, %d positions", text, r.Length, r.States)
		}
	}
}

// TestWalledIn: that a wall keeps a car from the right edge is known without a search.
func TestWalledIn(t *testing.T) {
	for _, text := range []string{
		"oooooooooooooAAoxooooooooBBooooooooo", // the wall is where the car must go
		"oooooooooooooAAxoooooooooBBooooooooo", // the wall is on the way
	} {
		p, err := formats.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := solve(t, p, tray.Lines); r.Solved || r.Reason == "" {
			t.Errorf("%s: solved %v, %q", text, r.Solved, r.Reason)
		}
	}
}

// TestMistakes: the error names the likely mistake.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.A":       "column 1: a row of 37 characters looks like a Rush Hour board, which has 36",
		"51 BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM 4780": "column 4: a row of 35 characters looks like a Rush Hour board, which has 36",
		"BCDDE.BCF.EGB.FaaGHHHI.G..JIKKLLJMM.":        "column 16: unexpected 'a' in a Rush Hour board",
		"oooooAoooooAoooooooooooooooooooooooo":        "column 6: car A does not lie along its row",
	} {
		if _, err := formats.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDoubts: an ambiguous text is refused, with what it may mean. Other texts are read as ReadAs says.
func TestDoubts(t *testing.T) {
	const still, readings = "line 1, column 1: as a tray: no piece can move, and there is no goal; ", "expected a tray below the line tray:, with . for an empty cell; or a board of pegs, with o for a peg and . for a hole"
	for text, want := range map[string]string{
		" XXX\n XXX\nXXXXXXX\nXXXOXXX\n": still + readings, // CSPLib
		"OOO\nOXO\nOOO":                  still + readings,
		"OXXXX/XXXX/XXX/XX/X":            still + readings,
		"111/101/111":                    still + readings,
		"XXX/X.X/XXX":                    still + readings,
		"oXo":                            "line 1, column 3: as a tray: piece o is not in one part; " + readings,
		"AAooo\nooBoo\nooBoo\nooooo":     still,
		"4WVE1":                          "the nine digits of a code of Klotski (its codes of five characters are not read)",
		"4FEA1":                          "the nine digits of a code of Klotski (its codes of five characters are not read)",
		"123456780":                      "123456780 may be a code of Klotski, or the tiles of an n-puzzle",
		"A A B\nA A B\n. . .":            "line 1, column 3: a space is a wall, and here only spaces stand between cells",
		"A@B/..":                         "unexpected '@'",
		"tray: A+B/..":                   "unexpected '+'",
		"tray:\n...\ngoal:\n...":         "no piece in the tray",
		"BooooBooooAAooooooooooooox":     "a row of 26 characters looks like a Rush Hour board",
		"1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3": "found 1 row of 17 numbers: expected an n-puzzle",
		"1 2 3\n4 5 6\n7 8":                       "line 3, column 1: a row of 2 numbers: expected 3, as in the first row",
		"1 2 3 4 5 6 7 8 9":                       "column 17: unexpected 9: expected each number from 0 (the empty cell) to 8",
		"[1, 2, 3, 3]":                            "column 11: a second 3",
		`{"blocks": []}`:                          "the level has no blocks",
		`[{"blocks": []}, {}]`:                    "found 2 levels: expected one",
		`{"blocks": [{"shape": [1, 1]}]}`:         "column 14: blocks[0]: expected a shape of rows and columns, and the row and the column of its place",
		`{"blocks": {}}`:                          "no level in JSON",
		`{"blocks": [{"shape": [1, 1], "position": [0, 0]}, {"shape": [2, 1], "position": [0, 0]}]}`:      "column 53: blocks[1]: another block is in row 0, column 0",
		`{"blocks": [{"shape": [1, 1], "position": [0, 0], "directions": [0]}]}`:                          "blocks[0]: its directions are [0]",
		`{"blocks": [{"shape": [2, 2], "position": [0, 0]}], "boardSize": [3, 2], "escapePoint": [2, 0]}`: "escapePoint: blocks[0] does not fit there: it needs row 3, column 0",
		`{"blocks": [{"shape": [2, 2], "position": [0, 0]}], "boardSize": [300, 2]}`:                      "boardSize is [300 2]",
	} {
		if _, err := formats.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"AABB/AACC/12.. ..../..AA/..AA":            "a tray of 3 rows and 4 columns, 5 pieces, goal A",
		"AA/12\n3.":                                "a tray of 3 rows and 2 columns, 4 pieces, no goal",
		"12\n3.\nAA..":                             "a tray of 3 rows and 4 columns with 4 cells of wall, 4 pieces, no goal",
		"alike: A B\ntray: A.B.CDD\ngoal: B......": "a tray of 1 row and 7 columns, 4 pieces, A B alike and not C, goal B",
		"alike: A B\ntray: A.B.CDD\ngoal: .....DD": "a tray of 1 row and 7 columns, 4 pieces, goal D",
		"tray: A":                           "a tray of 1 row and 1 column, 1 piece, no goal, and no piece can move",
		"floors: 2\ntray: A/.\ngoal: -":     "a tray of 1 row and 1 column on 2 floors, 1 piece, a goal that no position is at",
		"tray: AB.\ngoal: .AB":              "a tray of 1 row and 3 columns, 2 pieces, goal .AB",
		"tray: A..\nanywhere: A":            "a tray of 1 row and 3 columns, 1 piece, 3 goals",
		"BooooBooooAAooooooooooooo":         "a Rush Hour board, a tray of 5 rows and 5 columns, 2 pieces, goal A",
		"AAooooo" + strings.Repeat("o", 42): "a Rush Hour board, a tray of 7 rows and 7 columns, 1 piece, goal A",
		"1A9BF0C":                           "a code of Klotski, a tray of 5 rows and 4 columns, 10 pieces, goal A",
		"#####\n#a*.#\n#####":               "a level of GNOME Klotski, a tray of 1 row and 3 columns, 2 pieces, goal z",
		"2 x 2\n1 = 1\n1\n01":               "the input of SLIDING, a tray of 2 rows and 2 columns, 1 piece, goal 1",
		"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 goal: first": "an n-puzzle, a tray of 4 rows and 4 columns, 15 pieces, goal .123/4567/89AB/CDEF", // Korf's first
		"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3":             "an n-puzzle, a tray of 4 rows and 4 columns, 15 pieces, goal 1234/5678/9ABC/DEF., which cannot be reached; the one with the empty cell first can be: write goal: first behind the numbers",
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15":             "an n-puzzle, a tray of 4 rows and 4 columns, 15 pieces, goal 1234/5678/9ABC/DEF.",
		"[1,2,3,4,5,6,7,8,0]":                               "an n-puzzle, a tray of 3 rows and 3 columns, 8 pieces, goal 123/456/78.",
		"[[1, 2, 3],\n [4, 5, 0]]":                          "an n-puzzle, a tray of 2 rows and 3 columns, 5 pieces, goal 123/45.",
		"3\n0 1 3\n4 2 5\n7 8 6\n":                          "an n-puzzle, a tray of 3 rows and 3 columns, 8 pieces, goal 123/456/78.",
		`[{"name": "a: b", "blocks": [{"shape": [2, 1], "position": [0, 0], "directions": [2, 0]}], "boardSize": [3, 2], "escapePoint": [1, 0]}]`: "a level of klotski for JavaScript, a tray of 3 rows and 2 columns, 1 piece, goal 1",
	} {
		_, err := formats.Parse(text)
		if as, _ := formats.ReadAs(text); err != nil || as != want {
			t.Errorf("%q: read as %s, %v, want %s", text, as, err, want)
		}
	}
}

// TestKlotskiJSON: the first level of the program klotski has its published length. The error of its custom level names
// the block that does not fit.
func TestKlotskiJSON(t *testing.T) {
	p, err := formats.Parse(readLevel(t, "klotski.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r := solve(t, p, tray.Moves); r.Length != 81 || p.Title != "横刀立马" {
		t.Errorf("%s: %d moves", p.Title, r.Length)
	}
	const want = "line 10, column 9: blocks[5]: it needs row 3, column 4 (counted from 0), and boardSize is [5, 4]: rows, then columns"
	if _, err := formats.Parse(readLevel(t, "klotski-custom.json")); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestLevels: levels of other programs have the lengths that are published for them.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		file, title string
		metric      tray.Metric
		length      int
		states      uint64 // 0 if it is not published
	}{
		{"gnome-only-18-steps.txt", "", tray.Moves, 18, 0},
		{"gnome-pennant-puzzle.txt", "", tray.Moves, 59, 0}, // it is Dad's Puzzler
		{"gnome-red-donkey.txt", "", tray.Moves, 81, 0},
		{"gnome-source.txt", "Bone", tray.Moves, 14, 0}, // not published
		{"jimslide-ane-rouge.txt", "", tray.Moves, 81, 25955},
		{"jimslide-rushhour1.txt", "", tray.Lines, 8, 0}, // its card says so
	} {
		p, err := formats.Parse(readLevel(t, c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		r, err := slide.Solve(t.Context(), p, c.metric, slide.Options{ToGoal: c.states == 0})
		if err != nil {
			t.Fatal(err)
		}
		if r.Length != c.length || c.states > 0 && r.States != c.states || p.Title != c.title {
			t.Errorf("%s (%q): %d %v, %d positions", c.file, p.Title, r.Length, c.metric, r.States)
		}
	}
}

// TestHRD: codes of Klotski have the numbers of moves that are published, and are written again.
func TestHRD(t *testing.T) {
	for text := range strings.Lines(readLevel(t, "hrd.txt")) {
		code, moves, _ := strings.Cut(strings.TrimSpace(text), " ")
		p, err := formats.Parse(code)
		if err != nil {
			t.Fatal(err)
		}
		if r := solve(t, p, tray.Moves); strconv.Itoa(r.Length) != moves {
			t.Errorf("%s: %d moves, want %s", code, r.Length, moves)
		}
		if again, err := formats.FormatHRD(p); err != nil || again != code+"00\n" {
			t.Errorf("%s: written as %q, %v", code, again, err)
		}
	}
	if p, err := formats.Parse("1a9bf0c\n"); err != nil || p.FormatPosition(p.Start()) != "BAAC/BAAC/DEEF/DGHF/I..J" {
		t.Errorf("%v", err)
	}
}

// TestJimSlide: what is written is read as the same puzzle.
func TestJimSlide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	written := 0
	for range 400 {
		p := slidetest.Random(rng)
		text, err := formats.FormatJimSlide(p)
		if err != nil {
			continue
		}
		written++
		q, err := formats.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s\nwritten for\n%s", err, text, p.Format())
		}
		if pk, err := packing.New(t.Context(), p, 0); err != nil || pk.Size() > 5000 {
			continue
		}
		if want, got := solve(t, p, tray.Steps), solve(t, q, tray.Steps); got.Length != want.Length || got.Solved != want.Solved {
			t.Fatalf("written for\n%s\n%s\nread as\n%s", p.Format(), text, q.Format())
		}
	}
	if written < 50 {
		t.Errorf("only %d were written", written)
	}
}

// TestLevelErrors: an error is where the fault is.
func TestLevelErrors(t *testing.T) {
	for text, want := range map[string]string{
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nput: 2 (0,0)":               "line 4, column 5: no piece: above this line defines type 2",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nput: 1 (4,0)":               "line 4, column 1: a piece of type 1 does not fit here: cell (4,0)",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nput: 1 (0,0)\nput: 1 (0,0)": "line 5, column 1: a piece of type 1 does not fit here",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nput: 1 (0,0)\nwin: 0 (1,1)": "line 5, column 5: a goal cannot say that a cell is empty",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nwin: 1 (0,0)":               "line 4, column 1: there are only 0 pieces of type 1",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nxstep: 1 2":                 "line 4, column 7: steps of 2 cells cannot be expressed",
		"xsize: 4\nysize: 5\npiece: 1 (0,0)\nlockx: 1\nlocky: 1":         "line 5, column 7: pieces of type 1 can never move",
		"xsize: 4\nysize: 5\npiece: 1":                                   "line 3, column 9: expected a column and a row",
		"xsize: 4\nysize: 5\npeice: 1 (0,0)":                             "line 3, column 1: unknown command \"peice\"",
		"xsize: 4\nysize: 5\nhello":                                      "line 3, column 1: expected a command",
		"xsize: 4":                                                       "line 1, column 1: expected xsize: and ysize:",
		"#####\n#a*.#\n#####":                                            "", // a level that is solved in a move
		"#####\n#a*-#\n#####":                                            "the targets, drawn as ., have no room for piece *",
		"  ####\n  #*.#\n  ####":                                         "",
		"AA*\n..B":                                                       "line 1, column 1: piece A is at the edge of the drawing, and a * makes it a level of GNOME Klotski",
		"***/*.*":                                                        "piece * is at the edge of the drawing",
		"#*" + strings.Repeat(".", 60_000):                               "line 1, column 1: a tray has at most 256 columns", // once there was a goal for each
		"#*" + strings.Repeat("\n.", 60_000):                             "line 257, column 1: a tray has at most 256 rows",
		strings.Repeat(strings.Repeat("*", 200)+"\n", 200):               "a tray has at most 256 cells",
		"*" + strings.Repeat(strings.Repeat(".", 200)+"\n", 200):         "a tray has at most 256 cells",
		"FFFFFF":                                "column 1: \"FFFFFF\" is no code of Klotski, such as 1A9BF0C00: the square of 2 x 2 cannot be at cell 15",
		"1A9BF0CFF":                             "it has more pieces than the tray has room for",
		"DAAAAAAAA":                             "a bar of 2 x 1 does not fit at cell 9",
		"1FFFFFFFF":                             "the tray has fewer than two empty cells",
		"5x5(no space)\n1 = 1\n1\n01\nand more": "", // what SLIDING reads
	} {
		_, err := formats.Parse(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
