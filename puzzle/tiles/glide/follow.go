package glide

// NewTile returns the cell of the tile that makes one board another, -1 if they are equal. It is false if more
// has changed.
func (g *Grid) NewTile(slid, after Board) (cell int, ok bool) {
	cell = -1
	for c := range g.cells {
		if slid.At(c) == after.At(c) {
			continue
		}
		if cell >= 0 || slid.At(c) != 0 {
			return -1, false
		}
		cell = c
	}
	return cell, true
}

// Enters reports whether a cell is at the edge that a slide comes from, in a line that moved: see MovedLines.
func (g *Grid) Enters(cell int, d Direction, moved uint16) bool {
	row, column := cell/g.columns, cell%g.columns
	edge := [Directions]bool{row == g.rows-1, row == 0, column == g.columns-1, column == 0}
	line := row
	if d <= Down {
		line = column
	}
	return edge[d] && moved>>line&1 != 0
}

// Follow returns the image of a board that a slide and at most one new tile make of another. With edge set, the tile
// enters as in Threes. It is false if none does, or the slide changes nothing.
func (g *Grid) Follow(from Board, d Direction, to Board, edge bool) (image Board, ok bool) {
	var all [8]Board
	slid, _ := g.Slide(from, d)
	if slid == from {
		return 0, false
	}
	moved := g.MovedLines(from, slid, d)
	for _, image := range all[:g.Images(to, &all)] {
		if cell, one := g.NewTile(slid, image); one && (cell < 0 || !edge || g.Enters(cell, d, moved)) {
			return image, true
		}
	}
	return 0, false
}
