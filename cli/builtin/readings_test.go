package builtin_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pagoda/cli/builtin"
	"pagoda/puzzle"
	"pagoda/run"
)

// A drawn is a text that people write, and how it is read, or what the error says that it may be.
type drawn struct {
	text string
	as   string   // a part of how it is read; empty if it is refused
	may  []string // parts of the error
	told bool     // it is said under --quiet, too
	big  bool     // too large to be enumerated in a test
}

// What the readings are.
const (
	rush     = "a Rush Hour board, a tray of 6 rows and 6 columns, "
	triangle = "a triangular board of pegs of 5 rows and 5 columns, 15 cells, 14 pegs"
	eight    = "an n-puzzle, a tray of 3 rows and 3 columns, 8 pieces, goal "
	other    = ", which cannot be reached; the one with the empty cell first can be: write goal: first behind the numbers"
	card     = "a board of Lunar Lockout of 5 rows and 5 columns, 1 exit, 1 letter piece and "
	klotski  = "a list of pieces, a tray of 5 rows and 4 columns, 10 pieces, goal 1"
)

var (
	orPegs   = []string{"as a tray:", "there is no goal; expected a tray below the line tray:", "or a board of pegs, with o for a peg"}
	orSquare = []string{"rows of 1 to 5 cells may be a triangle, or a board of squares"}
	orCar    = []string{"car A or car X may be the one that must reach the right edge"}
	orTray   = []string{"may be a problem of Lunar Lockout without an exit, or a tray without a goal"}
	orCell   = []string{"a blank behind a slash may be a place without a cell, or stand between rows"}
	orBoards = []string{"an empty line inside a board: write # for a row without cells, or each board into a file of its own"}
	twoWays  = []string{"the numbers of the list may be taken in two ways, as ", " or as "}
)

