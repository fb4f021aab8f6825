package peg

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

// StartAt returns the space of another start on the same board, numbered by the same free
// cells. Every position of the board can be the start. If it lies in the class of this space, a
// position has the same number in both. The error for a text that is no position is that of
// Parse.
func (s *Space) StartAt(_ context.Context, text string) (statespace.Space, error) {
	start, err := s.board.ParsePosition(text)
	if err != nil {
		return nil, err
	}
	other, err := s.From(start)
	if err != nil {
		return nil, err
	}
	return other, nil
}

// From returns the space of another start on the same board, numbered by the same free
// cells. The start may lie in another class.
func (s *Space) From(start board.Position) (*Space, error) {
	return newSpace(s.name+" from "+s.board.FormatPosition(start), s.board, start, s.class.Free(), s.layout)
}

// Singles returns the positions with a single peg that are in the class of the start,
// in the order of its cell.
func (s *Space) Singles() (positions []board.Position) {
	for cell := range s.board.Cells() {
		if _, ok := s.class.Number(1 << cell); ok {
			positions = append(positions, 1<<cell)
		}
	}
	return positions
}

// An Endgame finds the positions of a space's class from which one of some goals can be
// reached.
//
// A jump seen backwards, with pegs and holes exchanged, is the same jump: from
// (1,1,0) to (0,0,1). So the positions that lead to a goal are the complements of those
// that can be reached from its complement (Beasley, The Ins and Outs of Peg Solitaire).
type Endgame struct {
	space *Space
	goals []board.Position
	back  *backSpace  // nil: no goals
	set   *bitset.Set // of numbers of back: what can be reached from its roots
	masks board.CellMasks
}

// A backSpace is the space of the complements, with a root for each goal.
type backSpace struct {
	*Space
	roots []statespace.Index
}

// Roots implements statespace.Space.
func (b *backSpace) Roots() []statespace.Index { return b.roots }

// NewEndgame makes the endgame with the given goals, which must be in the class of
// the start. Without goals nothing can be won. With goals, call Enumerate before all
// other methods but Stuck.
func (s *Space) NewEndgame(goals []board.Position) (*Endgame, error) {
	e := &Endgame{space: s, goals: slices.Clone(goals), masks: board.NewCellMasks(s.class)}
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
func (e *Endgame) Goals() []board.Position { return e.goals }

// Enumerate fills the set, which must be empty and have room for the numbers of the
// space. The endgame keeps the set. When ctx ends, it stops soon and returns the cause.
func (e *Endgame) Enumerate(ctx context.Context, set *bitset.Set, threads int, progress *statespace.Progress) error {
	if err := statespace.CheckLen(e.space, set); err != nil {
		return err
	}
	e.set = set
	if e.back == nil {
		return nil
	}
	for _, x := range e.back.roots {
		set.Add(x)
	}
	work := e.back.fill(e.back.engines()[0].Name, e.back.roots, set)
	return statespace.Do(ctx, work, threads, progress)
}

// Won returns which of the 64 numbers from first on, a multiple of 64, lead to a goal.
func (e *Endgame) Won(first uint64) uint64 {
	if e.back == nil {
		return 0
	}
	return complement(e.set, first)
}

// complement returns the 64 numbers from first on in the set of all complements of
// members. The complement of a position has the complement of its number.
func complement(set *bitset.Set, first uint64) uint64 {
	n := min(64, set.Len())
	return bits.Reverse64(set.Words()[(set.Len()-n-first)/64]) >> (64 - n)
}

// between implements statespace.Sweep.Between. The states that lead to a state are the complements of those
// that its complement leads to. With symmetries, the engine makes the representatives alone.
func (s *Space) between(ctx context.Context, symmetries []int, members bitset.Reader, to statespace.Index, set *bitset.Set, threads int, progress *statespace.Progress) error {
	kept := lists.Map(symmetries, func(i int) *board.Symmetry { return s.symmetries()[i] })
	if e := s.sweep(); e != nil && len(kept) > 0 && set.Len() == s.Size() {
		if done, err := e.Between(ctx, kept, to, set.Words(), threads); done || err != nil {
			return err
		}
	}
	e, err := s.NewEndgame([]board.Position{s.class.Position(to)})
	if err != nil {
		return err
	}
	if err := e.Enumerate(ctx, set, threads, progress); err != nil {
		return err
	}
	// Complement the set in place, and keep the members.
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
				at := b*perBlock + uint64(i)
				words[at] &= w
				for _, k := range kept {
					words[at] &= k.Least(at)
				}
			}
		}
		return nil
	})
}

