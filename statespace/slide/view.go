package slide

import "fmt"

// What a picture of a puzzle asks for. Cells come in row-major order.

// TrayCells returns the cells of the tray that are no walls.
func (p *Puzzle) TrayCells() []Cell { return append([]Cell(nil), p.cells...) }

// Open reports whether a piece could go from a cell of the tray to the next one: both
// are cells, and no wall is between them.
func (p *Puzzle) Open(c Cell, d Direction) bool {
	n, ok := p.number[c]
	return ok && d < directions && p.beside[d][n] != none
}

// Next returns the place beside a cell, which may be a wall.
func (c Cell) Next(d Direction) Cell { return c.step(d) }

// CheckPosition tells what is wrong with a position that does not come from the puzzle:
// each piece must be where it can come, and no two in one cell.
func (p *Puzzle) CheckPosition(pos Position) error {
	if len(pos) != len(p.pieces) {
		return fmt.Errorf("a position has %d places for the puzzle's %d pieces", len(pos), len(p.pieces))
	}
	var taken uint64
	for i, at := range pos {
		if int(at) >= len(p.cells) || p.mask(pos, i) == 0 {
			return fmt.Errorf("piece %c cannot come to cell %d", p.pieces[i].name, at)
		}
		if taken&p.mask(pos, i) != 0 {
			return fmt.Errorf("piece %c and one before it are in the same cell", p.pieces[i].name)
		}
		taken |= p.mask(pos, i)
	}
	return nil
}

// PieceCells returns the cells of a piece, by its number in Pieces.
func (p *Puzzle) PieceCells(pos Position, piece int) []Cell { return p.cellsOf(p.mask(pos, piece)) }

// A Want is where a goal wants a piece, or one that is not told apart from it.
type Want struct {
	Piece int // its number in Pieces
	Cells []Cell
}

// Wants returns what a goal wants.
func (p *Puzzle) Wants(goal int) []Want {
	var all []Want
	for _, want := range p.goals[goal] {
		all = append(all, Want{want.piece, p.cellsOf(p.placed(want))})
	}
	return all
}

// Alike reports whether two pieces, by their numbers in Pieces, are not told apart.
func (p *Puzzle) Alike(a, b int) bool { return p.pieces[a].kind == p.pieces[b].kind }

func (p *Puzzle) cellsOf(set uint64) []Cell {
	var cells []Cell
	for i, c := range p.cells {
		if set>>i&1 == 1 {
			cells = append(cells, c)
		}
	}
	return cells
}
