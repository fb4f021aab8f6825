package packing

import (
	"math/bits"

	"pagoda/statespace/slide/tray"
)

// MaxCells is the greatest number of cells of a tray whose placements can be numbered: within this
// package, a set of cells is one 64-bit word.
const MaxCells = 64

// masksOf returns the cells of a piece of some kind, by its anchor, in a tray of at most MaxCells.
func masksOf(k *tray.Kind) []uint64 {
	masks := make([]uint64, len(k.Mask))
	for at, set := range k.Mask {
		masks[at] = set[0]
	}
	return masks
}

// anchorOf returns the lowest cell of a set that is not empty.
func anchorOf(set uint64) int { return bits.TrailingZeros64(set) }

// A placeList has the places of all kinds of pieces.
type placeList struct {
	puzzle *tray.Puzzle
	places []piecePlace
	number []uint16 // the places by choice and anchor
	count  int      // the pieces of the puzzle
	// goals has the places that each goal wants, without the goals that want a place where no
	// piece can come.
	goals [][]uint16
}

// A piecePlace is a place of a piece of some kind. The places of a kind are side by side, in the
// order of their anchors. A piecePlace fits into a cache line.
type piecePlace struct {
	mask   uint64                  // the cells
	any    uint64                  // the cells that must be empty for some step
	need   [tray.Directions]uint64 // the cells that must be empty for a step; those of the piece if there is no step
	to     [tray.Directions]uint16 // the place after a step; this place if there is no step
	kind   uint16                  // the first place of the kind
	choice uint8                   // 1 plus the number of the kind
	wall   uint8                   // a bit for each direction without a step
	// In a bandTable: what the piece adds to the code of a fill, and the bands of the first and
	// the last cell.
	code        uint16
	first, last uint8
}

func newPlaceList(p *tray.Puzzle) placeList {
	kinds := p.Kinds()
	l := placeList{puzzle: p, number: make([]uint16, (1+len(kinds))*MaxCells)}
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
	for i := range l.places {
		s := &l.places[i]
		k := &kinds[s.choice-1]
		for d := range s.to {
			to := k.Next[d][anchorOf(s.mask)]
			if to == tray.None {
				s.to[d], s.need[d] = uint16(i), s.mask
				s.wall |= 1 << d
				continue
			}
			s.to[d] = l.number[int(s.choice)*MaxCells+int(to)]
			s.need[d] = k.Mask[to][0] &^ s.mask
			s.any |= s.need[d]
		}
	}
	l.addGoals()
	return l
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
