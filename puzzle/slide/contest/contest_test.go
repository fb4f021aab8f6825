package contest_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

// contestInput is the example of the contest.
const contestInput = `4 5
0 0 0 0
0 0 0 0
0 0 0 0
0 0 0 0
0 0 0 0
-
3
1 1
1
1 2
1
1
2 1
1 1
-
2 2
1 1
1 1
-
0 3
`

func parseProblem(t testing.TB, text string) *contest.Problem {
	t.Helper()
	p, err := contest.ParseProblem(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

func TestProblem(t *testing.T) {
	p := parseProblem(t, contestInput)
	if slidetest.FormatProblem(p) != contestInput {
		t.Errorf("written as\n%s", slidetest.FormatProblem(p))
	}
	square := contest.Shape{{Row: 0, Col: 0}, {Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}}
	if len(p.Box) != 5 || len(p.Box[0]) != 4 || !p.Box[4][3] || len(p.Free) != 3 || !slices.Equal(p.Goal, square) || p.X != 0 || p.Y != 3 || p.CheckGoal() != nil {
		t.Errorf("read as %+v", p)
	}
	for what, text := range map[string]string{
		"CRLF":             strings.ReplaceAll(contestInput, "\n", "\r\n"),
		"blank lines":      contestInput + "\n \t\r\n\n",
		"no last line end": strings.TrimSuffix(contestInput, "\n"),
		"more spaces":      strings.ReplaceAll(contestInput, " ", " \t ") + "   ",
		"a byte order":     "\ufeff" + contestInput,
		"margins":          strings.Replace(contestInput, "2 2\n1 1\n1 1\n", "4 3\n0 0 0 0\n0 1 1 0\n0 1 1 0\n", 1),
	} {
		if q := parseProblem(t, text); !reflect.DeepEqual(p, q) {
			t.Errorf("%s: read as\n%s", what, slidetest.FormatProblem(q))
		}
	}
	for _, c := range []struct{ from, to, goal string }{
		{"-\n0 3", "-\n0 4", "it would cover the place 0 5"},
		{"-\n0 3", "-\n70 3", "it would cover the place 70 3"},
		{"0 0 0 0\n-", "0 1 0 0\n-", "it would cover the place 1 4"},
		{"2 2\n1 1\n1 1", "3 2\n1 0 1\n0 1 0", ""},                         // a piece in parts
		{"-\n3\n1 1\n1\n1 2\n1\n1\n2 1\n1 1\n", "-\n0\n", ""},              // no free pieces
		{"1 1\n1\n1 2\n1\n1", "2 1\n1 1\n2 1\n1 1", ""},                    // the same shape, three times
		{"1 1\n1\n", "2 2\n0 0\n0 1\n", ""},                                // a free piece with margins
		{"0 0 0 0\n0 0 0 0\n0 0 0 0\n", "0 0 0 0\n1 1 1 1\n0 0 0 0\n", ""}, // a box of two parts
	} {
		err := parseProblem(t, strings.Replace(contestInput, c.from, c.to, 1)).CheckGoal()
		if (err == nil) != (c.goal == "") || err != nil && !strings.Contains(err.Error(), c.goal) {
			t.Errorf("%q: %v, expected %q", c.to, err, c.goal)
		}
	}
}

func TestProblemErrors(t *testing.T) {
	for _, c := range []struct {
		from, to  string // in the example
		line, col int
		want      string
	}{
		{"4 5", "4", 1, 2, "the line ends: expected width and height of the box, found 1 word"},
		{"4 5", "4 5 6", 1, 5, `unexpected "6": expected width and height of the box, found 3 words`},
		{"4 5", "4  x", 1, 4, `unexpected "x": expected width and height of the box`},
		{"4 5", "4 -5", 1, 3, `unexpected "-5": expected width and height of the box`},
		{"4 5", "99999999999999999999 5", 1, 1, `numbers here are from 1 to 256`},
		{"4 5", "0 5", 1, 1, `numbers here are from 1 to 256`},
		{"4 5", "4 6", 7, 1, `unexpected "-": expected row 6 of 6 of the box: 4 numbers, 0 or 1`},
		{"4 5", "4 4", 6, 1, `unexpected "0": expected a line with a single - between the box and the free pieces`},
		{"0 0 0 0", "0 0 0", 2, 6, "expected row 1 of 5 of the box: 4 numbers, 0 or 1, found 3 words"},
		{"0 0 0 0", "0 0 2 0", 2, 5, "numbers here are from 0 to 1"},
		{"0 0 0 0\n-", "0 0 0 0\n\n-", 7, 1, `unexpected "": expected a line with a single -`},
		{"-\n3", "--\n3", 7, 1, `unexpected "--": expected a line with a single -`},
		{"-\n3", "-\nthree", 8, 1, `unexpected "three": expected the number of free pieces`},
		{"-\n3", "-\n4", 16, 1, `unexpected "-": expected width and height of free piece 4 of 4`},
		{"-\n3", "-\n2", 14, 1, `unexpected "2": expected a line with a single - between the free pieces and the goal piece`},
		{"-\n3", "-\n9999999", 8, 1, `numbers here are from 0 to 65536`},
		{"1 2\n1\n1", "1 2\n1\nx", 13, 1, `unexpected "x": expected row 2 of 2 of free piece 2 of 3: 1 number, 0 or 1`},
		{"1 2\n1\n1", "1 2\n0\n0", 11, 1, "free piece 2 of 3 is empty: expected a 1 for each of its cells"},
		{"2 2\n1 1\n1 1", "2 2\n0 0\n0 0", 17, 1, "the goal piece is empty"},
		{"2 2\n1 1\n1 1", "2 2\n0 1\n0 1", 17, 1, "the goal piece has the shape of free piece 1 (counted from 0): expected another shape"},
		{"-\n0 3", "-\n0", 21, 2, "expected the goal position: x and y, found 1 word"},
		{"-\n0 3", "-\n-1 3", 21, 1, `unexpected "-1": expected the goal position: x and y`},
		{"-\n0 3", "", 20, 1, "the text ends: expected a line with a single - between the goal piece and the goal position"},
		{"-\n0 3", "-\n0 3\n-", 22, 1, `unexpected "-": expected the end of the text behind the goal position`},
		{"-\n0 3", "-\n0 3\n\n5", 22, 1, `unexpected "": expected the end of the text behind the goal position`},
		{contestInput, "", 1, 1, "the text ends: expected width and height of the box"},
		{contestInput, strings.Repeat(" ", contest.MaxText+1), 1, 1, "an input has at most 1048576 bytes"},
	} {
		_, err := contest.ParseProblem(strings.Replace(contestInput, c.from, c.to, 1))
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.Col != c.col || !strings.Contains(at.Reason, c.want) {
			t.Errorf("%.40q: %v, expected line %d, column %d: %s", c.to, err, c.line, c.col, c.want)
		}
	}
}

// contestOutput is a puzzle for the example, with one before it that does not count.
const contestOutput = `So it begins.
BEGIN SOLUTION
nothing yet
END SOLUTION
END SOLUTION
BEGIN SOLUTION
BEGIN SOLUTION
1 3 3
3 1 3
-
1
-
1 left
END SOLUTION
BEGIN SOLUTION
not finished`

func TestOutput(t *testing.T) {
	p := parseProblem(t, contestInput)
	for _, text := range []string{contestOutput, strings.ReplaceAll(contestOutput, "\n", "\r\n"), strings.Replace(contestOutput, "left\n", "left \n\n", 1)} {
		z, err := contest.ParseOutput(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Replay(z); err != nil || z.Length != 1 || len(z.Pieces) != 2 {
			t.Errorf("%+v: %v", z, err)
		}
		if want := "BEGIN SOLUTION\n1 3 3\n3 1 3\n-\n1\n-\n1 left\nEND SOLUTION\n"; z.Format() != want {
			t.Errorf("written as\n%s", z.Format())
		}
	}
	for _, text := range []string{"", "BEGIN SOLUTION\n", "END SOLUTION\nBEGIN SOLUTION", "BEGIN SOLUTIONS\nEND SOLUTION"} {
		if _, err := contest.ParseOutput(strings.NewReader(text)); !errors.Is(err, contest.ErrNoSolution) {
			t.Errorf("%q: %v", text, err)
		}
	}
	// One puzzle is kept, however much there is to read.
	much := "BEGIN SOLUTION\n" + strings.Repeat("1 1 1\n", contest.MaxText/6+1)
	const last = "BEGIN SOLUTION\n1 3 3\n-\n1\n-\n0 left\nEND SOLUTION\n"
	if z, err := contest.ParseOutput(strings.NewReader(much + "END SOLUTION\n" + much + last + much)); err != nil || len(z.Pieces) != 1 {
		t.Errorf("a puzzle behind large ones: %v", err)
	}
	if _, err := contest.ParseOutput(strings.NewReader(last + much + "END SOLUTION\n")); err == nil || err.Error() != "line 8, column 1: a solution has at most 1048576 bytes" {
		t.Errorf("a large puzzle: %v", err)
	}
}

func TestOutputErrors(t *testing.T) {
	for _, c := range []struct {
		from, to  string
		line, col int
		want      string
	}{
		{"1 3 3", "2 2", 8, 4, "the line ends: expected a piece: its shape, x and y, found 2 words"},
		{"1 3 3", "2 2 -4", 8, 5, `unexpected "-4": expected a piece`},
		{"1 3 3", "2 2 4 1", 8, 7, `unexpected "1": expected a piece`},
		{"3 1 3\n-\n1\n-\n1 left\n", "", 9, 1, "the text ends: expected a piece"},
		{"-\n1\n-", "-\none\n-", 11, 1, `unexpected "one": expected the number of moves`},
		{"-\n1\n-", "-\n1", 12, 1, `unexpected "1": expected a line with a single - between the length and the moves`},
		{"1 left", "1", 13, 2, "the line ends: expected a move"},
		{"1 left", "1 left\n\n1 left", 14, 1, "the line ends: expected a move"},
		{"1 left", "x left", 13, 1, `unexpected "x": expected a move`},
		{"1 left", "1 left LEFT", 13, 8, `unexpected "LEFT": expected up, left, right or down`},
	} {
		_, err := contest.ParseOutput(strings.NewReader(strings.Replace(contestOutput, c.from, c.to, 1)))
		var at *cells.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.Col != c.col || !strings.Contains(at.Reason, c.want) {
			t.Errorf("%q: %v, expected line %d, column %d: %s", c.to, err, c.line, c.col, c.want)
		}
	}
}

func TestReplayErrors(t *testing.T) {
	p := parseProblem(t, strings.Replace(contestInput, "0 0 0 0", "0 0 0 1", 1))
	for _, c := range []struct {
		from, to string
		line     int
		want     string
	}{
		{"1 3 3", "4 2 4", 8, "piece 0 has shape 4: expected 0 to 3; the last is the goal piece"},
		{"1 3 3", "3 2 0", 8, "piece 0 cannot be at 2 0: there is a wall at 3 0"},
		{"1 3 3", "3 0 0", 9, "piece 1 is the goal piece, and piece 0 is too: expected one"},
		{"1 3 3", "2 3 4", 8, "piece 0 cannot be at 3 4: the place 4 4 is outside of the box"},
		{"1 3 3", "1 2 4", 8, "piece 0 cannot be at 2 4: the place 2 5 is outside of the box"},
		{"1 3 3", "2 900000 4", 8, "is outside of the box"},
		{"1 3 3", "2 0 4", 9, "piece 1 cannot be at 1 3: piece 0 is at 1 4"},
		{"3 1 3", "2 1 3", 11, "no piece is the goal piece: expected one of shape 3"},
		{"-\n1\n-", "-\n2\n-", 11, "the length is 2, and the number of moves is 1"},
		{"1 left", "2 left", 13, "move 1: there is no piece 2: expected 0 to 1"},
		{"1 left", "1 left left", 13, "move 1: piece 1 cannot go left in step 2: the place -1 3 is outside of the box"},
		{"1 left", "1 up up up right", 13, "move 1: piece 1 cannot go right in step 4: there is a wall at 3 0"},
		{"1 left", "1 right", 13, "move 1: piece 1 cannot go right in step 1: piece 0 is at 3 3"},
		{"1 left", "1 left right", 13, "the goal piece is at 1 3 after the last move: expected the goal position 0 3"},
		{"1\n-\n1 left", "0\n-", 11, "the goal piece is at 1 3 after the last move"},
	} {
		z, err := contest.ParseOutput(strings.NewReader(strings.Replace(contestOutput, c.from, c.to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		var wrong *contest.Error
		if err := p.Replay(z); !errors.As(err, &wrong) || wrong.Line != c.line || !strings.Contains(wrong.Reason, c.want) {
			t.Errorf("%q: %v, expected line %d: %s", c.to, err, c.line, c.want)
		}
	}
}

// TestReplay holds Replay against the checker of puzzles, on random moves.
func TestReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(171, 172))
	legal, illegal, inParts := 0, 0, 0
	for range 4000 {
		p := slidetest.RandomProblem(rng, 4, 4)
		z, ok := randomDesign(rng, p)
		if !ok {
			continue
		}
		puzzle, err := p.Tray(z)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(puzzle.Format(), "parts:") {
			inParts++
		}
		var moves []tray.Move
		for range rng.IntN(4) {
			path := ""
			for range 1 + rng.IntN(2) {
				path += tray.Direction(rng.IntN(tray.FlatDirections)).String()
			}
			moves = append(moves, tray.Move{Pieces: contest.Names[rng.IntN(len(z.Pieces)):][:1], Path: path})
		}
		if err := z.Solve(contest.Names, moves); err != nil {
			t.Fatal(err)
		}
		_, want := replay.Solution(puzzle, tray.Moves, moves)
		got := p.Replay(z)
		if (want == nil) != (got == nil) {
			t.Fatalf("%s%s: %v, expected %v", slidetest.FormatProblem(p), z.Format(), got, want)
		}
		if got == nil {
			legal++
		} else {
			illegal++
		}
		again, err := p.FromTray(puzzle)
		if err == nil {
			err = again.Solve(puzzle.Pieces(), moves)
		}
		if err != nil || (p.Replay(again) == nil) != (got == nil) || len(again.Pieces) != len(z.Pieces) {
			t.Fatalf("%s%s: as a tray and back: %v, %s", slidetest.FormatProblem(p), z.Format(), err, again.Format())
		}
	}
	if legal < 100 || illegal < 1000 || inParts < 30 {
		t.Errorf("only %d legal and %d illegal solutions, %d with pieces in parts", legal, illegal, inParts)
	}
}

func FuzzParseProblem(f *testing.F) {
	f.Add(contestInput)
	f.Add("1 1\r\n0\r\n-\n0\n-\n3 2\n0 1 0\n0 0 0\n-\n0 0\n\n")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add(slidetest.FormatProblem(slidetest.RandomProblem(rng, 4, 4)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := contest.ParseProblem(text)
		if err != nil {
			var at *cells.SyntaxError
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Line > 1+strings.Count(text, "\n")+1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if again, err := contest.ParseProblem(slidetest.FormatProblem(p)); err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%q is written as\n%s%v", text, slidetest.FormatProblem(p), err)
		}
		p.CheckGoal()
	})
}

func FuzzParseOutput(f *testing.F) {
	f.Add(contestInput, contestOutput)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		p := slidetest.RandomProblem(rng, 4, 4)
		z, _ := randomDesign(rng, p)
		f.Add(slidetest.FormatProblem(p), z.Format())
	}
	f.Fuzz(func(t *testing.T, input, text string) {
		z, err := contest.ParseOutput(strings.NewReader(text))
		if err != nil {
			var at *cells.SyntaxError
			if !errors.Is(err, contest.ErrNoSolution) && (!errors.As(err, &at) || at.Line < 1 || at.Col < 1 || at.Line > 1+strings.Count(text, "\n")) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := contest.ParseOutput(strings.NewReader(z.Format()))
		if err != nil || again.Format() != z.Format() {
			t.Fatalf("%q is written as\n%s%v", text, z.Format(), err)
		}
		p, err := contest.ParseProblem(input)
		if err != nil || p.Replay(z) != nil {
			return
		}
		if puzzle, err := p.Tray(z); err == nil {
			if back, err := p.FromTray(puzzle); err != nil || len(back.Pieces) != len(z.Pieces) {
				t.Fatalf("%q: as a tray and back: %v", text, err)
			}
		}
	})
}

// randomDesign puts the goal piece and some free pieces into the box of a problem, without moves. It
// reports false if it finds no place for the goal piece.
func randomDesign(rng *rand.Rand, p *contest.Problem) (*contest.Puzzle, bool) {
	z := new(contest.Puzzle)
	taken := make(map[tray.Cell]bool)
	put := func(shape int) bool {
		s := p.Shape(shape)
		x, y := rng.IntN(len(p.Box[0])), rng.IntN(len(p.Box))
		for _, c := range s {
			row, col := y+c.Row, x+c.Col
			if row >= len(p.Box) || col >= len(p.Box[0]) || !p.Box[row][col] || taken[tray.Cell{Row: row, Col: col}] {
				return false
			}
		}
		for _, c := range s {
			taken[tray.Cell{Row: y + c.Row, Col: x + c.Col}] = true
		}
		z.Pieces = append(z.Pieces, contest.Piece{Shape: shape, X: x, Y: y})
		return true
	}
	fits := false
	for range 20 {
		if fits = fits || put(len(p.Free)); fits {
			break
		}
	}
	for range rng.IntN(12) {
		if len(p.Free) > 0 {
			put(rng.IntN(len(p.Free)))
		}
	}
	rng.Shuffle(len(z.Pieces), func(i, j int) { z.Pieces[i], z.Pieces[j] = z.Pieces[j], z.Pieces[i] })
	return z, fits
}