// Stuck returns the members, given among the 64 numbers from first on, a multiple of 64, that
// allow no jump.
func (e *Endgame) Stuck(first, members uint64) uint64 {
	return e.masks.Stuck(e.space.board.Lines(), members, e.space.class.Position(first))
}

// Path returns a path that leads from x to a goal, and false if there is none.
func (e *Endgame) Path(x uint64) (path statespace.Path, ok bool, err error) {
	if e.Won(x&^63)>>(x&63)&1 == 0 {
		return path, false, nil
	}
	opposite := func(x uint64) uint64 { return e.space.Size() - 1 - x }
	member := func(y statespace.Index) (bool, error) { return e.set.Has(y), nil }
	back, err := paths.Find(e.back, member, opposite(x))
	if err != nil {
		return path, false, err
	}
	path = back.Reversed()
	path.From = x
	for i := range path.Steps {
		path.Steps[i].State = opposite(path.Steps[i].State)
	}
	return path, true, nil
}

// EndgameCounts counts members of a set: the won ones, which lead to a goal; the dead ends,
// which allow no jump; and the dead ends with a single peg.
type EndgameCounts struct {
	Won, DeadEnds, Single uint64
	Layers                []EndgameLayer // if they are counted, too
}

// An EndgameLayer counts the members of a set with one number of pegs, and up to symmetry those
// that are representatives.
type EndgameLayer struct {
	Pegs              int
	Won, DeadEnds     uint64
	WonUpTo, DeadUpTo uint64
}

// Count counts the members of a set of the space's numbers. With layers, it also counts by number of pegs, the most
// first, without layers that have neither won positions nor dead ends, and there also up to symmetry: won positions by
// the symmetries that keep the goals as well as the start, dead ends by those that keep the start. When ctx ends, it
// stops soon and returns the cause.
func (e *Endgame) Count(ctx context.Context, members bitset.Reader, layers bool, threads int) (all EndgameCounts, err error) {
	if err := statespace.CheckLen(e.space, members); err != nil {
		return all, err
	}
	dead := e.space.Symmetries()
	won := slices.DeleteFunc(e.space.Symmetries(), func(s statespace.Symmetry) bool { return !e.keepsGoals(s) })
	pegs := board.NewPegMasks(e.space.class)
	var lock sync.Mutex
	var sums [4]board.PegCounts // by number of pegs: the fields of a layer
	err = mapped.Each(ctx, threads, bitset.Blocks(members), func(b uint64) error {
		words, err := members.Block(b)
		if err != nil {
			return err
		}
		var c EndgameCounts
		var mine [4]board.PegCounts
		for i, word := range words {
			if word == 0 {
				continue
			}
			first := b<<bitset.BlockBits + uint64(i)*64
			sets := [4]uint64{word & e.Won(first), e.Stuck(first, word)}
			c.Won += uint64(bits.OnesCount64(sets[0]))
			for stuck := sets[1]; stuck != 0; stuck &= stuck - 1 {
				c.DeadEnds++
				if e.space.Layer(first+uint64(bits.TrailingZeros64(stuck))) == 1 {
					c.Single++
				}
			}
			if !layers || sets[0]|sets[1] == 0 {
				continue
			}
			sets[2], sets[3] = statespace.Least(won, first, sets[0]), statespace.Least(dead, first, sets[1])
			p := e.space.class.Position(first)
			common, more := pegs.Common(p), pegs.More(p)
			for n := range pegs.MaxMore() + 1 {
				mask := pegs.Equal(&more, n)
				for k, set := range sets {
					mine[k][common+n] += uint64(bits.OnesCount64(set & mask))
				}
			}
		}
		lock.Lock()
		defer lock.Unlock()
		all.Won, all.DeadEnds, all.Single = all.Won+c.Won, all.DeadEnds+c.DeadEnds, all.Single+c.Single
		for k := range sums {
			for n, c := range mine[k] {
				sums[k][n] += c
			}
		}
		return nil
	})
	for n := board.MaxCells; n >= 0; n-- {
		if l := (EndgameLayer{n, sums[0][n], sums[1][n], sums[2][n], sums[3][n]}); l.Won|l.DeadEnds != 0 {
			all.Layers = append(all.Layers, l)
		}
	}
	return all, err
}

// keepsGoals reports whether a symmetry takes goals to goals.
func (e *Endgame) keepsGoals(s statespace.Symmetry) bool {
	for _, goal := range e.goals {
		x, _ := e.space.class.Number(goal)
		if !slices.Contains(e.goals, e.space.class.Position(s.Map(x))) {
			return false
		}
	}
	return true
}
