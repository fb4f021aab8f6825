package peg

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// From returns the space of another start on the same board, numbered by the same
// free cells.
func (s *Space) From(start Position) (*Space, error) {
	layout := s.layout
	if layout == nil {
		layout = NewLayout(s.board)
		if layout != nil && !slices.Equal(layout.Free, s.class.free) {
			layout = nil
		}
	}
	return newSpace(s.name+" from "+s.board.FormatPosition(start), s.board, start, s.class.free, layout)
}

// Goals returns the cells in which a position with a single peg is in the class of
// the start.
func (s *Space) Goals() (cells []int) {
	for cell := range s.board.cells {
		if _, ok := s.class.Number(1 << cell); ok {
			cells = append(cells, cell)
		}
	}
	return cells
}

// An Endgame tells from which positions of a space's class a single peg can be
// reached, in one of the goals.
//
// A jump seen backwards, with pegs and holes exchanged, is the same jump: from
// (1,1,0) to (0,0,1). So what leads to a single peg is the complement of what can
// be reached from a board that is full but for a single hole (Beasley, The Ins and
// Outs of Peg Solitaire).
type Endgame struct {
	space *Space
	goals []int
	back  *backSpace  // nil: no goals
	set   *bitset.Set // of numbers of back: what can be reached from its roots
	masks cellMasks
}

// A backSpace is the space of the complements, with a root for each goal.
type backSpace struct {
	*Space
	roots []statespace.Index
}

// Roots implements statespace.Space.
func (b *backSpace) Roots() []statespace.Index { return b.roots }

// NewEndgame makes the endgame with the given goals, which must be of Goals. Without
// goals nothing can be won. Enumerate must be called before anything else.
func (s *Space) NewEndgame(goals []int) (*Endgame, error) {
	e := &Endgame{space: s, goals: slices.Clone(goals), masks: newCellMasks(s.class)}
	all := s.Goals()
	for _, cell := range goals {
		if !slices.Contains(all, cell) {
			return nil, fmt.Errorf("a single peg in cell %d is not in the class of the start", cell)
		}
		if e.back == nil {
			back, err := s.From(s.board.Full() &^ (1 << cell))
			if err != nil {
				return nil, err
			}
			e.back = &backSpace{Space: back}
		}
		x, _ := e.back.class.Number(s.board.Full() &^ (1 << cell))
		e.back.roots = append(e.back.roots, x)
	}
	return e, nil
}

// Goals returns the goals.
func (e *Endgame) Goals() []int { return e.goals }

// Memory returns about how many bytes Enumerate takes besides the set.
func (e *Endgame) Memory() uint64 {
	if e.back == nil {
		return 0
	}
	return e.back.Memory(e.back.Engines()[0])
}

// Enumerate fills the set, which must be empty and have room for the numbers of the
// space; the endgame keeps it. When ctx ends, it stops soon and returns the cause.
func (e *Endgame) Enumerate(ctx context.Context, set *bitset.Set, threads int, progress *statespace.Progress) error {
	if set.Len() != e.space.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", e.space.name, e.space.Size(), set.Len())
	}
	e.set = set
	if e.back == nil {
		return nil
	}
	for _, x := range e.back.roots {
		set.Add(x)
	}
	work := e.back.enumeration(e.back.Engines()[0], e.back.roots, set)
	return statespace.Do(ctx, work, threads, progress)
}

// Won returns those of the 64 numbers from first on, a multiple of 64, from which a
// goal can be reached.
func (e *Endgame) Won(first uint64) uint64 {
	if e.back == nil {
		return 0
	}
	// The complement of a position has the complement of its number.
	n := min(64, e.space.Size())
	word := e.set.Words()[(e.space.Size()-n-first)/64]
	return bits.Reverse64(word) >> (64 - n)
}

// Stuck returns those of the 64 numbers from first on, a multiple of 64, that are
// among the given ones and allow no jump.
func (e *Endgame) Stuck(first, among uint64) uint64 {
	p := e.space.class.Position(first)
	b := e.space.board
	for k := range b.lines {
		if among == 0 {
			break
		}
		l := &b.lines[k]
		among &^= e.masks.pegs(l.B, p) & (e.masks.pegs(l.A, p) ^ e.masks.pegs(l.C, p))
	}
	return among
}

// Way returns moves that lead from x to a goal, and false if there are none.
func (e *Endgame) Way(x uint64) (moves []int, ok bool, err error) {
	if e.Won(x&^63)>>(x&63)&1 == 0 {
		return nil, false, nil
	}
	member := func(y statespace.Index) (bool, error) { return e.set.Has(y), nil }
	way, err := statespace.Path(e.back, member, e.space.Size()-1-x)
	for _, step := range slices.Backward(way.Steps) {
		moves = append(moves, step.Move)
	}
	return moves, err == nil, err
}

// EndgameCounts tells of the members of a set how many are won: a goal can be
// reached; how many are dead ends: no jump can be made; and how many of the dead ends
// have a single peg.
type EndgameCounts struct{ Won, DeadEnds, Single uint64 }

// Count counts the members of a set of the space's numbers. When ctx ends, it stops
// soon and returns the cause.
func (e *Endgame) Count(ctx context.Context, members bitset.Reader, threads int) (EndgameCounts, error) {
	if members.Len() != e.space.Size() {
		return EndgameCounts{}, fmt.Errorf("%s has %d numbers, the set holds %d", e.space.name, e.space.Size(), members.Len())
	}
	var won, dead, single, next atomic.Uint64
	blocks := (members.Len() + 1<<bitset.BlockBits - 1) >> bitset.BlockBits
	count := func() error {
		var c EndgameCounts
		for b := next.Add(1) - 1; b < blocks; b = next.Add(1) - 1 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			words, err := members.Block(b)
			if err != nil {
				return err
			}
			for i, w := range words {
				if w == 0 {
					continue
				}
				first := b<<bitset.BlockBits + uint64(i)*64
				c.Won += uint64(bits.OnesCount64(w & e.Won(first)))
				for stuck := e.Stuck(first, w); stuck != 0; stuck &= stuck - 1 {
					c.DeadEnds++
					if e.space.Layer(first+uint64(bits.TrailingZeros64(stuck))) == 1 {
						c.Single++
					}
				}
			}
		}
		won.Add(c.Won)
		dead.Add(c.DeadEnds)
		single.Add(c.Single)
		return nil
	}
	var group errgroup.Group
	for range max(1, threads) {
		group.Go(func() error { return mapped.Guard(count) })
	}
	err := group.Wait()
	return EndgameCounts{won.Load(), dead.Load(), single.Load()}, err
}
