package board

import (
	"slices"

	"pagoda/internal/gf2"
	"pagoda/statespace/cells"
)

// turn turns a cell about the cell (0,0) to the next place that looks the same: by a
// quarter on the square lattice, by a sixth on the triangular one.
func (l Lattice) turn(c Cell) Cell {
	if l == Triangular {
		return Cell{Row: c.Col, Col: c.Col - c.Row}
	}
	return Cell{Row: c.Col, Col: -c.Row}
}

// turns returns how many turns go full circle.
func (l Lattice) turns() int {
	if l == Triangular {
		return 6
	}
	return 4
}

// A Permutation moves the cells of a board: the image of cell i is p[i].
type Permutation []int

// Image returns the image of a set of cells.
func (p Permutation) Image(set uint64) (image uint64) {
	for cell := range gf2.Elements(set) {
		image |= 1 << p[cell]
	}
	return image
}

// Symmetries returns the symmetries of the board, the identity first: the turns and
// reflections of the lattice, moved to where they take the board's cells to its cells.
// They take lines to lines. Symmetries of the lines alone are not found.
func (b *Board) Symmetries() (all []Permutation) {
	moved := slices.Clone(b.cells)
	for range 2 {
		for range b.lattice.turns() {
			for i, c := range moved {
				moved[i] = b.lattice.turn(c)
			}
			if s, ok := b.place(moved); ok && !slices.ContainsFunc(all, func(t Permutation) bool { return slices.Equal(s, t) }) {
				all = append(all, s)
			}
		}
		for i, c := range moved {
			moved[i] = Cell{Row: c.Col, Col: c.Row} // a reflection of both lattices
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Stabilizer returns the symmetries of the board that leave a position as it is, the
// identity first.
func (b *Board) Stabilizer(p Position) []Permutation {
	return slices.DeleteFunc(b.Symmetries(), func(s Permutation) bool { return s.Image(p) != p })
}

// place moves the cells so that they cover the board, and returns their numbers there.
// It reports false if they have another shape.
func (b *Board) place(moved []Cell) (numbers Permutation, ok bool) {
	from, to := cells.Corner(moved), cells.Corner(b.cells)
	for _, c := range moved {
		n, ok := b.number[Cell{Row: c.Row - from.Row + to.Row, Col: c.Col - from.Col + to.Col}]
		if !ok {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// A Symmetry is a symmetry of a board as a map of the numbers of a class. The cells are
// affine over GF(2) in the bits of a number, so the map is affine.
type Symmetry struct {
	*gf2.Affine
	Cells Permutation
}

// Symmetries returns the symmetries of the board that leave a position of the class as
// it is, without the identity. Of those that map all numbers alike it returns one.
func (c *Class) Symmetries(of Position) (all []*Symmetry) {
	for _, cells := range c.board.Stabilizer(of) {
		// The image is in the class: parities are kept, as lines are taken to lines.
		image := func(x uint64) uint64 {
			y, _ := c.Number(cells.Image(c.Position(x)))
			return y
		}
		zero := image(0)
		columns := make([]uint64, c.Dim())
		identity := zero == 0
		for i := range columns {
			columns[i] = image(1<<i) ^ zero
			identity = identity && columns[i] == 1<<i
		}
		known := func(s *Symmetry) bool { return s.Map(0) == zero && slices.Equal(s.Columns(), columns) }
		if !identity && !slices.ContainsFunc(all, known) {
			all = append(all, &Symmetry{gf2.NewAffine(columns, zero), cells})
		}
	}
	return all
}
