package rows

import (
	"context"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// This file makes levels for proofs. It shares with the Stepper the moves of rows and the maps of columns.

// Proof returns a second way to make the moves of Graph.
func (g *Graph) Proof() statespace.Proof {
	return statespace.Proof{NewExpander: func() statespace.Expander { return &expander{Graph: g, row: -1} },
		NewLeveler: func(marks []uint64, threads int) statespace.Leveler { return newProver(g, marks, threads) },
		Memory:     24*g.bits() + 12*uint64(g.Rows) + 2*uint64(len(g.Maps))*uint64(g.Columns)}
}

// A prover is a statespace.Leveler.
type prover struct {
	*Graph
	marks   []uint64
	threads int
	back    [][]uint16      // takes back each map
	levels  [2]proverStates // the last level and the next one, by parity
	new     proverStates    // the states that were not found
}

// proverStates are a bit for each column of each row, which begins at a word, and how many bits each row has.
type proverStates struct {
	words []uint64
	count []uint32
}

func newProver(g *Graph, marks []uint64, threads int) *prover {
	p := &prover{Graph: g, marks: marks, threads: threads}
	for _, s := range []*proverStates{&p.levels[0], &p.levels[1], &p.new} {
		s.words, s.count = mapped.Large[uint64](int(g.bits())), make([]uint32, g.Rows)
	}
	for row := range g.Rows {
		p.new.count[row] = uint32(g.Columns)
		for column := range g.Columns {
			p.new.words[row*g.words()+column/64] |= 1 << (column % 64)
		}
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
	row, column := int(root)/p.Columns, int(root)%p.Columns
	at, bit := row*p.words()+column/64, uint64(1)<<(column%64)
	p.levels[0].words[at] |= bit
	p.levels[0].count[row]++
	p.new.words[at] &^= bit
	p.new.count[row]--
	p.marks[root/64*2] |= 1 << (root % 64) // mark 1
}

// Goals implements statespace.Leveler.
func (p *prover) Goals(int) []uint64 { return nil }

// Step implements statespace.Leveler.
func (p *prover) Step(ctx context.Context, level int) (uint64, error) {
	var found atomic.Uint64
	err := mapped.Parts(ctx, p.threads, uint64(p.Rows), max(1, 1<<13/uint64(p.words())), func(first, end uint64) error {
		var moves []Move
		for row := int(first); row < int(end); row++ {
			n := p.make(&moves, row, level)
			p.levels[(level+1)%2].count[row] = n
			found.Add(uint64(n))
		}
		return nil
	})
	return found.Load(), err
}

// make makes the next level of a row, and returns how many states it has.
func (p *prover) make(moves *[]Move, row, level int) (count uint32) {
	words, last := p.words(), &p.levels[level%2]
	next, unseen, left := p.levels[(level+1)%2].words[row*words:][:words], p.new.words[row*words:][:words], p.new.count[row]
	clear(next)
	if left == 0 {
		return 0
	}
	*moves = p.Moves((*moves)[:0], row)
	for _, m := range *moves {
		n := last.count[m.Row]
		if n == 0 {
			continue
		}
		from := last.words[int(m.Row)*words:][:words]
		switch by := p.Maps[m.Map]; {
		case by == nil:
			for i, word := range from {
				next[i] |= word
			}
		case left <= n:
			left = look(next, unseen, from, by)
		default:
			send(next, from, p.back[m.Map])
		}
	}
	mark, x, rest := bfs.Mark(level+1), uint64(row)*uint64(p.Columns), uint64(0)
	for i := range next {
		next[i] &= unseen[i]
		unseen[i] &^= next[i]
		count += uint32(bits.OnesCount64(next[i]))
		p.mark(x/64+uint64(i), rest|next[i]<<(x%64), mark)
		rest = next[i] >> (64 - x%64)
	}
	p.mark(x/64+uint64(words), rest, mark)
	p.new.count[row] -= count
	return count
}

// send adds to a row the states of a level of another one, whose columns go where a map says.
func send(next, from []uint64, by []uint16) {
	for i, word := range from {
		in := by[i*64:]
		for ; word != 0; word &= word - 1 {
			column := in[bits.TrailingZeros64(word)]
			next[column/64] |= 1 << (column % 64)
		}
	}
}

// look adds to a row those of its states that a map takes to a level of another one. It returns how many are left.
func look(next, unseen, from []uint64, by []uint16) (left uint32) {
	for i, word := range unseen {
		in, found := by[i*64:], uint64(0)
		word &^= next[i]
		for w := word; w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			column := in[k]
			found |= from[column/64] >> (column % 64) & 1 << k
		}
		next[i] |= found
		left += uint32(bits.OnesCount64(word &^ found))
	}
	return left
}

// mark gives states of a word, which rows share, a mark.
func (p *prover) mark(i, word uint64, mark uint8) {
	for plane := range uint64(2) {
		if word != 0 && mark>>plane&1 != 0 {
			atomic.OrUint64(&p.marks[2*i+plane], word)
		}
	}
}
