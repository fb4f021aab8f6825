package tray

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// The directions. The first four stay on a floor. Climb leads to the next higher floor, Sink to the
// next lower one.
const (
	Up Direction = iota
	Down
	Left
	Right
	Climb
	Sink
)

// Directions is the number of all directions, and FlatDirections that of those on a floor.
const (
	Directions     = 6
	FlatDirections = 4
)

// directionLetters are the directions in the text of a path.
const directionLetters = "UDLRCS"

// ParseDirection returns the direction of a letter U, D, L, R, C or S.
func ParseDirection(letter rune) (Direction, error) {
	if d := strings.IndexRune(directionLetters, letter); d >= 0 {
		return Direction(d), nil
	}
	return 0, fmt.Errorf("unexpected %q in a path: expected U, D, L and R, and between floors C (climb) and S (sink)", letter)
}

// String returns the letter of the direction.
func (d Direction) String() string {
	if d < Directions {
		return directionLetters[d : d+1]
	}
	return fmt.Sprintf("Direction(%d)", uint8(d))
}

// Opposite returns the direction back.
func (d Direction) Opposite() Direction { return d ^ 1 }

// Beside returns the place beside a cell, which may be a wall or outside the tray. Each floor of the
// tray has the given number of rows. Beside reports false if the cell is in the first row of its floor
// and the direction is Up, or in the last one and it is Down.
func (d Direction) Beside(c Cell, rows int) (Cell, bool) {
	on := true
	switch d {
	case Up:
		on = c.Row%rows != 0
		c.Row--
	case Down:
		c.Row++
		on = c.Row%rows != 0
	case Left:
		c.Col--
	case Right:
		c.Col++
	case Climb:
		c.Row += rows
	case Sink:
		c.Row -= rows
	}
	return c, on
}

// An Axis says in which directions a piece moves.
type Axis uint8

// The axes.
const (
	Free       Axis = iota // in all directions
	Horizontal             // to the left and right only
	Vertical               // up and down only
	Upright                // from floor to floor only
)

// Axes is the number of axes.
const Axes = 4

var axisNames = [Axes]string{"free", "horizontal", "vertical", "upright"}

// String returns the axis in lower case.
func (a Axis) String() string {
	if a < Axes {
		return axisNames[a]
	}
	return fmt.Sprintf("Axis(%d)", uint8(a))
}

// Allows reports whether a piece with this axis moves in a direction.
func (a Axis) Allows(d Direction) bool {
	return a == Free || a == [Directions / 2]Axis{Vertical, Horizontal, Upright}[d/2]
}

// A Wall is a thin wall between a cell and the next one to its right, below it, or on the next higher
// floor.
type Wall struct {
	Cell Cell
	Side Direction // Right, Down or Climb
}

// String returns the wall as the text of a puzzle has it.
func (w Wall) String() string {
	return fmt.Sprintf("%v %s", w.Cell, map[Direction]string{Right: "right", Down: "below", Climb: "ceiling"}[w.Side])
}

// Beyond returns the cell on the other side of the wall. Each floor has the given number of rows.
func (w Wall) Beyond(rows int) Cell {
	c, _ := w.Side.Beside(w.Cell, rows)
	return c
}

// A tray is cells and the thin walls between them.
type tray struct {
	rows, cols int // the rows of all floors
	floors     int
	cells      []Cell
	number     map[Cell]int
	beside     [Directions][]int16 // the neighbour of each cell, or None; on one floor, nil for Climb and Sink
	walls      []Wall              // in the order of their cells
	sides      [][2]int            // of each wall: the cells beside it
}

// None stands for a cell that does not exist.
const None = -1

func newTray(floors, rows, cols int, cells []Cell) tray {
	t := tray{rows: rows, cols: cols, floors: floors, cells: cells, number: make(map[Cell]int)}
	for i, c := range cells {
		t.number[c] = i
	}
	for d := range t.Directions() {
		t.beside[d] = make([]int16, len(cells))
		for i, c := range cells {
			t.beside[d][i] = None
			to, on := d.Beside(c, t.FloorRows())
			if n, ok := t.number[to]; ok && on {
				t.beside[d][i] = int16(n)
			}
		}
	}
	return t
}

// Directions returns how many directions there are: the first 4, or all 6 if there are several floors.
func (t *tray) Directions() Direction {
	if t.floors > 1 {
		return Directions
	}
	return FlatDirections
}

// Floors returns the number of floors.
func (t *tray) Floors() int { return max(1, t.floors) }

// FloorRows returns the number of rows of each floor.
func (t *tray) FloorRows() int { return t.rows / t.Floors() }

// A point is a place in space: the floor, the row on it, and the column. It can also be the way from
// one place to another one.
type point [3]int

func (a point) plus(b point) point  { return point{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a point) minus(b point) point { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// point returns where a cell is.
func (t *tray) point(c Cell) point {
	return point{c.Row / t.FloorRows(), c.Row % t.FloorRows(), c.Col}
}

// numberAt returns the number of the cell at a point. It reports false if there is none.
func (t *tray) numberAt(at point) (int, bool) {
	if at[1] < 0 || at[1] >= t.FloorRows() {
		return 0, false
	}
	n, ok := t.number[Cell{Row: at[0]*t.FloorRows() + at[1], Col: at[2]}]
	return n, ok
}

// addWall puts a thin wall between two cells.
func (t *tray) addWall(w Wall) {
	at, found := slices.BinarySearchFunc(t.walls, w, func(a, b Wall) int {
		return cmp.Or(a.Cell.Compare(b.Cell), cmp.Compare(b.Side, a.Side))
	})
	if found {
		return
	}
	from, to := t.number[w.Cell], t.number[w.Beyond(t.FloorRows())]
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

// shifted returns the cells that are a way off from those of a set. It reports false if some of these
// places are not in the tray, or if a thin wall is between two of them.
func (t *tray) shifted(set Set, way point) (to Set, ok bool) {
	for cell := range set.All() {
		n, ok := t.numberAt(t.point(t.cells[cell]).plus(way))
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
	way := t.point(t.cells[b.First()]).minus(t.point(t.cells[a.First()]))
	for cell := range a.All() {
		n, ok := t.numberAt(t.point(t.cells[cell]).plus(way))
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
		for d := range t.Directions() {
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
