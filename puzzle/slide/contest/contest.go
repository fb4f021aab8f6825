package contest

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/cells"
)

// MaxSide is the greatest width and height of a box and of a shape.
const MaxSide = tray.MaxSide

// MaxText is the greatest length of an input, in bytes.
const MaxText = 1 << 20

// maxFree is the greatest number of free shapes.
const maxFree = 1 << 16

// A Problem is the input of a designer.
type Problem struct {
	Box  [][]bool // by row and column: whether there is open space; all rows are equally long
	Free []Shape
	Goal Shape
	X, Y int // the goal position
}

// A Shape is the cells of a piece, in row-major order. The first row and the first column that have
// a cell are 0.
type Shape []tray.Cell

// NewShape returns the shape of some cells, at least one, wherever they are.
func NewShape(all []tray.Cell) Shape {
	corner := cells.Corner(all)
	s := cells.Shift(all, tray.Cell{Row: -corner.Row, Col: -corner.Col})
	slices.SortFunc(s, tray.Cell.Compare)
	return s
}

// Shape returns the shape of an index: a free one, or behind them the goal piece.
func (p *Problem) Shape(i int) Shape {
	if i == len(p.Free) {
		return p.Goal
	}
	return p.Free[i]
}

// open reports whether a place is open space of the box.
func (p *Problem) open(row, col int) bool {
	return 0 <= row && row < len(p.Box) && 0 <= col && col < len(p.Box[row]) && p.Box[row][col]
}

// Places lists where a shape of an index fits into the empty box: the upper left corners of its
// bounding rectangle.
func (p *Problem) Places(i int) (all []tray.Cell) {
	for row := range p.Box {
		for col := range p.Box[row] {
			if !slices.ContainsFunc(p.Shape(i), func(c tray.Cell) bool { return !p.open(row+c.Row, col+c.Col) }) {
				all = append(all, tray.Cell{Row: row, Col: col})
			}
		}
	}
	return all
}

// CheckGoal returns an error if the goal piece does not fit at its goal: then no puzzle can be solved.
func (p *Problem) CheckGoal() error {
	for _, c := range p.Goal {
		if !p.open(p.Y+c.Row, p.X+c.Col) {
			return fmt.Errorf("the goal piece does not fit at the goal position %d %d: it would cover the place %d %d, which is no open space of the box", p.X, p.Y, p.X+c.Col, p.Y+c.Row)
		}
	}
	return nil
}

// A Puzzle is what a designer makes: pieces in the box, and moves that bring the goal piece to its
// goal. The zero values of lines are for a puzzle that was not read from a text.
type Puzzle struct {
	Pieces []Piece
	Length int // as claimed
	Moves  []Move

	lengthLine int // of the text
}

// A Piece is a shape at a place.
type Piece struct {
	Shape, X, Y int
	line        int
}

// A Move is a motion of one piece.
type Move struct {
	Piece int // in Puzzle.Pieces
	Path  []tray.Direction
	line  int
}

// The lines of an output that enclose a puzzle.
const (
	beginSolution = "BEGIN SOLUTION"
	endSolution   = "END SOLUTION"
)

// directionWords are the directions in a move.
var directionWords = [tray.FlatDirections]string{tray.Up: "up", tray.Down: "down", tray.Left: "left", tray.Right: "right"}

// Format writes the puzzle as ParseOutput reads it, with the lines that enclose it.
func (z *Puzzle) Format() string {
	var s strings.Builder
	s.WriteString(beginSolution + "\n")
	for _, p := range z.Pieces {
		fmt.Fprintf(&s, "%d %d %d\n", p.Shape, p.X, p.Y)
	}
	fmt.Fprintf(&s, "-\n%d\n-\n", z.Length)
	for _, m := range z.Moves {
		fmt.Fprint(&s, m.Piece)
		for _, d := range m.Path {
			s.WriteString(" " + directionWords[d])
		}
		s.WriteByte('\n')
	}
	s.WriteString(endSolution + "\n")
	return s.String()
}
