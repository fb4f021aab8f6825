package hardest

import (
	"errors"
	"fmt"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A Board is a tray without pieces.
type Board = tray.Board

// Rectangle returns a board of floors with the given rows and columns, without walls.
func Rectangle(floors, rows, cols int) Board {
	b := Board{Rows: floors * rows, Cols: cols, Floors: floors}
	for row := range b.Rows {
		for col := range cols {
			b.Cells = append(b.Cells, tray.Cell{Row: row, Col: col})
		}
	}
	return b
}

// A Shape is what pieces look like, at any place of the board, and how they move.
type Shape struct {
	Cells []tray.Cell
	Axis  tray.Axis
}

// A Goal is a shape that the goal piece can have, and where it stands at the start and at the end.
// A place is known by its lowest cell.
type Goal struct {
	Shape
	Starts []tray.Cell // none: it may start anywhere
	Ends   []tray.Cell
	// Loose means that the piece ends in the corner without covering the corner cell. Loose goals are searched in
	// parts of their own, so the other parts equal those of a strict search.
	Loose bool
}

// A Problem is puzzles on one board: all placements of pieces in which one of them is the goal
// piece. Pieces of equal shape are alike, except the goal piece.
type Problem struct {
	Board Board
	// Shapes are those of the other pieces. Each can be there any number of times. If it is nil, they have all
	// shapes whose cells touch by edges.
	Shapes []Shape
	// Goals are what the goal piece can be. If there are several, they are independent problems
	// that are searched together.
	Goals  []Goal
	Metric tray.Metric // Steps, Lines or Moves
	// The least and the greatest number of pieces, with the goal piece. If MaxPieces is 0, there
	// can be as many as the board has room for.
	MinPieces, MaxPieces int
}

// UnitRushHour returns the shapes and the goals of Rush Hour with cars of one cell. Each car moves along its row or
// along its column only. The goal piece goes along its row to the right edge (J. Tromp and R. Cilibrasi, Limits of Rush Hour
// Logic Complexity, 2005).
func UnitRushHour(b Board) (cars []Shape, goals []Goal) {
	across, down := Shape{b.Cells[:1], tray.Horizontal}, Shape{b.Cells[:1], tray.Vertical}
	ends := slices.DeleteFunc(slices.Clone(b.Cells), func(c tray.Cell) bool { return c.Col < b.Cols-1 })
	return []Shape{across, down}, []Goal{{Shape: across, Ends: ends}}
}

// maxBits is the number of bits of a set of cells.
const maxBits = 64

// A LimitError says that a board has no room in a set of 64 bits, or too many shapes of pieces, or
// that its tables need too much memory.
type LimitError struct {
	Bits          int    // that are needed, or 0
	Shapes        int    // that there can be, or 0
	Bytes, Memory uint64 // that the tables take at least, and that there are
	What          string // has too many bytes
}

func (e *LimitError) Error() string {
	if e.Bits > 0 {
		return fmt.Sprintf("the board is too large: its rows with a gap behind each take %d bits, there are %d", e.Bits, maxBits)
	}
	if e.Shapes > 0 {
		return fmt.Sprintf("the board is too large: pieces can have more than %d shapes and places", e.Shapes)
	}
	return fmt.Sprintf("%s take more than %d bytes, there are %d", e.What, e.Bytes, e.Memory)
}

// ErrMetric says that a metric is not Steps, Lines or Moves.
var ErrMetric = errors.New("puzzles are found in the metrics steps, lines and moves only, in which one piece moves")

// grid returns the grid of the board. The error says that the problem makes no sense, or is a *LimitError.
func (p *Problem) grid() (*grid, error) {
	if p.Metric.Super() || p.Metric >= tray.Metrics {
		return nil, fmt.Errorf("%v: %w", p.Metric, ErrMetric)
	}
	g, err := newGrid(p.Board)
	if err != nil {
		return nil, err
	}
	if p.MinPieces < 0 || p.MaxPieces < 0 || p.MinPieces > p.MaxPieces && p.MaxPieces > 0 {
		return nil, fmt.Errorf("%d to %d pieces: expected numbers from 0 on, the smaller one first", p.MinPieces, p.MaxPieces)
	}
	shapes := slices.Clone(p.Shapes)
	for i, goal := range p.Goals {
		shapes = append(shapes, goal.Shape)
		for _, c := range slices.Concat(goal.Starts, goal.Ends) {
			if _, ok := g.set([]tray.Cell{c}); !ok {
				return nil, fmt.Errorf("goal %d starts or ends at %v: expected a cell of the board", i, c)
			}
		}
	}
	for _, s := range shapes {
		if _, ok := g.set(s.Cells); !ok {
			return nil, fmt.Errorf("%w: %v", ErrShape, s.Cells)
		}
		if s.Axis >= tray.Axes {
			return nil, fmt.Errorf("a shape moves along %v: expected a number below %d", s.Axis, tray.Axes)
		}
	}
	return g, nil
}

// ErrShape says that a shape of a problem has no cell, or one that is not on the board.
var ErrShape = errors.New("a shape has no cells, or cells that are not on the board")

// checkBoard returns an error if there is no such board.
func checkBoard(b *Board) error {
	floors := max(1, b.Floors)
	if b.Floors < 0 || b.Rows <= 0 || b.Cols <= 0 || len(b.Cells) == 0 || b.Rows%floors != 0 {
		return fmt.Errorf("a board of %d floors, %d rows, %d columns and %d cells: expected some of each, and as many rows on each floor",
			b.Floors, b.Rows, b.Cols, len(b.Cells))
	}
	if b.Rows > tray.MaxSide || b.Cols > tray.MaxSide {
		return fmt.Errorf("a board of %d rows and %d columns: expected at most %d", b.Rows, b.Cols, tray.MaxSide)
	}
	on := make(map[tray.Cell]bool)
	before := tray.Cell{Row: -1}
	for _, c := range b.Cells {
		if c.Compare(before) <= 0 || c.Row >= b.Rows || c.Col < 0 || c.Col >= b.Cols {
			return fmt.Errorf("the cell %v follows %v on a board of %d rows and %d columns: expected its cells in row-major order", c, before, b.Rows, b.Cols)
		}
		on[c] = true
		before = c
	}
	for _, w := range b.Walls {
		if to, ok := w.Side.Beside(w.Cell, b.Rows/floors); !ok || w.Side >= tray.Directions || !on[w.Cell] || !on[to] {
			return fmt.Errorf("a thin wall at side %v of %v: expected one between two cells of the board that touch", w.Side, w.Cell)
		}
	}
	return nil
}
