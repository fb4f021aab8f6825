package purges

import (
	"fmt"
	"iter"
	"slices"

	"pagoda/statespace/peg/board"
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
			for _, block := range p.images(ways) {
				for _, at := range s.Cells() {
					if cells, ok := lay(s, block, at); ok && !yield(p.place(cells)) {
						return
					}
				}
			}
		}
	}
}

// images returns the cells of the block as they lie in other directions, relative to the first one, by the cell of
// the block. Those that need and do the same are there once.
func (p *Package) images(ways []turn) (all [][]board.Cell) {
	seen := make(map[string]bool)
	for _, t := range ways {
		image := make([]board.Cell, len(p.Block.Cells()))
		for i, c := range p.Block.Cells() {
			image[i] = t.image(c)
		}
		order := make([]int, len(image))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return compareCells(image[i], image[j]) })
		text := ""
		first := image[order[0]]
		for _, i := range order {
			text += fmt.Sprint(image[i].Row-first.Row, image[i].Col-first.Col, p.Start>>i&1, p.Goal>>i&1, " ")
		}
		if !seen[text] {
			seen[text] = true
			for i, c := range image[1:] {
				image[i+1] = board.Cell{Row: c.Row - image[0].Row, Col: c.Col - image[0].Col}
			}
			image[0] = board.Cell{}
			all = append(all, image)
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
