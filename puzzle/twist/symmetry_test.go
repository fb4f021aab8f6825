package twist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
)

// The symmetries of random puzzles take moves to moves, keep the solved state, and are a group. A puzzle and its copy can be
// exchanged.
func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 21))
	puzzles := 60
	if long.Tests {
		puzzles = 600
	}
	several, total := 0, 0
	for tried := 0; tried < puzzles; {
		p := randomPuzzle(rng)
		if p.Illegal = nil; tried%3 == 0 {
			p = twice(p)
		}
		metric := []string{movesMetric, turnsMetric}[tried%2]
		if levels, _ := plainLevels(p, metric, 300); levels == nil {
			continue
		}
		s, err := New(t.Context(), "random", p, metric, 0)
		if err != nil || len(s.moves) > 8 || s.Size() < 2 {
			continue
		}
		n := len(s.symmetries())
		if tried%3 == 0 && n == 0 && distinct(s) {
			t.Fatalf("%v: a puzzle and its copy have no symmetry", p)
		}
		if n > 0 {
			several++
		}
		total += n
		tried++
		checkSymmetries(t, s)
	}
	t.Logf("%d of %d puzzles have symmetries, %d in all", several, puzzles, total)
	if several < puzzles/3 {
		t.Errorf("%d of %d puzzles have symmetries: too little is tried", several, puzzles)
	}
}

// checkSymmetries tries the laws of symmetries on all states.
func checkSymmetries(t *testing.T, s *Space) {
	t.Helper()
	to := func(x uint64) (all []uint64) { // several moves may lead to a state where pieces are alike
		for _, e := range s.Successors(nil, x) {
			all = append(all, e.To)
		}
		return all
	}
	images := func(of func(x uint64) uint64, all []uint64) (after []uint64) {
		for _, x := range all {
			after = append(after, of(x))
		}
		return after
	}
	var numbers []uint64
	for x := range s.Size() {
		numbers = append(numbers, x)
	}
	group := [][]uint64{numbers}
	known := map[string]bool{fmt.Sprint(numbers): true}
	for _, y := range s.symmetries() {
		all := images(y.Map, numbers)
		if sorted := slices.Sorted(slices.Values(all)); !slices.Equal(sorted, numbers) {
			t.Fatalf("%v: a symmetry takes two states to one: %v", s.Puzzle, all)
		}
		if known[fmt.Sprint(all)] || all[s.Roots()[0]] != s.Roots()[0] {
			t.Fatalf("%v: a symmetry does nothing, is there twice, or moves the solved state: %v", s.Puzzle, all)
		}
		known[fmt.Sprint(all)], group = true, append(group, all)
		for x := range s.Size() {
			if a, b := images(y.Map, to(x)), to(all[x]); !slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b)))) {
				t.Fatalf("%v: a symmetry takes state %d to %d, and what moves lead to from there to %v, want %v", s.Puzzle, x, all[x], a, b)
			}
		}
	}
	for _, a := range group[:min(len(group), 30)] {
		for _, b := range group {
			if both := images(func(x uint64) uint64 { return a[x] }, b); !known[fmt.Sprint(both)] {
				t.Fatalf("%v: %v after %v is no symmetry", s.Puzzle, a, b)
			}
		}
	}
}

// twice returns a puzzle and a copy of it, side by side.
func twice(p *definition.Puzzle) *definition.Puzzle {
	both := &definition.Puzzle{Sets: slices.Concat(p.Sets, p.Sets), Solved: slices.Concat(p.Solved, p.Solved)}
	for second := range 2 {
		for _, m := range p.Moves {
			var still [][]definition.From
			for _, set := range p.Sets {
				var all []definition.From
				for k := range set.Places {
					all = append(all, definition.From{Place: k})
				}
				still = append(still, all)
			}
			parts := [][][]definition.From{m.Sets, still}
			both.Moves = append(both.Moves, definition.Move{Name: m.Name + string(rune('1'+second)), Sets: slices.Concat(parts[second], parts[1-second])})
		}
	}
	return both
}

// distinct reports whether a space has no symmetries that leave its states in place, such as those of pieces that are alike.
func distinct(s *Space) bool {
	for i := range s.moves {
		if s.moves[i].isIdentity() || s.Predecessors(nil, s.Roots()[0])[i].To == s.Roots()[0] {
			return false
		}
	}
	return true
}

// Puzzles have as many symmetries as their solids, with mirrors, and states up to symmetry at each distance.
func TestOrbits(t *testing.T) {
	for _, c := range []struct {
		name       string
		symmetries int
		orbits     []uint64 // the first levels
		long       bool
	}{
		{"pyraminx", 24, []uint64{1, 1, 2}, false},
		{"ivy", 24, []uint64{1, 1, 2}, false},
		{"2x2x2", 6, []uint64{1, 2}, false},
		{"3x3x3-corners", 48, []uint64{1, 2, 9}, true},
		{"gear", 48, []uint64{1}, false},
		{"topspin-7-3", 2, nil, false},
		{"pancake-6", 1, []uint64{1, 5}, false},
	} {
		if c.long && !long.Tests {
			continue
		}
		s := named(t, c.name, movesMetric)
		all := s.symmetries()
		if len(all)+1 != c.symmetries {
			t.Errorf("%s has %d symmetries, want %d", c.name, len(all)+1, c.symmetries)
		}
		level, seen := []uint64{s.Roots()[0]}, map[uint64]bool{s.Roots()[0]: true}
		for depth, want := range c.orbits {
			least := make(map[uint64]bool)
			var next []uint64
			for _, x := range level {
				least[statespace.Representative(all, x)] = true
				for _, e := range s.Successors(nil, x) {
					if !seen[e.To] {
						seen[e.To] = true
						next = append(next, e.To)
					}
				}
			}
			if uint64(len(least)) != want {
				t.Errorf("%s has %d states up to symmetry at distance %d, want %d", c.name, len(least), depth, want)
			}
			level = next
		}
	}
	// By Burnside's lemma there are as many orbits as states that a symmetry leaves in place, on average.
	s := named(t, "ivy", movesMetric)
	all := s.symmetries()
	found, fixed, orbits := search(t, s, 1), uint64(0), 0
	for x := range s.Size() {
		if found.Marks().Get(x) == 0 {
			t.Fatalf("state %d is not reached", x)
		}
		fixed++
		for _, y := range all {
			if y.Map(x) == x {
				fixed++
			}
		}
		if statespace.Representative(all, x) == x {
			orbits++
		}
	}
	if fixed != uint64(orbits*(len(all)+1)) {
		t.Errorf("%d states are fixed, want %d times %d", fixed, orbits, len(all)+1)
	}
}
