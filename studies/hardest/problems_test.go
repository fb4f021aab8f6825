package hardest

import (
	"slices"

	"pagoda/puzzle/slide/tray"
)

// problemOf makes a small problem from any bytes.
func problemOf(data []byte) *Problem {
	number := func(below int) int {
		if len(data) == 0 {
			return 0
		}
		n := int(data[0]) % below
		data = data[1:]
		return n
	}
	sizes := []point{{1, 3, 3}, {1, 2, 4}, {1, 2, 3}, {1, 3, 2}, {2, 2, 2}, {2, 1, 3}, {1, 1, 5}, {3, 1, 2}, {1, 1, 1}, {1, 3, 3}, {1, 4, 2}}
	size := sizes[number(len(sizes))]
	p := &Problem{Board: Rectangle(size[0], size[1], size[2]), Metric: tray.Metric(number(int(tray.Supersteps)))}
	b := &p.Board
	b.Cells = slices.DeleteFunc(b.Cells, func(tray.Cell) bool { return len(b.Cells) > 1 && number(9) == 8 })
	if len(b.Cells) == 0 || b.Cells[0] == (tray.Cell{}) && b.Rows == 0 {
		*b = Rectangle(1, 1, 1)
	}
	on := func(c tray.Cell) bool { return slices.Contains(b.Cells, c) }
	for _, c := range b.Cells {
		for _, side := range []tray.Direction{tray.Right, tray.Down, tray.Climb} {
			if to, ok := side.Beside(c, size[1]); ok && on(to) && number(10) == 9 {
				b.Walls = append(b.Walls, tray.Wall{Cell: c, Side: side})
			}
		}
	}
	cell := func() tray.Cell { return b.Cells[number(len(b.Cells))] }
	cells := func() (all []tray.Cell) {
		for range 1 + number(3) {
			all = append(all, cell())
		}
		return all
	}
	shape := func() (s Shape) {
		c := cell()
		s.Cells = []tray.Cell{c}
		for range number(4) {
			switch c = s.Cells[number(len(s.Cells))]; number(5) {
			case 0, 1:
				c.Col++
			case 2, 3:
				c.Row++
			default:
				c = cell()
			}
			if on(c) && !slices.Contains(s.Cells, c) {
				s.Cells = append(s.Cells, c)
			}
		}
		s.Axis = tray.Axis(max(0, number(tray.Axes+2)-2))
		return s
	}
	if number(3) > 0 {
		p.Shapes = []Shape{}
		for range number(5) {
			p.Shapes = append(p.Shapes, shape())
			if last := p.Shapes[len(p.Shapes)-1]; number(3) == 0 { // the same cells along another axis, or the same one
				last.Axis = tray.Axis(number(tray.Axes))
				p.Shapes = append(p.Shapes, last)
			}
		}
	}
	for range 1 + number(4) {
		g := Goal{Shape: shape(), Ends: cells()}
		if number(3) > 0 {
			g.Starts = cells()
		}
		p.Goals = append(p.Goals, g)
	}
	switch number(4) {
	case 0:
		p.MaxPieces = 1 + number(6)
	case 1:
		p.MinPieces = number(4)
		p.MaxPieces = p.MinPieces + number(3)
	}
	return p
}
