package board

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pagoda/statespace"
	"pagoda/statespace/cells"
)

const (
	// MaxCells bounds the cells of a board: sets of cells are words of 64 bits.
	MaxCells = 64
	// MaxSide bounds its rows and columns.
	MaxSide = 64
)

// A Direction is one in which a piece slides.
type Direction uint8

// The directions, in the order in which moves are listed.
const (
	Up Direction = iota
	Down
	Left
	Right
	Directions // how many there are
)

// String returns the letter of a direction.
func (d Direction) String() string { return "UDLR"[d : d+1] }

// Opposite returns the direction back.
func (d Direction) Opposite() Direction { return d ^ 1 }

// A Set is a set of cells: bit i is cell i.
type Set = uint64

// A Position says where pieces stand. Pieces of the same kind are alike.
type Position struct{ Letters, Numbers Set }

// All returns the cells of all pieces.
func (p Position) All() Set { return p.Letters | p.Numbers }

// Solved reports whether no letter is left.
func (p Position) Solved() bool { return p.Letters == 0 }

// A Board is a shape on the square grid, with exits. It does not change.
type Board struct {
	rows, cols int
	cells      []cells.Cell // row by row
	exits      Set
	next       [Directions][]int // the neighbour of each cell, or -1
	turns      [][]int           // see Turns
	slides     bool              // see BySlides
}

// New returns the board with some cells, wherever they lie on the grid. The exits are cells of the
// board. If there are none, the cell in the centre is the exit.
func New(all, exits []cells.Cell) (*Board, error) {
	if len(all) == 0 || len(all) > MaxCells {
		return nil, fmt.Errorf("a board has 1 to %d cells, found %d", MaxCells, len(all))
	}
	b := &Board{cells: slices.Clone(all)}
	slices.SortFunc(b.cells, cells.Cell.Compare)
	corner := cells.Corner(b.cells)
	for i, c := range b.cells {
		b.cells[i] = cells.Cell{Row: c.Row - corner.Row, Col: c.Col - corner.Col}
		b.rows, b.cols = max(b.rows, b.cells[i].Row+1), max(b.cols, b.cells[i].Col+1)
		if max(b.rows, b.cols) > MaxSide {
			return nil, fmt.Errorf("a board has at most %d rows and columns", MaxSide)
		}
		if i > 0 && b.cells[i] == b.cells[i-1] {
			return nil, fmt.Errorf("cell %v comes twice", c)
		}
	}
	for _, c := range exits {
		i, ok := b.Number(cells.Cell{Row: c.Row - corner.Row, Col: c.Col - corner.Col})
		if !ok {
			return nil, fmt.Errorf("the exit %v is no cell of the board", c)
		}
		b.exits |= 1 << i
	}
	if len(exits) == 0 {
		i, ok := b.Number(cells.Cell{Row: b.rows / 2, Col: b.cols / 2})
		if b.rows%2 == 0 || b.cols%2 == 0 || !ok {
			return nil, fmt.Errorf("the board of %d rows and %d columns has no cell in its centre: name the exits", b.rows, b.cols)
		}
		b.exits = 1 << i
	}
	for d, by := range [Directions]cells.Cell{Up: {Row: -1}, Down: {Row: 1}, Left: {Col: -1}, Right: {Col: 1}} {
		for _, c := range b.cells {
			n, ok := b.Number(cells.Cell{Row: c.Row + by.Row, Col: c.Col + by.Col})
			if !ok {
				n = -1
			}
			b.next[d] = append(b.next[d], n)
		}
	}
	b.findTurns()
	return b, nil
}

// shapes are the boards that have names besides their size, row by row.
var shapes = map[string][]int{"cross": {3, 3, 7, 7, 7, 3, 3}, "octagon": {3, 5, 7, 7, 7, 5, 3}}

// Names lists the boards that help and messages name. Find also takes other sizes, such as 5x7.
func Names() []string { return []string{"5x5", "cross", "octagon", "7x7"} }

// Named returns the board of a name, if there is one: see Find.
func Named(name string) (*Board, bool) {
	b, err := Find(name)
	return b, err == nil
}

