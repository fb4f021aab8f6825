package solver

import (
	"cmp"
	"context"
	"math/big"
	"math/bits"
	"slices"

	"pagoda/internal/ordinals"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// A node is a position on the way of a solution with the fewest moves.
type node struct {
	at    board.Position
	moves int // from the start
	steps int // the fewest to the end
	count *big.Int
	best  []board.Move // with which these steps are enough, in the order of Board.Moves
}

// nodeBytes is about what a node takes, and what its moves take, several for each.
const nodeBytes = 1 << 10

// optimal goes back from the solved positions of the last level, and then counts.
func (s *search) optimal(r *Result) error {
	last := 0
	if n := len(s.ends); n > 1 {
		last = s.ends[n-2]
	}
	letters := bits.OnesCount64(r.start.Letters)
	r.nodes = make(map[board.Position]*node)
	var order []*node
	reach := func(p board.Position, level int) error {
		if r.nodes[p] != nil {
			return nil
		}
		if err := s.afford(len(order)); err != nil {
			return err
		}
		n := &node{at: p, moves: level + letters - bits.OnesCount64(p.Letters), count: new(big.Int)}
		r.nodes[p] = n
		order = append(order, n)
		return nil
	}
	for _, p := range s.found.Keys[last:] {
		if p.Solved() {
			if err := reach(p, len(s.ends)-1); err != nil {
				return err
			}
		}
	}
	r.Moves = len(s.ends) - 1 + letters
	for i := 0; i < len(order); i++ {
		n := order[i]
		level := n.moves - letters + bits.OnesCount64(n.at.Letters)
		for p, leaves := range s.before(n.at, letters) {
			from := level
			if !leaves {
				from--
			}
			if number := s.number(p); number != ordinals.None && s.level(number) == from {
				if err := reach(p, from); err != nil {
					return err
				}
			}
		}
	}
	slices.SortFunc(order, func(a, b *node) int { return cmp.Compare(b.moves, a.moves) })
	for i, n := range order {
		if i%checkEvery == 0 && s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		n.sum(s.board, r.nodes)
	}
	first := r.nodes[r.start]
	r.Steps, r.Solutions = first.steps, first.count
	return nil
}

// afford returns an error if another node does not fit into the memory.
func (s *search) afford(nodes int) error {
	need := uint64(s.room)*positionBytes + uint64(nodes+1)*nodeBytes
	if s.memory > 0 && need > s.memory {
		return &statespace.MemoryError{Name: "the list of the positions of best solutions", Need: need, Allowed: s.memory}
	}
	if nodes%checkEvery == 0 && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// before yields the positions from which a move leads to one, and whether a letter leaves in it.
func (m *mover) before(p board.Position, letters int) func(yield func(board.Position, bool) bool) {
	return func(yield func(board.Position, bool) bool) {
		all := p.All()
		for left := all; left != 0; left &= left - 1 {
			own := left & -left
			letter := p.Letters&own != 0
			for from := m.origins(all&^own, bits.TrailingZeros64(own), letter); from != 0; from &= from - 1 {
				q := board.Position{Letters: p.Letters, Numbers: p.Numbers&^own | from&-from}
				if letter {
					q = board.Position{Letters: p.Letters&^own | from&-from, Numbers: p.Numbers}
				}
				if !yield(q, false) {
					return
				}
			}
		}
		if bits.OnesCount64(p.Letters) == letters {
			return
		}
		for left := m.exits &^ all; left != 0; left &= left - 1 {
			for from := m.origins(all, bits.TrailingZeros64(left), true); from != 0; from &= from - 1 {
				if !yield(board.Position{Letters: p.Letters | from&-from, Numbers: p.Numbers}, true) {
					return
				}
			}
		}
	}
}

// sum finds the fewest steps to the end and the number of ways to go on with them. It comes after
// those of the positions after a move.
func (n *node) sum(b *board.Board, nodes map[board.Position]*node) {
	if n.at.Solved() {
		n.count.SetInt64(1)
		return
	}
	for _, m := range b.Moves(nil, n.at) {
		next := nodes[n.at.After(m)]
		if next == nil || next.moves != n.moves+1 {
			continue
		}
		steps := len(m.Steps) + next.steps
		if len(n.best) > 0 && steps > n.steps {
			continue
		}
		if len(n.best) == 0 || steps < n.steps {
			n.steps, n.best = steps, nil
			n.count = new(big.Int)
		}
		n.best = append(n.best, m)
		n.count.Add(n.count, next.count)
	}
}
