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
	return newSpace(s.name+" from "+s.board.FormatPosition(start), s.board, start, s.class.free, s.layout)
}

// Singles returns the positions with a single peg that are in the class of the start,
// in the order of its cell.
func (s *Space) Singles() (positions []Position) {
	for cell := range s.board.cells {
		if _, ok := s.class.Number(1 << cell); ok {
			positions = append(positions, 1<<cell)
		}
	}
	return positions
}

// An Endgame tells from which positions of a space's class some goals can be reached.
//
// A jump seen backwards, with pegs and holes exchanged, is the same jump: from
// (1,1,0) to (0,0,1). So what leads to a position is the complement of what can be
// reached from its complement (Beasley, The Ins and Outs of Peg Solitaire).
type Endgame struct {
	space *Space
	goals []Position
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

// NewEndgame makes the endgame with the given goals, which must be in the class of
// the start. Without goals nothing can be won; with some, Enumerate must be called
// before anything else but Stuck.
func (s *Space) NewEndgame(goals []Position) (*Endgame, error) {
	e := &Endgame{space: s, goals: slices.Clone(goals), masks: newCellMasks(s.class)}
	for _, p := range goals {
		if _, ok := s.class.Number(p); !ok {
			return nil, fmt.Errorf("the goal %s is not in the class of the start", s.board.FormatPosition(p))
		}
		if e.back == nil {
			back, err := s.From(s.board.Full() ^ p)
			if err != nil {
				return nil, err
			}
			e.back = &backSpace{Space: back}
		}
		x, _ := e.back.class.Number(s.board.Full() ^ p)
		e.back.roots = append(e.back.roots, x)
	}
	return e, nil
}

// Goals returns the goals.
func (e *Endgame) Goals() []Position { return e.goals }

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
	return complement(e.set, first)
}

// complement returns the 64 numbers from first on of the set of all complements: the
// complement of a position has the complement of its number.
func complement(set *bitset.Set, first uint64) uint64 {
	n := min(64, set.Len())
	return bits.Reverse64(set.Words()[(set.Len()-n-first)/64]) >> (64 - n)
}

// Between implements statespace.Reverser: what the complement of a state reaches are
// the complements of what reaches the state.
func (s *Space) Between(ctx context.Context, members bitset.Reader, to statespace.Index, set *bitset.Set, threads int, progress *statespace.Progress) error {
	e, err := s.NewEndgame([]Position{s.class.Position(to)})
	if err != nil {
		return err
	}
	if err := e.Enumerate(ctx, set, threads, progress); err != nil {
		return err
	}
	// Turn the set about in place, and keep the members.
	return mapped.Guard(func() error {
		words := set.Words()
		for i, j := uint64(0), uint64(len(words))-1; i <= j && j < uint64(len(words)); i, j = i+1, j-1 {
			words[i], words[j] = complement(set, 64*i), complement(set, 64*j)
		}
		const perBlock = 1 << bitset.BlockBits / 64
		for b := range (uint64(len(words)) + perBlock - 1) / perBlock {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			block, err := members.Block(b)
			if err != nil {
				return err
			}
			for i, w := range block {
				words[b*perBlock+uint64(i)] &= w
			}
		}
		return nil
	})
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
	group, ctx := errgroup.WithContext(ctx)
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
	for range max(1, threads) {
		group.Go(func() error { return mapped.Guard(count) })
	}
	err := group.Wait()
	return EndgameCounts{won.Load(), dead.Load(), single.Load()}, err
}
