package find

import (
	"math/bits"

	"pagoda/statespace/slide/tray"
)

// Corners returns the goals of the puzzles in which the goal piece goes from the upper left to the
// lower right: one for each shape whose cells touch by edges. At the start its bounding rectangle is in the
// upper left corner of the board. At the end it is in the lower right corner, and if the goal
// is strict, the piece covers the corner cell. If the board has several floors, it goes from the
// first to the last too. The error is a *LimitError if the board is too large.
func Corners(b Board, strict bool) ([]Goal, error) {
	g, err := newGrid(b)
	if err != nil {
		return nil, err
	}
	last := (g.Floors-1)*g.floor + (g.Rows/g.Floors-1)*g.width + g.Cols - 1
	var goals []Goal
	for _, mask := range g.connected() {
		if g.cornered(mask) != mask {
			continue
		}
		box := g.boxOf(mask)
		end := mask << ((g.Floors-box.floors)*g.floor + (g.Rows/g.Floors-box.rows)*g.width + g.Cols - box.cols)
		if !g.fits(end) || strict && end>>last&1 == 0 {
			continue
		}
		start := Shape{Cells: g.cellsOf(mask)}
		at := g.cell(bits.TrailingZeros64(mask))
		to := g.cell(bits.TrailingZeros64(end))
		goals = append(goals, Goal{Shape: start, Starts: []tray.Cell{at}, Ends: []tray.Cell{to}})
	}
	return goals, nil
}
