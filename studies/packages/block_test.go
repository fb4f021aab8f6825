package packages

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg/board"
)

// randomBlock draws a block of at most most cells, whose patterns leave some cells open.
func randomBlock(rng *rand.Rand, most int) Block {
	for {
		rows, cols := 1+rng.IntN(5), 1+rng.IntN(5)
		density := []float64{1, 1, 0.9, 0.7}[rng.IntN(4)]
		var cells []board.Cell
		for r := range rows {
			for c := range cols {
				if rng.Float64() < density {
					cells = append(cells, board.Cell{Row: r, Col: c})
				}
			}
		}
		if len(cells) == 0 || len(cells) > most {
			continue
		}
		b, err := board.NewBoard(board.Lattice(rng.IntN(2)), cells)
		if err != nil {
			panic(err)
		}
		pattern := func(pegs float64) (p board.Pattern) {
			open := []float64{0, 0.2, 0.5, 1}[rng.IntN(4)]
			for i := range cells {
				switch {
				case rng.Float64() < open:
					p.Any |= 1 << i
				case rng.Float64() < pegs:
					p.Pegs |= 1 << i
				}
			}
			return p
		}
		return Block{b, pattern(0.8), pattern(0.2)}
	}
}

// Broken finds a set of cells if and only if no start has the parities of a goal.
func TestBroken(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	counts := make(map[bool]int)
	for range 300 {
		b := randomBlock(rng, 8)
		// All positions that differ by flips of lines, in a set.
		class := make(map[board.Position]bool)
		var add func(p board.Position)
		add = func(p board.Position) {
			if !class[p] {
				class[p] = true
				for _, l := range b.Board.Lines() {
					add(p ^ l.Mask())
				}
			}
		}
		for p := range b.Board.Full() + 1 {
			if b.Start.Matches(p) {
				add(p)
			}
		}
		possible := false
		set := b.Broken()
		parities := make(map[int]bool)
		for p := range b.Board.Full() + 1 {
			if b.Start.Matches(p) {
				parities[bits.OnesCount64(p&set)%2] = true
			}
			if b.Goal.Matches(p) {
				parities[1-bits.OnesCount64(p&set)%2] = true
				possible = possible || class[p]
			}
		}
		if (set == 0) != possible || set != 0 && len(parities) != 1 {
			t.Errorf("%v: the cells are %b, and it is %t that a start has the parities of a goal", b, set, possible)
		}
		counts[possible]++
	}
	if counts[true] < 50 || counts[false] < 50 {
		t.Errorf("%v", counts)
	}
}

func TestParse(t *testing.T) {
	b, err := Parse("lattice: triangular/o/?.", "./.?\n")
	if err != nil || b.Board.Lattice() != board.Triangular || b.Start != (board.Pattern{Pegs: 1, Any: 2}) || b.Goal != (board.Pattern{Any: 4}) {
		t.Errorf("%v, %v", b, err)
	}
	// Margins do not count.
	if b, err := Parse("####/#o?#/", "..\n"); err != nil || len(b.Board.Cells()) != 2 {
		t.Errorf("%v, %v", b, err)
	}
	for _, f := range []struct{ start, goal, want string }{
		{"oxo", "...", "the block: line 1, column 2"},
		{"ooo", "..*", "the goal: line 1, column 3"},
		{"", ".", "the block: "},
		{"ooo", "..", "the goal: it has no cell in row 0, column 2"},
		{"oo#", "...", "the goal: it has a cell in row 0, column 2"},
		{"o.", "lattice: triangular/..", "the goal: its lattice is triangular, that of the block is square"},
		{"lattice: triangular\no.", "lattice: square/..", "the goal: its lattice is square"},
		{"lattice: round/o", "o", "unknown lattice"},
		{strings.Repeat("o", 65), "o", "a position holds at most 64"},
	} {
		var fault *TextError
		if _, err := Parse(f.start, f.goal); !errors.As(err, &fault) || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%q, %q: the error is %v, want one with %q", f.start, f.goal, err, f.want)
		}
	}
}

// Whatever Parse reads is a block, and reads the same again as it is written.
func FuzzParse(f *testing.F) {
	for _, seed := range [][2]string{{"#..o/ooo#/ooo#", "#..o/...#/...#"}, {"????", "????"}, {"lattice: triangular/o/o?", "./.."}, {"o\n.", "./?"}, {"\ufefflattice:", "/"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, start, goal string) {
		b, err := Parse(start, goal)
		if err != nil {
			return
		}
		if err := b.check(); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(board.LatticeLine+b.Board.Lattice().String()+"/"+b.Board.FormatPattern(b.Start), b.Board.FormatPattern(b.Goal))
		if err != nil || again.Start != b.Start || again.Goal != b.Goal || !slices.Equal(again.Board.Cells(), b.Board.Cells()) {
			t.Fatalf("%v reads as %v, %v", b, again, err)
		}
		if len(b.Board.Cells()) > 9 {
			return
		}
		if p, err := Find(t.Context(), b, Options{}); err != nil || same(p, walk(b)) != "" {
			t.Fatalf("%v: %v", b, err)
		}
	})
}
