package hardest

import (
	"cmp"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A turn is a turn or reflection of the board that takes the problem to itself.
type turn struct {
	*tray.Turn
	bits  [maxBits]uint8 // by bit of a cell
	goals []int          // by goal
}

// apply returns the image of cells.
func (t *turn) apply(mask uint64) (image uint64) {
	for at := range maxBits {
		image |= mask >> at & 1 << t.bits[at]
	}
	return image
}

// turnsOf returns the turns of a problem, and the identity: of goals that are the same it takes all to
// the first.
func turnsOf(ps *places, p *Problem) (all []turn) {
	for _, of := range ps.Turns() {
		if t, ok := newTurn(ps, p, &of); ok {
			all = append(all, t)
		}
	}
	return all
}

// newTurn returns a turn of the board. It reports false if it does not take the problem to itself.
func newTurn(ps *places, p *Problem, of *tray.Turn) (t turn, ok bool) {
	t.Turn = of
	for i, c := range ps.Cells {
		t.bits[ps.bit(c)] = uint8(ps.bit(ps.Cells[of.Cells[i]]))
	}
	image := func(id int32) int32 {
		axis := of.Axes[ps.forms[ps.all[id].shape].axis]
		if to, ok := ps.number[placeKey{t.apply(ps.all[id].mask), axis}]; ok {
			return to
		}
		return noPlace
	}
	if p.Shapes != nil { // all connected shapes are taken to each other
		for id := range ps.all {
			if to := image(int32(id)); ps.forms[ps.all[id].shape].free && (to == noPlace || !ps.forms[ps.all[to].shape].free) {
				return t, false
			}
		}
	}
	return t, t.setGoals(ps, p, image)
}

// setGoals finds the images of the goals. It reports false if one is no goal.
func (t *turn) setGoals(ps *places, p *Problem, image func(int32) int32) bool {
	type places struct{ starts, ends string }
	known := make(map[places]int)
	key := func(starts, ends []int32) places { return places{keyOf(starts), keyOf(ends)} }
	for i := range p.Goals {
		k := key(ps.placesOf(&p.Goals[i]))
		if _, ok := known[k]; !ok {
			known[k] = i
		}
	}
	t.goals = make([]int, len(p.Goals))
	for i := range p.Goals {
		starts, ends := ps.placesOf(&p.Goals[i])
		for _, ids := range [][]int32{starts, ends} {
			for k, id := range ids {
				if ids[k] = image(id); ids[k] == noPlace {
					return false
				}
			}
		}
		to, ok := known[key(starts, ends)]
		if !ok {
			return false
		}
		t.goals[i] = to
	}
	return true
}

// keyOf returns a text that equal sets share.
func keyOf(ids []int32) string {
	slices.Sort(ids)
	text := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		text = append(text, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	return string(text)
}

// least returns the least of the images of a start, the other pieces in the order of their cells.
func (s *searcher) least(st Start) Start {
	least := st
	sortPieces(least.Pieces)
	for i := range s.turns {
		t := &s.turns[i]
		image := Start{Goal: t.goals[st.Goal]}
		for _, piece := range st.Pieces {
			mask, _ := s.set(piece.Cells)
			image.Pieces = append(image.Pieces, Shape{s.cellsOf(t.apply(mask)), t.Axes[piece.Axis]})
		}
		sortPieces(image.Pieces)
		if compareStarts(image, least) < 0 {
			least = image
		}
	}
	return least
}

// sortPieces sorts the pieces behind the goal piece.
func sortPieces(pieces []Shape) { slices.SortFunc(pieces[1:], comparePieces) }

func comparePieces(a, b Shape) int {
	return cmp.Or(slices.CompareFunc(a.Cells, b.Cells, tray.Cell.Compare), cmp.Compare(a.Axis, b.Axis))
}

func compareStarts(a, b Start) int {
	return cmp.Or(cmp.Compare(a.Goal, b.Goal), slices.CompareFunc(a.Pieces, b.Pieces, comparePieces))
}

func sortStarts(all []Start) { slices.SortFunc(all, compareStarts) }

func sameStart(a, b Start) bool { return compareStarts(a, b) == 0 }
