package rows

import (
	"context"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/statespace/bfs"
)

// searchPlain finds the levels in the plainest way that goes row by row: all states of a level make all their moves, and
// claim where these lead. It is statespace.Graph.Plain.
func (g *Graph) searchPlain(ctx context.Context, roots, marks []uint64, threads int, found func(states uint64)) error {
	var memory mapped.Arena
	defer memory.Free()
	words := uint64(len(marks) / bfs.MarkBits)
	seen, err := memory.Words(ctx, words, threads)
	if err != nil {
		return err
	}
	last, err := memory.Words(ctx, words, threads)
	if err != nil {
		return err
	}
	for _, x := range roots {
		bfs.Claim(marks, x, bfs.Mark(0))
	}
	for level := 0; ; level++ {
		// The level is what has a mark and was not seen before.
		var states atomic.Uint64
		if err := mapped.Parts(ctx, threads, words, 1<<16, func(first, end uint64) error {
			n := 0
			for i := first; i < end; i++ {
				last[i] = (marks[2*i] | marks[2*i+1]) &^ seen[i]
				seen[i] |= last[i]
				n += bits.OnesCount64(last[i])
			}
			states.Add(uint64(n))
			return nil
		}); err != nil || states.Load() == 0 {
			return err
		}
		found(states.Load())
		part := uint64(max(1, grain/g.words()))
		if err := mapped.Parts(ctx, threads, uint64(g.Rows), part, func(first, end uint64) error {
			var columns []uint16
			var moves []Move
			for row := first; row < end; row++ {
				if columns = g.columnsOf(columns[:0], last, row); len(columns) == 0 {
					continue
				}
				moves = g.Moves(moves[:0], int(row))
				for _, m := range moves {
					to, by := uint64(m.Row)*uint64(g.Columns), g.Maps[m.Map]
					for _, column := range columns {
						if by != nil {
							column = by[column]
						}
						x := to + uint64(column)
						at := marks[2*(x/64):][:2]
						if (atomic.LoadUint64(&at[0])|atomic.LoadUint64(&at[1]))>>(x%64)&1 == 0 {
							bfs.Claim(marks, x, bfs.Mark(level+1))
						}
					}
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
}

// columnsOf appends the columns of a row that are in a set.
func (g *Graph) columnsOf(dst []uint16, set []uint64, row uint64) []uint16 {
	first, end := row*uint64(g.Columns), (row+1)*uint64(g.Columns)
	for i := first / 64; i*64 < end; i++ {
		for w := set[i]; w != 0; w &= w - 1 {
			if x := i*64 + uint64(bits.TrailingZeros64(w)); first <= x && x < end {
				dst = append(dst, uint16(x-first))
			}
		}
	}
	return dst
}
