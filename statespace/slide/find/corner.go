package find

import (
	"math/bits"

	"pagoda/statespace/slide/tray"
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

// Corners returns the goals of the puzzles in which the goal piece goes from the upper left to the
// lower right: Goals of a Journey that is strict or not.
func Corners(b Board, strict bool) ([]Goal, error) { return Goals(b, Journey{Strict: strict}) }

// Goals returns the goals of the puzzles in which the goal piece makes a journey: one for each
// shape whose cells touch by edges, and each place where it may end. If the piece starts in the upper left corner,
// its bounding rectangle is there. If it ends in the lower right corner, its bounding rectangle is there,
// and in a strict goal the piece covers the corner cell. If the board has several floors, the first
// corner is on the lowest and the last on the highest. The error is a *LimitError if the board is too
// large.
func Goals(b Board, j Journey) ([]Goal, error) {
	g, err := newGrid(b)
	if err != nil {
		return nil, err
	}
	all, err := g.connected()
	if err != nil {
		return nil, err
	}
	corner := g.bit(tray.Cell{Row: g.Rows - 1, Col: g.Cols - 1})
	var goals []Goal
	for _, end := range all {
		box := g.boxOf(end)
		last := box.floor+box.floors == g.Floors && box.row+box.rows == g.Rows/g.Floors && box.col+box.cols == g.Cols
		if !j.ToAnywhere && (!last || j.Strict && end>>corner&1 == 0) {
			continue
		}
		goal := Goal{Shape: Shape{Cells: g.cellsOf(end)}, Ends: []tray.Cell{g.lowest(end)}}
		if !j.FromAnywhere {
			start := g.cornered(end)
			if !g.fits(start) {
				continue
			}
			goal.Starts = []tray.Cell{g.lowest(start)}
		}
		goals = append(goals, goal)
	}
	return goals, nil
}

// lowest returns the lowest of some cells.
func (g *grid) lowest(mask uint64) tray.Cell { return g.cell(bits.TrailingZeros64(mask)) }
