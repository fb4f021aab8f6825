package weighted

import (
	"fmt"
	"slices"

	"pagoda/puzzle/peg/board"
)

// MaxWeight bounds the weights of pegs, with either sign: the scores of the largest boards then
// stay far below the limits of 64-bit numbers.
const MaxWeight = 1_000_000_000_000

// A Game is a board with pegs that have weights. The slices are by cell.
type Game struct {
	Shape   *board.Shape
	Pegs    []bool
	Weights []int64 // from -MaxWeight to MaxWeight; that of a hole means nothing
}

// Check returns an error if a slice has the wrong length or a peg a weight beyond MaxWeight.
func (g *Game) Check() error {
	cells := g.Shape.Cells()
	if len(g.Pegs) != len(cells) {
		return fmt.Errorf("the board has %d cells, the start %d", len(cells), len(g.Pegs))
	}
	if len(g.Weights) != len(cells) {
		return fmt.Errorf("the board has %d cells, there are %d weights", len(cells), len(g.Weights))
	}
	for i, c := range cells {
		if w := g.Weights[i]; g.Pegs[i] && (w < -MaxWeight || w > MaxWeight) {
			return fmt.Errorf("the peg in %s: %w", place(c), errWeight(w))
		}
	}
	return nil
}

// errWeight is the error of a weight beyond MaxWeight.
func errWeight(w any) error {
	return fmt.Errorf("the weight is %v, expected -%d to %d", w, MaxWeight, MaxWeight)
}

// place writes a cell as games do, counted from 1.
func place(c board.Cell) string { return fmt.Sprintf("row %d, column %d", c.Row+1, c.Col+1) }

// A Score is the result of a game, or of its first jumps.
type Score struct {
	Score int64 // Costs + Left
	Costs int64 // the sum of the costs of the moves
	Left  int64 // the sum of the weights of the pegs that are left

	Jumps, Moves, Pegs int // Pegs are those that are left
}

// A JumpError says which jump of a game cannot be made, and why.
type JumpError struct {
	Number int // from 1
	Jump   string
	Reason string
}

func (e *JumpError) Error() string { return fmt.Sprintf("jump %d, %s: %s", e.Number, e.Jump, e.Reason) }

// A State is a position of a game. A peg is named by its cell at the start.
type State struct {
	game  *Game
	pegs  []int // by cell: the peg there, or -1
	last  int   // the peg that jumped last, or -1
	score Score
}

// Start returns the first position of a game, or the error of Check.
func (g *Game) Start() (*State, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	s := &State{game: g, pegs: slices.Repeat([]int{-1}, len(g.Pegs)), last: -1}
	for cell, peg := range g.Pegs {
		if peg {
			s.pegs[cell] = cell
			s.score.Left += g.Weights[cell]
			s.score.Pegs++
		}
	}
	s.score.Score = s.score.Left
	return s, nil
}

// Peg returns the peg in a cell, by its cell at the start, and whether there is one.
func (s *State) Peg(cell int) (peg int, ok bool) { return s.pegs[cell], s.pegs[cell] >= 0 }

// Score returns the score of a game that stops here.
func (s *State) Score() Score { return s.score }

// Jump makes a jump of the board. The error of one that cannot be made is a *JumpError.
func (s *State) Jump(j board.Jump) error {
	if err := s.check(j); err != nil {
		return err
	}
	peg, over := s.pegs[j.From], s.pegs[j.Over]
	s.pegs[j.From], s.pegs[j.Over], s.pegs[j.To] = -1, -1, peg
	if peg != s.last {
		s.score.Costs += s.game.Weights[peg]
		s.score.Moves++
		s.last = peg
	}
	s.score.Jumps++
	s.score.Pegs--
	s.score.Left -= s.game.Weights[over]
	s.score.Score = s.score.Costs + s.score.Left
	return nil
}

// check returns a *JumpError unless a jump can be made.
func (s *State) check(j board.Jump) error {
	cells := s.game.Shape.Cells()
	number := s.score.Jumps + 1
	for _, cell := range []int{j.From, j.Over, j.To} {
		if cell < 0 || cell >= len(cells) {
			return &JumpError{number, fmt.Sprint(j), fmt.Sprintf("the board has cells 0 to %d, found %d", len(cells)-1, cell)}
		}
	}
	from, over, to := cells[j.From], cells[j.Over], cells[j.To]
	fail := func(format string, args ...any) error {
		return &JumpError{number, formatJump(from, to), fmt.Sprintf(format, args...)}
	}
	middle, ok := s.game.Shape.Lattice().Middle(from, to)
	switch {
	case !ok:
		return fail("%s", notInLine(s.game.Shape.Lattice()))
	case middle != over:
		return fail("it goes over %s, found %s", place(middle), place(over))
	case s.pegs[j.From] < 0:
		return fail("expected a peg in %s, found a hole", place(from))
	case s.pegs[j.Over] < 0:
		return fail("expected a peg to jump over in %s, found a hole", place(over))
	case s.pegs[j.To] >= 0:
		return fail("expected a hole in %s, found a peg", place(to))
	}
	return nil
}

// notInLine is what is wrong with a jump between cells that have none between them in a line.
func notInLine(l board.Lattice) string {
	return "expected cells two places apart in " + [...]string{board.Square: "a row or a column",
		board.Triangular: "a row, a column or a falling diagonal", board.Diagonal: "a row, a column or a diagonal"}[l]
}

// Play makes all jumps of a game and returns its score. The error of a jump that cannot be made
// is a *JumpError; the score is that of the jumps before it.
func (g *Game) Play(jumps []board.Jump) (Score, error) {
	s, err := g.Start()
	if err != nil {
		return Score{}, err
	}
	for _, j := range jumps {
		if err := s.Jump(j); err != nil {
			return s.score, err
		}
	}
	return s.score, nil
}

// Moves cuts a game into its moves, the runs of consecutive jumps of one peg.
func Moves(jumps []board.Jump) (moves [][]board.Jump) {
	first := 0
	for i := range jumps {
		if i+1 == len(jumps) || jumps[i].To != jumps[i+1].From {
			moves, first = append(moves, jumps[first:i+1]), i+1
		}
	}
	return moves
}
