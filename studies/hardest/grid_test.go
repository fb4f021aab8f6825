package hardest

import (
	"fmt"
	"testing"

	"pagoda/puzzle/slide/tray"
)

// A turned grid is the same board. The first bit is the last cell, and lines are along the shortest side, unless a
// word has no room for that.
func TestTurnedGrid(t *testing.T) {
	type step struct {
		from, to tray.Cell
		axis     tray.Axis
	}
	for _, of := range []struct {
		floors, rows, cols, width int
	}{{1, 1, 1, 2}, {1, 3, 5, 4}, {1, 5, 3, 4}, {2, 3, 4, 3}, {3, 2, 4, 3}, {1, 3, 16, 4}, {1, 3, 17, 18}, {1, 1, 32, 2}, {1, 1, 33, 34}} {
		b := Rectangle(of.floors, of.rows, of.cols)
		if len(b.Cells) > 9 {
			b.Cells = append(b.Cells[:4:4], b.Cells[5:]...)
			b.Walls = []tray.Wall{{Cell: b.Cells[0], Side: tray.Right}, {Cell: b.Cells[1], Side: tray.Right}}
		}
		g, err := newGrid(b)
		if err != nil {
			t.Fatal(err)
		}
		turned := g.turned()
		if turned.width != of.width || turned == g != (of.width > 17) || turned != g && turned.bit(tray.Cell{Row: b.Rows - 1, Col: b.Cols - 1}) != 0 {
			t.Errorf("%+v: lines at a distance of %d", of, turned.width)
		}
		all := func(g *grid) (steps map[step]bool, walls string) {
			steps = make(map[step]bool)
			for _, c := range g.Cells {
				if at := g.bit(c); g.cells[at] != c {
					t.Errorf("%+v: %v is at bit %d, where %v is", of, c, at, g.cells[at])
				}
				for _, s := range g.steps {
					if to := g.moved(1<<g.bit(c), s); to != 0 {
						steps[step{c, g.lowest(to), s.axis}] = true
					}
				}
			}
			for _, s := range g.sides {
				walls += fmt.Sprint(g.lowest(s[0]), g.lowest(s[1]))
			}
			return steps, walls
		}
		steps, walls := all(g)
		if got, gotWalls := all(turned); fmt.Sprint(got) != fmt.Sprint(steps) || gotWalls != walls {
			t.Errorf("%+v: %v and %v turned, want %v and %v", of, got, gotWalls, steps, walls)
		}
	}
}
