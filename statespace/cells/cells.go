// Package cells reads and writes what is drawn cell by cell: states, patterns in which some cells
// are open, and targets with weights.
//
// A Celled says what the cells of a space are and what is in them in each state. That is enough for
// package patterns, which finds the members of a set that match a pattern, and those that are nearest
// to one. A Finder has a fast way of its own.
//
// The distance between a state and a pattern is a weighted Hamming distance: the sum of the
// weights of the cells that differ. A Target has one such pattern or several.
package cells

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Celled draws the states of a space cell by cell. All methods are required.
type Celled interface {
	// Cells returns the cells, row by row from the top left. Patterns have the same order.
	Cells() []Cell
	// Contents returns how many different things can be in a cell, from 1 to 127.
	Contents() int
	// State fills dst with the content of each cell in state x, from 0 to Contents()-1.
	State(dst Pattern, x uint64)
	// ParsePattern reads a pattern. It is written like a state, with ? in open cells.
	ParsePattern(text string) (Pattern, error)
	// FormatPattern writes a pattern on one line. ParsePattern reads it.
	FormatPattern(p Pattern) string
}

// A Pattern has the content of each cell, or Any if the cell is open.
type Pattern []int8

// Any in a Pattern matches every content.
const Any = -1

// Open returns the pattern in which all cells are open.
func Open(cells int) Pattern { return slices.Repeat(Pattern{Any}, cells) }

// IsOpen reports whether all cells of a pattern are open.
func (p Pattern) IsOpen() bool {
	return !slices.ContainsFunc(p, func(content int8) bool { return content != Any })
}

// Matches reports whether a state has the content of the pattern in every cell that is not open.
func (p Pattern) Matches(state Pattern) bool {
	for i, content := range p {
		if content != Any && content != state[i] {
			return false
		}
	}
	return true
}

// A Range is a range of layers, both ends included.
type Range struct{ Least, Most int }

// AllLayers is the range of all layers.
var AllLayers = Range{0, 1<<31 - 1}

// Holds reports whether a layer is in the range.
func (r Range) Holds(layer int) bool { return r.Least <= layer && layer <= r.Most }

// String writes a range as ParseRange reads it; AllLayers is empty.
func (r Range) String() string {
	switch {
	case r == AllLayers:
		return ""
	case r.Least == r.Most:
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d-%d", r.Least, r.Most)
}

// ParseRange reads a number, such as 17, or a range, such as 12-17.
func ParseRange(text string) (Range, error) {
	low, high, both := strings.Cut(text, "-")
	if !both {
		high = low
	}
	least, err1 := strconv.ParseUint(low, 10, 31)
	most, err2 := strconv.ParseUint(high, 10, 31)
	if err1 != nil || err2 != nil || least > most {
		return Range{}, fmt.Errorf("expected a number, or a range such as 12-17")
	}
	return Range{int(least), int(most)}, nil
}

// A Target gives every state a distance: the sum of the costs of what is in its cells.
type Target struct {
	// Costs has the cost by cell and content, in the units of the weights. The caller may not change them.
	Costs [][]uint64

	plain Pattern // see Plain
}

// Plain returns the only pattern of a target of NewTarget without weights, which has no open cells: a distance is the
// number of cells that differ from it. Of another target it returns nil.
func (t *Target) Plain() Pattern { return t.plain }

// NewTarget returns the target for some patterns. The distance of a state is the sum of its
// weighted Hamming distances to the patterns: a cell that differs from a pattern costs its
// weight. If weights is nil, each cell has the weight 1. Distances are at most MaxDistance.
func NewTarget(c Celled, weights []uint64, patterns ...Pattern) (*Target, error) {
	n := len(c.Cells())
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("the board has %d cells, there are %d weights", n, len(weights))
	}
	for _, p := range patterns {
		if err := Check(c, p); err != nil {
			return nil, err
		}
	}
	t := &Target{Costs: make([][]uint64, n)}
	if weights == nil && len(patterns) == 1 && !slices.Contains(patterns[0], Any) {
		t.plain = slices.Clone(patterns[0])
	}
	costs, sum := make([]uint64, n*c.Contents()), uint64(0)
	for cell := range t.Costs {
		t.Costs[cell], costs = costs[:c.Contents():c.Contents()], costs[c.Contents():]
		weight := uint64(1)
		if weights != nil {
			weight = weights[cell]
		}
		over, most := bits.Mul64(weight, uint64(len(patterns)))
		if sum += most; over > 0 || most > MaxDistance || sum > MaxDistance {
			return nil, fmt.Errorf("the weights are too large: distances are at most %d", uint64(MaxDistance))
		}
		for _, p := range patterns {
			for content := range t.Costs[cell] {
				if p[cell] != Any && int(p[cell]) != content {
					t.Costs[cell][content] += weight
				}
			}
		}
	}
	return t, nil
}

// Distance returns the distance of a state.
func (t *Target) Distance(state Pattern) (d uint64) {
	for cell, content := range state {
		d += t.Costs[cell][content]
	}
	return d
}

// Farthest returns a distance that no state exceeds.
func (t *Target) Farthest() (d uint64) {
	for _, costs := range t.Costs {
		d += slices.Max(costs)
	}
	return d
}

// Check returns an error unless a pattern has the given cells, and contents that can be in them.
func Check(c Celled, p Pattern) error {
	if n := len(c.Cells()); len(p) != n {
		return fmt.Errorf("expected a pattern of %d cells, found %d", n, len(p))
	}
	for cell, content := range p {
		if content < Any || int(content) >= c.Contents() {
			return fmt.Errorf("the contents of cells are from 0 to %d, found %d in cell %d", c.Contents()-1, content, cell)
		}
	}
	return nil
}

// SameShape reports whether two lists of cells, each row by row from the top left, are the same but
// for the rows above and the columns to the left of them. So a drawing may have margins or not.
func SameShape(a, b []Cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Row-a[0].Row != b[i].Row-b[0].Row || a[i].Col-a[0].Col != b[i].Col-b[0].Col {
			return false
		}
	}
	return true
}
