package tray

import "slices"

// A Kind is the pieces that are interchangeable, and the places that they can have: those that
// such a piece can move to when it is alone in the tray. A place is known by its anchor.
type Kind struct {
	Pieces []int               // their numbers, in increasing order
	Cells  int                 // the number of cells of a piece
	Look   int                 // kinds whose pieces differ only in the places that they can have share it; from 0
	Mask   []Set               // by anchor: the cells of a piece there, or none if it cannot be there
	Next   [Directions][]int16 // by direction and anchor: the anchor after a step, or None; see Puzzle.Directions
}

// makeKinds finds out which pieces are interchangeable: those with the same places and the same
// mark. Start has the cells of each piece, and mark a number.
func (p *Puzzle) makeKinds(start []Set, mark []int) {
	for i := range p.pieces {
		k := p.places(i, start[i])
		same := slices.IndexFunc(p.kinds, func(o Kind) bool {
			first := o.Pieces[0]
			return p.pieces[first].axis == p.pieces[i].axis && mark[first] == mark[i] && slices.Equal(o.Mask, k.Mask)
		})
		if same < 0 {
			same = len(p.kinds)
			k.Look = p.looks
			if i := slices.IndexFunc(p.kinds, func(o Kind) bool { return p.lookAlike(i, o.Pieces[0], start, mark) }); i >= 0 {
				k.Look = p.kinds[i].Look
			}
			p.looks = max(p.looks, 1+k.Look)
			p.kinds = append(p.kinds, k)
		}
		p.kinds[same].Pieces = append(p.kinds[same].Pieces, i)
		p.pieces[i].kind = same
	}
	for i := range p.kinds {
		p.order = append(p.order, p.kinds[i].Pieces...)
	}
}

// lookAlike reports whether only shapes matter for two pieces: they are interchangeable if each can
// come to the places of the other.
func (p *Puzzle) lookAlike(a, b int, start []Set, mark []int) bool {
	return mark[a] == mark[b] && p.pieces[a].axis == p.pieces[b].axis && p.sameShape(start[a], start[b])
}

// mayEnter reports whether a piece may be in a set of cells: none is a gate for another piece.
func (p *Puzzle) mayEnter(piece int, cells Set) bool {
	for cell, only := range p.gates {
		if only != None && only != piece && cells.Has(cell) {
			return false
		}
	}
	return true
}

// places finds the places that a piece can move to when it is alone in the tray.
func (p *Puzzle) places(piece int, start Set) Kind {
	k := Kind{Cells: start.Len(), Mask: make([]Set, len(p.cells))}
	for d := range p.Directions() {
		k.Next[d] = slices.Repeat([]int16{None}, len(p.cells))
	}
	k.Mask[start.First()] = start
	for todo := []Set{start}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for d := range p.Directions() {
			if !p.pieces[piece].axis.Allows(d) {
				continue
			}
			if next, ok := p.step(at, d); ok && p.mayEnter(piece, next) {
				k.Next[d][at.First()] = int16(next.First())
				if mask := &k.Mask[next.First()]; mask.IsEmpty() {
					*mask = next
					todo = append(todo, next)
				}
			}
		}
	}
	return k
}

// makeGoals turns the goals of the text into those that positions are compared with. If a piece
// cannot come to its place, another one that is alike may.
func (p *Puzzle) makeGoals(start []Set, mark []int) {
	p.goals = make([]goal, len(p.drawn))
	for n, g := range p.drawn {
		for _, want := range g {
			p.goals[n] = append(p.goals[n], place{p.canCome(want, start, mark), want.anchor})
		}
	}
}

// canCome returns a piece that can come to a place: the one that the place names, or else one
// that is alike, or else the one that it names. All of the pieces that are alike and can come
// there are of one kind: if a place can be reached from another one in an empty tray, then the
// other one can be reached from it.
func (p *Puzzle) canCome(want place, start []Set, mark []int) int {
	if !p.kindOf(want.piece).Mask[want.anchor].IsEmpty() {
		return want.piece
	}
	cells := p.placed(want)
	for i := range p.pieces {
		if p.lookAlike(i, want.piece, start, mark) && p.kindOf(i).Mask[want.anchor] == cells {
			return i
		}
	}
	return want.piece
}

// placed returns the cells of a place of a goal. The piece may not be able to move there.
func (p *Puzzle) placed(want place) (cells Set) {
	pc := p.pieces[want.piece]
	way := p.point(p.cells[want.anchor]).minus(p.point(p.cells[pc.anchor]))
	cells, _ = p.shifted(p.kinds[pc.kind].Mask[pc.anchor], way)
	return cells
}
