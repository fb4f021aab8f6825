package problem_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pagoda/internal/lists"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
	"pagoda/statespace/cells"
)

const sample = "lunar:\nname: A first try\npiece 2: grey\npiece X: red Spacepilot\n12..3\n.....\n..+..\n4....\n...X.\n"

func TestParse(t *testing.T) {
	p, err := problem.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "A first try" || p.Pieces['X'] != (problem.Piece{Colour: "red", Name: "Spacepilot"}) || p.Pieces['2'].Colour != "grey" || len(p.Pieces) != 2 {
		t.Errorf("it is %+v", p)
	}
	if text := format(p); text != sample {
		t.Errorf("it is written as %q", text)
	}
	for text, want := range map[string]string{
		"oo..o/...../..+../o..../...X.":                                       "12..3/...../..+../4..../...X.",
		"\ufeff\r\n  oo..o\r\n  .....  \r\n  ..+..\r\n  o....\r\n  ...X.\r\n": "12..3/...../..+../4..../...X.",
		"5x5:oo..o/...../..+../o..../...X.\n":                                 "12..3/...../..+../4..../...X.",
		"lunar:\n1X.\n":                                                       "",
		"lunar:\nexits: c3\n...../...../..1../X...2/.....":                    "...../...../..1../X...2/.....",
		"lunar:\n...\n.1.\nXX.\n":                                             ".../.1./XY.",
		"cross":                                                               ".../.../......./...+.../......./.../...",
		"lunar:\n  .X1\n  ...\n.......\n...+...\n.......\n  ...\n  ...\n":     ".X1/.../......./...+.../......./.../...",
	} {
		p, err := problem.Parse(text)
		if text == "cross" {
			p, err = problem.ParseLine(text)
		}
		if err != nil {
			if want != "" {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if line := p.Board.Format(p.Drawing); line != want {
			t.Errorf("%q is %q, want %q", text, line, want)
		}
	}
	p, err = problem.Parse("lunar:\ngroup: 2-3\n.+.\n. .\n")
	if err != nil {
		t.Fatal(err)
	}
	if p.Letters != 2 || p.Numbers != 3 || !p.Empty() || len(p.Board.Cells()) != 5 {
		t.Errorf("a group is %+v, %v", p, err)
	}
}

func TestErrors(t *testing.T) {
	wide := strings.Repeat(".", 8) + "\n"
	for _, c := range []struct {
		text, want string
		line, col  int
	}{
		{"", "no cells", 1, 1},
		{"lunar: 5x5\n", "expected nothing after lunar:", 1, 8},
		{"lunar:\nnane: x\n..+\n", `unknown line "nane:": expected name, exits, piece X or group; did you mean name?`, 2, 1},
		{"lunar:\nname: x\n name: y\n..+\n", "a second line name:", 3, 2},
		{"lunar:\nname:\n..+\n", "expected something after name:", 2, 6},
		{"lunar:\nexits: c3 d4\n...\n", "expected a comma", 2, 11},
		{"lunar:\nexits: 1,1, x\n...\n", "expected a cell: row,column", 2, 13},
		{"lunar:\nexits: 9,9\n...\n", "the exit (9,9) is no cell of the board", 2, 1},
		{"lunar:\npiece X: reed\n..+\n", `expected a colour: red, orange, yellow, green, blue, purple, pink, brown, black, grey or white; found "reed"; did you mean red?`, 2, 10},
		{"lunar:\npiece X: red\npiece X: blue\nX.+\n", "a second line about piece X", 3, 1},
		{"lunar:\npiece Y: red\nX.+\n", "piece Y is not in the drawing", 2, 1},
		{"lunar:\npiece XY: red\nX.+\n", "expected the name of a piece", 2, 7},
		{"lunar:\npiece: red\nX.+\n", `unknown line "piece:": expected name, exits, piece X or group; did you mean piece X?`, 2, 1},
		{"lunar:\ngroup: 2\n..+\n", "expected the numbers of letter pieces and number pieces", 2, 8},
		{"lunar:\ngroup: 0-0\n..+\n", "at least one piece", 2, 8},
		{"lunar:\ngroup: 1-1\nX.+\n", "group: is for a board without pieces", 2, 1},
		{"lunar:\ngroup: 3-1\n..+\n", "the group has 4 pieces, and the board 3 cells", 2, 1},
		{"..+\n.O.\n", "a capital letter (not O)", 2, 2},
		{"..+\n.\t.\n", "write spaces for places that are no cells", 2, 2},
		{"lunar:\n...\nname: x\n", "expected a cell", 3, 5},
		{"AA+\n..B\n", "a second 'A': in Lunar Lockout, where + is an exit, each letter piece has a name of its own", 1, 2},
		{"lunar:\nX . 1\n. + .\n", "here only spaces stand between cells", 2, 3},
		{"lunar:\n....\n....\n", "no cell in its centre: name the exits; draw an exit as +", 2, 1},
		{"lunar:\n...\n.X.\n1..\n", "letter piece X stands on an exit", 3, 2},
		{"lunar:\n" + strings.Repeat(wide, 8) + ".\n", "at most 64 cells", 10, 1},
		{"lunar:\n." + strings.Repeat(" ", 70) + "+\n", "at most 64 rows and columns", 2, 72},
		{"5x5:oo..o/...../..+../o.../.....", "expected 5 cells in row 4 of the board, found fewer", 1, 0},
		{"5x5:oo..o/......./..+../o..../.....", "expected / after the 5 cells", 1, 16},
		{"\n  5x5:oo..o/......./..+../o..../.....", "expected / after the 5 cells", 2, 18},
		{"5x5:oo..o/...../..X../o..../.....", "a letter piece stands on the exit", 1, 5},
		{"5x5:oo..o/..+../...../o..../.....", "+ is an exit, and the board has none here", 1, 13},
		{"5x7x2:...", `there is no board "5x7x2"`, 1, 1},
	} {
		p, err := problem.Parse(c.text)
		var at *cells.SyntaxError
		if p != nil || !errors.As(err, &at) || !strings.Contains(at.Reason, c.want) || at.Line != c.line || c.col > 0 && at.Col != c.col {
			t.Errorf("%q: %v, want %d:%d: %s", c.text, err, c.line, c.col, c.want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		sample: true, "\n lunar:\n": true, "..+": true, "X.\r\n.+\n": true, "octagon:...": true, "7x7:": true,
		"": false, "ooo\no.o\n": false, "AA.\nB..\n": false, "title: A+B\nAA.\n": false, "8x8:....": false, "tray:\nAA+\n": false, "name: x\n.+.\n": false, "#.+": false,
	} {
		if got := problem.Is(text); got != want {
			t.Errorf("%q is a problem: %t, want %t", text, got, want)
		}
	}
}

// randomProblem returns a problem on any shape, or nil.
func randomProblem(rng *rand.Rand) *problem.Problem {
	var all, exits []cells.Cell
	var chars []byte
	for r := range 1 + rng.IntN(8) {
		for c := range rng.IntN(8) {
			ch := " ..+.Xo1YbX"[rng.IntN(11)]
			if ch != ' ' {
				all, chars = append(all, cells.Cell{Row: r, Col: c}), append(chars, ch)
			}
			if ch == '+' {
				exits = append(exits, cells.Cell{Row: r, Col: c})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	if rng.IntN(2) == 0 {
		exits = append(exits, all[rng.IntN(len(all))])
	}
	b, err := board.New(all, exits)
	if err != nil {
		return nil
	}
	for i, ch := range chars {
		if isExit := b.Exits()>>i&1 != 0; isExit && board.IsLetter(ch) || rng.IntN(3) == 0 && !isExit {
			chars[i] = b.EmptyAt(i)
		}
	}
	d, err := b.ParseDrawing(b.Draw(func(i int) byte { return chars[i] }))
	if err != nil {
		return nil
	}
	p := &problem.Problem{Board: b, Drawing: d, Pieces: make(map[byte]problem.Piece), Name: []string{"", "x: y", "Größe"}[rng.IntN(3)]}
	for _, name := range d {
		if name != 0 && rng.IntN(2) == 0 {
			p.Pieces[name] = problem.Piece{Colour: problem.Colours()[rng.IntN(len(problem.Colours()))], Name: []string{"", "A B"}[rng.IntN(2)]}
		}
	}
	if p.Empty() && rng.IntN(2) == 0 {
		p.Letters = 1
	}
	return p
}

// format writes a problem as a text that Parse reads.
func format(p *problem.Problem) string {
	var s strings.Builder
	s.WriteString("lunar:\n")
	if p.Name != "" {
		fmt.Fprintf(&s, "name: %s\n", p.Name)
	}
	if exits := exitsLine(p); exits != "" {
		fmt.Fprintf(&s, "exits: %s\n", exits)
	}
	for _, name := range p.Drawing {
		if piece, ok := p.Pieces[name]; ok && name != 0 {
			fmt.Fprintln(&s, strings.TrimRight(fmt.Sprintf("piece %c: %s %s", name, piece.Colour, piece.Name), " "))
		}
	}
	if p.Letters != 0 || p.Numbers != 0 {
		fmt.Fprintf(&s, "group: %d-%d\n", p.Letters, p.Numbers)
	}
	for _, line := range p.Board.Lines(func(cell int) byte { return cmp.Or(p.Drawing[cell], p.Board.EmptyAt(cell)) }) {
		s.WriteString(line + "\n")
	}
	return s.String()
}

// exitsLine returns the cells that the drawing does not show as exits, though they are. It is empty if
// the drawing alone has the same exits.
func exitsLine(p *problem.Problem) string {
	var shown, hidden []cells.Cell
	for i, c := range p.Board.Cells() {
		switch {
		case p.Board.Exits()>>i&1 == 0:
		case p.Drawing[i] == 0:
			shown = append(shown, c)
		default:
			hidden = append(hidden, c)
		}
	}
	if b, err := board.New(p.Board.Cells(), shown); err == nil && b.Exits() == p.Board.Exits() {
		return ""
	}
	return strings.Join(lists.Map(hidden, cells.Cell.String), ", ")
}

// What is written is read as the same.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range 5000 {
		p := randomProblem(rng)
		if p == nil {
			continue
		}
		tried++
		text := format(p)
		again, err := problem.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !problem.Is(text) || !reflect.DeepEqual(again, p) {
			t.Fatalf("%q is read as %+v, want %+v", text, again, p)
		}
	}
	if tried < 3000 {
		t.Errorf("only %d problems were tried", tried)
	}
}

// FuzzParse checks that what can be read is written as a text that says the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{sample, "5x5:oo..o/...../..+../o..../...X.", "lunar:\ngroup: 2-4\nexits: 0,1\n.+.", " ..+\n/X.1\r\n", "X . 1\n. + .", "A+B\n...", "AA+\n..B", "lunar:\npiece 1 : red\n1.+"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := problem.Parse(text)
		var at *cells.SyntaxError
		if err != nil {
			if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := problem.Parse(format(p))
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Fatalf("%q is written as %q, which is %+v, %v; want %+v", text, format(p), again, err, p)
		}
	})
}
