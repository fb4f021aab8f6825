package purges

import (
	"math/bits"

	"pagoda/puzzle/peg/board"
)

// narrate returns the package of a start, from which the search has gone, and a goal, with one of its
// sequences: the one whose jumps come first, or, if the package splits, the one through the position
// with the most pegs that makes two packages of it.
func (s *search) narrate(start, goal board.Position) *Package {
	p := &Package{Block: s.block, Start: start, Goal: goal}
	toGoal := s.leads(goal)
	for _, at := range s.reached {
		if toGoal[at] && splits(start, at, goal) {
			p.Jumps = s.first(nil, start, at)
			p.Split = len(p.Jumps)
			start = at
			break
		}
	}
	p.Jumps = s.first(p.Jumps, start, goal)
	return p
}

// splits reports whether a position on the way makes two packages, or a package and a jump, one of them a
// purge.
func splits(start, at, goal board.Position) bool {
	return at != start && at != goal &&
		bits.OnesCount64(at&^start)+bits.OnesCount64(goal&^at) <= bits.OnesCount64(goal&^start)
}

// leads returns the positions from which jumps lead to a position, and that position, among those that
// the search has reached.
func (s *search) leads(to board.Position) map[board.Position]bool {
	found, list := map[board.Position]bool{to: true}, []board.Position{to}
	for i := 0; i < len(list); i++ {
		for k, j := range s.jumps {
			if from := list[i] ^ s.masks[k]; list[i]&s.masks[k] == 1<<j.To && s.stamp[from] == s.round && !found[from] {
				found[from], list = true, append(list, from)
			}
		}
	}
	return found
}

// first appends the jumps from a position to another that it leads to; at each step it takes the first
// jump that leads there.
func (s *search) first(jumps []board.Jump, from, to board.Position) []board.Jump {
	leads := s.leads(to)
	for from != to {
		for k, m := range s.masks {
			if from&m == s.pegs[k] && leads[from^m] {
				jumps, from = append(jumps, s.jumps[k]), from^m
				break
			}
		}
	}
	return jumps
}
