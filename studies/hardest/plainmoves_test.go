package hardest

import (
	"context"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// component returns all positions that can be reached, and where the moves from each lead.
func (s *plainSearch) component(pos position) (all []position, after [][]int, err error) {
	number := map[string]int{pos.key(): 0}
	all = []position{pos}
	for i := 0; i < len(all); i++ {
		if i%1024 == 0 && s.ctx.Err() != nil {
			return nil, nil, context.Cause(s.ctx)
		}
		var to []int
		for _, next := range s.successors(all[i]) {
			key := next.key()
			n, ok := number[key]
			if !ok {
				n = len(all)
				number[key], all = n, append(all, next)
			}
			to = append(to, n)
		}
		after = append(after, to)
	}
	return all, after, nil
}

// farthest finds the starts of a component from which the nearest end is farthest.
func (s *plainSearch) farthest(component []position, after [][]int, r *Result) error {
	known := make([]bool, len(component))
	var level []int
	for i, pos := range component {
		if s.ends[pos[0].at] {
			known[i] = true
			s.done[pos.key()] = true
			level = append(level, i)
		}
	}
	for length := 0; len(level) > 0; length++ {
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		var later []int
		for _, i := range level {
			if pos := component[i]; length > 0 && s.starts[pos[0].at] && length >= r.Length {
				if length > r.Length {
					r.Length, r.Starts = length, nil
				}
				r.Starts = append(r.Starts, s.start(pos))
			}
			for _, next := range after[i] {
				if !known[next] {
					known[next] = true
					later = append(later, next)
				}
			}
		}
		level = later
	}
	return nil
}

// start returns a position as a start.
func (s *plainSearch) start(pos position) Start {
	st := Start{Goal: s.goal}
	for _, piece := range pos {
		var cells []tray.Cell
		for _, c := range s.kinds[piece.kind].places[piece.at] {
			cells = append(cells, s.Board.Cells[c])
		}
		st.Pieces = append(st.Pieces, Shape{cells, s.kinds[piece.kind].axis})
	}
	return st
}

// successors returns the positions after one move. One can be there several times.
func (s *plainSearch) successors(pos position) (all []position) {
	taken := make([]bool, len(s.points))
	mark := func(piece plainPiece, is bool) {
		for _, c := range s.kinds[piece.kind].places[piece.at] {
			taken[c] = is
		}
	}
	for _, piece := range pos {
		mark(piece, true)
	}
	for i, piece := range pos {
		mark(piece, false)
		for _, to := range s.moves(s.kinds[piece.kind], piece.at, taken) {
			next := slices.Clone(pos)
			next[i].at = to
			slices.SortFunc(next[1:], func(a, b plainPiece) int { return a.at - b.at })
			all = append(all, next)
		}
		mark(piece, true)
	}
	return all
}

// moves returns where a piece can go with one move, as lowest cells.
func (s *plainSearch) moves(k *plainKind, from int, taken []bool) (all []int) {
	step := func(at, d int) int {
		to := k.next[at][d]
		if to == noCell || slices.ContainsFunc(k.places[to], func(c int) bool { return taken[c] }) {
			return noCell
		}
		return to
	}
	switch s.Metric {
	case tray.Steps:
		for d := range plainSteps {
			if to := step(from, d); to != noCell {
				all = append(all, to)
			}
		}
	case tray.Lines:
		for d := range plainSteps {
			for to := step(from, d); to != noCell; to = step(to, d) {
				all = append(all, to)
			}
		}
	case tray.Moves:
		all = []int{from}
		for i := 0; i < len(all); i++ {
			for d := range plainSteps {
				if to := step(all[i], d); to != noCell && !slices.Contains(all, to) {
					all = append(all, to)
				}
			}
		}
		all = all[1:]
	}
	return all
}
