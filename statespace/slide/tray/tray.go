package tray

import (
	"cmp"
	"fmt"
	"slices"

	"pagoda/statespace/cells"
)

// MaxCells is the greatest number of cells of a tray: the number of a cell is one byte.
const MaxCells = 256

// MaxSide is the greatest number of rows and of columns of a tray, walls included.
const MaxSide = 256

// A Cell is a place of the tray.
type Cell = cells.Cell

// A Direction is a direction in which a piece moves.
type Direction uint8

// The directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

// Directions is the number of directions.
const Directions = 4

// directionLetters are the directions in the text of a path.
const directionLetters = "UDLR"

// ParseDirection returns the direction of a letter U, D, L or R.
func ParseDirection(letter rune) (Direction, error) {
	for d := range Direction(Directions) {
		if letter == rune(directionLetters[d]) {
			return d, nil
		}
	}
	return 0, fmt.Errorf("unexpected %q in a path: expected U, D, L and R", letter)
}

// String returns the letter of the direction.
func (d Direction) String() string { return directionLetters[d&3 : d&3+1] }

// Opposite returns the direction back.
func (d Direction) Opposite() Direction { return d ^ 1 }

// From returns the place beside a cell, which may be a wall.
func (d Direction) From(c Cell) Cell {
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

// An Axis says in which directions a piece moves.
type Axis uint8

// The axes.
const (
	Free       Axis = iota // in all directions
	Horizontal             // to the left and right only
	Vertical               // up and down only
)

// String returns the axis in lower case.
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

// Allows reports whether a piece with this axis moves in a direction.
func (a Axis) Allows(d Direction) bool {
	switch a {
	case Horizontal:
		return d == Left || d == Right
	case Vertical:
		return d == Up || d == Down
	}
	return true
}

// A Wall is a thin wall between a cell and the next one to its right or below it.
type Wall struct {
	Cell Cell
	Side Direction // Right or Down
}

// String returns the wall as the text of a puzzle has it.
func (w Wall) String() string {
	side := "right"
	if w.Side == Down {
		side = "below"
	}
	return fmt.Sprintf("%v %s", w.Cell, side)
}

// Beyond returns the cell on the other side of the wall.
func (w Wall) Beyond() Cell { return w.Side.From(w.Cell) }

// A tray is cells and the thin walls between them.
type tray struct {
	rows, cols int
	cells      []Cell
	number     map[Cell]int
	beside     [Directions][]int16 // the neighbour of each cell, or None
	walls      []Wall              // in the order of their cells
	sides      [][2]int            // of each wall: the cells beside it
}

// None stands for a cell that does not exist.
const None = -1

func newTray(rows, cols int, cells []Cell) tray {
	t := tray{rows: rows, cols: cols, cells: cells, number: make(map[Cell]int)}
	for i, c := range cells {
		t.number[c] = i
	}
	for d := range t.beside {
		t.beside[d] = make([]int16, len(cells))
		for i, c := range cells {
			t.beside[d][i] = None
			if n, ok := t.number[Direction(d).From(c)]; ok {
				t.beside[d][i] = int16(n)
			}
		}
	}
	return t
}

// addWall puts a thin wall between two cells.
func (t *tray) addWall(w Wall) {
	at, found := slices.BinarySearchFunc(t.walls, w, func(a, b Wall) int {
		return cmp.Or(cmp.Compare(a.Cell.Row, b.Cell.Row), cmp.Compare(a.Cell.Col, b.Cell.Col), cmp.Compare(b.Side, a.Side))
	})
	if found {
		return
	}
	from, to := t.number[w.Cell], t.number[w.Beyond()]
	t.walls = slices.Insert(t.walls, at, w)
	t.sides = slices.Insert(t.sides, at, [2]int{from, to})
	t.beside[w.Side][from] = None
	t.beside[w.Side.Opposite()][to] = None
}

// split finds a thin wall between two cells of a set.
func (t *tray) split(set Set) (Wall, bool) {
	for i, side := range t.sides {
		if set.Has(side[0]) && set.Has(side[1]) {
			return t.walls[i], true
		}
	}
	return Wall{}, false
}

// step moves a set of cells by one cell. It reports false if a cell would leave the tray or
// pass a thin wall, or if a thin wall would be between two of them.
func (t *tray) step(set Set, d Direction) (moved Set, ok bool) {
	for cell := range set.All() {
		n := t.beside[d][cell]
		if n == None {
			return Set{}, false
		}
		moved.Add(int(n))
	}
	_, split := t.split(moved)
	return moved, !split
}

// shifted returns a set of cells some rows further down and some columns further right. It
// reports false if some of these places are not in the tray, or if a thin wall is between two
// of them.
func (t *tray) shifted(set Set, rows, cols int) (to Set, ok bool) {
	for cell := range set.All() {
		c := t.cells[cell]
		n, ok := t.number[Cell{Row: c.Row + rows, Col: c.Col + cols}]
		if !ok {
			return Set{}, false
		}
		to.Add(n)
	}
	_, split := t.split(to)
	return to, !split
}

// sameShape reports whether a set of cells is another one at another place.
func (t *tray) sameShape(a, b Set) bool {
	if a.Len() != b.Len() {
		return false
	}
	first, other := t.cells[a.First()], t.cells[b.First()]
	for cell := range a.All() {
		c := t.cells[cell]
		n, ok := t.number[Cell{Row: c.Row - first.Row + other.Row, Col: c.Col - first.Col + other.Col}]
		if !ok || !b.Has(n) {
			return false
		}
	}
	return true
}

// connected returns the cells of a set that are connected by edges with its first one, within
// the set.
func (t *tray) connected(set Set) (reached Set) {
	todo := []int{set.First()}
	reached.Add(todo[0])
	for len(todo) > 0 {
		cell := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for d := range t.beside {
			if n := int(t.beside[d][cell]); n != None && set.Has(n) && !reached.Has(n) {
				reached.Add(n)
				todo = append(todo, n)
			}
		}
	}
	return reached
}

// cellsOf lists the cells of a set.
func (t *tray) cellsOf(set Set) []Cell {
	cells := make([]Cell, 0, set.Len())
	for cell := range set.All() {
		cells = append(cells, t.cells[cell])
	}
	return cells
}
