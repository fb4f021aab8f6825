package glide

import "math/bits"

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

// Entries returns the cells at the edge that a slide comes from, in lines that moved: see MovedLines. Bit i is cell i.
func (g *Grid) Entries(d Direction, moved uint16) (cells uint64) {
	for ; moved != 0; moved &= moved - 1 {
		line := g.lines[d][bits.TrailingZeros16(moved)]
		cells |= 1 << line[len(line)-1]
	}
	return cells
}

// Follow returns the image of a board that a slide and at most one new tile make of another. With edge set, the tile
// enters as in Threes. It is false if none does, or the slide changes nothing.
func (g *Grid) Follow(from Board, d Direction, to Board, edge bool) (image Board, ok bool) {
	var all [8]Board
	slid, _ := g.Slide(from, d)
	if slid == from {
		return 0, false
	}
	entries := g.Entries(d, g.MovedLines(from, slid, d))
	for _, image := range all[:g.Images(to, &all)] {
		if cell, one := g.NewTile(slid, image); one && (cell < 0 || !edge || entries>>cell&1 != 0) {
			return image, true
		}
	}
	return 0, false
}
