package rows

import (
	"context"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// This file makes levels for proofs. It shares with the Stepper the moves of rows, the maps of columns, and the plain loops
// over columns where the Stepper has no assembly for them.

// Proof returns a second way to make the moves of Graph.
func (g *Graph) Proof() statespace.Proof {
	return statespace.Proof{NewExpander: func() statespace.Expander { return &expander{Graph: g, row: -1} },
		NewLeveler: func(marks []uint64, threads int) statespace.Leveler { return newProver(g, marks, threads) },
		Memory:     24*g.bits() + 2*uint64(len(g.Maps))*uint64(g.Columns)}
}

// A prover is a statespace.Leveler. Its states are a bit for each column of each row, which begins at a word.
type prover struct {
	*Graph
	marks   []uint64
	threads int
	back    [][]uint16  // takes back each map
	levels  [2][]uint64 // the last level and the next one, by parity
	unseen  []uint64    // the states that are on no level
}

func newProver(g *Graph, marks []uint64, threads int) *prover {
	p := &prover{Graph: g, marks: marks, threads: threads, unseen: mapped.Large[uint64](int(g.bits()))}
	for i := range p.unseen {
		p.unseen[i] = g.full(i % g.words())
	}
	for i := range p.levels {
		p.levels[i] = mapped.Large[uint64](len(p.unseen))
	}
	for _, by := range g.Maps {
		back := make([]uint16, len(by))
		for from, to := range by {
			back[to] = uint16(from)
		}
		p.back = append(p.back, back)
	}
	return p
}

// Start implements statespace.Leveler.
func (p *prover) Start(root uint64) {
	column := int(root) % p.Columns
	at, bit := int(root)/p.Columns*p.words()+column/64, uint64(1)<<(column%64)
	p.levels[0][at] |= bit
	p.unseen[at] &^= bit
	mark(p.marks, root/64, 1<<(root%64), 0)
}

// Goals implements statespace.Leveler.
func (p *prover) Goals(int) []uint64 { return nil }

// Step implements statespace.Leveler.
func (p *prover) Step(ctx context.Context, level int) (uint64, error) {
	var found atomic.Uint64
	err := mapped.Parts(ctx, p.threads, uint64(p.Rows), max(1, 1<<13/uint64(p.words())), func(first, end uint64) error {
		var moves []Move
		for row := int(first); row < int(end); row++ {
			if left := bitset.Count(p.of(p.unseen, row)); left > 0 {
				moves = p.Moves(moves[:0], row)
				p.make(row, moves, left, level)
			} else {
				clear(p.of(p.levels[(level+1)%2], row))
			}
			found.Add(bitset.Count(p.of(p.levels[(level+1)%2], row)))
		}
		return nil
	})
	return found.Load(), err
}

// of returns the words of a row.
func (p *prover) of(states []uint64, row int) []uint64 { return states[row*p.words():][:p.words()] }

// make makes the next level of a row. States of the last level send to it those to which they lead; where they are more than
// those that are left, these look there.
func (p *prover) make(row int, moves []Move, left uint64, level int) {
	last, next, unseen := p.levels[level%2], p.of(p.levels[(level+1)%2], row), p.of(p.unseen, row)
	clear(next)
	looks := moves[:0]
	for _, m := range moves {
		from := p.of(last, int(m.Row))
		switch n := bitset.Count(from); {
		case n == 0:
		case p.Maps[m.Map] == nil:
			for i, word := range from {
				next[i] |= word
			}
		case n < left:
			pushPlain(next, from, p.back[m.Map])
		default:
			looks = append(looks, m)
		}
	}
	for i := range next {
		next[i] &= unseen[i]
		unseen[i] &^= next[i]
	}
	for _, m := range looks {
		pullPlain(next, unseen, p.of(last, int(m.Row)), p.Maps[m.Map])
	}
	at, rest := uint64(row)*uint64(p.Columns), uint64(0)
	for i, word := range next {
		mark(p.marks, at/64+uint64(i), rest|word<<(at%64), level+1)
		rest = word >> (64 - at%64)
	}
	mark(p.marks, at/64+uint64(len(next)), rest, level+1)
}
