package slide

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWalls: a thin wall stops what would go through it, and what would lie across it.
func TestWalls(t *testing.T) {
	for _, c := range []struct {
		text   string
		metric Metric
		length int // -1: it cannot be solved
	}{
		{"tray: A./..\ngoal: .A", Steps, 1},
		{"tray: A./..\nwalls: (0,0) right\ngoal: .A", Steps, 3},
		{"tray: A./..\nwalls: (0,1) left\ngoal: .A", Moves, 1},
		{"tray: A./..\nwalls: (0,0) right, (1,1) above\ngoal: .A", Steps, -1},
		{"tray: A./..\nwalls: (0,0) right\nhorizontal: A\ngoal: .A", Steps, -1},
		// No bar comes to lie where the wall is in its middle.
		{"tray: AA./...\nwalls: (1,0) right\ngoal: ../.AA", Steps, 2},
		{"tray: AA./...\nwalls: (1,0) right, (0,2) below\ngoal: ../.AA", Steps, -1},
		// Nor can one piece push another through a wall.
		{"tray: AB.\ngoal: .AB", Supersteps, 1},
		{"tray: AB.\nwalls: (0,1) right\ngoal: .AB", Supersteps, -1},
		// Two together do not pass a wall that lies between them.
		{"tray: AB/../..\nwalls: (1,0) right\ngoal: ../../AB", Superlines, 1},
	} {
		p, err := ParsePuzzle(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		sameResult(t, p, c.metric, false)
		r, err := Solve(t.Context(), p, c.metric, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Solved != (c.length >= 0) || r.Solved && r.Length != c.length {
			t.Errorf("%s: solved: %t, length %d, want %d", c.text, r.Solved, r.Length, c.length)
		}
	}
}

// TestStepsReplay: the checker allows just those steps that the searches make, of every set
// of pieces in every direction.
func TestStepsReplay(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	walled := 0
	for range 300 {
		p := randomPuzzle(rng)
		if len(p.walls) > 0 {
			walled++
		}
		at := walk(p, rng, 20)
		q := p.From(at)
		next := p.successors(Supersteps, at)
		for set := uint64(1); set < 1<<len(p.pieces); set++ {
			for d := range Direction(directions) {
				mv := p.move(successor{pieces: set, path: []Direction{d}})
				_, err := q.Replay(Supersteps, []Move{mv})
				if made := slices.ContainsFunc(next, func(s successor) bool { return s.pieces == set && s.path[0] == d }); made != (err == nil) {
					t.Fatalf("%s%v is made: %t, the checker: %v", q.Format(), mv, made, err)
				}
			}
		}
	}
	if walled < 100 {
		t.Errorf("only %d trays have thin walls", walled)
	}
}

// An n-puzzle with thin walls is not numbered as one without.
func TestTilesWithWalls(t *testing.T) {
	for text, states := range map[string]uint64{
		"walls: (0,2) below\ntray: 12./345\ngoal: .12/345":                             18,
		"walls: (1,1) right, (1,2) below\ntray: 123/456/78.\ngoal: 12./453/786":        540,
		"distinct: *\nwalls: (0,0) right\ntray: 123/45.\ngoal: .12/345":                0,
		"distinct: *\nwalls: (1,0) right, (0,1) below\ntray: 12/34/5.\ngoal: 1./23/45": 0,
	} {
		p, err := ParsePuzzle("distinct: *\n" + strings.TrimPrefix(text, "distinct: *\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(t.Context(), p, Steps, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if states != 0 && r.States != states {
			t.Errorf("%s: %d positions, want %d", text, r.States, states)
		}
		sameResult(t, p, Steps, false)
	}
}
