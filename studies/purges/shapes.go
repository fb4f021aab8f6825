package purges

import (
	"slices"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// shapes returns the blocks of n cells that packages can have, up to the symmetries of the
// square, in an order of their own: connected shapes in which every cell lies in a line, and the
// lines hang together by their cells.
func shapes(n int) (all []*board.Board) {
	for _, cells := range connected(n) {
		if b := block(cells); linked(b) {
			all = append(all, b)
		}
	}
	return all
}

// connected returns the connected shapes of n cells, the least of their images. It adds a cell to those of n-1 cells.
func connected(n int) (all [][]board.Cell) {
	if n == 1 {
		return [][]board.Cell{{{}}}
	}
	seen := make(map[pattern]bool)
	for _, shape := range connected(n - 1) {
		for _, c := range shape {
			for _, d := range steps {
				next := board.Cell{Row: c.Row + d.Row, Col: c.Col + d.Col}
				if slices.Contains(shape, next) {
					continue
				}
				grown := least(append(slices.Clip(shape), next))
				if text := newPattern(grown, 0, 0); !seen[text] {
					seen[text] = true
					all = append(all, grown)
				}
			}
		}
	}
	return all
}

// steps lead from a cell to those beside it.
var steps = []board.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 0, Col: -1}, {Row: -1, Col: 0}}

// block returns the board of some cells, moved to the top left.
func block(cells []board.Cell) *board.Board {
	b, err := board.NewBoard(board.Square, corner(cells))
	if err != nil {
		panic(err) // the cells are few, near, and different
	}
	return b
}

// corner returns cells moved to the top left, in row-major order.
func corner(all []board.Cell) []board.Cell {
	least := cells.Corner(all)
	moved := cells.Shift(all, board.Cell{Row: -least.Row, Col: -least.Col})
	slices.SortFunc(moved, board.Cell.Compare)
	return moved
}

// A turn is a symmetry of the square lattice about the cell (0,0), or an embedding of the square
// lattice in another: the images of a step down and of a step to the right.
type turn struct{ down, right board.Cell }

func (t turn) image(c board.Cell) board.Cell {
	return board.Cell{Row: c.Row*t.down.Row + c.Col*t.right.Row, Col: c.Row*t.down.Col + c.Col*t.right.Col}
}

// turns returns the ways to lay the square lattice on a lattice so that lines become lines: the 8
// symmetries of the square, or, as any two directions of another lattice are a square one, 24 ways on a
// triangular and 48 on a diagonal one.
func turns(l board.Lattice) (all []turn) {
	var axes []board.Cell
	for _, d := range l.Directions() {
		axes = append(axes, d, board.Cell{Row: -d.Row, Col: -d.Col})
	}
	for _, down := range axes {
		for _, right := range axes {
			if down != right && down != (board.Cell{Row: -right.Row, Col: -right.Col}) {
				all = append(all, turn{down, right})
			}
		}
	}
	return all
}

var squareTurns = turns(board.Square)

// least returns the least of the images of a shape, moved to the top left.
func least(shape []board.Cell) (best []board.Cell) {
	image := make([]board.Cell, len(shape))
	for _, t := range squareTurns {
		for i, c := range shape {
			image[i] = t.image(c)
		}
		if moved := corner(image); best == nil || slices.CompareFunc(moved, best, board.Cell.Compare) < 0 {
			best = moved
		}
	}
	return best
}

// linked reports whether every cell of a block lies in a line, and the lines hang together by their
// cells.
func linked(b *board.Board) bool {
	lines := b.Lines()
	if len(lines) == 0 {
		return false
	}
	joined := lines[0].Mask()
	for grown := true; grown; {
		grown = false
		for _, l := range lines {
			if m := l.Mask(); m&joined != 0 && m&^joined != 0 {
				joined, grown = joined|m, true
			}
		}
	}
	return joined == b.Full()
}