// drawings are texts of public forms, written anew.
var drawings = []drawn{
	// Rush Hour: the car at the exit leaves.
	{text: "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.", as: rush + "8 pieces, goal X, which is at the exit, and not A", told: true},
	{text: "BB...OP..Q.OPXXQ.OP..Q..A...CCA.RRR.", as: rush + "8 pieces, goal X", told: true},
	{text: "BB...OP..Q.OPAAQ.OP..Q..X...CCX.RRR.", as: rush + "8 pieces, goal A"},
	{text: "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.", as: rush + "13 pieces, goal A"},
	{text: "AAooooooooooooooooooooooooooooooooXX", may: orCar},
	{text: "............AAXX....................", may: orCar},
	{text: "............BBCC....................", may: []string{"no car A or X"}},
	{text: "AA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.\n", as: rush + "8 pieces, goal X", told: true},
	{text: "# first card\nAA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.\n", as: rush, told: true},
	{text: "BB...O\nP..Q.O\nPAAQ.O\nP..Q..\nC...DD\nC.RRR.\n", as: rush + "8 pieces, goal A, and no tray without a goal", told: true},
	{text: "6 6\n11\nAAB..F\n..BCDF\nGPPCDFK\nGH.III\nGHJ...\nLLJMM.\n", as: rush + "12 pieces, goal P"},
	{text: "6 6\n5\n AAB..F\n ..B..F\nK..PP.F\n .....I\n .....I\n LL....\n", as: rush + "6 pieces, goal P"},
	{text: "4 4\n2\n  K\n..AA\nBB..\n..P.\n..P.\n", as: "a Rush Hour board, a tray of 4 rows and 4 columns, 3 pieces, goal P"},
	{text: "4 4\n2\n..P.\n..P.\n..AA\nBB..\n  K\n", as: "a Rush Hour board, a tray of 4 rows and 4 columns, 3 pieces, goal P"},
	{text: "rows: 4\ncols: 4\ncount: 2\n....\nPP.AK\n...A\n....\n", as: "a Rush Hour board, a tray of 4 rows and 4 columns, 2 pieces, goal P"},
	{text: "4 4\n2\n....\nPP.A\n...AK\n....\n", may: []string{"the exit K is not in line with car P"}},

	// Lists of pieces.
	{text: `[{"type": "car", "x": 1, "y": 2, "orientation": "h", "color": "red"}, {"type": "truck", "x": 3, "y": 1, "orientation": "v"}]`, as: "a list of pieces, a tray of 6 rows and 6 columns, 2 pieces, goal 1"},
	{text: `{"cars": [{"row": 0, "col": 0, "length": 2, "dir": "h"}, {"name": "X", "row": 2, "col": 1, "length": 2, "dir": "horizontal"}]}`, as: "a list of pieces, a tray of 6 rows and 6 columns, 2 pieces, goal 1"},
	{text: "- type: 2x2\n  x: 1\n  y: 0\n- {type: 1x2, x: 0, y: 0}\n- {type: 1x2, x: 3, y: 0}\n- {type: 1x2, x: 0, y: 2}\n- {type: 1x2, x: 3, y: 2}\n- {type: 2x1, x: 1, y: 2}\n- {type: 1x1, x: 1, y: 3}\n- {type: 1x1, x: 2, y: 3}\n- {type: 1x1, x: 0, y: 4}\n- {type: 1x1, x: 3, y: 4}\n", as: klotski},
	{text: `[{"type":"square","x":1,"y":0},{"type":"vertical","x":0,"y":0},{"type":"vertical","x":3,"y":0},{"type":"vertical","x":0,"y":2},{"type":"vertical","x":3,"y":2},{"type":"horizontal","x":1,"y":2},{"type":"small","x":1,"y":3},{"type":"small","x":2,"y":3},{"type":"small","x":0,"y":4},{"type":"small","x":3,"y":4}]`, as: klotski},
	{text: "- {type: 2x2, x: 1, y: 0}\n- {type: 1x2, x: 0, y: 2}\n", may: twoWays},
	{text: "- {type: 2x2, x: 3, y: 0}\n", may: []string{"blocks[0]: it needs row 0, column 4"}},
	{text: "1 2 h 2\n3 1 v 3\n0 0 h 3\n", as: "a list of pieces, a tray of 6 rows and 6 columns, 3 pieces, goal 1, the first car", told: true},
	{text: "2 3 h 2\n6 4 v 3\n1 1 h 3\n", as: "a list of pieces, a tray of 6 rows and 6 columns, 3 pieces, goal 1, the first car", told: true},
	{text: "2 2 h 2\n4 1 v 2\n", may: twoWays},

	// n-puzzles: the goal is the usual one.
	{text: "2 1/3 0", as: "an n-puzzle, a tray of 2 rows and 2 columns, 3 pieces, goal 12/3." + other, told: true},
	{text: "2 1 / 3 0 goal: first", as: "an n-puzzle, a tray of 2 rows and 2 columns, 3 pieces, goal .1/23"},
	{text: "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0\n", as: "15 pieces, goal 1234/5678/9ABC/DEF." + other, told: true, big: true},
	{text: "1 2 3 4 5 6 7 0 8", as: eight + "123/456/78."},
	{text: "2 1 3 4 5 6 7 0 8", as: eight + "123/456/78., which cannot be reached", told: true},
	{text: "# This puzzle is solvable\n3\n1 2 3 # a row\n8 0 4\n7 6 5\ngoal: spiral\n", as: eight + "123/8.4/765"},
	{text: "3 3\n1 2 3\n4 0 6\n7 5 8\n", as: eight + "123/456/78."},
	{text: "[[1,2,3],[4,0,6],[7,5,8]]", as: eight + "123/456/78."},

	// Triangles and other boards of pegs.
	{text: "lattice: triangular\n.\noo\nooo\noooo\nooooo\n", as: triangle},
	{text: "lattice: triangular\n    .\n   oo\n  ooo\n oooo\nooooo\n", as: triangle, told: true},
	{text: "lattice: triangular\n  .\n oo\n ooo\noooo\nooooo\n", as: triangle, told: true},
	{text: "    .\n   o o\n  o o o\n o o o o\no o o o o\n", as: triangle, told: true},
	{text: "    .\n   o o\n  o o o\n o o o o\no o o o o\n14 pegs\n", as: triangle, told: true},
	{text: ".\noo\nooo\noooo\nooooo\n", may: orSquare},
	{text: "    .\n   oo\n  ooo\n oooo\nooooo\n", may: orSquare},
	{text: "  .\n oo\n ooo\noooo\nooooo\n", may: orSquare},
	{text: "o o o\no . o\no o o\n8 pegs\n", as: "a board of pegs of 3 rows and 3 columns, 9 cells, 8 pegs"},
	{text: "# a comment\nooo\no.o\n", as: "a board of pegs of 2 rows and 3 columns, 6 cells, 5 pegs"},
	{text: "ooo/ o.o/ ooo", as: "a board of pegs of 3 rows and 3 columns, 9 cells, 8 pegs", told: true},
	{text: "o o o\no . o\no o o\n", as: "a board of pegs of 3 rows and 3 columns, 9 cells, 8 pegs", told: true},
	{text: "ooo/ o.o/ooo", may: orCell},
	{text: "ooo\no.o\nooo\n\nooo\no.o\nooo\n", may: orBoards},
	{text: "..X..\n..X..\n.....\n", may: orPegs},
	{text: "111\n101\n111\n", may: orPegs},
	{text: "11.\n11.\n11.\n", may: orPegs},
	{text: "XXX/XOX/XXX", may: orPegs},
	{text: ";; a problem\n(define (problem p)\n(:init (IN-LINE pos-0-0 pos-1-0 pos-2-0)\n(occupied pos-0-0) (occupied pos-1-0) (free pos-2-0))\n(:goal (and (occupied pos-2-0))))\n", as: "a board of pegs of 1 row and 3 columns, 3 cells, 2 pegs; its goal is left out"},

	// Trays.
	{text: "AAB/ ..B/ ... .../ AA./ ...", as: "a tray of 3 rows and 3 columns, 2 pieces, goal A"},
	{text: "AAB/ ..B/...", may: orCell},
	{text: "# two pieces\nAAB\n..B\n\n...\n.AA\n", as: "a tray of 2 rows and 3 columns, 2 pieces, goal A"},
	{text: "    tray:\n    AAB\n    ..B\n    goal:\n    .AA\n", as: "a tray of 2 rows and 3 columns, 2 pieces, goal A"},

	{text: "AA.\n...\n\nB..\n...\nstart\n", may: []string{"below an empty line begins a goal; if floors begin there, write the number of them as floors: 2"}},
	{text: "floors: 2\ntray:\nAA.\n...\n\nB..\n...\nstart\n", as: "a tray of 2 rows and 3 columns on 2 floors, 2 pieces, no goal"},
	{text: "tray:\n# AB\n#..C\ngoal:\n# AB\n", as: "a tray of 2 rows and 4 columns with 3 cells of wall, 3 pieces, goal A B"},

	// Lunar Lockout.
	{text: "1...2\n.....\n..+..\n.3.4.\n.X...\n", as: card + "4 number pieces"},
	{text: "1...2\n..X..\n.....\n.3.4.\n.....\n", may: orTray},
	{text: "X..../..1../.23../4...5/6...7", may: orTray},
	{text: "1..X1\n.....\n..+..\n.....\n.....\n", as: "a name that stands there again is another piece: 1..X2/...../..+../...../.....", told: true},
	{text: "    2\n  3  \n 4   \n    5\n     1\n", may: []string{"a card of Lunar Lockout: name the piece that must leave in a line above it, such as leaves: 2"}},
	{text: "leaves: 1\n    2\n  3  \n 4   \n    5\n1    \n", as: card + "4 number pieces: ....1/..2../.3+../....4/X....", told: true},
	{text: "--O--\n-----\nR----\n---B-\nG---Y\n", may: []string{"a card of Lunar Lockout: name the piece that must leave"}},
	{text: "leaves: R\n--O--\n-----\nR----\n---B-\nG---Y\n", as: card + "4 number pieces: ..1../...../X.+../...2./3...4", told: true},
	{text: "lunar:\n1X.\n...\nX..\n", as: "a name that stands there again is another piece: 1X./.+./Y..", told: true},
	{text: "12.\n.+.\nX..\n1 letter, 2 numbers\n", as: "1 letter piece and 2 number pieces"},
}

