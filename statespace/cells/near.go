package cells

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Nearest, as Query.Within, finds only the members at the least distance.
const Nearest = ^uint64(0)

// MaxMatches is the greatest number of matches of a query without a limit.
const MaxMatches = 1 << 22

// ErrMatches is the error for a query without a limit that has more than MaxMatches matches.
var ErrMatches = errors.New("there are too many matches")

// A Match is a member near a target.
type Match struct {
	State    statespace.Index
	Distance uint64
	Target   int // the first of the targets at this distance
}

// Compare orders by distance, then by number, then by target.
func (m Match) Compare(n Match) int {
	return cmp.Or(cmp.Compare(m.Distance, n.Distance), cmp.Compare(m.State, n.State), m.Target-n.Target)
}

// A Query describes which members of a set are wanted: those near a target.
type Query struct {
	// Targets are alternatives, at least one. The distance of a state is that from the
	// nearest of them.
	Targets []*Target
	// Within is the greatest distance of a match, in the units of the weights. Nearest means
	// the least distance that any member has.
	Within uint64
	// Limit is the greatest number of matches. Of more matches, the first ones are returned.
	// 0 means that there is no limit, but more than MaxMatches are ErrMatches.
	Limit int
	// Layers are the layers of the matches: AllLayers in a space without layers.
	Layers Range
}

// A Finder has a fast way of its own to find members.
type Finder interface {
	Celled
	// Near, Visit and Count do the same as the functions of this package.
	Near(ctx context.Context, members bitset.Reader, q Query) (matches []Match, complete bool, err error)
	Visit(ctx context.Context, members bitset.Reader, p Pattern, layers Range, take func(first, members uint64) bool) error
	Count(ctx context.Context, members bitset.Reader, p Pattern, layers Range) (uint64, error)
}

// Near returns the matches of a query, ordered by distance, then by number. It reports whether
// they are complete: there are no more, which the limit has cut off. When ctx ends, Near stops
// soon and returns the cause.
func Near(ctx context.Context, sp Celled, members bitset.Reader, q Query) (matches []Match, complete bool, err error) {
	if err := checkLen(sp, members); err != nil {
		return nil, false, err
	}
	if len(q.Targets) == 0 {
		return nil, false, errors.New("a query needs at least one target")
	}
	for _, t := range q.Targets {
		if n := len(sp.Cells()); len(t.Costs) != n {
			return nil, false, fmt.Errorf("%s has %d cells, the target has costs for %d", sp.Name(), n, len(t.Costs))
		}
	}
	if f, ok := sp.(Finder); ok {
		return f.Near(ctx, members, q)
	}
	return NearPlain(ctx, sp, members, q)
}

// NearPlain is Near for any Celled space: it looks at every member.
func NearPlain(ctx context.Context, sp Celled, members bitset.Reader, q Query) (matches []Match, complete bool, err error) {
	within, complete := q.Within, true
	state := make(Pattern, len(sp.Cells()))
	var failed error
	// keep leaves the first matches only.
	keep := func() {
		slices.SortFunc(matches, Match.Compare)
		if q.Limit > 0 && len(matches) > q.Limit {
			matches, complete = matches[:q.Limit], false
		}
	}
	err = VisitPlain(ctx, sp, members, Open(len(state)), q.Layers, func(first, hits uint64) bool {
		for ; hits != 0; hits &= hits - 1 {
			m := Match{State: first + uint64(bits.TrailingZeros64(hits)), Distance: ^uint64(0)}
			sp.State(state, m.State)
			for i, t := range q.Targets {
				if d := t.Distance(state); d < m.Distance {
					m.Distance, m.Target = d, i
				}
			}
			if m.Distance > within {
				continue
			}
			if q.Within == Nearest && m.Distance < within {
				within, matches, complete = m.Distance, matches[:0], true
			}
			matches = append(matches, m)
			if q.Limit <= 0 && len(matches) > MaxMatches {
				failed = fmt.Errorf("%w: more than %d", ErrMatches, MaxMatches)
				return false
			}
			if q.Limit > 0 && len(matches) >= 2*q.Limit+64 {
				keep()
			}
		}
		return true
	})
	if err = cmp.Or(failed, err); err != nil {
		return nil, false, err
	}
	keep()
	return matches, complete, nil
}

