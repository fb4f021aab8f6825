package glide

// A Glide is where a tile of a board goes in a slide. Cells are numbered as in a Board.
type Glide struct {
	Tile     uint8
	From, To int  // cells; equal if the tile stays
	Joins    bool // becomes one tile with its neighbour, which goes to the same cell
}

// Glides appends where each tile of a board goes in a slide, line by line and in each line from the
// wall on. It compares the lines before and after the slide: so the rule must keep tiles in their order,
// and may join two neighbours to a tile unlike the one nearer to the wall.
func (g *Grid) Glides(dst []Glide, b Board, d Direction) []Glide {
	after, _ := g.Slide(b, d)
	for _, cells := range g.lines[d] {
		to := 0 // the next cell that has a tile after the slide
		one := func(from int, joins bool) {
			dst = append(dst, Glide{b.At(cells[from]), cells[from], cells[to], joins})
		}
		other := -1 // where the first of two tiles that join comes from
		for i, cell := range cells {
			tile := b.At(cell)
			if tile == 0 {
				continue
			}
			if other >= 0 {
				one(other, true)
				one(i, true)
				other = -1
				to++
				continue
			}
			for to < len(cells)-1 && after.At(cells[to]) == 0 {
				to++
			}
			if after.At(cells[to]) == tile {
				one(i, false)
				to++
			} else {
				other = i
			}
		}
	}
	return dst
}
