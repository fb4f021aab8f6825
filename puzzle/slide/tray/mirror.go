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
	o := p.orbits(p.keepsGates)
	start, same := o.turned(p.Start(), 0)
	for t := range o.turns[1:] {
		if image, kinds := o.turned(p.Start(), 1+t); slices.Equal(image, start) {
			all = append(all, o.symmetry(1+t, kinds, 0, same))
		}
	}
	return all
}

// keepsGates reports whether a turn takes gates to gates of pieces that start where it takes those of the first ones.
func (p *Puzzle) keepsGates(turn Turn) bool {
	start := p.Start()
	for cell, image := range turn.Cells {
		from, to := p.Gate(cell), p.Gate(image)
		if (from == None) != (to == None) || from != None && imageOf(p.Mask(start, from), turn.Cells) != p.Mask(start, to) {
			return false
		}
	}
	return true
}

// imageOf returns the image of a set of cells.
func imageOf(set Set, cells []int) (image Set) {
	for cell := range set.All() {
		image.Add(cells[cell])
	}
	return image
}

// mapPlaces returns by anchor where a turn takes the places of a kind. It reports false if they are not those of
// another kind. If they are, the turn takes steps to steps, as a kind has all steps between its places.
func mapPlaces(from, to *Kind, turn Turn) (anchors []int16, ok bool) {
	anchors = slices.Repeat([]int16{None}, len(turn.Cells))
	left := slices.Clone(to.Mask) // the places that are no image yet
	for a, mask := range from.Mask {
		if mask.IsEmpty() {
			continue
		}
		image := imageOf(mask, turn.Cells)
		at := image.First()
		if to.Mask[at] != image {
			return nil, false
		}
		anchors[a], left[at] = int16(at), Set{}
	}
	return anchors, !slices.ContainsFunc(left, func(s Set) bool { return !s.IsEmpty() })
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