// reach runs a command of reach.
func reach(t *testing.T, stdin string, args ...string) (stdout, said string) {
	t.Helper()
	cmd := builtin.Program().Reach()
	var out, errs bytes.Buffer
	cmd.SetArgs(append(args, "--threads", "1", "--mem", "256MiB"))
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String()
}

// Every drawing is read in the same way by each command, and on the page, or refused with what it may mean.
func TestReadings(t *testing.T) {
	families := builtin.Program().Families
	start, err := families.Lookup(t.Context(), "slide/n2x2", nil, puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	slide := families.Of(start)
	editor, err := slide.Page.Play(start, nil, run.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drawings {
		check := func(where, said string) {
			t.Helper()
			if d.as != "" && !strings.Contains(said, "stdin: read as "+d.as) && !strings.Contains(said, d.as) {
				t.Errorf("%s of %q says %q, want %q", where, d.text, said, d.as)
			}
			for _, may := range d.may {
				if !strings.Contains(said, may) || strings.Contains(said, "read as") {
					t.Errorf("%s of %q says %q, want %q", where, d.text, said, may)
				}
			}
		}
		if !d.big {
			_, said := reach(t, d.text, "run", "-", "--no-file")
			check("run", said)
		}
		_, said := reach(t, d.text, "solve", "-")
		check("solve", said)
		if _, said = reach(t, d.text, "solve", "-", "--quiet"); d.as != "" && strings.Contains(said, "read as") != d.told {
			t.Errorf("solve --quiet of %q says %q, told is %t", d.text, said, d.told)
		}
		if line := strings.TrimRight(d.text, "\n"); !strings.Contains(line, "\n") {
			out, said := reach(t, line, "solve", "--batch", "-")
			var object struct {
				As    string `json:"read_as"`
				Error string
			}
			if json.Unmarshal([]byte(out), &object) != nil || object.Error != "" && d.as != "" && !strings.Contains(object.Error, "has no goal") {
				t.Errorf("--batch of %q: %s%s", d.text, out, said)
			}
			if object.As != "" || len(d.may) > 0 {
				check("--batch", object.As+object.Error)
			}
		}
		claimed := families.Reader(d.text)
		as, chosen := claimed.ReadAs(d.text)
		if len(d.may) == 0 && chosen != d.told {
			t.Errorf("%q: read as %s, chosen %t", d.text, as, chosen)
		}
		answer, err := editor.(puzzle.Measurer).Measure(t.Context(), d.text, "moves", 0)
		if err != nil {
			t.Errorf("%q in the editor: %v", d.text, err)
			continue
		}
		var edited struct {
			Puzzle string
			Fault  *struct{ Reason string }
			Error  *struct{ Reason string }
		}
		data, err := json.Marshal(answer)
		if err == nil {
			err = json.Unmarshal(data, &edited)
		}
		if read := edited.Puzzle != ""; err != nil || read != (claimed == slide && d.as != "") {
			t.Errorf("%q in the editor is %s, %v; the family is %s", d.text, data, err, claimed.Name)
		}
	}
}
