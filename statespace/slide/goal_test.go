package slide

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGoals: each kind of goal that the text of a puzzle can name.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		about, text string
		length      int // in steps
	}{
		{"one piece at a place", "tray: AB../....\ngoal: ...A", 4},
		{"several pieces", "tray: AB../....\ngoal: ..BA", 6},
		{"any piece of a shape at a place", "tray: AB../....\ngoal: ...A\nalike: A B", 2},
		{"any piece of a shape at a place, all shapes", "tray: AB../....\ngoal: ...A\nalike: *", 2},
		{"one piece at any of several places", "tray: AB../....\ngoal: ...A\ngoal: ..../A...", 1},
		{"pieces in a form, wherever it is", "tray: AB../....\nanywhere: .../BA", 4},
		{"pieces in either of two forms, wherever they are", "tray: AB../....\nanywhere: .../BA\nanywhere: .A/.B", 2},
		{"a full arrangement", "tray: AB/C.\ngoal: CA/B.", 4},
		{"a full arrangement of shapes", "tray: AAB/.C.\ngoal: CAA/.B.\nalike: *", 5},
		{"any of several full arrangements", "tray: AB./C..\ngoal: A.B/.C.\ngoal: .AB/C..", 2},
	} {
		p, err := ParsePuzzle(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		sameResult(t, p, Steps, false)
		r, err := Solve(t.Context(), p, Steps, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Solved || r.Length != c.length {
			t.Errorf("%s: %s: solved: %t, %d steps, want %d", c.about, c.text, r.Solved, r.Length, c.length)
		}
	}
}

// TestAnywhere holds goals that may be anywhere against the drawings of positions.
func TestAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	reached, missed := 0, 0
	for range 300 {
		text := randomPuzzle(rng).Format()
		text, _, _ = strings.Cut(text, "distinct:")
		text, _, _ = strings.Cut(text, "alike:")
		text, _, _ = strings.Cut(text, "goal:")
		text, _, _ = strings.Cut(text, "anywhere:")
		p, err := ParsePuzzle(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		// Up to two pieces, where they are after a walk.
		names := p.Pieces()
		keep := string(names[rng.IntN(len(names))]) + string(names[rng.IntN(len(names))])
		goal := strings.Map(func(ch rune) rune {
			if ch == '/' || ch == '#' || strings.ContainsRune(keep, ch) {
				return ch
			}
			return '.'
		}, p.FormatPosition(walk(p, rng, 30)))
		p, err = ParsePuzzle(text + "distinct: *\nanywhere: " + goal + "\n")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for range 20 {
			at := walk(p, rng, 30)
			want := drawnAnywhere(p.FormatPosition(at), goal, keep)
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
	if min(reached, missed) < 500 {
		t.Errorf("%d positions with the goal, %d without", reached, missed)
	}
}

// drawnAnywhere reports whether a drawing has the letters of another one, shifted.
func drawnAnywhere(position, goal, letters string) bool {
	at := func(row, col int) byte {
		if rows := strings.Split(position, "/"); row >= 0 && row < len(rows) && col >= 0 && col < len(rows[row]) {
			return rows[row][col]
		}
		return '#'
	}
	const side = 4 // of random trays, at most
	for down := -side; down <= side; down++ {
	shift:
		for right := -side; right <= side; right++ {
			for r, row := range strings.Split(goal, "/") {
				for c := range len(row) {
					if strings.IndexByte(letters, row[c]) >= 0 && at(r+down, c+right) != row[c] {
						continue shift
					}
				}
			}
			return true
		}
	}
	return false
}

// Any piece that is alike will do at a place, also where the one that is named cannot come;
// and pieces that no goal names are alike without being said to be.
func TestAlikeElsewhere(t *testing.T) {
	for text, want := range map[string]int{
		"tray: A.#.B\nalike: A B\ngoal: ...A":                          1,
		"tray: A.#.B\nalike: *\ngoal: ...A":                            1,
		"tray: A.#.B\ngoal: ...A":                                      -1,
		"tray: AA../.BB.\nhorizontal: A B\nalike: A B\ngoal: ..../AA":  1,
		"tray: A..B\nwalls: (0,1) right\nalike: A B\ngoal: ..A.":       1,
		"tray: A..B\nwalls: (0,1) right\nalike: A B\ngoal: .BA.":       2,
		"tray: A.#.B\nalike: A B\ngoal: AB":                            -1,
		"tray: A.#.B/C####\nalike: A B\ngoal: ...C":                    -1,
		"tray: A.#BC/..#..\ndistinct: C\nalike: A B\ngoal: ...../...A": 1,
	} {
		p, err := ParsePuzzle(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParsePuzzle(p.Format())
		if err != nil || again.Format() != p.Format() {
			t.Errorf("%s is written as %s: %v", text, p.Format(), err)
		}
		sameResult(t, p, Steps, false)
		r, err := Solve(t.Context(), p, Steps, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Solved != (want >= 0) || r.Solved && r.Length != want {
			t.Errorf("%s: %+v, want %d steps", text, r, want)
		}
	}
	with, err := ParsePuzzle("tray: AB.C/....\nalike: A B")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Solve(t.Context(), with, Steps, Options{}); err != nil || r.States != 56 {
		t.Errorf("three alike pieces in eight cells have %+v positions: %v", r, err)
	}
}
