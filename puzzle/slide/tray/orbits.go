package tray

import (
	"bytes"
	"slices"
)

// Orbits are the classes of positions that symmetries take to each other. A symmetry turns or
// reflects the tray, and exchanges kinds of as many pieces that have the same places. It takes moves to
// moves in every metric, so the positions of an orbit have the same distances to all others. The start
// and the goals do not matter. Several goroutines may use it.
type Orbits struct {
	puzzle *Puzzle
	groups [][]int  // the kinds that can be exchanged; each kind is in one group
	turns  []images // the identity is the first
}

// images are those of groups and of places under a turn.
type images struct {
	groups  []int     // by group: its image
	anchors [][]int16 // by group and anchor: the anchor of the image of a piece there, or None
}

// Orbits returns the orbits of the positions.
func (p *Puzzle) Orbits() *Orbits { return p.orbits(func(Turn) bool { return true }) }

// orbits returns the orbits of the turns that are kept.
func (p *Puzzle) orbits(keep func(Turn) bool) *Orbits {
	o := &Orbits{puzzle: p}
	for k := range p.kinds {
		g := slices.IndexFunc(o.groups, func(group []int) bool { return p.exchangeable(group[0], k) })
		if g < 0 {
			g = len(o.groups)
			o.groups = append(o.groups, nil)
		}
		o.groups[g] = append(o.groups[g], k)
	}
	for _, turn := range p.turns() {
		if im, ok := o.images(turn); ok && keep(turn) && !slices.ContainsFunc(o.turns, im.equal) {
			o.turns = append(o.turns, im)
		}
	}
	return o
}

// exchangeable reports whether two kinds have as many pieces, with the same places and so the same steps.
func (p *Puzzle) exchangeable(a, b int) bool {
	k, l := &p.kinds[a], &p.kinds[b]
	return len(k.Pieces) == len(l.Pieces) && slices.Equal(k.Mask, l.Mask)
}

// images returns the images under a turn. It reports false if some group has none.
func (o *Orbits) images(turn Turn) (im images, ok bool) {
	kinds := o.puzzle.kinds
	for _, group := range o.groups {
		var anchors []int16
		image := slices.IndexFunc(o.groups, func(other []int) bool {
			from, to := &kinds[group[0]], &kinds[other[0]]
			if ok = len(other) == len(group) && len(to.Pieces) == len(from.Pieces); ok {
				anchors, ok = mapPlaces(from, to, turn)
			}
			return ok
		})
		if image < 0 {
			return im, false
		}
		im.groups, im.anchors = append(im.groups, image), append(im.anchors, anchors)
	}
	return im, true
}

func (im images) equal(other images) bool {
	return slices.Equal(im.groups, other.groups) && slices.EqualFunc(im.anchors, other.anchors, slices.Equal)
}

// Trivial reports whether only the identity is a symmetry, so that every position is alone in its orbit.
func (o *Orbits) Trivial() bool { return len(o.turns) == 1 && len(o.groups) == len(o.puzzle.kinds) }

// Least returns the first position of the orbit of a position, in an order that is the same for the whole
// orbit. Interchangeable pieces are in the order of their numbers. Moves may not lead there.
func (o *Orbits) Least(pos Position) Position {
	least := make(Position, len(pos))
	image := make(Position, len(pos))
	for t := range o.turns {
		o.image(image, t, pos, nil)
		if t == 0 || bytes.Compare(image, least) < 0 {
			copy(least, image)
		}
	}
	return least
}

// image sets image to the first position that a turn and exchanges of kinds make of a position. In kinds,
// which may be nil, it puts the image of each kind.
func (o *Orbits) image(image Position, turn int, pos Position, kinds []int) {
	var at [MaxCells]byte
	im, all := &o.turns[turn], o.puzzle.kinds
	for g, group := range o.groups {
		each, n := len(all[group[0]].Pieces), 0
		for _, k := range group {
			for _, i := range all[k].Pieces {
				at[n] = byte(im.anchors[g][pos[i]])
				n++
			}
			sortFew(at[n-each : n])
		}
		to := o.groups[im.groups[g]]
		if each == 1 && kinds == nil {
			sortFew(at[:n])
			for j, k := range to {
				image[all[k].Pieces[0]] = at[j]
			}
			continue
		}
		order := make([]int, len(group))
		for j := range order {
			order[j] = j
		}
		part := func(j int) []byte { return at[j*each:][:each] }
		slices.SortFunc(order, func(a, b int) int { return bytes.Compare(part(a), part(b)) })
		for j, from := range order {
			for l, i := range all[to[j]].Pieces {
				image[i] = part(from)[l]
			}
			if kinds != nil {
				kinds[group[from]] = to[j]
			}
		}
	}
}

// sortFew sorts a few bytes.
func sortFew(all []byte) {
	for i, x := range all {
		for ; i > 0 && all[i-1] > x; i-- {
			all[i] = all[i-1]
		}
		all[i] = x
	}
}

// Between returns a symmetry that takes a position to another one of its orbit. Interchangeable pieces
// count as the same.
func (o *Orbits) Between(from, to Position) *Symmetry {
	t, kinds := o.toLeast(from)
	u, back := o.toLeast(to)
	return o.symmetry(t, kinds, u, back)
}

// symmetry returns the symmetry of a turn, and then of another one back, with the images of kinds under both.
func (o *Orbits) symmetry(turn int, kinds []int, backTurn int, back []int) *Symmetry {
	to, from := &o.turns[turn], &o.turns[backTurn]
	s := &Symmetry{o.puzzle, make([]int, len(kinds)), make([][]int16, len(kinds))}
	for g, group := range o.groups {
		h := slices.Index(from.groups, to.groups[g])
		anchors := make([]int16, len(to.anchors[g]))
		for a, at := range to.anchors[g] {
			if at != None {
				anchors[a] = int16(slices.Index(from.anchors[h], at))
			}
		}
		for _, k := range group {
			s.kinds[k], s.anchors[k] = slices.Index(back, kinds[k]), anchors
		}
	}
	return s
}

// toLeast returns how a symmetry takes a position to the first of its orbit: the turn, and the image of
// each kind.
func (o *Orbits) toLeast(pos Position) (turn int, kinds []int) {
	least := o.Least(pos)
	for t := range o.turns {
		if image, kinds := o.turned(pos, t); slices.Equal(image, least) {
			return t, kinds
		}
	}
	panic("tray: no symmetry takes a position to the first of its orbit")
}

// turned returns what Orbits.image makes of a position, and the image of each kind.
func (o *Orbits) turned(pos Position, turn int) (image Position, kinds []int) {
	image, kinds = make(Position, len(pos)), make([]int, len(o.puzzle.kinds))
	o.image(image, turn, pos, kinds)
	return image, kinds
}
