package purges

import (
	"iter"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// A Placement is a package on a board.
type Placement struct {
	Package *Package
	// Cells are the cells of the board, by the cell of the block.
	Cells []int
	// Pegs and Holes are the cells of the board that must have a peg, and a hole, before the jumps. No
	// other cell matters.
	Pegs, Holes []int
	Jumps       []board.Jump // of the board
}

// Placements yields every way to lay some packages on a board: turned, reflected and moved. The order is
// that of the packages. Two placements of a package that need the same and do the same count once.
func Placements(s *board.Shape, packages []*Package) iter.Seq[Placement] {
	return func(yield func(Placement) bool) {
		ways := turns(s.Lattice())
		for _, p := range packages {
			for _, m := range p.images(ways) {
				for _, at := range s.Cells() {
					if cells, ok := lay(s, m.cells, at); ok && !yield(p.place(cells)) {
						return
					}
				}
			}
		}
	}
}

// An image is a package as it lies in other directions.
type image struct {
	*Package
	cells   []board.Cell // by the cell of the block, relative to the first one
	order   []int        // the cells of the block, in row-major order of the image
	pattern pattern
}

// A pattern is some cells in row-major order, and what is on them before and after, as a text that does not
// depend on the place.
type pattern string

// newPattern returns the pattern of cells in row-major order. Bit i of start and of goal is for cell i.
func newPattern(cells []board.Cell, start, goal uint64) pattern {
	text := make([]byte, 0, 3*MaxBlock)
	for i, c := range cells {
		text = append(text, byte(c.Row-cells[0].Row), byte(c.Col-cells[0].Col), byte(start>>i&1<<1|goal>>i&1))
	}
	return pattern(text)
}

// images returns the package as it lies in some directions. Images that need and do the same are there once.
func (p *Package) images(ways []turn) (all []image) {
	seen := make(map[pattern]bool)
	n := len(p.Block.Cells())
	for _, t := range ways {
		m := image{Package: p, cells: make([]board.Cell, n), order: make([]int, n)}
		for i, c := range p.Block.Cells() {
			m.cells[i], m.order[i] = t.image(board.Cell{Row: c.Row - p.Block.Cells()[0].Row, Col: c.Col - p.Block.Cells()[0].Col}), i
		}
		slices.SortFunc(m.order, func(i, j int) int { return m.cells[i].Compare(m.cells[j]) })
		sorted := make([]board.Cell, n)
		for i, cell := range m.order {
			sorted[i] = m.cells[cell]
		}
		m.pattern = newPattern(sorted, gf2.Extract(m.order, p.Start), gf2.Extract(m.order, p.Goal))
		if !seen[m.pattern] {
			seen[m.pattern] = true
			all = append(all, m)
		}
	}
	return all
}

// lay returns the cells of the board under a block whose first cell lies in a place.
func lay(s *board.Shape, block []board.Cell, at board.Cell) (cells []int, ok bool) {
	for _, c := range block {
		n, ok := s.Number(board.Cell{Row: at.Row + c.Row, Col: at.Col + c.Col})
		if !ok {
			return nil, false
		}
		cells = append(cells, n)
	}
	return cells, true
}

// place returns the placement on some cells.
func (p *Package) place(cells []int) Placement {
	l := Placement{Package: p, Cells: cells}
	for i, c := range cells {
		if p.Start>>i&1 == 1 {
			l.Pegs = append(l.Pegs, c)
		} else {
			l.Holes = append(l.Holes, c)
		}
	}
	slices.Sort(l.Pegs)
	slices.Sort(l.Holes)
	for _, j := range p.Jumps {
		l.Jumps = append(l.Jumps, board.Jump{From: cells[j.From], Over: cells[j.Over], To: cells[j.To]})
	}
	return l
}
