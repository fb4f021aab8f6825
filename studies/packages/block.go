package packages

import (
	"fmt"
	"math/bits"
	"strings"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
)

// A Block is a small board with what is on it at the start and at the end.
type Block struct {
	Board       *board.Board
	Start, Goal board.Pattern
}

// Parse reads a block from two texts, in the form of board.ParseOpenBoard: o is a peg, . a hole and ?
// either. Both texts must have the same cells. The goal may leave out the line for the lattice. A wrong
// text is a *TextError.
func Parse(start, goal string) (Block, error) {
	var block Block
	var err error
	if block.Board, block.Start, err = board.ParseOpenBoard(start); err != nil {
		return Block{}, &TextError{Text: BlockText, Err: err}
	}
	b, p, err := board.ParseOpenBoard(goal)
	if err == nil {
		err = sameCells(block.Board, b, strings.HasPrefix(strings.TrimPrefix(goal, "\ufeff"), board.LatticeLine))
	}
	if err != nil {
		return Block{}, &TextError{Text: GoalText, Err: err}
	}
	block.Goal = p
	return block, nil
}

// The two texts of a block, in errors.
const BlockText, GoalText = "block", "goal"

// A TextError says which of the two texts of a block is wrong, and why.
type TextError struct {
	Text string // BlockText or GoalText
	Err  error  // a *cells.SyntaxError, or else the cells differ
}

func (e *TextError) Error() string { return "the " + e.Text + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *TextError) Unwrap() error { return e.Err }

// sameCells returns an error if two boards differ. The lattice of the second only counts if it was
// named.
func sameCells(a, b *board.Board, latticeNamed bool) error {
	if latticeNamed && a.Lattice() != b.Lattice() {
		return fmt.Errorf("its lattice is %v, that of the block is %v: expected the same", b.Lattice(), a.Lattice())
	}
	for _, c := range a.Cells() {
		if _, ok := b.Number(c); !ok {
			return fmt.Errorf("it has no cell in row %d, column %d (counted from 0), and the block has one: expected the same cells", c.Row, c.Col)
		}
	}
	for _, c := range b.Cells() {
		if _, ok := a.Number(c); !ok {
			return fmt.Errorf("it has a cell in row %d, column %d (counted from 0), and the block has none: expected the same cells", c.Row, c.Col)
		}
	}
	return nil
}

// check returns an error if the patterns of a block do not fit its board.
func (b Block) check() error {
	for _, p := range []board.Pattern{b.Start, b.Goal} {
		if (p.Pegs|p.Any)&^b.Board.Full() != 0 || p.Pegs&p.Any != 0 {
			return fmt.Errorf("a pattern of the block has pegs %#x and open cells %#x: expected cells of the board, each once", p.Pegs, p.Any)
		}
	}
	return nil
}

// String writes the start and the goal, in rows.
func (b Block) String() string {
	return b.Board.FormatPattern(b.Start) + " to " + b.Board.FormatPattern(b.Goal)
}

// Broken returns a set of cells that shows that no start can reach a goal: every start has an odd number of
// pegs there, and every goal an even one, or the other way round. No jump changes that. It returns 0 if there
// is no such set; see board.Board.Invariants.
func (b Block) Broken() uint64 {
	vectors := lists.Map(b.Board.Lines(), board.Line.Mask)
	for cell := range gf2.Elements(b.Start.Any | b.Goal.Any) {
		vectors = append(vectors, 1<<cell) // leaves out invariants with the cell
	}
	for _, set := range gf2.Orthogonal(vectors, len(b.Board.Cells())) {
		if bits.OnesCount64(set&(b.Start.Pegs^b.Goal.Pegs))%2 == 1 {
			return set
		}
	}
	return 0
}

// isStart and isGoal report whether a position is a start, or a goal.
func (b Block) isStart(p board.Position) bool { return b.counts(p) && b.Start.Matches(p) }
func (b Block) isGoal(p board.Position) bool  { return b.counts(p) && b.Goal.Matches(p) }

// counts reports whether a position can be a start or a goal: one of the block that is neither full nor empty.
func (b Block) counts(p board.Position) bool { return p != 0 && p < b.Board.Full() }

// number returns how many positions a pattern stands for, without the full and the empty block.
func (b Block) number(p board.Pattern) uint64 {
	n := uint64(1) << bits.OnesCount64(p.Any)
	for _, q := range []board.Position{0, b.Board.Full()} {
		if p.Matches(q) {
			n-- // 2^64 positions, which is 0 here, match both
		}
	}
	return n
}
