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
	for _, image := range p.orthogonal() {
		if m := p.mirror(image); m != nil && !m.isIdentity() && !slices.ContainsFunc(all, m.equal) {
			all = append(all, m)
		}
	}
	return all
}

// orthogonal returns the turns and reflections that take rows and columns to rows and columns, up to
// a shift: 8, or, with several floors, the 48 of a cube.
func (p *Puzzle) orthogonal() (all []func(point) point) {
	turn := func(a point) point { return point{a[0], a[2], -a[1]} }
	flip := func(a point) point { return point{a[0], a[2], a[1]} }
	image := func(a point) point { return a }
	for range 2 {
		for range 4 {
			before := image
			image = func(a point) point { return turn(before(a)) }
			all = append(all, image)
		}
		before := image
		image = func(a point) point { return flip(before(a)) }
	}
	if p.floors == 1 {
		return all
	}
	// These eight keep the floor. Before them, another axis takes the place of the floors, or none,
	// and the floors may change their order.
	for _, keep := range slices.Clone(all) {
		for axis := range 3 {
			all = append(all, func(a point) point { return keep(point{-a[axis], a[(axis+1)%3], a[(axis+2)%3]}) })
			if axis > 0 {
				all = append(all, func(a point) point { return keep(point{a[axis], a[(axis+1)%3], a[(axis+2)%3]}) })
			}
		}
	}
	return all
}

// mirror returns the mirror that takes cells to their images, but for a shift. It is nil if there is
// none.
func (p *Puzzle) mirror(image func(point) point) *Mirror {
	cells := p.mirrorCells(image)
	if cells == nil {
		return nil
	}
	var turned [Directions]Direction
	for d := range p.Directions() {
		turned[d] = Direction(slices.Index(directionWays[:], image(directionWays[d])))
	}
	to := func(cell int16) int16 {
		if cell == None {
			return None
		}
		return int16(cells[cell])
	}
	for d := range p.Directions() {
		for i, next := range p.beside[d] {
			if p.beside[turned[d]][cells[i]] != to(next) {
				return nil // a thin wall, which has no image
			}
		}
	}
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
		if !m.mapPlaces(k, cells, turned) {
			return nil
		}
	}
	return m
}

// mirrorCells returns the image of each cell, or nil if it is not in the tray.
func (p *Puzzle) mirrorCells(image func(point) point) []int {
	corner := func(points []point) point {
		c := points[0]
		for _, a := range points {
			for i := range c {
				c[i] = min(c[i], a[i])
			}
		}
		return c
	}
	points, images := make([]point, len(p.cells)), make([]point, len(p.cells))
	for i, c := range p.cells {
		points[i] = p.point(c)
		images[i] = image(points[i])
	}
	way := corner(points).minus(corner(images))
	numbers := make([]int, len(images))
	for i, a := range images {
		n, ok := p.numberAt(a.plus(way))
		if !ok {
			return nil
		}
		numbers[i] = n
	}
	return numbers
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
func (m *Mirror) mapPlaces(kind int, cells []int, turned [Directions]Direction) bool {
	from, to := &m.puzzle.kinds[kind], &m.puzzle.kinds[m.kinds[kind]]
	anchors := slices.Repeat([]int16{None}, len(cells))
	for a, mask := range from.Mask {
		if mask.IsEmpty() {
			continue
		}
		image := imageOf(mask, cells)
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
			if to.Next[turned[d]][anchors[a]] != want {
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

// directionWays are the ways of the directions.
var directionWays = [Directions]point{Up: {1: -1}, Down: {1: 1}, Left: {2: -1}, Right: {2: 1}, Climb: {0: 1}, Sink: {0: -1}}
