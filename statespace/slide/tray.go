package slide

import (
	"cmp"
	"fmt"
	"slices"
)

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
	walls      []wall             // in order of cells
}

// A wall is a thin one, between a cell and the next to its right or below it.
type wall struct {
	cell Cell
	side Direction // Right or Down
}

// String tells the wall as the text of a puzzle does.
func (w wall) String() string {
	side := "right"
	if w.side == Down {
		side = "below"
	}
	return fmt.Sprintf("(%d,%d) %s", w.cell.Row, w.cell.Col, side)
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

// addWall puts a wall between two cells that touch.
func (t *tray) addWall(w wall) {
	at, found := slices.BinarySearchFunc(t.walls, w, func(a, b wall) int {
		return cmp.Or(cmp.Compare(a.cell.Row, b.cell.Row), cmp.Compare(a.cell.Col, b.cell.Col), cmp.Compare(b.side, a.side))
	})
	if found {
		return
	}
	t.walls = slices.Insert(t.walls, at, w)
	from, to := t.number[w.cell], t.number[w.cell.step(w.side)]
	t.beside[w.side][from] = none
	t.beside[w.side^1][to] = none // Up and Down, Left and Right differ in a bit
}

// split finds a wall between two cells of a set.
func (t *tray) split(set uint64) (wall, bool) {
	for _, w := range t.walls {
		if set>>t.number[w.cell]&1 == 1 && set>>t.number[w.cell.step(w.side)]&1 == 1 {
			return w, true
		}
	}
	return wall{}, false
}

// shift moves a set of cells by one. It reports false if a cell would leave the tray or
// go through a wall, or if a wall would lie between two of them.
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
	_, split := t.split(moved)
	return moved, !split
}
