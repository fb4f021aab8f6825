package board_test

import (
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg/board"
)

// TestShape: a shape may have more cells than a board, and has the same cells and lines as the
// board where there is one.
func TestShape(t *testing.T) {
	text := strings.Repeat(strings.Repeat("o", 19)+".\n", 20)
	s, pegs, err := board.ParseShape(text)
	if err != nil || len(s.Cells()) != 400 || s.Rows() != 20 || s.Cols() != 20 || len(s.Lines()) != 2*20*18 {
		t.Fatalf("%+v, %v", s, err)
	}
	if pegs[19] || !pegs[18] || s.Drawing(pegs) != text {
		t.Errorf("the drawing is\n%s", s.Drawing(pegs))
	}
	if _, err := board.Of(s); err == nil || !strings.Contains(err.Error(), "the board has 400 cells; a position holds at most 64") {
		t.Errorf("as a board: %v", err)
	}
	if _, _, err := board.ParseBoard(text); err == nil || err.Error() != "line 4, column 5: the board has 400 cells; a position holds at most 64, one bit each" {
		t.Errorf("as a board: %v", err)
	}
	for _, text := range []string{"o.o/#oo\n", "lattice: triangular\n.\noo\nooo\n"} {
		s, pegs, err1 := board.ParseShape(text)
		b, start, err2 := board.ParseBoard(text)
		if err1 != nil || err2 != nil || !slices.Equal(s.Cells(), b.Cells()) || !slices.Equal(s.Lines(), b.Lines()) || s.Drawing(pegs) != b.Text(start) {
			t.Errorf("%q: the shape is %+v, the board %+v; %v, %v", text, s, b, err1, err2)
		}
	}
}

// TestShapesMade: the constructors have the same cells for shapes and boards, and a bound.
func TestShapesMade(t *testing.T) {
	for name, made := range map[string]struct {
		shape func(n int) (*board.Shape, error)
		board func(n int) (*board.Board, error)
	}{
		"rectangle": {func(n int) (*board.Shape, error) { return board.RectangleShape(n, 3) }, func(n int) (*board.Board, error) { return board.Rectangle(n, 3) }},
		"triangle":  {board.TriangleShape, func(n int) (*board.Board, error) { return board.OfShape(board.TriangleShape(n)) }},
		"cross":     {board.CrossShape, func(n int) (*board.Board, error) { return board.OfShape(board.CrossShape(n)) }},
		"octagon":   {func(n int) (*board.Shape, error) { return board.OctagonShape(n, 4) }, func(n int) (*board.Board, error) { return board.OfShape(board.OctagonShape(n, 4)) }},
	} {
		s, err1 := made.shape(7)
		b, err2 := made.board(7)
		if err1 != nil || err2 != nil || !slices.Equal(s.Cells(), b.Cells()) {
			t.Errorf("%s: %v, %v, %v, %v", name, s, b, err1, err2)
		}
		if _, err := made.shape(257); err == nil || !strings.Contains(err.Error(), "at most 256 rows and columns") {
			t.Errorf("%s of side 257: %v", name, err)
		}
	}
}

// TestMiddle: two cells have a middle if a line of the board joins them.
func TestMiddle(t *testing.T) {
	for _, b := range []*board.Board{made(t)(board.Rectangle(7, 7)), made(t)(board.OfShape(board.TriangleShape(7)))} {
		lines := 0
		for _, from := range b.Cells() {
			for _, to := range b.Cells() {
				middle, ok := b.Lattice().Middle(from, to)
				if !ok {
					continue
				}
				lines++
				x, _ := b.Number(from)
				y, on := b.Number(middle)
				z, _ := b.Number(to)
				if !on || !slices.Contains(b.Lines(), board.Line{A: min(x, z), B: y, C: max(x, z)}) {
					t.Errorf("%v is between %v and %v", middle, from, to)
				}
			}
		}
		if lines != b.Jumps() {
			t.Errorf("%v: %d pairs of cells have a middle, there are %d jumps", b.Lattice(), lines, b.Jumps())
		}
	}
}
