package slide

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A ranks numbers the positions in a table of keys: the number of a position is the rank of its
// key. Methods that read a damaged table throw the error, as package mapped describes it.
type ranks struct {
	puzzle *tray.Puzzle
	keys   *packing.Keys // makes no moves, so that all goroutines can use it
	table  statespace.Table
}

func newRanks(p *tray.Puzzle, t statespace.Table) *ranks {
	return &ranks{p, packing.NewKeys(p, tray.Steps), t}
}

// Name implements numbering.
func (r *ranks) Name() string { return keysName }

// Size implements numbering.
func (r *ranks) Size() uint64 { return r.table.Len() }

// Rank implements numbering.
func (r *ranks) Rank(pos tray.Position) (x uint64, ok bool) { return r.rank(r.keys.Of(pos)) }

// Unrank implements numbering.
func (r *ranks) Unrank(x uint64) tray.Position { return r.keys.Position(r.key(nil, x)) }

// rank returns the rank of a key.
func (r *ranks) rank(key []uint64) (x uint64, ok bool) {
	x, ok, err := r.table.Rank(key)
	if err != nil {
		mapped.Throw(err)
	}
	return x, ok
}

// key returns the key of a rank, in the memory of dst if it fits.
func (r *ranks) key(dst []uint64, x uint64) []uint64 {
	key, err := r.table.At(dst[:0], x)
	if err == nil && !r.keys.Valid(key) {
		err = fmt.Errorf("%w: code %x of rank %d should be a position of the puzzle", sorted.ErrDamaged, key, x)
	}
	if err != nil {
		mapped.Throw(err)
	}
	return key
}

// check returns an error unless the first code of the table is a position, and the start is there.
func (r *ranks) check() error {
	return mapped.Guard(func() error {
		if r.Size() > 0 {
			r.key(nil, 0)
			if _, ok := r.Rank(r.puzzle.Start()); ok {
				return nil
			}
		}
		return errors.New("the table of positions should have the start, and lacks it")
	})
}

// Graph implements numbering. Moves to positions that are not in the table are left out.
func (r *ranks) Graph(m tray.Metric) statespace.Graph {
	return statespace.Graph{Size: r.Size(), Undirected: true, HasGoals: r.puzzle.Goals() > 0,
		NewExpander: func() statespace.Expander { return &ranksExpander{ranks: r, moves: packing.NewKeys(r.puzzle, m)} }}
}

// A ranksExpander makes moves on ranks. It implements expander.
type ranksExpander struct {
	ranks    *ranks
	moves    *packing.Keys
	at, next []uint64
}

// Expand implements statespace.Expander.
func (e *ranksExpander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		e.at = e.ranks.key(e.at, x)
		if goals != nil && e.moves.Goal(e.at) {
			*goals = append(*goals, x)
		}
		e.next = e.moves.Expand(e.next[:0], e.at)
		for key := range slices.Chunk(e.next, e.moves.Words()) {
			if y, ok := e.ranks.rank(key); ok {
				dst = append(dst, y)
			}
		}
	}
	return dst
}

// Goal implements expander.
func (e *ranksExpander) Goal(x uint64) bool {
	e.at = e.ranks.key(e.at, x)
	return e.moves.Goal(e.at)
}
