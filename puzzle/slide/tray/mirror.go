package tray

import "slices"

// A Mirror is a turn or reflection of the tray that takes the start to itself, if pieces that can do
// the same are exchanged. It takes moves to moves, in every metric.
type Mirror struct {
	puzzle  *Puzzle
	pieces  []int     // by piece: the one at the image of its place in the start
	kinds   []int     // by kind: its image
	anchors [][]int16 // by kind and anchor: the anchor of the image of a piece there, or None
}

// Mirrors returns the mirrors of the puzzle, without the identity. Of those that take all positions to
// the same ones it returns one. Goals need not be taken to goals.
func (p *Puzzle) Mirrors() (all []*Mirror) {
	for _, turn := range p.turns() {
		if m := p.mirror(turn); m != nil && !m.isIdentity() && !slices.ContainsFunc(all, m.equal) {
			all = append(all, m)
		}
	}
	return all
}

// mirror returns the mirror that takes cells to their images, or nil if there is none.
func (p *Puzzle) mirror(turn Turn) *Mirror {
	cells := turn.Cells
	m := &Mirror{puzzle: p}
	if !m.mapPieces(cells) {
		return nil
	}
	for cell := range cells {
		gate := p.Gate(cell)
		if gate != None {
			gate = m.pieces[gate]
		}
		if p.Gate(cells[cell]) != gate {
			return nil
		}
	}
	for k := range p.kinds {
		if !m.mapPlaces(k, turn) {
			return nil
		}
	}
	return m
}

// imageOf returns the image of a set of cells.
func imageOf(set Set, cells []int) (image Set) {
	for cell := range set.All() {
		image.Add(cells[cell])
	}
	return image
}

// mapPieces finds the image of each piece of the start, and of each kind. It reports false if there is
// none.
func (m *Mirror) mapPieces(cells []int) bool {
	p := m.puzzle
	start := p.Start()
	m.kinds = slices.Repeat([]int{None}, len(p.kinds))
	for i := range p.pieces {
		image := imageOf(p.Mask(start, i), cells)
		j := slices.IndexFunc(p.pieces, func(pc piece) bool { return p.kinds[pc.kind].Mask[pc.anchor] == image })
		if j < 0 {
			return false
		}
		from, to := p.pieces[i].kind, p.pieces[j].kind
		if m.kinds[from] == None {
			m.kinds[from] = to
		}
		if m.kinds[from] != to || len(p.kinds[from].Pieces) != len(p.kinds[to].Pieces) {
			return false
		}
		m.pieces = append(m.pieces, j)
	}
	return true
}

// mapPlaces finds the images of the places of a kind. It reports false if they are not those of the
// image of the kind, or not with the same steps.
func (m *Mirror) mapPlaces(kind int, turn Turn) bool {
	from, to := &m.puzzle.kinds[kind], &m.puzzle.kinds[m.kinds[kind]]
	anchors := slices.Repeat([]int16{None}, len(turn.Cells))
	for a, mask := range from.Mask {
		if mask.IsEmpty() {
			continue
		}
		image := imageOf(mask, turn.Cells)
		at := image.First()
		if to.Mask[at] != image {
			return false
		}
		anchors[a] = int16(at)
	}
	for d := range m.puzzle.Directions() {
		for a, next := range from.Next[d] {
			if anchors[a] == None {
				continue
			}
			want := int16(None)
			if next != None {
				want = anchors[next]
			}
			if to.Next[turn.Directions[d]][anchors[a]] != want {
				return false
			}
		}
	}
	m.anchors = append(m.anchors, anchors)
	return true
}

func (m *Mirror) isIdentity() bool {
	for k, image := range m.kinds {
		if k != image {
			return false
		}
		for a, at := range m.anchors[k] {
			if at != None && int(at) != a {
				return false
			}
		}
	}
	return true
}

// equal reports whether two mirrors take all positions to the same ones.
func (m *Mirror) equal(n *Mirror) bool {
	return slices.Equal(m.kinds, n.kinds) && slices.EqualFunc(m.anchors, n.anchors, slices.Equal)
}

// Position returns the image of a position.
func (m *Mirror) Position(pos Position) Position {
	image := make(Position, len(pos))
	for i, at := range pos {
		image[m.pieces[i]] = uint8(m.anchors[m.puzzle.pieces[i].kind][at])
	}
	return image
}
