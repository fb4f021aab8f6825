package peg

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/trie"
)

// A NearQuery asks which members of a set are near to a target.
type NearQuery struct {
	// Targets are alternatives: the distance is that from the nearest of them.
	Targets []*Target
	// Within asks for all members at most so far away, in the units of the targets'
	// weights. Nearest asks for those that no other is nearer than.
	Within uint64
	// Limit bounds the number of matches: the first ones count. 0 means no bound;
	// then more than MaxMatches are ErrMatches.
	Limit int
	// Pegs asks for members with so many pegs only.
	Pegs PegRange
}

// A PegRange is a range of numbers of pegs, both ends included.
type PegRange struct{ Least, Most int }

// AnyPegs is the range of all numbers of pegs.
var AnyPegs = PegRange{0, MaxCells}

// Holds reports whether n is in the range.
func (r PegRange) Holds(n int) bool { return r.Least <= n && n <= r.Most }

// ParsePegRange reads a number of pegs, such as 17, or a range, such as 12-17.
func ParsePegRange(text string) (PegRange, error) {
	low, high, both := strings.Cut(text, "-")
	if !both {
		high = low
	}
	least, err1 := strconv.ParseUint(low, 10, 8)
	most, err2 := strconv.ParseUint(high, 10, 8)
	if err1 != nil || err2 != nil || least > most || most > MaxCells {
		return PegRange{}, fmt.Errorf("expected a number of pegs up to %d, or a range such as 12-17", MaxCells)
	}
	return PegRange{int(least), int(most)}, nil
}

