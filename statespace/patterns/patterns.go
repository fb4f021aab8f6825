// Package patterns answers questions about the cells of states: which members of a set match a pattern,
// and which are nearest to one. A space with a cells.Finder does it in its own way; for all others,
// every member is looked at.
package patterns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// Near returns the matches of a query, ordered by distance, then by number. It reports whether
// they are complete: there are no more, which the limit has cut off. When ctx ends, Near stops
// soon and returns the cause.
func Near(ctx context.Context, sp statespace.Space, members bitset.Reader, q cells.Query) (matches []cells.Match, complete bool, err error) {
	parts := sp.Parts()
	if err := checkTargets(sp, parts.Cells, members, q); err != nil {
		return nil, false, err
	}
	finder := parts.Finder
	switch {
	case finder == nil:
		return NearPlain(ctx, sp, members, q)
	case len(q.Targets) == 1:
		matches, err = finder.Near(ctx, members, q.Targets[0], q, q.Within)
	default:
		matches, err = nearAny(ctx, finder, members, q)
	}
	if q.Within == cells.Nearest {
		if n := slices.IndexFunc(matches, func(m cells.Match) bool { return m.Distance > matches[0].Distance }); n >= 0 {
			matches = matches[:n]
		}
	}
	if err = cmp.Or(err, checkMatches(q, len(matches))); err != nil {
		return nil, false, err
	}
	if q.Limit > 0 && len(matches) > q.Limit {
		return matches[:q.Limit], false, nil
	}
	return matches, true, nil
}

// checkMatches returns an error if there are too many matches.
func checkMatches(q cells.Query, matches int) error {
	if q.Limit <= 0 && matches > cells.MaxMatches {
		return fmt.Errorf("%w: more than %d", cells.ErrMatches, cells.MaxMatches)
	}
	return nil
}

// nearAny is Finder.Near for several targets.
func nearAny(ctx context.Context, finder cells.Finder, members bitset.Reader, q cells.Query) ([]cells.Match, error) {
	m := merged{q: q, share: memory.For(ctx, "the matches")}
	defer m.share.Free()
	m.bound.Store(q.Within)
	err := mapped.Each(ctx, min(q.Threads, len(q.Targets)), uint64(len(q.Targets)), func(i uint64) error {
		found, err := finder.Near(ctx, members, q.Targets[i], q, m.bound.Load())
		if err != nil {
			return err
		}
		return m.add(found, int(i))
	})
	m.trim()
	return m.matches, err
}

// A merged has the matches of some targets of a query.
type merged struct {
	q     cells.Query
	share *memory.Share // of matches
	bound atomic.Uint64 // a match at a greater distance does not count

	sync.Mutex
	matches []cells.Match
	trimmed int // of the matches, as many came from trim
}

// add adds the matches of a target.
func (m *merged) add(found []cells.Match, target int) (err error) {
	for i := range found {
		found[i].Target = target
	}
	m.Lock()
	defer m.Unlock()
	if m.matches, err = memory.Grow(m.share, m.matches, len(found)); err != nil {
		return err
	}
	m.matches = append(m.matches, found...)
	if m.q.Within == cells.Nearest && len(found) > 0 {
		m.bound.Store(min(m.bound.Load(), found[0].Distance))
	}
	if len(m.matches) > 2*m.trimmed+1<<12 {
		m.trim()
		m.trimmed = len(m.matches)
	}
	return checkMatches(m.q, m.trimmed)
}

// trim leaves the first matches only, in order, and each member for its nearest target, among equals the first.
func (m *merged) trim() {
	slices.SortFunc(m.matches, func(a, b cells.Match) int { return cmp.Or(cmp.Compare(a.State, b.State), a.Compare(b)) })
	m.matches = slices.CompactFunc(m.matches, func(a, b cells.Match) bool { return a.State == b.State })
	slices.SortFunc(m.matches, cells.Match.Compare)
	if n := m.q.Limit; n > 0 && len(m.matches) > n {
		m.matches = m.matches[:n+1]
		m.bound.Store(min(m.bound.Load(), m.matches[n].Distance))
	}
}

// CountNear counts the members within the distance of a query, or at the least one, which it then returns. It takes no
// Limit. Of several targets, or where nothing counts faster, there may be MaxMatches.
func CountNear(ctx context.Context, sp statespace.Space, members bitset.Reader, q cells.Query) (count, distance uint64, err error) {
	parts := sp.Parts()
	if counter, ok := parts.Finder.(cells.NearCounter); ok && len(q.Targets) == 1 {
		if err := checkTargets(sp, parts.Cells, members, q); err != nil {
			return 0, 0, err
		}
		return counter.CountNear(ctx, members, q)
	}
	q.Limit = 0
	matches, _, err := Near(ctx, sp, members, q)
	if len(matches) > 0 {
		distance = matches[len(matches)-1].Distance
	}
	return uint64(len(matches)), distance, err
}

