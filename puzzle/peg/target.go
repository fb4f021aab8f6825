package peg

import (
	"math/bits"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// A target is a cells.Target in the form that a walk uses.
type target struct {
	pattern board.Pattern          // the cells where a peg costs less, and those where both cost the same
	extra   [board.MaxCells]uint64 // by cell: how much more the dearer of the two costs
	base    uint64                 // the distance of positions that agree with the pattern
	most    uint64                 // the sum of extra
	unit    bool                   // all cells cost 1
}

// set makes t the target that from describes. It has no branches that depend on the costs,
// which processors would predict badly.
func (t *target) set(from *cells.Target) {
	var pegs, holes, other uint64            // the cells where a peg costs less, and those where a hole does
	if plain := from.Plain(); plain != nil { // to read its costs would take as long as to look up a small ball
		for cell, content := range plain {
			pegs |= uint64(content&pegContent) << (cell & 63)
		}
		if !t.unit || t.base > 0 || t.most != uint64(len(plain)) { // otherwise the costs are those of the target before
			*t = *exactly(board.Pattern{}, len(plain))
			t.unit = true
		}
		t.pattern = board.Pattern{Pegs: pegs}
		return
	}
	*t = target{}
	for cell, costs := range from.Costs {
		hole, peg := costs[holeContent], costs[pegContent]
		least := min(hole, peg)
		extra := max(hole, peg) - least
		t.base += least
		t.most += extra
		t.extra[cell&63] = extra
		_, cheaper := bits.Sub64(peg, hole, 0)
		_, dearer := bits.Sub64(hole, peg, 0)
		pegs |= cheaper << (cell & 63)
		holes |= dearer << (cell & 63)
		other |= extra ^ 1
	}
	t.pattern = board.Pattern{Pegs: pegs, Any: (1<<len(from.Costs) - 1) &^ (pegs | holes)}
	t.unit = other == 0
}

// exactly returns the target from which the positions of a pattern have distance 0.
func exactly(p board.Pattern, n int) *target {
	t := &target{pattern: p}
	for cell := range n {
		t.extra[cell] = ^p.Any >> cell & 1
		t.most += t.extra[cell]
	}
	return t
}

// farthest returns a distance that no position exceeds.
func (t *target) farthest() uint64 { return t.base + t.most }
