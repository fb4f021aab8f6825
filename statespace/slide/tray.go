package slide

import "fmt"

// MaxCells is the largest number of cells a tray can have, walls not counted: a set
// of cells is one 64-bit word.
const MaxCells = 64

// MaxSide bounds the rows and the columns of a tray, walls counted.
const MaxSide = 256

// A Cell is a place of the tray: row and column from the top left, from 0.
type Cell struct{ Row, Col int }

// A Direction is one of the four ways in which a piece moves.
type Direction uint8

// The directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

const directions = 4

// directionLetters is how a path is written.
const directionLetters = "UDLR"

// String gives the direction as one of the letters U, D, L and R.
func (d Direction) String() string { return directionLetters[d&3 : d&3+1] }

// step returns the neighbouring place.
func (c Cell) step(d Direction) Cell {
	switch d {
	case Up:
		c.Row--
	case Down:
		c.Row++
	case Left:
		c.Col--
	case Right:
		c.Col++
	}
	return c
}

// An Axis says along which lines a piece moves.
type Axis uint8

// The axes.
const (
	Free       Axis = iota // in all four directions
	Horizontal             // to the left and right only
	Vertical               // up and down only
)

func (a Axis) String() string {
	switch a {
	case Free:
		return "free"
	case Horizontal:
		return "horizontal"
	case Vertical:
		return "vertical"
	}
	return fmt.Sprintf("Axis(%d)", uint8(a))
}

// allows reports whether a piece of this axis moves in a direction.
func (a Axis) allows(d Direction) bool {
	switch a {
	case Horizontal:
		return d == Left || d == Right
	case Vertical:
		return d == Up || d == Down
	}
	return true
}

// A tray is the cells that are no walls, numbered from 0 in row-major order.
type tray struct {
	rows, cols int
	cells      []Cell
	number     map[Cell]int
	beside     [directions][]int8 // the neighbour of each cell, or none
}

// none stands for a cell that there is not.
const none = -1

func newTray(rows, cols int, cells []Cell) tray {
	t := tray{rows: rows, cols: cols, cells: cells, number: make(map[Cell]int)}
	for i, c := range cells {
		t.number[c] = i
	}
	for d := range t.beside {
		t.beside[d] = make([]int8, len(cells))
		for i, c := range cells {
			t.beside[d][i] = none
			if n, ok := t.number[c.step(Direction(d))]; ok {
				t.beside[d][i] = int8(n)
			}
		}
	}
	return t
}

// shift moves a set of cells by one. It reports false if a cell would leave the tray.
func (t *tray) shift(set uint64, d Direction) (uint64, bool) {
	var moved uint64
	for i, n := range t.beside[d] {
		if set>>i&1 == 0 {
			continue
		}
		if n == none {
			return 0, false
		}
		moved |= 1 << n
	}
	return moved, true
}
