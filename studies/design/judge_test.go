package design_test

import (
	"errors"
	"strings"
	"testing"

	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
	"pagoda/studies/design"
)

// contestInput is the example of the contest.
const contestInput = "4 5\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n-\n3\n1 1\n1\n1 2\n1\n1\n2 1\n1 1\n-\n2 2\n1 1\n1 1\n-\n0 3\n"

// dads returns the example of the contest, and Dad's Puzzler with a shortest solution as one of its
// puzzles.
func dads(t *testing.T) (*contest.Problem, *contest.Puzzle) {
	t.Helper()
	p, err := contest.ParseProblem(contestInput)
	if err != nil {
		t.Fatal(err)
	}
	puzzle := slidetest.Lookup(t, "slide/dads")
	z, err := p.FromTray(puzzle)
	if err != nil {
		t.Fatal(err)
	}
	r, err := slide.Solve(t.Context(), puzzle, tray.Moves, slide.Options{})
	if err == nil {
		err = z.Solve(puzzle.Pieces(), r.Moves)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, z
}

func TestJudge(t *testing.T) {
	p, z := dads(t)
	v, err := design.Judge(t.Context(), p, z, slide.Options{})
	if err != nil || z.Length != 59 || v.Shortest != 59 || v.Solutions.Int64() != 864 {
		t.Errorf("Dad's Puzzler of %d moves: %+v, %v", z.Length, v, err)
	}

	// A move there and back, and a move in two parts.
	first := z.Moves[0]
	back := contest.Move{Piece: first.Piece}
	for i := range first.Path {
		back.Path = append(back.Path, first.Path[len(first.Path)-1-i].Opposite())
	}
	z.Moves = append([]contest.Move{first, back}, z.Moves...)
	z.Length += 2
	if v, err = design.Judge(t.Context(), p, z, slide.Options{}); err != nil || v.Shortest != 59 {
		t.Errorf("of %d moves: %+v, %v", z.Length, v, err)
	}

	z.Moves = z.Moves[:20]
	z.Length = 20
	var wrong *contest.Error
	if v, err = design.Judge(t.Context(), p, z, slide.Options{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, "after the last move") {
		t.Errorf("a part of the solution: %+v, %v", v, err)
	}
}

// A puzzle of more pieces than a tray.Puzzle has names is replayed, and not solved.
func TestJudgeLarge(t *testing.T) {
	p, err := contest.ParseProblem("9 8\n" + strings.Repeat("0 0 0 0 0 0 0 0 0\n", 8) + "-\n1\n1 1\n1\n-\n2 1\n1 1\n-\n0 0\n")
	if err != nil {
		t.Fatal(err)
	}
	z := &contest.Puzzle{Pieces: []contest.Piece{{Shape: 1, X: 1, Y: 0}}, Length: 1, Moves: []contest.Move{{Piece: 0, Path: []tray.Direction{tray.Left}}}}
	for y := 1; y < 8; y++ {
		for x := range 9 {
			z.Pieces = append(z.Pieces, contest.Piece{X: x, Y: y})
		}
	}
	if _, err := design.Judge(t.Context(), p, z, slide.Options{}); !errors.Is(err, contest.ErrLarge) {
		t.Errorf("%d pieces: %v", len(z.Pieces), err)
	}
	z.Pieces = z.Pieces[:40]
	if v, err := design.Judge(t.Context(), p, z, slide.Options{}); err != nil || v.Shortest != 1 {
		t.Errorf("%d pieces: %+v, %v", len(z.Pieces), v, err)
	}
	z.Moves[0].Path[0] = tray.Down
	var wrong *contest.Error
	if _, err := design.Judge(t.Context(), p, z, slide.Options{}); !errors.As(err, &wrong) {
		t.Errorf("a wrong move: %v", err)
	}
}
