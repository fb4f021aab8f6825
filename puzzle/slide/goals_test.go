package slide

import (
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// A lengthTest is a puzzle with a known length, or -1 if it cannot be solved.
type lengthTest struct {
	about, text string
	metric      tray.Metric
	length      int
}

func (c lengthTest) run(t *testing.T) {
	t.Helper()
	r := compareEngines(t, slidetest.Parse(t, c.text), c.metric, false)
	if r.Solved != (c.length >= 0) || r.Solved && r.Length != c.length {
		t.Errorf("%s: %s: solved: %t, length %d, want %d", c.about, c.text, r.Solved, r.Length, c.length)
	}
}

// TestGoals has each kind of goal that the text of a puzzle can have.
func TestGoals(t *testing.T) {
	for _, c := range []lengthTest{
		{"one piece at a place", "tray: AB../....\ngoal: ...A", tray.Steps, 4},
		{"several pieces", "tray: AB../....\ngoal: ..BA", tray.Steps, 6},
		{"any piece of a shape at a place", "tray: AB../....\ngoal: ...A\nalike: A B", tray.Steps, 2},
		{"any piece of a shape at a place, all shapes", "tray: AB../....\ngoal: ...A\nalike: *", tray.Steps, 2},
		{"one piece at any of several places", "tray: AB../....\ngoal: ...A\ngoal: ..../A...", tray.Steps, 1},
		{"pieces in a form, wherever it is", "tray: AB../....\nanywhere: .../BA", tray.Steps, 4},
		{"pieces in either of two forms, wherever they are", "tray: AB../....\nanywhere: .../BA\nanywhere: .A/.B", tray.Steps, 2},
		{"a full arrangement", "tray: AB/C.\ngoal: CA/B.", tray.Steps, 4},
		{"a full arrangement of shapes", "tray: AAB/.C.\ngoal: CAA/.B.\nalike: *", tray.Steps, 5},
		{"any of several full arrangements", "tray: AB./C..\ngoal: A.B/.C.\ngoal: .AB/C..", tray.Steps, 2},
	} {
		c.run(t)
	}
}

// TestWalls: no cell of a piece passes a thin wall, and no piece lies across one.
func TestWalls(t *testing.T) {
	for _, c := range []lengthTest{
		{"no wall", "tray: A./..\ngoal: .A", tray.Steps, 1},
		{"a detour", "tray: A./..\nwalls: (0,0) right\ngoal: .A", tray.Steps, 3},
		{"a detour", "tray: A./..\nwalls: (0,1) left\ngoal: .A", tray.Moves, 1},
		{"no detour", "tray: A./..\nwalls: (0,0) right, (1,1) above\ngoal: .A", tray.Steps, -1},
		{"no detour on the axis", "tray: A./..\nwalls: (0,0) right\nhorizontal: A\ngoal: .A", tray.Steps, -1},
		{"a bar beside a wall", "tray: AA./...\nwalls: (1,0) right\ngoal: ../.AA", tray.Steps, 2},
		{"a bar that would lie across a wall", "tray: AA./...\nwalls: (1,0) right, (0,2) below\ngoal: ../.AA", tray.Steps, -1},
		{"a piece that pushes another", "tray: AB.\ngoal: .AB", tray.Supersteps, 1},
		{"a piece that pushes another against a wall", "tray: AB.\nwalls: (0,1) right\ngoal: .AB", tray.Supersteps, -1},
		{"two pieces on both sides of a wall", "tray: AB/../..\nwalls: (1,0) right\ngoal: ../../AB", tray.Superlines, 1},
	} {
		c.run(t)
	}
}

// TestAlikeElsewhere: any piece that is alike can take a place, even if the piece that is named
// cannot come there. Pieces that no goal names are interchangeable without a line alike:.
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
		slidetest.CheckFormat(t, slidetest.Parse(t, text))
		lengthTest{"alike", text, tray.Steps, want}.run(t)
	}
	p := slidetest.Parse(t, "tray: AB.C/....\nalike: A B")
	if r := mustSolve(t, p, tray.Steps, Options{}); r.States != 56 {
		t.Errorf("three interchangeable pieces in eight cells have %+v positions", r)
	}
}
