package hardest

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A grid is a board as bits: a cell is a bit of a word. Behind each line of cells is a gap of one bit, and
// behind each layer of lines one of a line, so that neighbours are at fixed distances, and nothing that is shifted
// comes out on the other side. Lines are rows and layers are floors, unless the grid is turned.
type grid struct {
	Board
	size         [3]int             // layers, lines of a layer, cells of a line
	width, floor int                // distances of lines and of layers
	first        int                // the bit of the first cell
	by           [3]int             // distances of floors, rows and columns; they are negative if the grid is turned
	cells        [maxBits]tray.Cell // by bit
	open         uint64             // cells
	sides        [][2]uint64
	steps        []step
}

// A step is a direction, as the distance of the cells.
type step struct {
	by   int
	axis tray.Axis // the axis of pieces that move so, besides those that are free
}

// newGrid makes the grid of a board. The error is a *LimitError if the board is too large.
func newGrid(b Board) (*grid, error) {
	if err := checkBoard(&b); err != nil {
		return nil, err
	}
	b.Floors = max(1, b.Floors)
	g := &grid{Board: b}
	g.setDistances([3]int{0, 1, 2})
	if last := g.bit(b.Cells[len(b.Cells)-1]); last >= maxBits {
		return nil, &LimitError{Bits: last + 1}
	}
	g.setBits()
	return g, nil
}

// turned returns the grid that a search uses. Its first bit is the last cell, because the pieces of Goals end there, and
// its lines are along the shortest side: so the placements of a level have numbers nearer to each other. If a word has no
// room for that, the grid stays as it is.
func (g *grid) turned() *grid {
	t, order := &grid{Board: g.Board}, [3]int{0, 1, 2}
	of := order[:]
	if g.Floors == 1 {
		of = order[1:]
	}
	slices.SortStableFunc(of, func(a, b int) int { return g.size[b] - g.size[a] })
	t.setDistances(order)
	if t.first = t.bit(tray.Cell{Row: g.Rows - 1, Col: g.Cols - 1}); t.first >= maxBits {
		return g
	}
	for i := range t.by {
		t.by[i] = -t.by[i]
	}
	t.setBits()
	return t
}

// setDistances sets how far cells are from each other, and the steps. The order has floors as 0, rows as 1 and columns as 2:
// first those that are layers, then lines, then the cells of lines.
func (g *grid) setDistances(order [3]int) {
	sizes := [3]int{g.Floors, g.Rows / g.Floors, g.Cols}
	g.size = [3]int{sizes[order[0]], sizes[order[1]], sizes[order[2]]}
	g.width = g.size[2] + 1
	g.floor = g.width * (g.size[1] + 1)
	axes := [3]tray.Axis{tray.Upright, tray.Vertical, tray.Horizontal}
	along := func(axis, by int) {
		g.by[axis] = by
		g.steps = append(g.steps, step{-by, axes[axis]}, step{by, axes[axis]})
	}
	along(order[1], g.width)
	along(order[2], 1)
	if g.Floors > 1 {
		along(order[0], g.floor)
	}
}

// setBits sets the cells and the thin walls.
func (g *grid) setBits() {
	for _, c := range g.Cells {
		g.cells[g.bit(c)] = c
		g.open |= 1 << g.bit(c)
	}
	for _, w := range g.Walls {
		g.sides = append(g.sides, [2]uint64{1 << g.bit(w.Cell), 1 << g.bit(w.Beyond(g.Rows/g.Floors))})
	}
}

// bit returns the bit of a cell.
func (g *grid) bit(c tray.Cell) int {
	rows := g.Rows / g.Floors
	return g.first + c.Row/rows*g.by[0] + c.Row%rows*g.by[1] + c.Col*g.by[2]
}

// set returns the bits of cells. It reports false if one of them is not on the board.
func (g *grid) set(cells []tray.Cell) (mask uint64, ok bool) {
	for _, c := range cells {
		if c.Row < 0 || c.Col < 0 || c.Row >= g.Rows || c.Col >= g.Cols || g.open>>g.bit(c)&1 == 0 {
			return 0, false
		}
		mask |= 1 << g.bit(c)
	}
	return mask, mask != 0
}

// cellsOf returns the cells of bits, in row-major order.
func (g *grid) cellsOf(mask uint64) []tray.Cell {
	cells := make([]tray.Cell, 0, bits.OnesCount64(mask))
	for ; mask != 0; mask &= mask - 1 {
		cells = append(cells, g.cells[bits.TrailingZeros64(mask)])
	}
	slices.SortFunc(cells, tray.Cell.Compare)
	return cells
}

// lowest returns the first of some cells, by which goals know a place.
func (g *grid) lowest(mask uint64) tray.Cell { return g.cellsOf(mask)[0] }

