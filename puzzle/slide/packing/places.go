package packing

import (
	"math/bits"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
)

// MaxCells is the greatest number of cells of a tray whose placements can be numbered: within this
// package, a set of cells is one 64-bit word.
const MaxCells = 64

// masksOf returns the cells of a piece of some kind, by its anchor, in a tray of at most MaxCells.
func masksOf(k *tray.Kind) []uint64 {
	return lists.Map(k.Mask, func(set tray.Set) uint64 { return set[0] })
}

// anchorOf returns the lowest cell of a set that is not empty.
func anchorOf(set uint64) int { return bits.TrailingZeros64(set) }

// A placeList has the places of all kinds of pieces.
type placeList struct {
	puzzle *tray.Puzzle
	places []piecePlace
	stairs []stairs // by place: what leads to other floors; nil if there is one floor
	number []uint16 // the places by choice and anchor
	count  int      // the pieces of the puzzle
	// directions is how many directions there are.
	directions tray.Direction
	// goals has the places that each goal wants, without the goals that want a place where no
	// piece can come.
	goals [][]uint16
}

// A piecePlace is a place of a piece of some kind. The places of a kind are side by side, in the
// order of their anchors. A piecePlace fits into a cache line.
type piecePlace struct {
	mask   uint64                      // the cells
	any    uint64                      // the cells that must be empty for some step
	need   [tray.FlatDirections]uint64 // the cells that must be empty for a step; those of the piece if there is no step
	to     [tray.FlatDirections]uint16 // the place after a step; this place if there is no step
	kind   uint16                      // the first place of the kind
	choice uint8                       // 1 plus the number of the kind
	wall   uint8                       // a bit for each direction without a step
	// In a bandTable: what the piece adds to the code of a fill, and the bands of the first and
	// the last cell.
	code        uint16
	first, last uint8
}

// stairs are the steps from a place to other floors, as piecePlace has those on a floor: with
// tray.Climb first, then tray.Sink. They are apart so that a piecePlace stays small.
type stairs struct {
	need [tray.Directions - tray.FlatDirections]uint64
	to   [tray.Directions - tray.FlatDirections]uint16
}

func newPlaceList(p *tray.Puzzle) placeList {
	kinds := p.Kinds()
	l := placeList{puzzle: p, number: make([]uint16, (1+len(kinds))*MaxCells), directions: p.Directions()}
	for k := range kinds {
		l.count += len(kinds[k].Pieces)
		kind := uint16(len(l.places))
		for at, mask := range masksOf(&kinds[k]) {
			if mask != 0 {
				l.number[(1+k)*MaxCells+at] = uint16(len(l.places))
				l.places = append(l.places, piecePlace{mask: mask, kind: kind, choice: uint8(1 + k)})
			}
		}
	}
	if p.Floors() > 1 {
		l.stairs = make([]stairs, len(l.places))
	}
	for i := range l.places {
		l.addSteps(uint16(i), &kinds[l.places[i].choice-1])
	}
	l.addGoals()
	return l
}

// addSteps sets the steps from a place of a kind.
func (l *placeList) addSteps(at uint16, k *tray.Kind) {
	s := &l.places[at]
	for d := range l.directions {
		to, need := at, s.mask
		if next := k.Next[d][anchorOf(s.mask)]; next == tray.None {
			s.wall |= 1 << d
		} else {
			to = l.number[int(s.choice)*MaxCells+int(next)]
			need = k.Mask[next][0] &^ s.mask
			s.any |= need
		}
		if d < tray.FlatDirections {
			s.to[d], s.need[d] = to, need
		} else {
			l.stairs[at].to[d-tray.FlatDirections], l.stairs[at].need[d-tray.FlatDirections] = to, need
		}
	}
}

// need returns the cells that must be empty for a step from a place, as piecePlace.need has them.
func (l *placeList) need(at uint16, d tray.Direction) uint64 {
	if d < tray.FlatDirections {
		return l.places[at].need[d]
	}
	return l.stairs[at].need[d-tray.FlatDirections]
}

// stepTo returns the place after a step, as piecePlace.to has it.
func (l *placeList) stepTo(at uint16, d tray.Direction) uint16 {
	if d < tray.FlatDirections {
		return l.places[at].to[d]
	}
	return l.stairs[at].to[d-tray.FlatDirections]
}

func (l *placeList) addGoals() {
next:
	for g := range l.puzzle.Goals() {
		var places []uint16
		for _, want := range l.puzzle.Wants(g) {
			kind := l.puzzle.KindOf(want.Piece)
			if l.puzzle.Kinds()[kind].Mask[want.Anchor].IsEmpty() {
				continue next
			}
			places = append(places, l.number[(1+kind)*MaxCells+int(want.Anchor)])
		}
		l.goals = append(l.goals, places)
	}
}