// Find returns the board of a name: cross, octagon, or a size such as 5x7, rows first. The exit is in
// the centre. The error is statespace.ErrUnknown if the name is none of these, and says what is wrong
// with a board of such a size.
func Find(name string) (*Board, error) {
	var all []cells.Cell
	rows := shapes[name]
	if rows == nil {
		var r, c int
		if n, err := fmt.Sscanf(name, "%dx%d", &r, &c); n != 2 || err != nil || name != fmt.Sprintf("%dx%d", r, c) || r < 1 || c < 1 {
			return nil, fmt.Errorf("%w: there is no board %.40q; expected cross, octagon, or a size such as 5x5", statespace.ErrUnknown, name)
		}
		if r > MaxCells || c > MaxCells || r*c > MaxCells {
			return nil, fmt.Errorf("the board %s has too many cells: expected at most %d", name, MaxCells)
		}
		if r%2 == 0 || c%2 == 0 {
			return nil, fmt.Errorf("the board %s has no cell in its centre: expected odd numbers, or a text that draws the board with its exits", name)
		}
		rows = slices.Repeat([]int{c}, r)
	}
	width := slices.Max(rows)
	for r, n := range rows {
		for c := range n {
			all = append(all, cells.Cell{Row: r, Col: (width-n)/2 + c})
		}
	}
	return New(all, nil)
}

// Size returns the numbers of rows and columns.
func (b *Board) Size() (rows, cols int) { return b.rows, b.cols }

// Cells returns the cells, row by row from the top left, which is in row 0 and column 0.
func (b *Board) Cells() []cells.Cell { return b.cells }

// Exits returns the exits.
func (b *Board) Exits() Set { return b.exits }

// All returns all cells.
func (b *Board) All() Set { return ^Set(0) >> (MaxCells - len(b.cells)) }

// The metrics: what counts as a move. Each slide of a piece counts, or all that it makes until another piece moves.
const (
	MovesMetric  = "moves"
	SlidesMetric = "slides"
)

// BySlides returns the same board, on which each slide of a piece is a move.
func (b *Board) BySlides() *Board {
	slides := *b
	slides.slides = true
	return &slides
}

// Metric returns what counts as a move on the board.
func (b *Board) Metric() string {
	if b.slides {
		return SlidesMetric
	}
	return MovesMetric
}

// Number returns the number of a cell.
func (b *Board) Number(c cells.Cell) (int, bool) {
	return slices.BinarySearchFunc(b.cells, c, cells.Cell.Compare)
}

// Next returns the neighbour of a cell in a direction, or -1.
func (b *Board) Next(d Direction, cell int) int { return b.next[d][cell] }

// Turns returns the symmetries of the board that take exits to exits, without the identity: for each
// one, the image of each cell.
func (b *Board) Turns() [][]int { return b.turns }

func (b *Board) findTurns() {
	known := [][]int{nil} // the identity
	for i := range b.cells {
		known[0] = append(known[0], i)
	}
	for k := 1; k < 8; k++ {
		var turn []int
		var exits Set
		for i, c := range b.cells {
			rows, cols := b.rows, b.cols
			if k&1 != 0 {
				c, rows, cols = cells.Cell{Row: c.Col, Col: c.Row}, cols, rows
			}
			if k&2 != 0 {
				c.Row = rows - 1 - c.Row
			}
			if k&4 != 0 {
				c.Col = cols - 1 - c.Col
			}
			n, ok := b.Number(c)
			if !ok {
				break
			}
			turn = append(turn, n)
			if b.exits>>i&1 != 0 {
				exits |= 1 << n
			}
		}
		same := func(other []int) bool { return slices.Equal(turn, other) } // where the board is a line
		if len(turn) == len(b.cells) && exits == b.exits && !slices.ContainsFunc(known, same) {
			known = append(known, turn)
		}
	}
	b.turns = known[1:]
}

// Turned returns the image of a set of cells.
func Turned(s Set, turn []int) (image Set) {
	for ; s != 0; s &= s - 1 {
		image |= 1 << turn[bits.TrailingZeros64(s)]
	}
	return image
}

// Turned returns the image of a position.
func (p Position) Turned(turn []int) Position {
	return Position{Turned(p.Letters, turn), Turned(p.Numbers, turn)}
}

// Lines returns the rows of the board with a character for each cell, and a space to the left of a cell
// where none is.
func (b *Board) Lines(char func(cell int) byte) []string {
	lines := make([]string, b.rows)
	for i, c := range b.cells {
		lines[c.Row] += strings.Repeat(" ", c.Col-len(lines[c.Row])) + string(char(i))
	}
	return lines
}

// Draw writes the board row by row, with / between the rows and a character for each cell.
func (b *Board) Draw(char func(cell int) byte) string {
	var s strings.Builder
	for i, c := range b.cells {
		if i > 0 && c.Row > b.cells[i-1].Row {
			s.WriteString(strings.Repeat("/", c.Row-b.cells[i-1].Row))
		}
		s.WriteByte(char(i))
	}
	return s.String()
}
