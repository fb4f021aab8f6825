package tray

import "slices"

// A Symmetry takes positions to positions, and moves to moves, in every metric.
type Symmetry struct {
	puzzle  *Puzzle
	kinds   []int     // by kind: its image
	anchors [][]int16 // by kind and anchor: the anchor of the image of a piece there, or None
}

// Mirrors returns the turns and reflections of the tray that take the start to itself, if pieces that can do the same
// are exchanged; without the identity. Of those that take all positions to the same ones it returns one. Goals need
// not be taken to goals.
func (p *Puzzle) Mirrors() (all []*Symmetry) {
	for _, turn := range p.turns() {
		if s := p.mirror(turn); s != nil && !s.isIdentity() && !slices.ContainsFunc(all, s.equal) {
			all = append(all, s)
		}
	}
	return all
}

// mirror returns the symmetry of a turn that keeps the start, or nil if there is none.
func (p *Puzzle) mirror(turn Turn) *Symmetry {
	s := &Symmetry{puzzle: p}
	if !s.mapKinds(turn.Cells) {
		return nil
	}
	for cell, image := range turn.Cells { // a piece with a gate is alone in its kind
		from, to := p.Gate(cell), p.Gate(image)
		if (from == None) != (to == None) || from != None && s.kinds[p.KindOf(from)] != p.KindOf(to) {
			return nil
		}
	}
	for k := range p.kinds {
		if !s.mapPlaces(k, turn) {
			return nil
		}
	}
	return s
}

// imageOf returns the image of a set of cells.
func imageOf(set Set, cells []int) (image Set) {
	for cell := range set.All() {
		image.Add(cells[cell])
	}
	return image
}

// mapKinds finds the image of each kind, by the pieces of the start. It reports false if there is none.
func (s *Symmetry) mapKinds(cells []int) bool {
	p := s.puzzle
	start := p.Start()
	s.kinds = slices.Repeat([]int{None}, len(p.kinds))
	for i := range p.pieces {
		image := imageOf(p.Mask(start, i), cells)
		j := slices.IndexFunc(p.pieces, func(pc piece) bool { return p.kinds[pc.kind].Mask[pc.anchor] == image })
		if j < 0 {
			return false
		}
		from, to := p.pieces[i].kind, p.pieces[j].kind
		if s.kinds[from] == None {
			s.kinds[from] = to
		}
		if s.kinds[from] != to || len(p.kinds[from].Pieces) != len(p.kinds[to].Pieces) {
			return false
		}
	}
	return true
}

// mapPlaces finds the images of the places of a kind. It reports false if they are not those of the
// image of the kind, or not with the same steps.
func (s *Symmetry) mapPlaces(kind int, turn Turn) bool {
	from, to := &s.puzzle.kinds[kind], &s.puzzle.kinds[s.kinds[kind]]
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
	for d := range s.puzzle.Directions() {
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
	s.anchors = append(s.anchors, anchors)
	return true
}

func (s *Symmetry) isIdentity() bool {
	for k, image := range s.kinds {
		if k != image {
			return false
		}
		for a, at := range s.anchors[k] {
			if at != None && int(at) != a {
				return false
			}
		}
	}
	return true
}

// equal reports whether two symmetries take all positions to the same ones.
func (s *Symmetry) equal(t *Symmetry) bool {
	return slices.Equal(s.kinds, t.kinds) && slices.EqualFunc(s.anchors, t.anchors, slices.Equal)
}

// Position returns the image of a position. Interchangeable pieces are in the order of their numbers.
func (s *Symmetry) Position(pos Position) Position {
	image := make(Position, len(pos))
	var at [MaxCells]byte
	for k, to := range s.kinds {
		pieces := s.puzzle.kinds[k].Pieces
		for j, i := range pieces {
			at[j] = uint8(s.anchors[k][pos[i]])
		}
		sortFew(at[:len(pieces)])
		for j, i := range s.puzzle.kinds[to].Pieces {
			image[i] = at[j]
		}
	}
	return image
}
