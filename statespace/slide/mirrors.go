package slide

import (
	"slices"

	"pagoda/statespace"
	"pagoda/statespace/slide/tray"
)

// A mirror is a symmetry of a tray that keeps the start: a map of cells, and of pieces.
type mirror struct {
	s      *Space
	cells  []int // by cell
	pieces []int // by piece
}

// Map implements statespace.Symmetry.
func (m *mirror) Map(x statespace.Index) statespace.Index {
	p := m.s.puzzle
	pos := m.s.numbers.Unrank(x)
	image := make(tray.Position, len(pos))
	for i := range pos {
		cells := m.image(p.Mask(pos, i))
		image[m.pieces[i]] = uint8(cells.First())
	}
	return rank(m.s.numbers, image)
}

// image maps a set of cells.
func (m *mirror) image(cells tray.Set) (image tray.Set) {
	for c := range cells.All() {
		image.Add(m.cells[c])
	}
	return image
}

// Mirrors implements graph.Mirrored: the turns and reflections of the tray that keep the start, up
// to interchangeable pieces. Goals need not be kept.
func (s *Space) Mirrors() (all []statespace.Symmetry) {
	var found []*mirror
	for turn := 1; turn < 8; turn++ {
		m := s.mirror(turn&1 != 0, turn&2 != 0, turn&4 != 0)
		if m == nil || slices.IsSorted(m.cells) || slices.ContainsFunc(found, func(o *mirror) bool { return slices.Equal(o.cells, m.cells) }) {
			continue // in a tray of one row, turns can do nothing, or the same
		}
		found, all = append(found, m), append(all, m)
	}
	return all
}

// mirror returns the symmetry that turns the tray upside down, exchanges left and right, and then
// rows and columns, whichever is wanted; nil if it is none.
func (s *Space) mirror(upDown, leftRight, exchange bool) *mirror {
	p := s.puzzle
	if s.numbers.Size() == 0 {
		return nil
	}
	cells := p.Cells()
	least, most := cells[0], cells[0]
	for _, c := range cells {
		least = tray.Cell{Row: min(least.Row, c.Row), Col: min(least.Col, c.Col)}
		most = tray.Cell{Row: max(most.Row, c.Row), Col: max(most.Col, c.Col)}
	}
	m := &mirror{s: s, cells: make([]int, len(cells)), pieces: make([]int, len(p.Pieces()))}
	for i, c := range cells {
		row, col := c.Row-least.Row, c.Col-least.Col
		if upDown {
			row = most.Row - c.Row
		}
		if leftRight {
			col = most.Col - c.Col
		}
		if exchange {
			row, col = col, row
		}
		n, ok := p.Number(tray.Cell{Row: least.Row + row, Col: least.Col + col})
		if !ok {
			return nil
		}
		m.cells[i] = n
	}
	if !m.keepsWalls() || !m.keepsPieces(exchange) {
		return nil
	}
	return m
}

// keepsWalls reports whether neighbours have neighbours as images.
func (m *mirror) keepsWalls() bool {
	neighbours := make(map[[2]int]bool)
	for i, c := range m.s.puzzle.Cells() {
		for d := range tray.Direction(tray.Directions) {
			if n, ok := m.s.puzzle.Number(d.From(c)); ok && m.s.puzzle.Open(c, d) {
				neighbours[[2]int{i, n}] = true
			}
		}
	}
	for pair := range neighbours {
		if !neighbours[[2]int{m.cells[pair[0]], m.cells[pair[1]]}] {
			return false
		}
	}
	return true
}

// keepsPieces finds the piece to which each goes at the start. It reports whether these move in the
// same way, are interchangeable if the others are, and may enter the same gates.
func (m *mirror) keepsPieces(exchange bool) bool {
	p := m.s.puzzle
	start := p.Start()
	kinds := make(map[int]int) // by kind: that of the images
	for i := range m.pieces {
		image := m.image(p.Mask(start, i))
		to := 0
		for to < len(m.pieces) && p.Mask(start, to) != image {
			to++
		}
		if to == len(m.pieces) || turned(p.Axis(i), exchange) != p.Axis(to) {
			return false
		}
		m.pieces[i] = to
		if kind, ok := kinds[p.KindOf(i)]; ok && kind != p.KindOf(to) {
			return false
		}
		kinds[p.KindOf(i)] = p.KindOf(to)
	}
	images := make(map[int]bool)
	for _, kind := range kinds {
		images[kind] = true
	}
	if len(images) != len(kinds) {
		return false
	}
	for c := range m.cells {
		want := p.Gate(c)
		if want != tray.None {
			want = m.pieces[want]
		}
		if p.Gate(m.cells[c]) != want {
			return false
		}
	}
	return true
}

// turned returns an axis after rows and columns may have been exchanged.
func turned(a tray.Axis, exchange bool) tray.Axis {
	switch {
	case exchange && a == tray.Horizontal:
		return tray.Vertical
	case exchange && a == tray.Vertical:
		return tray.Horizontal
	}
	return a
}
