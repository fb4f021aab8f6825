package find

import (
	"errors"
	"fmt"

	"pagoda/statespace/slide/tray"
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
}

// A Problem is puzzles on one board: all placements of pieces in which one of them is the goal
// piece. Pieces of equal shape are alike, except the goal piece.
type Problem struct {
	Board Board
	// Shapes are those of the other pieces. Each can be there any number of times. If it is nil,
	// they have all shapes whose cells touch by edges.
	Shapes []Shape
	// Goals are what the goal piece can be. If there are several, they are independent problems
	// that are searched together.
	Goals  []Goal
	Metric tray.Metric // Steps, Lines or Moves
	// The least and the greatest number of pieces, with the goal piece. If MaxPieces is 0, there
	// can be as many as the board has room for.
	MinPieces, MaxPieces int
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

// check returns an error if the problem makes no sense.
func (p *Problem) check() error {
	if p.Metric.Super() || p.Metric >= tray.Metrics {
		return fmt.Errorf("%v: %w", p.Metric, ErrMetric)
	}
	if len(p.Board.Cells) == 0 || p.Board.Floors > 0 && p.Board.Rows%p.Board.Floors != 0 {
		return fmt.Errorf("a board of %d rows, %d floors and %d cells: expected cells, and as many rows on each floor", p.Board.Rows, p.Board.Floors, len(p.Board.Cells))
	}
	if p.MinPieces > p.MaxPieces && p.MaxPieces > 0 {
		return fmt.Errorf("%d to %d pieces: expected the smaller number first", p.MinPieces, p.MaxPieces)
	}
	return nil
}