// fits reports whether a piece can have these cells: all are of the board, and no thin wall is
// between two of them.
func (g *grid) fits(mask uint64) bool {
	if mask&^g.open != 0 {
		return false
	}
	for _, s := range g.sides {
		if mask&s[0] != 0 && mask&s[1] != 0 {
			return false
		}
	}
	return true
}

// shifted returns bits moved by a distance. Those that leave the word are lost.
func shifted(mask uint64, by int) uint64 {
	if by < 0 {
		return mask >> uint(-by)
	}
	return mask << uint(by)
}

// moved returns the cells of a piece after a step, or 0 if it cannot make it, even if no other
// piece is there.
func (g *grid) moved(mask uint64, s step) uint64 {
	to := shifted(mask, s.by)
	if bits.OnesCount64(to) != bits.OnesCount64(mask) || !g.fits(to) {
		return 0
	}
	for _, side := range g.sides {
		if mask&side[0] != 0 && shifted(side[0], s.by) == side[1] || mask&side[1] != 0 && shifted(side[1], s.by) == side[0] {
			return 0
		}
	}
	return to
}

// maxShapes bounds the shapes of pieces at all their places. A board of 5 x 5 has 2,301,877.
const maxShapes = 1 << 22

// connected calls do with all sets of cells that touch by edges, by their lowest cells: the shapes of
// pieces at all their places. The error is a *LimitError if there are more than maxShapes; then it has called
// do with some.
func (g *grid) connected(do func(set uint64)) error {
	count := 0
	for at := range maxBits {
		first := uint64(1) << at
		if g.open&first == 0 {
			continue
		}
		later := g.open &^ (first - 1)
		seen := 0
		var grow func(set, edge, left uint64)
		// A set grows by a cell of its edge; those that were passed over are not in left.
		grow = func(set, edge, left uint64) {
			if seen++; seen > maxShapes {
				return
			}
			if g.fits(set) {
				count++
				do(set)
			}
			for edge != 0 && seen <= maxShapes {
				cell := edge & -edge
				edge &^= cell
				left &^= cell
				grow(set|cell, (edge|g.around(cell))&left, left)
			}
		}
		grow(first, g.around(first)&later, later&^first)
		if count > maxShapes || seen > maxShapes {
			return &LimitError{Shapes: maxShapes}
		}
	}
	return nil
}

// around returns the cells beside a cell, whether or not a thin wall is between them.
func (g *grid) around(cell uint64) (beside uint64) {
	for _, s := range g.steps {
		beside |= shifted(cell, s.by)
	}
	return beside & g.open
}

// inOnePart reports whether cells touch by edges.
func (g *grid) inOnePart(mask uint64) bool {
	reached := mask & -mask
	for todo := reached; todo != 0; {
		cell := todo & -todo
		more := g.around(cell) & mask &^ reached
		reached |= more
		todo = todo&^cell | more
	}
	return reached == mask
}

// A box is the layers, lines and cells of lines that a set of cells takes.
type box struct{ floor, row, col, floors, rows, cols int }

func (g *grid) boxOf(mask uint64) box {
	var floors, rows, cols uint64 // as bits
	for floor := 0; mask != 0; floor, mask = floor+1, mask>>g.floor {
		for row, in := 0, mask&(1<<g.floor-1); in != 0; row, in = row+1, in>>g.width {
			if line := in & (1<<g.width - 1); line != 0 {
				floors, rows, cols = floors|1<<floor, rows|1<<row, cols|line
			}
		}
	}
	floor, row, col := bits.TrailingZeros64(floors), bits.TrailingZeros64(rows), bits.TrailingZeros64(cols)
	return box{floor, row, col, bits.Len64(floors) - floor, bits.Len64(rows) - row, bits.Len64(cols) - col}
}

// cornered returns the cells as far towards the first bit as they go.
func (g *grid) cornered(mask uint64) uint64 {
	b := g.boxOf(mask)
	return mask >> (b.floor*g.floor + b.row*g.width + b.col)
}

// translations returns the cells at all places within the bounds of the board, walls or not, as far as they
// are bits of a word.
func (g *grid) translations(mask uint64) (all []uint64) {
	b, at := g.boxOf(mask), g.cornered(mask)
	for floor := range g.size[0] - b.floors + 1 {
		for row := range g.size[1] - b.rows + 1 {
			for col := range g.size[2] - b.cols + 1 {
				to := at << (floor*g.floor + row*g.width + col)
				if bits.OnesCount64(to) == bits.OnesCount64(at) { // the last rows can lie beyond the word, without cells
					all = append(all, to)
				}
			}
		}
	}
	return all
}