// checkTargets returns an error unless the targets of a query are those of the space.
func checkTargets(sp statespace.Space, drawn cells.Celled, members bitset.Reader, q cells.Query) error {
	if err := statespace.CheckLen(sp, members); err != nil {
		return err
	}
	if len(q.Targets) == 0 {
		return errors.New("a query needs at least one target")
	}
	for _, t := range q.Targets {
		if n := len(drawn.Cells()); len(t.Costs) != n {
			return fmt.Errorf("%s has %d cells, the target has costs for %d", sp.Name(), n, len(t.Costs))
		}
	}
	return nil
}

// NearPlain is Near for any space with cells: it looks at every member.
func NearPlain(ctx context.Context, sp statespace.Space, members bitset.Reader, q cells.Query) (matches []cells.Match, complete bool, err error) {
	within, complete := q.Within, true
	drawn := sp.Parts().Cells
	state := make(cells.Pattern, len(drawn.Cells()))
	var failed error
	share := memory.For(ctx, "the matches")
	defer share.Free()
	// keep leaves the first matches only.
	keep := func() {
		slices.SortFunc(matches, cells.Match.Compare)
		if q.Limit > 0 && len(matches) > q.Limit {
			matches, complete = matches[:q.Limit], false
		}
	}
	err = VisitPlain(ctx, sp, members, cells.Open(len(state)), q.Layers, func(first, hits uint64) bool {
		for ; hits != 0; hits &= hits - 1 {
			m := cells.Match{State: first + uint64(bits.TrailingZeros64(hits)), Distance: ^uint64(0)}
			drawn.State(state, m.State)
			for i, t := range q.Targets {
				if d := t.Distance(state); d < m.Distance {
					m.Distance, m.Target = d, i
				}
			}
			if m.Distance > within {
				continue
			}
			if q.Within == cells.Nearest && m.Distance < within {
				within, matches, complete = m.Distance, matches[:0], true
			}
			if matches, failed = memory.Append(share, matches, m); failed != nil {
				return false
			}
			if failed = checkMatches(q, len(matches)); failed != nil {
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

// Visit finds the members that match a pattern, in the layers of a range. For a space without cells the pattern is nil,
// and all members match. It calls take for up
// to 64 of them at a time, in the order of their numbers, until it returns false: first is a
// multiple of 64, and bit i of members is number first+i. When ctx ends, Visit stops soon and
// returns the cause.
func Visit(ctx context.Context, sp statespace.Space, members bitset.Reader, p cells.Pattern, layers cells.Range, take func(first, members uint64) bool) error {
	if err := cmp.Or(statespace.CheckLen(sp, members), checkPattern(sp, p)); err != nil {
		return err
	}
	parts := sp.Parts()
	if parts.Finder != nil {
		return parts.Finder.Visit(ctx, members, p, layers, take)
	}
	if !parts.Stacked || layers == cells.AllLayers || !p.IsOpen() {
		return VisitPlain(ctx, sp, members, p, layers, take)
	}
	// firstIn returns the least number of a state in a layer or a higher one.
	firstIn := func(layer int) uint64 {
		return uint64(sort.Search(int(sp.Size()), func(i int) bool { return parts.Layers.Layer(uint64(i)) >= layer }))
	}
	low, high := firstIn(layers.Least), firstIn(layers.Most+1)
	return EachWord(ctx, members, func(first, word uint64) bool {
		if first < low {
			word &^= 1<<min(low-first, 64) - 1
		}
		if first+64 > high {
			word &= 1<<(high-min(first, high)) - 1
		}
		return word == 0 || take(first, word)
	})
}

// VisitPlain is Visit for any space: it looks at every member.
func VisitPlain(ctx context.Context, sp statespace.Space, members bitset.Reader, p cells.Pattern, layers cells.Range, take func(first, members uint64) bool) error {
	parts := sp.Parts()
	state, open := make(cells.Pattern, len(p)), p.IsOpen()
	good := func(x statespace.Index) bool {
		if layers != cells.AllLayers && parts.Layers != nil && !layers.Holds(parts.Layers.Layer(x)) {
			return false
		}
		if open {
			return true
		}
		parts.Cells.State(state, x)
		return p.Matches(state)
	}
	if open && layers == cells.AllLayers {
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
func Count(ctx context.Context, sp statespace.Space, members bitset.Reader, p cells.Pattern, layers cells.Range) (n uint64, err error) {
	if err := cmp.Or(statespace.CheckLen(sp, members), checkPattern(sp, p)); err != nil {
		return 0, err
	}
	if finder := sp.Parts().Finder; finder != nil {
		return finder.Count(ctx, members, p, layers)
	}
	err = Visit(ctx, sp, members, p, layers, func(_, hits uint64) bool {
		n += uint64(bits.OnesCount64(hits))
		return true
	})
	return n, err
}

// checkPattern returns an error unless a pattern has the cells of the space and contents that
// can be in them.
func checkPattern(sp statespace.Space, p cells.Pattern) error {
	if sp.Parts().Cells == nil && p == nil {
		return nil
	}
	if err := cells.Check(sp.Parts().Cells, p); err != nil {
		return fmt.Errorf("%s: %w", sp.Name(), err)
	}
	return nil
}
