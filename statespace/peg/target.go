package peg

import (
	"fmt"
	"math/bits"

	"pagoda/statespace"
)

// A Target tells how far a position is from what is wished for: in each cell a peg
// costs something, and a hole does. The distance is the sum over all cells.
type Target struct {
	pattern Pattern          // where a peg costs less, and where both cost the same
	extra   [MaxCells]uint64 // by cell: what the dearer of the two costs more
	base    uint64           // the distance of positions that agree with the pattern
}

// NewTarget returns the target from which the distance is the sum of the weighted
// Hamming distances to the patterns, one at least: in a cell where a position
// differs from a pattern it costs the weight of the cell. Without weights each cell
// weighs 1.
func (b *Board) NewTarget(weights []uint64, patterns ...Pattern) (*Target, error) {
	if weights != nil && len(weights) != len(b.cells) {
		return nil, fmt.Errorf("the board has %d cells, there are %d weights", len(b.cells), len(weights))
	}
	t := new(Target)
	sum := uint64(0)
	for cell := range b.cells {
		weight := uint64(1)
		if weights != nil {
			weight = weights[cell]
		}
		var peg, hole uint64 // how many patterns have them
		for _, p := range patterns {
			if p.Any>>cell&1 == 0 {
				peg, hole = peg+p.Pegs>>cell&1, hole+^p.Pegs>>cell&1
			}
		}
		over, all := bits.Mul64(weight, max(peg, hole))
		if sum += all; over > 0 || all > statespace.MaxDistance || sum > statespace.MaxDistance {
			return nil, fmt.Errorf("the weights are too large: distances are at most %d", uint64(statespace.MaxDistance))
		}
		t.base += weight * min(peg, hole)
		t.extra[cell] = weight * (max(peg, hole) - min(peg, hole))
		if t.extra[cell] == 0 {
			t.pattern.Any |= 1 << cell
		} else if peg > hole {
			t.pattern.Pegs |= 1 << cell
		}
	}
	return t, nil
}

// Distance returns the distance of a position from the target.
func (t *Target) Distance(p Position) uint64 {
	d := t.base
	for cell := range setBits((p ^ t.pattern.Pegs) &^ t.pattern.Any) {
		d += t.extra[cell]
	}
	return d
}

// Farthest returns a distance that no position exceeds.
func (t *Target) Farthest() uint64 {
	d := t.base
	for _, extra := range t.extra {
		d += extra
	}
	return d
}

// ParseWeights reads a weight for each cell: see statespace.ParseWeights.
func (b *Board) ParseWeights(text string) (*statespace.Weights, error) {
	rows := make([]int, b.rows)
	for _, c := range b.cells {
		rows[c.Row]++
	}
	return statespace.ParseWeights(text, rows)
}
