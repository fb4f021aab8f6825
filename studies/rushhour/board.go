package rushhour

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
)

// Side is the number of rows and columns of a board. A smaller board has walls around it.
const Side = 6

// MaxVehicles is how many vehicles a board has room for.
const MaxVehicles = Side * Side / 2

// A Vehicle is a car of two cells or a truck of three. It moves along its line only.
type Vehicle struct {
	Row, Col int // of its first cell, from 0
	Length   int // 2 or 3
	Vertical bool
}

// Cells returns the set of its cells: bit Side*row+column.
func (v Vehicle) Cells() uint64 {
	if v.Vertical {
		return (1 | 1<<Side | 1<<(2*Side)&(uint64(1)<<(Side*v.Length)-1)) << (Side*v.Row + v.Col)
	}
	return (1<<v.Length - 1) << (Side*v.Row + v.Col)
}

// A Board has vehicles and walls. The first vehicle is the goal car, which lies along a row and must
// reach the last column.
type Board struct {
	Walls    uint64 // by cell
	Vehicles []Vehicle
}

// Without returns the board without one of its vehicles.
func (b Board) Without(i int) Board {
	return Board{b.Walls, slices.Delete(slices.Clone(b.Vehicles), i, i+1)}
}

// Solved reports whether the goal car is at the right edge.
func (b Board) Solved() bool { return b.Vehicles[0].Col+b.Vehicles[0].Length == Side }

// String writes the board in 36 characters, row by row: A is the goal car, other letters are the other
// vehicles in the order of their first cells, o is an empty cell and x a wall.
func (b Board) String() string {
	text := []byte(strings.Repeat("o", Side*Side))
	draw := func(cells uint64, char byte) {
		for ; cells != 0; cells &= cells - 1 {
			text[bits.TrailingZeros64(cells)] = char
		}
	}
	draw(b.Walls, 'x')
	draw(b.Vehicles[0].Cells(), 'A')
	others := slices.SortedFunc(slices.Values(b.Vehicles[1:]), func(v, w Vehicle) int {
		return cmp.Or(cmp.Compare(v.Row, w.Row), cmp.Compare(v.Col, w.Col))
	})
	for i, v := range others {
		draw(v.Cells(), 'B'+byte(i))
	}
	return string(text)
}

// Parse reads a board as String writes it; see formats.ParseRushHour. Vehicles must have two or three
// cells, and the goal car two.
func Parse(text string) (Board, error) {
	p, err := formats.ParseRushHour(text)
	if err != nil {
		return Board{}, err
	}
	b := Board{Walls: 1<<(Side*Side) - 1}
	for _, c := range p.Cells() {
		b.Walls &^= 1 << (Side*c.Row + c.Col)
	}
	for i, name := range []byte(p.Pieces()) {
		cells := p.PieceCells(p.Start(), i)
		v := Vehicle{cells[0].Row, cells[0].Col, len(cells), p.Axis(i) == tray.Vertical}
		switch {
		case name == 'A' && v.Length != 2:
			return Board{}, fmt.Errorf("car A has %d cells, expected 2", v.Length)
		case v.Length > 3:
			return Board{}, fmt.Errorf("vehicle %c has %d cells, expected 2 or 3", name, v.Length)
		case name == 'A':
			b.Vehicles = slices.Insert(b.Vehicles, 0, v)
		default:
			b.Vehicles = append(b.Vehicles, v)
		}
	}
	return b, nil
}

// Puzzle returns the board as a sliding-block puzzle.
func (b Board) Puzzle() (*tray.Puzzle, error) { return formats.ParseRushHour(b.String()) }
