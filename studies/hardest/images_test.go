package hardest

import (
	"fmt"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// An image is what a turn or reflection of the board, or the identity, makes of a problem.
type image struct {
	cells, goals []int
	axes         map[tray.Axis]tray.Axis
}

// images returns all turns and reflections that take a problem to itself, and the identity: those
// that take places of pieces to places of pieces, and goals to goals.
func images(s *plainSearch) (all []image) {
	first, last := s.points[0], s.points[0] // the least and the greatest floor, row and column
	for _, at := range s.points {
		for i, n := range at {
			first[i], last[i] = min(first[i], n), max(last[i], n)
		}
	}
	for _, order := range []point{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for flips := range 8 {
			var cells []int
			for _, from := range s.points {
				var to point
				for i, n := range from {
					if flips>>i&1 == 1 {
						n = first[i] + last[i] - n
					}
					to[order[i]] = n - first[i] + first[order[i]]
				}
				if n, ok := s.number[to]; ok {
					cells = append(cells, n)
				}
			}
			axes := map[tray.Axis]tray.Axis{tray.Free: tray.Free}
			along := []tray.Axis{tray.Upright, tray.Vertical, tray.Horizontal}
			for i, axis := range along {
				axes[axis] = along[order[i]]
			}
			if len(cells) < len(s.points) {
				continue
			}
			im := image{cells: cells, axes: axes}
			same := func(a, b image) bool { return slices.Equal(a.cells, b.cells) }
			if im.keeps(s) && !slices.ContainsFunc(all, func(other image) bool { return same(im, other) }) {
				all = append(all, im)
			}
		}
	}
	return all
}

// keeps reports whether the image of a problem is the problem, and finds the images of the goals.
func (im *image) keeps(s *plainSearch) bool {
	for wall := range s.walls {
		if !s.walls[[2]int{im.cells[wall[0]], im.cells[wall[1]]}] {
			return false
		}
	}
	places := func(kinds []*plainKind) map[string]bool {
		all := make(map[string]bool)
		for _, k := range kinds {
			for _, cells := range k.places {
				if cells != nil {
					all[fmt.Sprint(cells, k.axis)] = true
				}
			}
		}
		return all
	}
	mapped := func(k *plainKind, at int) string {
		var cells []int
		for _, c := range k.places[at] {
			cells = append(cells, im.cells[c])
		}
		slices.Sort(cells)
		return fmt.Sprint(cells, im.axes[k.axis])
	}
	others := places(s.kinds)
	for _, k := range s.kinds {
		for at, cells := range k.places {
			if cells != nil && !others[mapped(k, at)] {
				return false
			}
		}
	}
	known := make(map[string]int)
	var after []string
	for i := range s.Goals {
		g := &s.Goals[i]
		k := s.newKind(g.Shape)
		var now, then [2][]string
		for at, cells := range k.places {
			if cells == nil {
				continue
			}
			c := s.Board.Cells[at]
			for set, in := range []bool{g.Starts == nil || slices.Contains(g.Starts, c), slices.Contains(g.Ends, c)} {
				if in {
					now[set] = append(now[set], fmt.Sprint(cells, k.axis))
					then[set] = append(then[set], mapped(k, at))
				}
			}
		}
		for set := range now {
			slices.Sort(now[set])
			slices.Sort(then[set])
		}
		if _, ok := known[fmt.Sprint(now)]; !ok {
			known[fmt.Sprint(now)] = i
		}
		after = append(after, fmt.Sprint(then))
	}
	for _, key := range after {
		goal, ok := known[key]
		if !ok {
			return false
		}
		im.goals = append(im.goals, goal)
	}
	return true
}

// of returns the image of a start, as a text.
func (im *image) of(s *plainSearch, st Start) string {
	var pieces []string
	for _, piece := range st.Pieces {
		var cells []int
		for _, c := range piece.Cells {
			cells = append(cells, im.cells[s.number[s.pointOf(c)]])
		}
		slices.Sort(cells)
		pieces = append(pieces, fmt.Sprint(cells, im.axes[piece.Axis]))
	}
	slices.Sort(pieces[1:])
	return fmt.Sprint(im.goals[st.Goal], pieces)
}