// Near returns the members that the query asks for, ordered by distance, then by
// number. They are complete if there are no others, beyond the limit. The members'
// numbers are those of the space. When ctx ends, Near stops soon and returns the
// cause.
func (s *Space) Near(ctx context.Context, members bitset.Reader, q NearQuery) (matches []statespace.Match, complete bool, err error) {
	err = s.walking(ctx, members, q.Pegs, func(w *walk) error {
		n := near{walk: w, nearest: q.Within == statespace.Nearest, bound: q.Within}
		n.trie, _ = members.(trieHolder)
		if q.Limit > 0 {
			n.want = q.Limit + 1 // one more tells whether there are others
		}
		for i, t := range q.Targets {
			if err := s.search(&n, t); err != nil {
				return err
			}
			for k := range n.found {
				n.found[k].Target = i
			}
			matches = n.merge(matches, q.Targets[:i+1])
			if n.err != nil {
				return n.err
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	complete = q.Limit <= 0 || len(matches) <= q.Limit
	if !complete {
		matches = matches[:q.Limit]
	}
	return matches, complete, nil
}

// walking lends a walk to a question about members.
func (s *Space) walking(ctx context.Context, members bitset.Reader, pegs PegRange, ask func(w *walk) error) error {
	if err := s.checkLen(members); err != nil {
		return err
	}
	w := s.walks.Get().(*walk)
	w.ctx, w.members, w.pegs = ctx, members, pegs
	w.finder, _ = members.(bitset.Finder)
	err := mapped.Guard(func() error { return ask(w) })
	w.release()
	s.walks.Put(w)
	return err
}

// near collects what is near to one target after the other.
type near struct {
	*walk
	nearest bool
	want    int        // how many matches will do; 0: all
	bound   uint64     // what is farther away is not asked for
	trie    trieHolder // or nil
}

// search finds the matches of one target, in order: in a trie, if the members are one
// and it takes such questions.
func (s *Space) search(n *near, t *Target) error {
	if n.trie != nil {
		if err := s.searchTrie(n, t); !errors.Is(err, trie.ErrPattern) {
			return err
		}
	}
	n.search(t)
	return n.err
}

// search finds the matches of one target, in order.
//
// A walk through all numbers within a distance takes time by the distance, so small
// ones are tried first, each with several times the work of the one before.
func (n *near) search(t *Target) {
	n.aim(t)
	n.take = n.collect
	most := min(n.bound, t.Farthest())
	for budget := t.base; ; budget = n.wider(budget) {
		if n.want == 0 && !n.nearest {
			budget = most
		}
		budget = min(budget, most)
		if n.ctx.Err() != nil { // the walk may not open a block
			n.fail(context.Cause(n.ctx))
			return
		}
		n.found = n.found[:0]
		n.run(budget + 1)
		if n.err != nil {
			return
		}
		if budget == most || n.nearest && len(n.found) > 0 || n.want > 0 && len(n.found) >= n.want {
			break
		}
	}
	n.sort()
}

// collect takes the hits, at a distance within the budget, among 64 numbers, and
// lowers the limit to what can still matter. Numbers at the same distance come in
// increasing order.
func (n *near) collect(first, hits, distance uint64) {
	if n.nearest && (len(n.found) == 0 || distance < n.found[0].Distance) {
		n.found, n.limit = n.found[:0], distance+1
	}
	for ; hits != 0; hits &= hits - 1 {
		n.found = append(n.found, statespace.Match{State: first + uint64(bits.TrailingZeros64(hits)), Distance: distance})
	}
	n.checkMatches(len(n.found))
	// Sorting now and then is cheaper than keeping order.
	if n.want == 0 || len(n.found) < n.want || !n.nearest && len(n.found) < 2*n.want+64 {
		return
	}
	n.sort()
	n.found = n.found[:n.want]
	n.limit = n.found[n.want-1].Distance
}

// sort sorts what was found by distance and leaves equal distances in their order.
func (n *near) sort() {
	if n.nearest || len(n.found) == 0 {
		return
	}
	farthest := uint64(0)
	for _, m := range n.found {
		farthest = max(farthest, m.Distance)
	}
	if farthest >= uint64(len(n.counts)) {
		slices.SortFunc(n.found, statespace.Match.Compare)
		return
	}
	at := n.counts[:farthest+1]
	clear(at)
	for _, m := range n.found {
		at[m.Distance]++
	}
	sum := uint32(0)
	for d := range at {
		at[d], sum = sum, sum+at[d]
	}
	n.sorted = slices.Grow(n.sorted[:0], len(n.found))[:len(n.found)]
	for _, m := range n.found {
		n.sorted[at[m.Distance]] = m
		at[m.Distance]++
	}
	n.found, n.sorted = n.sorted, n.found
}

// checkMatches ends the walk when there are too many matches.
func (n *near) checkMatches(matches int) {
	if n.want == 0 && matches > statespace.MaxMatches {
		n.fail(fmt.Errorf("%w: more than %d", statespace.ErrMatches, statespace.MaxMatches))
	}
}

// merge adds what was found for the last of the targets to the matches of those
// before, and lowers the bound to what can still matter.
func (n *near) merge(matches []statespace.Match, targets []*Target) []statespace.Match {
	before, last := targets[:len(targets)-1], targets[len(targets)-1]
	// A member counts for the target that it is nearest to, the first of them.
	distance := func(t *Target, m statespace.Match) uint64 { return t.Distance(n.class.Position(m.State)) }
	old := slices.DeleteFunc(matches, func(m statespace.Match) bool { return distance(last, m) < m.Distance })
	found := slices.DeleteFunc(n.found, func(m statespace.Match) bool {
		return slices.ContainsFunc(before, func(t *Target) bool { return distance(t, m) <= m.Distance })
	})
	n.checkMatches(len(old) + len(found))
	matches = make([]statespace.Match, 0, len(old)+len(found))
	for len(old) > 0 && len(found) > 0 {
		next := &old
		if found[0].Compare(old[0]) < 0 {
			next = &found
		}
		matches, *next = append(matches, (*next)[0]), (*next)[1:]
	}
	matches = append(append(matches, old...), found...)
	if n.want > 0 && len(matches) > n.want {
		matches = matches[:n.want]
	}
	if n.nearest && len(matches) > 0 {
		n.bound = min(n.bound, matches[0].Distance)
		for matches[len(matches)-1].Distance > n.bound {
			matches = matches[:len(matches)-1]
		}
	}
	if n.want > 0 && len(matches) == n.want {
		n.bound = min(n.bound, matches[n.want-1].Distance)
	}
	return matches
}

// wider returns a budget that takes several times the work of the one given. When
// that is much of the work of a walk without a bound, it is without a bound: what is
// found on the way bounds it.
func (n *near) wider(budget uint64) uint64 {
	base, farthest := n.target.base, n.target.Farthest()
	if n.uniform {
		if budget += n.least; budget-base > (farthest-base)/3 {
			return farthest
		}
		return budget
	}
	const much = 1. / 64 // a number of each word
	budget = n.severalTimes(budget)
	if n.subsets(budget-base) > much*n.subsets(farthest-base) {
		return farthest
	}
	return budget
}

// severalTimes is wider without an end, for cells that do not cost the same.
func (n *near) severalTimes(budget uint64) uint64 {
	const growth = 6
	base := n.target.base
	had := n.subsets(budget - base)
	step := max(1, n.least, (budget-base)/8) // subsets is too rough for less
	low, high := budget+step, budget+step
	for n.subsets(high-base) < growth*had && high < n.target.Farthest() {
		low, high = high, high+(high-base)
	}
	for high-low > step+(low-base)/8 {
		if mid := low + (high-low)/2; n.subsets(mid-base) < growth*had {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// subsets returns about how many sets of cells cost at most so much.
func (n *near) subsets(cost uint64) float64 {
	const parts = 32
	unit := cost/parts + 1
	var ways [parts]float64
	ways[0] = 1
	for _, extra := range n.target.extra {
		if extra == 0 || extra > cost {
			continue
		}
		by := int(extra / unit)
		for i := parts - 1; i >= by; i-- {
			ways[i] += ways[i-by]
		}
	}
	sum := 0.0
	for _, w := range ways[:cost/unit+1] {
		sum += w
	}
	return sum
}

// Count returns how many members match the pattern and have a number of pegs in the
// range.
func (s *Space) Count(ctx context.Context, members bitset.Reader, p Pattern, pegs PegRange) (n uint64, err error) {
	if err := s.checkLen(members); err != nil {
		return 0, err
	}
	if h, ok := members.(trieHolder); ok {
		err := mapped.Guard(func() (err error) {
			n, err = s.countTrie(ctx, h, p, pegs)
			return err
		})
		if !errors.Is(err, trie.ErrPattern) {
			return n, err
		}
	}
	err = s.Visit(ctx, members, p, pegs, func(_, members uint64) bool {
		n += uint64(bits.OnesCount64(members))
		return true
	})
	return n, err
}

// checkLen makes sure that members are numbers of the space.
func (s *Space) checkLen(members bitset.Reader) error {
	if members.Len() != s.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", s.name, s.Size(), members.Len())
	}
	return nil
}

// Visit calls take for all members that match the pattern and have a number of pegs
// in the range, in increasing order: first is a multiple of 64, and bit i of members
// is set when first+i is such a member. It stops early when take returns false, and
// when ctx ends, with the cause.
func (s *Space) Visit(ctx context.Context, members bitset.Reader, p Pattern, pegs PegRange, take func(first, members uint64) bool) error {
	t, err := s.board.NewTarget(nil, p)
	if err != nil {
		return err
	}
	err = s.walking(ctx, members, pegs, func(w *walk) error {
		w.aim(t)
		w.take = func(first, hits, _ uint64) {
			if !take(first, hits) {
				w.fail(errStop)
			}
		}
		w.run(1)
		return w.err
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

var errStop = errors.New("stop")
