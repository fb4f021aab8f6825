package tray_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestAnywhere compares goals that may be anywhere with the drawings of positions.
func TestAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	cases := 300
	if !long.Tests {
		cases = 100
	}
	reached, missed := 0, 0
	for range cases {
		text := slidetest.Random(rng).Format()
		text, _, _ = strings.Cut(text, "distinct:")
		text, _, _ = strings.Cut(text, "alike:")
		text, _, _ = strings.Cut(text, "goal:")
		text, _, _ = strings.Cut(text, "anywhere:")
		p := slidetest.Parse(t, text)
		// One or two pieces, where they are after a walk.
		names := p.Pieces()
		keep := string(names[rng.IntN(len(names))]) + string(names[rng.IntN(len(names))])
		goal := strings.Map(func(ch rune) rune {
			if ch == '/' || ch == '#' || strings.ContainsRune(keep, ch) {
				return ch
			}
			return '.'
		}, p.FormatPosition(slidetest.Walk(p, rng, 30)))
		drawn := goal
		if p.Floors() == 1 && rng.IntN(2) == 0 { // at the top left, where walls may be
			drawn = topLeft(goal, keep)
		}
		p = slidetest.Parse(t, text+"distinct: *\nanywhere: "+drawn+"\n")
		for range 20 {
			at := slidetest.Walk(p, rng, 30)
			want := drawnAnywhere(p.FloorRows(), p.FormatPosition(at), goal, keep)
			if got := p.Solved(at); got != want {
				t.Fatalf("%s%s: solved: %t, want %t", p.Format(), p.FormatPosition(at), got, want)
			}
			if want {
				reached++
			} else {
				missed++
			}
		}
	}
	if min(reached, missed) < 5*cases/3 {
		t.Errorf("%d positions with the goal, %d without", reached, missed)
	}
}

// topLeft moves the letters of a drawing to the first row and column.
func topLeft(drawing, letters string) string {
	rows, col := strings.Split(drawing, "/"), len(drawing)
	for !strings.ContainsAny(rows[0], letters) {
		rows = rows[1:]
	}
	for _, row := range rows {
		if at := strings.IndexAny(row, letters); at >= 0 {
			col = min(col, at)
		}
	}
	for i, row := range rows {
		rows[i] = row[min(col, len(row)):]
	}
	return strings.Join(rows, "/")
}

// TestAnywhereFloors: an empty line between the rows of a form leads to the next floor.
func TestAnywhereFloors(t *testing.T) {
	for _, c := range []struct{ form, solved string }{
		{"A\n\nB", "A./../B./.."},
		{"A\n\nB", "../.A/../.B"},
		{"B\n\nA", "../B./../A."},
		{"A/./B", "A./../B./.."},
		{"A/B", "A./B./../.."},
		{"A\nB", "../../.A/.B"},
		{"A\n.\n\nB", "A./../B./.."},
	} {
		p := slidetest.Parse(t, "floors: 2\ntray: A./../B./..\nanywhere:\n"+c.form)
		solved := 0
		for _, key := range slidetest.Placements(p) {
			if p.Solved(p.PositionOf(key)) {
				solved++
			}
		}
		pos, err := p.ParsePosition(c.solved)
		if err != nil || !p.Solved(pos) || solved != 4 {
			t.Errorf("%q: solved at %s: %t, of %d positions, want 4: %v", c.form, c.solved, err == nil && p.Solved(pos), solved, err)
		}
		slidetest.CheckFormat(t, p)
	}
}

// TestAnywhereWalls: a form need not fit where it is drawn, but somewhere.
func TestAnywhereWalls(t *testing.T) {
	for text, goals := range map[string]int{
		"tray: #.../A..B/....\nanywhere: AB":                      8,
		"tray: A./B.\nwalls: (0,0) right\nalike: *\nanywhere: AB": 2,
		"tray: #A/.A\nanywhere: A/A":                              1,
		"tray: AA./...\nwalls: (1,0) right\nanywhere: ./AA":       3,
		"tray: A..\nanywhere:\n....\n....\n....A":                 3,
	} {
		if p := slidetest.Parse(t, text); p.Goals() != goals {
			t.Errorf("%s: %d goals, want %d", text, p.Goals(), goals)
		} else {
			slidetest.CheckFormat(t, p)
		}
	}
	_, err := tray.Parse("tray: A.B\nanywhere: A...B")
	if want := "line 2, column 15: piece B does not fit here: the tray has no cell in row 0, column 4 (counted from 0)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// drawnAnywhere reports whether a drawing has the letters of another one at some place. Floors have
// the given number of rows.
func drawnAnywhere(rows int, position, goal, letters string) bool {
	floors := slices.Collect(slices.Chunk(strings.Split(position, "/"), rows))
	at := func(floor, row, col int) byte {
		if floor < 0 || floor >= len(floors) || row < 0 || row >= rows || row >= len(floors[floor]) || col < 0 || col >= len(floors[floor][row]) {
			return '#'
		}
		return floors[floor][row][col]
	}
	const side = 4 // of random trays, at most
	for shift := range (2*side + 1) * (2*side + 1) * (2*side + 1) {
		up, down, right := shift%(2*side+1)-side, shift/(2*side+1)%(2*side+1)-side, shift/(2*side+1)/(2*side+1)-side
		fits := true
		for r, row := range strings.Split(goal, "/") {
			for c := range len(row) {
				fits = fits && (strings.IndexByte(letters, row[c]) < 0 || at(r/rows+up, r%rows+down, c+right) == row[c])
			}
		}
		if fits {
			return true
		}
	}
	return false
}

// TestWants: if the piece that a goal names cannot come to its place, Wants has one that can.
func TestWants(t *testing.T) {
	p := slidetest.Parse(t, "tray: A.#.B\nalike: A B\ngoal: ...A")
	for _, c := range []struct {
		drawn bool
		piece byte
	}{{true, 'A'}, {false, 'B'}} {
		wants := p.Wants(0)
		if c.drawn {
			wants = p.DrawnWants(0)
		}
		if len(wants) != 1 || p.Pieces()[wants[0].Piece] != c.piece || len(wants[0].Cells) != 1 || wants[0].Cells[0].Col != 3 {
			t.Errorf("drawn: %t: %+v, want piece %c in column 3", c.drawn, wants, c.piece)
		}
	}
}

// TestEmptyLines: where there are no headings, empty lines stand between the tray and the goals.
func TestEmptyLines(t *testing.T) {
	p := slidetest.Parse(t, "\nAAB\n...\n\n \n...\n.AA\n\nB\n\n")
	if want := "tray:\nAAB\n...\ngoal:\n...\n.AA\ngoal:\nB..\n...\n"; p.Format() != want {
		t.Errorf("read as\n%s", p.Format())
	}
}

// TestNoGoal: a puzzle may have a goal that no position is at.
func TestNoGoal(t *testing.T) {
	for text, want := range map[string]bool{"tray: A.\ngoal: -": true, "A./.. -": true, "tray: A.": false, "tray: A.\ngoal: .A": true} {
		p := slidetest.Parse(t, text)
		if p.HasGoal() != want || p.Solved(p.Start()) {
			t.Errorf("%q: has a goal: %v", text, p.HasGoal())
		}
		slidetest.CheckFormat(t, p)
	}
}