// Visit finds the members that match a pattern, in the layers of a range. It calls take for up
// to 64 of them at a time, in the order of their numbers, until it returns false: first is a
// multiple of 64, and bit i of members is number first+i. When ctx ends, Visit stops soon and
// returns the cause.
func Visit(ctx context.Context, sp Celled, members bitset.Reader, p Pattern, layers Range, take func(first, members uint64) bool) error {
	if err := cmp.Or(checkLen(sp, members), checkPattern(sp, p)); err != nil {
		return err
	}
	if f, ok := sp.(Finder); ok {
		return f.Visit(ctx, members, p, layers, take)
	}
	return VisitPlain(ctx, sp, members, p, layers, take)
}

// VisitPlain is Visit for any Celled space: it looks at every member.
func VisitPlain(ctx context.Context, sp Celled, members bitset.Reader, p Pattern, layers Range, take func(first, members uint64) bool) error {
	layered, _ := sp.(statespace.Layered)
	state, open := make(Pattern, len(p)), p.IsOpen()
	good := func(x statespace.Index) bool {
		if layers != AllLayers && layered != nil && !layers.Holds(layered.Layer(x)) {
			return false
		}
		if open {
			return true
		}
		sp.State(state, x)
		return p.Matches(state)
	}
	if open && layers == AllLayers {
		good = nil
	}
	return EachWord(ctx, members, func(first, word uint64) bool {
		if good != nil {
			for left := word; left != 0; left &= left - 1 {
				if bit := left & -left; !good(first + uint64(bits.TrailingZeros64(bit))) {
					word &^= bit
				}
			}
		}
		return word == 0 || take(first, word)
	})
}

// EachWord calls take for all members of a set, as Visit does. When ctx ends, EachWord stops soon
// and returns the cause.
func EachWord(ctx context.Context, members bitset.Reader, take func(first, members uint64) bool) error {
	return mapped.Guard(func() error {
		for b := range bitset.Blocks(members) {
			words, err := members.Block(b)
			if err != nil {
				return err
			}
			for i, word := range words {
				if i%1024 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if word != 0 && !take(b<<bitset.BlockBits+64*uint64(i), word) {
					return nil
				}
			}
		}
		return nil
	})
}

// Count returns how many members match a pattern, in the layers of a range. When ctx ends, Count
// stops soon and returns the cause.
func Count(ctx context.Context, sp Celled, members bitset.Reader, p Pattern, layers Range) (n uint64, err error) {
	if err := cmp.Or(checkLen(sp, members), checkPattern(sp, p)); err != nil {
		return 0, err
	}
	if f, ok := sp.(Finder); ok {
		return f.Count(ctx, members, p, layers)
	}
	err = VisitPlain(ctx, sp, members, p, layers, func(_, hits uint64) bool {
		n += uint64(bits.OnesCount64(hits))
		return true
	})
	return n, err
}

// checkPattern returns an error unless a pattern has the cells of the space and contents that
// can be in them.
func checkPattern(sp Celled, p Pattern) error {
	if n := len(sp.Cells()); len(p) != n {
		return fmt.Errorf("%s has %d cells, the pattern has %d", sp.Name(), n, len(p))
	}
	for cell, content := range p {
		if content < Any || int(content) >= sp.Contents() {
			return fmt.Errorf("the contents of cells of %s are from 0 to %d, found %d in cell %d", sp.Name(), sp.Contents()-1, content, cell)
		}
	}
	return nil
}

// checkLen returns an error unless members are numbers of the space.
func checkLen(sp statespace.Space, members bitset.Reader) error {
	if members.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), members.Len())
	}
	return nil
}
