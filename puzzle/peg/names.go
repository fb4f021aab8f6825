package peg

import (
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// Prefix starts the names of boards.
const Prefix = FamilyName + "/"

// Boards lists the boards with a name, and some of the rectangles peg/WxH.
func Boards() []puzzle.Entry {
	return lists.Map(boards, func(b [2]string) puzzle.Entry { return puzzle.Entry{Name: b[0], About: b[1], Facts: facts(b[0])} })
}

// boards are the names of boards, and a few words about each.
var boards = [][2]string{
	{"peg/4x4", "rectangle, 4 wide and 4 tall; peg/WxH makes any"},
	{"peg/5x5", "rectangle"},
	{"peg/5x6", "rectangle"},
	{"peg/5x7", "the board of the peg solitaire font"},
	{"peg/6x6", "rectangle"},
	{"peg/5x8", "rectangle"},
	{"peg/6x7", "rectangle"},
	{"peg/7x7", "rectangle"},
	{"peg/english", "cross of 33 holes"},
	{"peg/european", "octagon of 37 holes"},
	{"peg/wiegleb", "cross of 45 holes"},
	{"peg/triangle10", "triangle of 4 rows; triangleN makes those of N cells"},
	{"peg/triangle15", "triangle of 5 rows"},
	{"peg/triangle21", "triangle of 6 rows"},
	{"peg/triangle28", "triangle of 7 rows"},
	{"peg/hexagon19", "hexagon with sides of 3; hexagonN makes those of N cells"},
	{"peg/hexagon37", "hexagon with sides of 4"},
	{"peg/diamond25", "diamond of 25 holes; diamondN makes those of N cells"},
	{"peg/diamond41", "diamond of 41 holes"},
	{"peg/4x4:diagonal", "pegs also jump along diagonals; BOARD:diagonal makes any"},
	{"peg/english:diagonal", "the English board with diagonal jumps"},
}

// shapes are the boards that are not rectangles, by name.
var shapes = map[string]func() (*board.Shape, error){
	"english":  func() (*board.Shape, error) { return board.CrossShape(7) },
	"european": func() (*board.Shape, error) { return board.OctagonShape(7, 4) },
	"wiegleb":  func() (*board.Shape, error) { return board.CrossShape(9) },
}

// figures are the boards that are named by their number of cells.
var figures = map[string]struct {
	cells func(side int) int // sides begin with 1
	shape func(side int) (*board.Shape, error)
}{
	"triangle": {func(n int) int { return n * (n + 1) / 2 }, board.TriangleShape},
	"hexagon":  {func(n int) int { return 3*n*(n-1) + 1 }, board.HexagonShape},
	"diamond":  {func(n int) int { return 2*n*(n-1) + 1 }, func(n int) (*board.Shape, error) { return board.OctagonShape(2*n-1, n-1) }},
}

// diagonalSuffix ends the name of a board whose pegs also jump along diagonals.
const diagonalSuffix = "diagonal"

var (
	rectangle = lazy.Regexp(`^(0|[1-9][0-9]*)x(0|[1-9][0-9]*)(x[0-9]+)*$`)
	figure    = lazy.Regexp(`^([a-z]+)(0|[1-9][0-9]*)$`)
)

// Lookup returns the space of a name: one of Boards, peg/WxH for a rectangle, or a triangle, hexagon or
// diamond with its number of cells, such as peg/hexagon37. With :diagonal after the board, pegs also jump
// along diagonals. At the start all cells but one have a peg. The hole is in the middle, or in the cell
// after an @ at the end of the name, such as @0,2 or @c1; see cells.ParseCell. Another name is
// statespace.ErrUnknown.
func Lookup(name string) (*Space, error) {
	s, hole, err := named(name)
	if err != nil {
		return nil, err
	}
	b, err := board.Of(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return New(name, b, b.Full()&^(1<<hole))
}

// LookupShape returns the board of a name of Lookup and the pegs at the start, by cell. It may have more than
// board.MaxCells cells.
func LookupShape(name string) (*board.Shape, []bool, error) {
	s, hole, err := named(name)
	if err != nil {
		return nil, nil, err
	}
	pegs := slices.Repeat([]bool{true}, len(s.Cells()))
	pegs[hole] = false
	return s, pegs, nil
}

// named returns the board of a name and the number of its hole.
func named(name string) (s *board.Shape, hole int, err error) {
	rest, ok := strings.CutPrefix(name, Prefix)
	rest, at, vacate := strings.Cut(rest, "@")
	if !ok {
		return nil, 0, fmt.Errorf("%w: %.60q is not the name of a board, such as peg/5x7", statespace.ErrUnknown, name)
	}
	rest, jumps, more := strings.Cut(rest, ":")
	if s, err = shapeOf(rest); err == nil && more {
		switch {
		case jumps != diagonalSuffix:
			err = statespace.ErrUnknown // other families have names such as 5x5:3-4
		case s.Lattice() != board.Square:
			err = fmt.Errorf("diagonal jumps are for boards of squares; %s%s has a %v lattice", Prefix, rest, s.Lattice())
		default:
			s, err = s.On(board.Diagonal)
		}
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	cell := defaultVacancy(s)
	if vacate {
		if cell, err = cells.ParseCell(at); err != nil {
			return nil, 0, fmt.Errorf("%s: the vacancy %w", name, err)
		}
	}
	if hole, ok = s.Number(cell); !ok {
		return nil, 0, fmt.Errorf("%s: %w", name, noCell(cell))
	}
	return s, hole, nil
}

// shapeOf returns the board of a name without the prefix. Numbers of 2^31 or more count as 2^31-1, which is too large
// anyway.
func shapeOf(name string) (*board.Shape, error) {
	if shape := shapes[name]; shape != nil {
		return shape()
	}
	if m := figure().FindStringSubmatch(name); m != nil && figures[m[1]].shape != nil {
		cells, _ := strconv.ParseUint(m[2], 10, 31)
		return figureOf(m[1], int(cells))
	}
	m := rectangle().FindStringSubmatch(name)
	switch {
	case m == nil:
		return nil, statespace.ErrUnknown
	case m[3] != "":
		return nil, fmt.Errorf("a board has two dimensions: expected WxH, such as peg/%sx%s", m[1], m[2])
	}
	width, _ := strconv.ParseUint(m[1], 10, 31)
	height, _ := strconv.ParseUint(m[2], 10, 31)
	if width == 0 || height == 0 {
		return nil, fmt.Errorf("a board has at least one column and one row")
	}
	return board.RectangleShape(int(width), int(height))
}

// figureOf returns the figure with a number of cells.
func figureOf(name string, n int) (*board.Shape, error) {
	cells, side := figures[name].cells, 1
	for cells(side) < n && side <= board.MaxSide { // a larger one is too large anyway
		side++
	}
	if cells(side) > n && side > 1 {
		return nil, fmt.Errorf("no %s has %d cells: expected %s%d or %s%d", name, n, name, cells(side-1), name, cells(side))
	}
	if cells(side) != n && side == 1 {
		return nil, fmt.Errorf("a board has at least one cell")
	}
	return figures[name].shape(side)
}

// ParseCell reads a cell of a board, in any notation, and returns its number.
func ParseCell(b *board.Board, text string) (int, error) {
	c, err := cells.ParseCell(text)
	if err != nil {
		return 0, err
	}
	n, ok := b.Number(c)
	if !ok {
		return 0, noCell(c)
	}
	return n, nil
}

// noCell is the error of a cell that the board does not have.
func noCell(c board.Cell) error {
	return fmt.Errorf("the board has no cell in row %d, column %d (counted from 0), %s", c.Row, c.Col, cells.LetterNumber.Cell(c))
}

// defaultVacancy returns the top of a triangle, or the centre of another board. Where a side
// is even, it is the cell above or left of the centre.
func defaultVacancy(b *board.Shape) board.Cell {
	if _, beside := b.Number(board.Cell{Col: 1}); b.Lattice() == board.Triangular && !beside {
		return board.Cell{}
	}
	var last board.Cell
	for _, c := range b.Cells() {
		last.Row, last.Col = max(last.Row, c.Row), max(last.Col, c.Col)
	}
	return board.Cell{Row: last.Row / 2, Col: last.Col / 2}
}

// fields are the numbers that are known of large boards. Those of small ones take a second to count.
var fields = []puzzle.Field{
	{Name: "states", About: "the positions that can be reached"},
	{Name: "orbits", About: "the positions that can be reached, up to the symmetries of the start"},
}

//go:embed known.txt
var knownText string

// known is what known.txt says, by board.
var known = sync.OnceValue(func() map[string]*puzzle.Facts {
	all := make(map[string]*puzzle.Facts)
	for line := range strings.Lines(knownText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Fields(line)
		board, layer := field[0], field[1]
		states, err := strconv.ParseUint(field[2], 10, 64)
		if err != nil {
			panic(err) // it is part of the program
		}
		orbits, err := strconv.ParseUint(field[3], 10, 64)
		if err != nil {
			panic(err)
		}
		if layer == "all" {
			number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
			all[board] = &puzzle.Facts{Numbers: map[string]*big.Int{"states": number(states), "orbits": number(orbits)}}
			continue
		}
		pegs, err := strconv.Atoi(layer)
		if err != nil {
			panic(err)
		}
		all[board].Layers = append(all[board].Layers, statespace.Layer{Layer: pegs, States: states, Orbits: orbits})
	}
	return all
})

// facts returns a function that returns what is known about a large board; it is nil for others.
func facts(name string) func() puzzle.Facts {
	k := known()[name]
	if k == nil {
		return nil
	}
	return func() puzzle.Facts { return *k }
}
