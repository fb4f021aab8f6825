package slide

import (
	"cmp"
	"context"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/puzzle/slide/packing"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
)

// Near implements cells.Finder. It goes to the placements of low cost by a packing.Descent, with a bound that grows
// until enough members are found.
func (s *Space) Near(ctx context.Context, members bitset.Reader, t *cells.Target, q cells.Query, within uint64) ([]cells.Match, error) {
	want := q.Limit + 1
	if q.Limit <= 0 {
		want = cells.MaxMatches + 1
	}
	d, err := s.newDescent(ctx, members, t)
	if err != nil {
		return nil, err
	}
	n := near{descent: d, want: want, share: memory.For(ctx, "the matches")}
	defer n.share.Free()
	least, most := d.Least(), min(within, t.Farthest())
	for bound := min(least, most); ; {
		beyond, err := n.collect(ctx, bound)
		if err != nil {
			return nil, err
		}
		if bound == most || len(n.found) == want || q.Within == cells.Nearest && len(n.found) > 0 {
			return n.found, nil
		}
		// The next bound lets more placements in. It also grows by about half, so that all rounds
		// together take little more time than the last one.
		bound = min(max(beyond, bound+(bound-least)/2), most)
	}
}

// A near collects the members that are near to a target.
type near struct {
	*descent
	want  int
	found []cells.Match
	share *memory.Share // of found
}

// collect finds the first members within a bound, in order, as many as are wanted. It returns
// the least cost that it has seen beyond the bound.
func (n *near) collect(ctx context.Context, bound uint64) (beyond uint64, err error) {
	n.found = n.found[:0]
	keepFirst := func() {
		slices.SortFunc(n.found, cells.Match.Compare)
		n.found = n.found[:min(n.want, len(n.found))]
	}
	var full error
	beyond, err = n.within(ctx, bound, func(x, cost uint64) (uint64, bool) {
		if n.found, full = memory.Append(n.share, n.found, cells.Match{State: x, Distance: cost}); full != nil {
			return bound, false
		}
		if len(n.found) < 2*n.want {
			return bound, true
		}
		keepFirst()
		last := n.found[n.want-1].Distance
		if !n.ordered {
			bound = last
			return bound, true
		}
		// The members that follow have higher numbers, so only nearer ones count.
		bound = max(1, last) - 1
		return bound, last > 0
	})
	keepFirst()
	return beyond, cmp.Or(full, err)
}

// Visit implements cells.Finder.
func (s *Space) Visit(ctx context.Context, members bitset.Reader, pattern cells.Pattern, layers cells.Range, take func(first, members uint64) bool) error {
	if _, ordered := s.numbers.(*packing.Packing); !ordered || pattern.IsOpen() {
		return patterns.VisitPlain(ctx, s, members, pattern, layers, take)
	}
	return s.eachMatch(ctx, members, pattern, func(x uint64) bool { return take(x&^63, 1<<(x%64)) })
}

// Count implements cells.Finder.
func (s *Space) Count(ctx context.Context, members bitset.Reader, pattern cells.Pattern, _ cells.Range) (n uint64, err error) {
	err = s.eachMatch(ctx, members, pattern, func(uint64) bool {
		n++
		return true
	})
	return n, err
}

// eachMatch calls take for the members that agree with a pattern, until it returns false.
func (s *Space) eachMatch(ctx context.Context, members bitset.Reader, pattern cells.Pattern, take func(x uint64) bool) error {
	t, err := cells.NewTarget(s, nil, pattern)
	if err != nil {
		return err
	}
	d, err := s.newDescent(ctx, members, t)
	if err != nil {
		return err
	}
	_, err = d.within(ctx, 0, func(x, _ uint64) (uint64, bool) { return 0, take(x) })
	return err
}

// A descent goes to the members of a set that are near to a target.
type descent struct {
	*packing.Descent
	space   *Space
	packing *packing.Packing
	ordered bool // the numbers are those of the packing
	members bitset.Reader
}

func (s *Space) newDescent(ctx context.Context, members bitset.Reader, t *cells.Target) (*descent, error) {
	pk, err := s.packing(ctx)
	if err != nil {
		return nil, err
	}
	_, ordered := s.numbers.(*packing.Packing)
	return &descent{pk.NewDescent(t.Costs), s, pk, ordered, members}, nil
}

// within calls take for the members whose distance is at most the bound. They come in the order
// of their numbers if the descent is ordered. The results are those of packing.Descent.Within.
func (d *descent) within(ctx context.Context, bound uint64, take func(x, distance uint64) (bound uint64, more bool)) (beyond uint64, err error) {
	err = mapped.Guard(func() (err error) {
		beyond, err = d.Within(ctx, bound, func(x, cost uint64) (uint64, bool, error) {
			if !d.ordered {
				var ok bool
				if x, ok = d.space.numbers.Rank(d.packing.Unrank(x)); !ok {
					return bound, true, nil
				}
			}
			member, err := bitset.Has(d.members, x)
			if !member || err != nil {
				return bound, err == nil, err
			}
			more := true
			bound, more = take(x, cost)
			return bound, more, nil
		})
		return err
	})
	return beyond, err
}
