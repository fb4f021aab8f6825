package hardest

import (
	"math/bits"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
)

// A twoSearch finds the hardest puzzles with two pieces, in moves with a strict goal, by a way of its own: each shape of
// the goal piece, each other piece beside it, and the pairs of places that they reach. A place is the distance from the
// upper left corner, as a bit.
type twoSearch struct {
	*grid
	length int
	starts map[[2]uint64]bool
}

// room returns the places at which a piece that is in the upper left corner is on the board and beside another.
func (s *twoSearch) room(piece, other uint64) (places uint64) {
	for left := s.open; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		if to := piece << at; bits.OnesCount64(to) == bits.OnesCount64(piece) && to&^s.open == 0 && to&other == 0 {
			places |= 1 << at
		}
	}
	return places
}

// flood returns the places among some that steps reach.
func (s *twoSearch) flood(from, among uint64) uint64 {
	for {
		to := from
		for _, step := range s.steps {
			to |= shifted(from, step.by)
		}
		if to &= among; to|from == from {
			return from
		}
		from |= to
	}
}

// first calls take with the other pieces, with the goal piece at the start, from which nothing less is reached without
// moving the goal piece.
func (s *twoSearch) first(goal uint64, take func(other, places uint64)) error {
	beside := *s.grid
	beside.open &^= goal
	return beside.connected(func(set uint64) {
		other := s.cornered(set)
		at := uint64(1) << (bits.TrailingZeros64(set) - bits.TrailingZeros64(other))
		if places := s.flood(at, s.room(other, goal)); places&-places == at {
			take(other, places)
		}
	})
}

// level returns the pairs of places, by the place of the other piece, after any one move.
func (s *twoSearch) level(goal, other uint64, now map[uint64]uint64) map[uint64]uint64 {
	next := make(map[uint64]uint64)
	byGoal := make(map[uint64]uint64)
	for at, places := range now {
		next[at] |= s.flood(places, s.room(goal, other<<at))
		for ; places != 0; places &= places - 1 {
			byGoal[uint64(bits.TrailingZeros64(places))] |= 1 << at
		}
	}
	for at, places := range byGoal {
		for to := s.flood(places, s.room(other, goal<<at)); to != 0; to &= to - 1 {
			next[uint64(bits.TrailingZeros64(to))] |= 1 << at
		}
	}
	return next
}

// merge adds pairs to others, and returns those that are new.
func merge(all, more map[uint64]uint64) map[uint64]uint64 {
	fresh := make(map[uint64]uint64)
	for at, places := range more {
		if places &^= all[at]; places != 0 {
			fresh[at] = places
			all[at] |= places
		}
	}
	return fresh
}

// search looks at all pairs of places that a goal piece and another reach, with the goal piece at its start and the
// other at some places.
func (s *twoSearch) search(goal, end, other, places uint64) {
	last := uint64(bits.TrailingZeros64(end) - bits.TrailingZeros64(goal))
	all, now := make(map[uint64]uint64), make(map[uint64]uint64)
	for ; places != 0; places &= places - 1 {
		now[uint64(bits.TrailingZeros64(places))] = 1
	}
	for now = merge(all, now); len(now) > 0; {
		now = merge(all, s.level(goal, other, now))
	}
	solved := make(map[uint64]uint64)
	for at, places := range all {
		if places>>last&1 == 1 {
			solved[at] = 1 << last
		}
	}
	all = make(map[uint64]uint64)
	for length, now := 0, merge(all, solved); len(now) > 0; length++ {
		for at, places := range now {
			if places&1 == 0 || length < s.length {
				continue
			}
			if length > s.length {
				s.length = length
				clear(s.starts)
			}
			s.starts[[2]uint64{goal, other << at}] = true
		}
		now = merge(all, s.level(goal, other, now))
	}
}

// searchTwo returns the length of the hardest puzzles with two pieces, and their number up to symmetry.
func searchTwo(t *testing.T, rows, cols int) (length, starts int) {
	t.Helper()
	g, err := newGrid(Rectangle(1, rows, cols))
	if err != nil {
		t.Fatal(err)
	}
	s := &twoSearch{grid: g, starts: make(map[[2]uint64]bool)}
	corner := uint64(1) << g.bit(tray.Cell{Row: rows - 1, Col: cols - 1})
	if err := g.connected(func(goal uint64) {
		b := g.boxOf(goal)
		end := goal << ((rows-b.rows)*g.width + cols - b.cols)
		if b.row > 0 || b.col > 0 || end&corner == 0 || end == goal {
			return
		}
		if err := s.first(goal, func(other, places uint64) { s.search(goal, end, other, places) }); err != nil {
			t.Fatal(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	turned := func(mask uint64) (to uint64) {
		for _, c := range g.cellsOf(mask) {
			to |= 1 << g.bit(tray.Cell{Row: c.Col, Col: c.Row})
		}
		return to
	}
	for pair := range s.starts {
		if rows != cols || pair[0] < turned(pair[0]) || pair[0] == turned(pair[0]) && pair[1] <= turned(pair[1]) || !s.starts[[2]uint64{turned(pair[0]), turned(pair[1])}] {
			starts++
		}
	}
	return s.length, starts
}

// Two pieces: a search of its own finds the same. It also finds what docs/studies/two-pieces.md says of 5x5.
func TestTwoPieces(t *testing.T) {
	sizes := [][2]int{{2, 2}, {2, 4}, {3, 3}, {3, 4}}
	if long.Tests {
		sizes = append(sizes, [2]int{4, 4}, [2]int{3, 5}, [2]int{2, 7})
	}
	for _, size := range sizes {
		b := Rectangle(1, size[0], size[1])
		goals, err := Goals(b, Journey{Strict: true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Search(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: 2, MaxPieces: 2}, Options{})
		if err != nil || len(found) != 1 {
			t.Fatalf("%v: %v, %v", size, found, err)
		}
		if length, starts := searchTwo(t, size[0], size[1]); length != found[0].Length || starts != len(found[0].Starts) {
			t.Errorf("%v: length %d from %d starts, want %d from %d", size, found[0].Length, len(found[0].Starts), length, starts)
		}
	}
	if !long.Tests {
		return
	}
	if length, starts := searchTwo(t, 5, 5); length != 4 || starts != 732 {
		t.Errorf("5x5: length %d from %d starts, want 4 from 732", length, starts)
	}
}
