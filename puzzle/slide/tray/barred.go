package tray

import (
	"fmt"
	"slices"
)

// Barred returns why no goal can be reached, in a few words, if that is known without a search. Otherwise it
// is empty, and so it is if there is no goal. A goal is barred if a piece cannot come to its place, even
// alone in the tray, or if it is an odd permutation of tiles.
func (p *Puzzle) Barred() string {
	why := ""
	if p.unreachable {
		why = "no position is at the goal"
	}
	for _, g := range p.goals {
		if why = p.barred(g); why == "" {
			return ""
		}
	}
	return why
}

func (p *Puzzle) barred(g goal) string {
	for _, want := range g {
		if p.kindOf(want.piece).Mask[want.anchor].IsEmpty() {
			return fmt.Sprintf("piece %c cannot come to its place in the goal", p.pieces[want.piece].name)
		}
	}
	if p.Tiles() && p.odd(g) {
		return "an odd permutation"
	}
	return ""
}

// Tiles reports whether the pieces are different tiles of one cell that fill the tray except for one cell.
func (p *Puzzle) Tiles() bool {
	return len(p.pieces) == len(p.cells)-1 && len(p.kinds) == len(p.pieces) &&
		!slices.ContainsFunc(p.kinds, func(k Kind) bool { return k.Cells != 1 })
}

// odd reports whether a goal of a tray of tiles is an odd permutation. A step exchanges a tile with the empty
// cell, so it changes both the parity of the permutation and the colour of the empty cell on a chessboard: W. W.
// Johnson and W. E. Story, Notes on the "15" Puzzle (1879). If the goal leaves one tile open, there are two ways to
// place that tile and the empty cell. If it leaves more open, one of the ways is even.
func (p *Puzzle) odd(g goal) bool {
	n := len(p.cells)
	from, to := slices.Repeat([]int{None}, n), slices.Repeat([]int{None}, n) // by tile: its cell; the last is the empty one
	for i, piece := range p.pieces {
		from[i] = int(piece.anchor)
	}
	from[n-1] = missing(from)[0]
	for _, want := range g {
		to[want.piece] = int(want.anchor)
	}
	open := missing(to)
	if len(open) > 2 {
		return false
	}
	for range open {
		if complete := fill(to, open); !p.changes(from, complete) {
			return false
		}
		slices.Reverse(open)
	}
	return true
}

// missing returns the numbers below the length of a list that are not in it.
func missing(list []int) (all []int) {
	for n := range list {
		if !slices.Contains(list, n) {
			all = append(all, n)
		}
	}
	return all
}

// fill returns a list with numbers in the places of those that are None.
func fill(list, numbers []int) []int {
	list = slices.Clone(list)
	for i := range list {
		if list[i] == None && len(numbers) > 0 {
			list[i], numbers = numbers[0], numbers[1:]
		}
	}
	return list
}

// changes reports whether the parity of a permutation of tiles differs from the change of the colour of the
// empty cell.
func (p *Puzzle) changes(from, to []int) bool {
	odd, seen := false, make([]bool, len(from))
	next := make([]int, len(from)) // by cell
	for tile, cell := range from {
		next[cell] = to[tile]
	}
	for cell := range next { // a cycle of even length is odd
		for at := next[cell]; !seen[cell] && at != cell; at = next[at] {
			seen[at], odd = true, !odd
		}
	}
	last := len(from) - 1
	for _, way := range p.point(p.cells[from[last]]).minus(p.point(p.cells[to[last]])) {
		odd = odd != (way%2 != 0)
	}
	return odd
}
