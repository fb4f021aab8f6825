package rows

import (
	"context"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Proof returns a second way to make the moves, which shares only these with Steppers: all states of a level make them,
// and claim where they lead.
func (g *Graph) Proof() statespace.Proof {
	return statespace.Proof{
		NewExpander: func() statespace.Expander { return &expander{Graph: g, row: -1} },
		NewLeveler: func(marks []uint64, threads int) statespace.Leveler {
			words := len(marks) / bfs.MarkBits
			return &prover{g: g, marks: marks, seen: mapped.Large[uint64](words), last: mapped.Large[uint64](words), threads: threads}
		},
		Memory: g.Size() / 4,
	}
}

// A prover is a statespace.Leveler.
type prover struct {
	g          *Graph
	marks      []uint64 // see bfs.Mark
	seen, last []uint64 // sets: the levels so far, and the last one
	threads    int
}

// Start implements statespace.Leveler.
func (p *prover) Start(root uint64) { claim(p.marks, root, bfs.Mark(0)) }

// Goals implements statespace.Leveler.
func (p *prover) Goals(int) []uint64 { return nil }

// Step implements statespace.Leveler. The last level is what has a mark and was not seen before.
func (p *prover) Step(ctx context.Context, level int) (uint64, error) {
	if err := mapped.Parts(ctx, p.threads, uint64(len(p.seen)), 1<<16, func(first, end uint64) error {
		for i := first; i < end; i++ {
			p.last[i] = (p.marks[2*i] | p.marks[2*i+1]) &^ p.seen[i]
			p.seen[i] |= p.last[i]
		}
		return nil
	}); err != nil {
		return 0, err
	}
	var states atomic.Uint64
	err := mapped.Parts(ctx, p.threads, uint64(p.g.Rows), uint64(max(1, grain/p.g.words())), func(first, end uint64) error {
		var columns []uint16
		var moves []Move
		count := uint64(0)
		for row := first; row < end; row++ {
			if columns = p.columnsOf(columns[:0], row); len(columns) == 0 {
				continue
			}
			moves = p.g.Moves(moves[:0], int(row))
			for _, m := range moves {
				to, by := uint64(m.Row)*uint64(p.g.Columns), p.g.Maps[m.Map]
				for _, column := range columns {
					if by != nil {
						column = by[column]
					}
					x := to + uint64(column)
					at := p.marks[2*(x/64):][:2]
					if (atomic.LoadUint64(&at[0])|atomic.LoadUint64(&at[1]))>>(x%64)&1 == 0 && claim(p.marks, x, bfs.Mark(level+1)) {
						count++
					}
				}
			}
		}
		states.Add(count)
		return nil
	})
	return states.Load(), err
}

// columnsOf appends the columns of a row that are in the last level.
func (p *prover) columnsOf(dst []uint16, row uint64) []uint16 {
	first, end := row*uint64(p.g.Columns), (row+1)*uint64(p.g.Columns)
	for i := first / 64; i*64 < end; i++ {
		for w := p.last[i]; w != 0; w &= w - 1 {
			if x := i*64 + uint64(bits.TrailingZeros64(w)); first <= x && x < end {
				dst = append(dst, uint16(x-first))
			}
		}
	}
	return dst
}

// claim enters the mark of a number that has none. It reports whether this call did so, and not another thread before.
func claim(marks []uint64, x uint64, mark uint8) bool {
	bit := uint64(1) << (x % 64)
	first, second := &marks[x/64*2], &marks[x/64*2+1]
	if (atomic.LoadUint64(first)|atomic.LoadUint64(second))&bit != 0 {
		return false
	}
	if mark == 2 {
		first, second = second, first
	}
	if atomic.OrUint64(first, bit)&bit != 0 {
		return false
	}
	if mark == 3 {
		atomic.OrUint64(second, bit)
	}
	return true
}
