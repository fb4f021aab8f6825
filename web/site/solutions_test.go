package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/puzzle/builtin"
	"pagoda/puzzle/lunar/problem"
	lunar "pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

// replayed makes the moves of a solution, by programs that share nothing with those that found it, and returns how many
// there are.
func replayed(t *testing.T, l level, solution string) int {
	t.Helper()
	moves := strings.Fields(solution)
	switch {
	case l.Text != "":
		p, err := tray.Parse(l.Text)
		if err != nil {
			t.Fatal(err)
		}
		var made []tray.Move
		for _, m := range moves {
			made = append(made, tray.Move{Pieces: m[:1], Path: m[1:]})
		}
		if _, err := replay.Solution(p, tray.Moves, made); err != nil {
			t.Errorf("%s: %s: %v", l.ID, solution, err)
		}
	case l.Target == "":
		p, err := problem.ParseLine("5x5:" + l.Pattern)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, m := range moves {
			text += m[:1] + "-" + m[1:] + " "
		}
		if _, err := lunar.Solution(p.Board, p.Drawing, text); err != nil {
			t.Errorf("%s: %s: %v", l.ID, text, err)
		}
	default:
		space, _, _ := strings.Cut(l.ID, " ")
		sp, err := peg.Lookup(space)
		if err != nil {
			t.Fatal(err)
		}
		has := make(map[cells.Cell]bool)
		b := sp.Board()
		for i, c := range b.Cells() {
			has[c] = sp.Start()>>i&1 == 1
		}
		for _, m := range moves {
			from, to := cells.Cell{Row: int(m[0] - '0'), Col: int(m[1] - '0')}, cells.Cell{Row: int(m[2] - '0'), Col: int(m[3] - '0')}
			over := cells.Cell{Row: (from.Row + to.Row) / 2, Col: (from.Col + to.Col) / 2}
			beside := [2]int{over.Row - from.Row, over.Col - from.Col}
			if vacant, ok := has[to]; !ok || vacant || !has[from] || !has[over] || beside == [2]int{} || to.Row-over.Row != beside[0] || to.Col-over.Col != beside[1] {
				t.Errorf("%s: %s in %s is no jump", l.ID, m, solution)
			}
			has[from], has[over], has[to] = false, false, true
		}
		var end board.Position
		for i, c := range b.Cells() {
			if has[c] {
				end |= 1 << i
			}
		}
		if target, err := b.ParsePosition(l.Target); err != nil || end != target {
			t.Errorf("%s: %s ends in %s, %v", l.ID, solution, b.FormatPosition(end), err)
		}
	}
	return len(moves)
}

// A level of each family has a solution.
func TestSolutions(t *testing.T) {
	s := &site{dir: t.TempDir(), families: builtin.Families()}
	silly, err := library.Lookup("slide/silly")
	if err != nil {
		t.Fatal(err)
	}
	levels := []level{
		{ID: "slide/silly", Par: 4, Text: silly.Format()},
		{ID: "lunar/5x5 ..X../..1../...../...../..2..", Par: 2, Pattern: "..X../..1../..+../...../..2.."},
		{ID: "peg/triangle10@a2 ..o.......", Par: 8, Pattern: "o.oooooooo", Target: "..o......."},
		{ID: "2048/2x2", Goal: &goal{}},
	}
	name, err := s.solutions(t.Context(), []*pack{{Levels: levels}})
	if err != nil {
		t.Fatal(err)
	}
	checkSolutions(t, filepath.Join(s.dir, name), levels)
}

// checkBuilt compares the solutions of a site with its levels.
func checkBuilt(t *testing.T, dir string) {
	t.Helper()
	var names []string
	for _, pattern := range []string{"levels-*.json", "solutions-*.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s is %v, %v", pattern, found, err)
		}
		names = append(names, found[0])
	}
	var file packs
	if data, err := os.ReadFile(names[0]); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var levels []level
	for _, p := range file.Packs {
		levels = append(levels, p.Levels...)
	}
	if len(levels) < 200 {
		t.Errorf("there are %d levels", len(levels))
	}
	checkSolutions(t, names[1], levels)
}

// checkSolutions compares a file of solutions with levels.
func checkSolutions(t *testing.T, path string, levels []level) {
	t.Helper()
	solutions := make(map[string]string)
	if data, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(data, &solutions); err != nil {
		t.Fatal(err)
	}
	for _, l := range levels {
		solution, ok := solutions[l.ID]
		if l.Goal != nil {
			if ok {
				t.Errorf("%s, which depends on chance, has the solution %s", l.ID, solution)
			}
			continue
		}
		if n := replayed(t, l, solution); n != l.Par || n == 0 {
			t.Errorf("%s: %s has %d moves, want %d", l.ID, solution, n, l.Par)
		}
		delete(solutions, l.ID)
	}
	if len(solutions) > 0 {
		t.Errorf("there are more solutions: %v", solutions)
	}
}
