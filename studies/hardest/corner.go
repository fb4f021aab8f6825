package hardest

import (
	"cmp"
	"math/bits"

	"pagoda/puzzle/slide/tray"
)

// A Journey says where the goal piece starts and ends, in the puzzles of Goals.
type Journey struct {
	// Strict wants the piece to cover the corner cell at the end. If it is not set, the bounding
	// rectangle of the piece is in the corner.
	Strict bool
	// The piece may start anywhere, and not only in the upper left corner; and end at any one place,
	// and not only in the lower right corner.
	FromAnywhere, ToAnywhere bool
}

// Goals returns the goals of the puzzles in which the goal piece makes a journey: one for each
// shape whose cells touch by edges, and each place where it may end. If the piece starts in the upper left corner,
// its bounding rectangle is there. If it ends in the lower right corner, its bounding rectangle is there,
// and in a strict goal the piece covers the corner cell. If the board has several floors, the first
// corner is on the lowest and the last on the highest. The goals of strict puzzles come first. The error is a *LimitError
// if the board is too large, or if Search refuses the goals with so much memory because there are too many; 0 is no bound.
func Goals(b Board, j Journey, memory uint64) ([]Goal, error) {
	g, err := newGrid(b)
	if err != nil {
		return nil, err
	}
	places, count, bytes := 0, 0, uint64(0)
	if err := g.connected(func(set uint64) {
		places++
		if g.isGoal(set, j) {
			count++
			bytes += goalBytes(bits.OnesCount64(set))
		}
	}); err != nil {
		return nil, err
	}
	if err := checkPlaces(places, bytes, cmp.Or(memory, noBound)/2); err != nil {
		return nil, err
	}
	goals := make([]Goal, 0, count)
	var loose []Goal
	err = g.connected(func(end uint64) {
		if !g.isGoal(end, j) {
			return
		}
		goal := Goal{Shape: Shape{Cells: g.cellsOf(end)}, Ends: []tray.Cell{g.lowest(end)}, Loose: !j.ToAnywhere && !g.isLast(end, true)}
		if !j.FromAnywhere {
			goal.Starts = []tray.Cell{g.lowest(g.cornered(end))}
		}
		if goal.Loose {
			loose = append(loose, goal)
		} else {
			goals = append(goals, goal)
		}
	})
	return append(goals, loose...), err
}

// isGoal reports whether a piece can stand at the end of a journey.
func (g *grid) isGoal(end uint64, j Journey) bool {
	return (j.ToAnywhere || g.isLast(end, j.Strict)) && (j.FromAnywhere || g.fits(g.cornered(end)))
}

// isLast reports whether a piece is in the lower right corner.
func (g *grid) isLast(mask uint64, strict bool) bool {
	if strict {
		return mask>>g.bit(tray.Cell{Row: g.Rows - 1, Col: g.Cols - 1})&1 != 0
	}
	b := g.boxOf(mask)
	return b.floor+b.floors == g.Floors && b.row+b.rows == g.Rows/g.Floors && b.col+b.cols == g.Cols
}
