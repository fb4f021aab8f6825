package board

import "fmt"

// Rectangle returns the board of the given numbers of columns and rows, at least
// one each.
func Rectangle(width, height int) (*Board, error) {
	if cells := uint64(width) * uint64(height); width > MaxCells || height > MaxCells || cells > MaxCells {
		return nil, &SizeError{Cells: cells}
	}
	return OfShape(RectangleShape(width, height))
}

// RectangleShape is Rectangle for boards of any size.
func RectangleShape(width, height int) (*Shape, error) {
	return shape(Square, height, width, func(r, c int) bool { return true })
}

// TriangleShape returns the triangle with the given number of rows: row r has r+1 cells.
func TriangleShape(rows int) (*Shape, error) {
	return shape(Triangular, rows, rows, func(r, c int) bool { return c <= r })
}

// HexagonShape returns the hexagon with sides of the given number of cells, at least one. It has
// 3n(n-1)+1 cells.
func HexagonShape(side int) (*Shape, error) {
	return shape(Triangular, 2*side-1, 2*side-1, func(r, c int) bool { return max(r-c, c-r) < side })
}

// CrossShape returns two bars, three cells wide, that cross in the middle of a
// square of the given side, which is odd. The English board has side 7, Wiegleb's
// has side 9.
func CrossShape(side int) (*Shape, error) {
	arm := (side - 3) / 2
	in := func(x int) bool { return x >= arm && x < side-arm }
	return shape(Square, side, side, func(r, c int) bool { return in(r) || in(c) })
}

// OctagonShape returns the cells at most distance steps from the middle of a square
// of the given side, which is odd. The European board has side 7 and distance 4,
// the diamond of 41 cells has side 9 and distance 4.
func OctagonShape(side, distance int) (*Shape, error) {
	middle := side / 2
	return shape(Square, side, side, func(r, c int) bool {
		return max(r-middle, middle-r)+max(c-middle, middle-c) <= distance
	})
}

// shape makes a shape of those cells of a rectangle for which in is true.
func shape(l Lattice, rows, cols int, in func(r, c int) bool) (*Shape, error) {
	if rows > MaxSide || cols > MaxSide {
		return nil, errSide
	}
	var cells []Cell
	for r := range rows {
		for c := range cols {
			if in(r, c) {
				cells = append(cells, Cell{Row: r, Col: c})
			}
		}
	}
	return NewShape(l, cells)
}

// errSide is the error of a board with too many rows or columns.
var errSide = fmt.Errorf("a board has at most %d rows and columns", MaxSide)

// OfShape is Of after a constructor: OfShape(CrossShape(7)), say.
func OfShape(s *Shape, err error) (*Board, error) {
	if err != nil {
		return nil, err
	}
	return Of(s)
}
