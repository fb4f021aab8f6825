package lunar

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// Counts are how many problems, or placements, are of each kind.
type Counts struct {
	Significant uint64 // with a solution, and all number pieces are significant in all best solutions
	Otherwise   uint64 // with a solution, but the number pieces are not all significant
	Unsolvable  uint64
}

// Solvable returns how many have a solution.
func (c Counts) Solvable() uint64 { return c.Significant + c.Otherwise }

// All returns how many there are.
func (c Counts) All() uint64 { return c.Solvable() + c.Unsolvable }

// add adds some of a kind. Several goroutines may do so at once.
func (c *Counts) add(n uint64, solvable, significant bool) {
	kind := &c.Unsolvable
	switch {
	case significant:
		kind = &c.Significant
	case solvable:
		kind = &c.Otherwise
	}
	atomic.AddUint64(kind, n)
}

// A Configuration is the places of the number pieces of a group, and what the placements of all its
// letters make of it. It stands for all that the symmetries of the board make of it, which have the same
// counts.
type Configuration struct {
	Numbers    board.Set
	Symmetries int // of the board that keep the number pieces where they are, with the identity
	// Problems are up to symmetry: placements that a symmetry takes to each other count once. They all
	// count in Placements. The two differ only if there are more symmetries than one.
	Problems, Placements Counts
}

// Configurations counts the problems with all letters for each configuration of the number pieces, up
// to symmetry: those whose word is the least of their orbits, in increasing order. At returns the
// distance and the values of a problem, as in Figures. The error is statespace.ErrMemory if the tables take
// more than memory bytes; 0 is no bound. When ctx ends, Configurations stops soon and returns the cause.
func (g *Group) Configurations(ctx context.Context, threads int, memory uint64, at func(dst []uint64, x statespace.Index) (int, error)) ([]Configuration, error) {
	all, find, err := g.configurations(ctx, memory)
	if err != nil {
		return nil, err
	}
	err = eachProblem(ctx, g, make([]struct{}, max(1, threads)), at, func(_ struct{}, p board.Position, x statespace.Index, distance int, values []uint64) {
		c := &all[find[g.rank(p.Numbers)]]
		solvable := distance >= 0
		significant := solvable && bits.OnesCount64(values[AlwaysColumn]) == g.numbers
		c.Problems.add(1, solvable, significant)
		// The images of the problem are shared out evenly among those of the configuration.
		c.Placements.add(uint64(g.states(x)*c.Symmetries/len(g.turns)), solvable, significant)
	})
	return all, err
}

// configurations lists the configurations, without the counts of their problems. Find has the place in
// the list of each set of cells, by its number among those of the same size.
func (o *orbits) configurations(ctx context.Context, memory uint64) (all []Configuration, find []uint32, err error) {
	sets := binomial(o.cells, o.numbers)
	each := 4 + 2*64/uint64(len(o.turns)) // a place, and its share of a Configuration in a list that grows
	if memory != 0 && sets > memory/each || sets > 1<<32 {
		over, need := bits.Mul64(sets, each)
		if over != 0 {
			need = 1<<64 - 1
		}
		return nil, nil, &statespace.MemoryError{Name: fmt.Sprintf("the table of the places of %s", amount.Of(o.numbers, "number piece")), Need: need, Allowed: memory,
			Instead: "take a group of fewer number pieces"}
	}
	find = make([]uint32, sets)
	s := board.Set(1)<<o.numbers - 1
	for i := range find {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if i > 0 {
			s = following(s)
		}
		c, least := Configuration{Numbers: s}, s
		for t := range o.turns {
			switch image := o.turn.set(s, t); {
			case image == s:
				c.Symmetries++
			case image < least:
				least = image
			}
		}
		if least < s {
			find[i] = find[o.rank(least)]
			continue
		}
		find[i] = uint32(len(all))
		all = append(all, c)
	}
	return all, find, nil
}

// following returns the next word with as many bits, at least one (Gosper: HAKMEM, item 175).
func following(s board.Set) board.Set {
	low := s & -s
	high := s + low
	return high | (s^high)>>2>>bits.TrailingZeros64(low)
}

// Places returns the cells where the letter of a group of one letter makes a problem with a solution,
// given the places of the number pieces: those with all number pieces significant, and the others. It
// is an error if the group has other letters or numbers.
func (g *Group) Places(numbers board.Set, at func(dst []uint64, x statespace.Index) (int, error)) (significant, otherwise board.Set, err error) {
	switch n := bits.OnesCount64(numbers); {
	case g.letters != 1:
		return 0, 0, fmt.Errorf("the places of one letter are those of a group such as 1-%d; %s has %s", g.numbers, g.name, amount.Of(g.letters, "letter"))
	case n != g.numbers || numbers&^g.b.All() != 0:
		return 0, 0, fmt.Errorf("expected a configuration of %s, found %d", amount.Of(g.numbers, "number piece"), n)
	}
	values := make([]uint64, len(columns))
	for left := g.inner &^ numbers; left != 0; left &= left - 1 {
		letter := left & -left
		distance, err := at(values, g.state(letter, numbers))
		switch {
		case err != nil:
			return 0, 0, err
		case distance < 0:
		case bits.OnesCount64(values[AlwaysColumn]) == g.numbers:
			significant |= letter
		default:
			otherwise |= letter
		}
	}
	return significant, otherwise, nil
}
