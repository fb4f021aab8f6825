package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pagoda/internal/csvtest"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/solver"
)

// A row is a line of the table.
type row struct {
	board, group, drawing   string
	moves, steps, solutions int
}

// rows reads the table.
func rows(t *testing.T) (all []row) {
	t.Helper()
	for _, line := range csvtest.Rows(t, "../../data/lunar-hardest.csv")[1:] {
		r := row{board: line[0], group: line[1], drawing: line[5]}
		if _, err := fmt.Sscan(strings.Join(line[2:5], " "), &r.moves, &r.steps, &r.solutions); err != nil {
			t.Fatalf("%v: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

// The solver of single problems confirms each line of the table.
func TestTable(t *testing.T) {
	found := rows(t)
	if len(found) < 50 {
		t.Errorf("the table has %d problems, want 50 or more", len(found))
	}
	for _, r := range found {
		b, _ := board.Named(r.board)
		p, err := b.ParsePosition(r.drawing)
		if err != nil {
			t.Fatalf("%s: %v", r.drawing, err)
		}
		s, err := solver.Solve(t.Context(), b, p, 0, 2)
		if err != nil || s.Moves != r.moves || s.Steps != r.steps || s.Solutions.Int64() != int64(r.solutions) {
			t.Errorf("%s %s takes %d moves, %d steps and has %v solutions, %v, want %d, %d and %d", r.board, r.drawing, s.Moves, s.Steps, s.Solutions, err,
				r.moves, r.steps, r.solutions)
		}
	}
}

// The small groups come out as in the table.
func TestFind(t *testing.T) {
	for _, name := range []string{"5x5", "cross", "7x7"} {
		b, _ := board.Named(name)
		hardest := make(map[[2]int][2]problem)
		for numbers := 1; numbers <= 3; numbers++ {
			if err := find(t.Context(), b, name, min(2, 4-numbers), numbers, hardest); err != nil {
				t.Fatal(err)
			}
		}
		seen := 0
		for _, r := range rows(t) {
			var letters, numbers int
			fmt.Sscanf(r.group, "%d-%d", &letters, &numbers)
			both, ok := hardest[[2]int{letters, numbers}]
			if !ok || r.board != name {
				continue
			}
			seen++
			drawn := func(p problem) string { return b.FormatPosition(p.position) }
			if drawn(both[0]) != r.drawing && drawn(both[1]) != r.drawing {
				t.Errorf("%s %s has the hardest problems %s and %s, the table has %s", name, r.group, drawn(both[0]), drawn(both[1]), r.drawing)
			}
		}
		if seen < 5 {
			t.Errorf("%s: %d problems of the table, want 5 or more", name, seen)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b, _ := board.Named("5x5")
	if err := find(ctx, b, "5x5", 2, 3, nil); err == nil {
		t.Error("a search goes on after the end of its context")
	}
}

func TestHarder(t *testing.T) {
	order := []problem{{moves: 3, steps: 9}, {moves: 4, steps: 6, solutions: 2}, {moves: 4, steps: 6, solutions: 1}, {moves: 4, steps: 6, significant: 1, solutions: 7}, {moves: 4, steps: 7}}
	for i, p := range order {
		for k, q := range order {
			if (harder(p, q, false) > 0) != (i > k) {
				t.Errorf("%v and %v: %d", p, q, harder(p, q, false))
			}
		}
	}
	if harder(order[0], order[4], true) < 0 {
		t.Error("by steps, the problem with fewer steps is harder")
	}
}
