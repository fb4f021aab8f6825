package peg

import (
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// A target is a cells.Target in the form that a walk uses.
type target struct {
	pattern board.Pattern          // the cells where a peg costs less, and those where both cost the same
	extra   [board.MaxCells]uint64 // by cell: how much more the dearer of the two costs
	base    uint64                 // the distance of positions that agree with the pattern
}

// set makes t the target that from describes. It has no branches that depend on the costs,
// which processors would predict badly.
func (t *target) set(from *cells.Target) {
	*t = target{}
	for cell, costs := range from.Costs {
		hole, peg := costs[holeContent], costs[pegContent]
		least := min(hole, peg)
		t.base += least
		t.extra[cell] = max(hole, peg) - least
		var cheaper, same uint64
		if peg < hole {
			cheaper = 1
		}
		if peg == hole {
			same = 1
		}
		t.pattern.Pegs |= cheaper << cell
		t.pattern.Any |= same << cell
	}
}

// exactly returns the target from which the positions of a pattern have distance 0.
func exactly(p board.Pattern, n int) *target {
	t := &target{pattern: p}
	for cell := range n {
		t.extra[cell] = ^p.Any >> cell & 1
	}
	return t
}

// farthest returns a distance that no position exceeds.
func (t *target) farthest() uint64 {
	d := t.base
	for _, extra := range t.extra {
		d += extra
	}
	return d
}
