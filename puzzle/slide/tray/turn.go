package tray

import "slices"

// A Turn is a turn or reflection of a board, and a shift, that takes cells to cells and thin walls to thin
// walls.
type Turn struct {
	Cells []int // by number of a cell: that of its image
	Axes  [Axes]Axis
}

// Turns returns the turns of the board, and the identity. The same cells can have the same images in several
// of them.
func (b *Board) Turns() []Turn {
	t := newTray(max(1, b.Floors), b.Rows, b.Cols, b.Cells)
	for _, w := range b.Walls {
		t.addWall(w)
	}
	return t.turns()
}

// turns is Board.Turns.
func (t *tray) turns() (all []Turn) {
	for _, order := range []point{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for flips := range 8 {
			if t.Floors() == 1 && (order[0] != 0 || flips&1 != 0) {
				continue // it does not keep the floor
			}
			if turn, ok := t.turn(order, flips); ok {
				all = append(all, turn)
			}
		}
	}
	return all
}

// turn returns the turn that takes axis i of points to axis order[i], after it has flipped some. It reports
// false if there is none.
func (t *tray) turn(order point, flips int) (turn Turn, ok bool) {
	image := func(a point) (b point) {
		for i, n := range a {
			if flips>>i&1 != 0 {
				n = -n
			}
			b[order[i]] = n
		}
		return b
	}
	points, images := make([]point, len(t.cells)), make([]point, len(t.cells))
	for i, c := range t.cells {
		points[i] = t.point(c)
		images[i] = image(points[i])
	}
	way := corner(points).minus(corner(images))
	for _, a := range images {
		n, ok := t.numberAt(a.plus(way))
		if !ok {
			return turn, false
		}
		turn.Cells = append(turn.Cells, n)
	}
	along := [3]Axis{Upright, Vertical, Horizontal}
	for i, axis := range along {
		turn.Axes[axis] = along[order[i]]
	}
	for d := range t.Directions() {
		turned := slices.Index(directionWays[:], image(directionWays[d]))
		for i, next := range t.beside[d] {
			to := int16(None)
			if next != None {
				to = int16(turn.Cells[next])
			}
			if t.beside[turned][turn.Cells[i]] != to {
				return turn, false // a thin wall, which has no image
			}
		}
	}
	return turn, true
}

// corner returns the least floor, row and column of points.
func corner(points []point) point {
	c := points[0]
	for _, a := range points {
		for i := range c {
			c[i] = min(c[i], a[i])
		}
	}
	return c
}

// directionWays are the ways of the directions.
var directionWays = [Directions]point{Up: {1: -1}, Down: {1: 1}, Left: {2: -1}, Right: {2: 1}, Climb: {0: 1}, Sink: {0: -1}}
