package rushhour

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/tray"
)

// Side is the number of rows and columns of a board that says nothing else, and MaxSide the greatest. A board that is
// smaller, or no square, has walls around it.
const (
	Side    = 6
	MaxSide = 7
)

// MaxVehicles is how many vehicles a board may have: as many as there is room for on 6 x 7 cells.
const MaxVehicles = Side * MaxSide / 2

// A Vehicle is a car of two cells or a truck of three. It moves along its line only.
type Vehicle struct {
	Row, Col int // of its first cell, from 0
	Length   int // 2 or 3
	Vertical bool
}

// Cells returns the set of its cells: bit MaxSide*row+column.
func (v Vehicle) Cells() uint64 {
	if v.Vertical {
		return (1 | 1<<MaxSide | 1<<(2*MaxSide)&(uint64(1)<<(MaxSide*v.Length)-1)) << (MaxSide*v.Row + v.Col)
	}
	return (1<<v.Length - 1) << (MaxSide*v.Row + v.Col)
}

// at returns where the vehicle is in its line.
func (v Vehicle) at() int {
	if v.Vertical {
		return v.Row
	}
	return v.Col
}

// movedTo returns the vehicle at another place in its line.
func (v Vehicle) movedTo(at int) Vehicle {
	if v.Vertical {
		v.Row = at
	} else {
		v.Col = at
	}
	return v
}

// A Board has vehicles and walls. The first vehicle is the goal car, which lies along a row and must
// reach the last column.
type Board struct {
	Walls    uint64 // by cell
	Vehicles []Vehicle
	Side     int // rows and columns; 0 is those of the game that is sold
}

// side returns the number of rows and columns.
func (b Board) side() int { return cmp.Or(b.Side, Side) }

// Without returns the board without one of its vehicles.
func (b Board) Without(i int) Board {
	b.Vehicles = slices.Delete(slices.Clone(b.Vehicles), i, i+1)
	return b
}

// String writes the board in 36 characters, or as many as it has cells, row by row: A is the goal car, other letters are the other
// vehicles in the order of their first cells, o is an empty cell and x a wall.
func (b Board) String() string {
	text := []byte(strings.Repeat("o", b.side()*b.side()))
	draw := func(cells uint64, char byte) {
		for ; cells != 0; cells &= cells - 1 {
			at := bits.TrailingZeros64(cells)
			text[at/MaxSide*b.side()+at%MaxSide] = char
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

// Puzzle returns the board as a sliding-block puzzle.
func (b Board) Puzzle() (*tray.Puzzle, error) { return formats.ParseRushHour(b.String()) }
