package peg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/trie"
)

// Near implements cells.Finder.
func (s *Space) Near(ctx context.Context, members bitset.Reader, t *cells.Target, q cells.Query, within uint64) (matches []cells.Match, err error) {
	err = s.walking(ctx, members, q.Layers, func(w *walk) error {
		n := &w.asked
		*n = near{walk: w, nearest: q.Within == cells.Nearest, bound: within}
		n.forgetNumbers()
		share := *memory.For(ctx, "the matches")
		w.foundShare, w.sortedShare, w.numbersShare, w.groupsShare, w.spareShare, w.answerShare = share, share, share, share, share, share
		defer func() { // the walk keeps lists of up to 2^20 matches for the next question
			for _, share := range [...]*memory.Share{&w.foundShare, &w.sortedShare, &w.numbersShare, &w.groupsShare, &w.spareShare, &w.answerShare} {
				share.Free()
			}
		}()
		n.trie, _ = members.(trieHolder)
		if q.Limit > 0 {
			n.want = q.Limit + 1
		}
		w.aimed.set(t)
		if err := cmp.Or(s.search(n, &w.aimed), w.answerShare.Set(matchBytes*uint64(len(n.found)+n.numbersFound()))); err != nil {
			return err
		}
		if matches = n.ofNumbers(); len(matches) == 0 {
			matches = slices.Clone(n.found)
		}
		return nil
	})
	return matches, err
}

// CountNear counts the members near one target, as the function of package patterns: those within a distance, or
// those at the least one, which it returns.
func (s *Space) CountNear(ctx context.Context, members bitset.Reader, q cells.Query) (count, distance uint64, err error) {
	err = s.walking(ctx, members, q.Layers, func(w *walk) error {
		n := &w.asked
		n.walk, n.nearest, n.bound, n.counts = w, q.Within == cells.Nearest, q.Within, true
		w.aimed.set(q.Targets[0])
		n.search(&w.aimed)
		count, distance = n.counted, n.countedAt
		return n.err
	})
	return count, distance, err
}

// walking lends a walk to a function that looks for members.
func (s *Space) walking(ctx context.Context, members bitset.Reader, pegs cells.Range, look func(w *walk) error) error {
	if err := statespace.CheckLen(s, members); err != nil {
		return err
	}
	w := s.walks.Get().(*walk)
	w.ctx, w.members, w.pegs, w.restricted = ctx, members, pegs, pegs != cells.AllLayers // the rest is as release leaves it
	w.use(members)
	err := mapped.Guard(func() error { return look(w) })
	w.release()
	s.walks.Put(w)
	return err
}

// matches are those for a target, equal distances by number; and the memory to sort them.
type matches struct {
	found, sorted           []cells.Match
	foundShare, sortedShare memory.Share // of the account of memory
	answerShare             memory.Share
	numbersAt               [mostFlips + 1][]uint64 // by distance, of matchFew and matchBall
	numbersShare            memory.Share
	groups, spare           []uint64 // of matchBall: group and its kind; and the memory to sort
	groupsShare, spareShare memory.Share
	kinds                   [][]groupWord
	groupWords              []groupWord     // of ball
	counts                  [1 << 12]uint32 // by distance
}

// numbersFound returns how many there are.
func (m *matches) numbersFound() int {
	return lists.SumOf(m.numbersAt[:], func(numbers []uint64) int { return len(numbers) })
}

// forgetNumbers keeps the room for them.
func (m *matches) forgetNumbers() {
	for d := range m.numbersAt {
		m.numbersAt[d] = m.numbersAt[d][:0]
	}
}

// near collects the matches of a target.
type near struct {
	*walk
	nearest bool
	want    int        // how many matches are enough; 0: all
	bound   uint64     // the largest distance of a match
	trie    trieHolder // or nil

	counts             bool   // matches are counted only
	counted, countedAt uint64 // the matches; the distance of the nearest ones
}

// search finds the matches of one target, in order. It asks the trie, if the members are
// one and it supports the query.
func (s *Space) search(n *near, t *target) error {
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
// A walk through all numbers within a distance takes longer the larger the distance is.
// So it tries small distances first, each with several times the work of the one before.
func (n *near) search(t *target) {
	n.aim(t)
	most, budget := min(n.bound, t.farthest()), t.base
	if n.unit && n.direct != nil {
		budget += firstFew // matchFew ends when it has enough
	}
	for ; ; budget = n.wider(budget) {
		if n.want == 0 && !n.nearest {
			budget = most
		}
		budget = min(budget, most)
		if n.ctx.Err() != nil { // the walk may not open a block
			n.fail(context.Cause(n.ctx))
			return
		}
		n.found, n.counted, n.err = n.found[:0], 0, nil
		n.forgetNumbers()
		direct := n.matchFew(budget) || n.matchBall(budget)
		if !direct {
			if n.take = n.collect; n.counts {
				n.take = n.count
			}
			n.run(budget + 1)
		}
		if n.err != nil {
			return
		}
		found := len(n.found) + n.numbersFound()
		some := found > 0 || n.counted > 0
		if budget == most || n.nearest && some || n.want > 0 && found >= n.want {
			if !direct && !n.nearest {
				n.sort()
			}
			return
		}
		if !some {
			n.empty = budget + 1
		}
	}
}

// count is collect that only counts.
func (n *near) count(_, hits, distance uint64) {
	if n.nearest && (n.counted == 0 || distance < n.countedAt) {
		n.counted, n.limit = 0, distance+1
	}
	n.counted, n.countedAt = n.counted+uint64(bits.OnesCount64(hits)), distance
}

// collect takes hits among 64 numbers, which are all at the same distance, and lowers the
// limit to what can still matter. Numbers at the same distance come in increasing
// order.
func (n *near) collect(first, hits, distance uint64) {
	if n.nearest && (len(n.found) == 0 || distance < n.found[0].Distance) {
		n.found, n.limit = n.found[:0], distance+1
	}
	if !n.room(bits.OnesCount64(hits)) {
		return
	}
	for ; hits != 0; hits &= hits - 1 {
		n.found = append(n.found, cells.Match{State: first + uint64(bits.TrailingZeros64(hits)), Distance: distance})
	}
	n.checkMatches(len(n.found))
	// To sort now and then is cheaper than to keep the order.
	if n.want == 0 || len(n.found) < n.want || !n.nearest && len(n.found) < 2*n.want+64 {
		return
	}
	if !n.nearest {
		n.sort()
	}
	n.found = n.found[:n.want]
	n.limit = n.found[n.want-1].Distance
}

// matchBytes is what a match takes.
const matchBytes = uint64(unsafe.Sizeof(cells.Match{}))

// room makes room for more matches. If there is none, it ends the walk.
func (n *near) room(more int) bool {
	var err error
	if n.found, err = memory.Grow(&n.foundShare, n.found, more); err != nil {
		n.fail(err)
	}
	return err == nil
}

// sort sorts the matches by distance and leaves equal distances in their order.
func (n *near) sort() {
	m := &n.matches
	farthest := uint64(0)
	for _, match := range m.found {
		farthest = max(farthest, match.Distance)
	}
	if farthest >= uint64(len(m.counts)) {
		slices.SortFunc(m.found, cells.Match.Compare)
		return
	}
	at := m.counts[:farthest+1]
	clear(at)
	for _, match := range m.found {
		at[match.Distance]++
	}
	sum := uint32(0)
	for d := range at {
		at[d], sum = sum, sum+at[d]
	}
	room, err := memory.Grow(&n.sortedShare, n.sorted[:0], len(n.found))
	if err != nil {
		n.fail(err)
		return
	}
	m.sorted = room[:len(m.found)]
	for _, match := range m.found {
		m.sorted[at[match.Distance]] = match
		at[match.Distance]++
	}
	m.found, m.sorted = m.sorted, m.found
	m.foundShare, m.sortedShare = m.sortedShare, m.foundShare
}

// checkMatches ends the walk when there are too many matches.
func (n *near) checkMatches(matches int) {
	if n.want == 0 && matches > cells.MaxMatches {
		n.fail(fmt.Errorf("%w: more than %d", cells.ErrMatches, cells.MaxMatches))
	}
}

// wider returns a budget that takes several times the work of the one given. If that is
// much of the work of a walk without a bound, it returns the farthest distance: the
// matches found on the way then bound the walk.
func (n *near) wider(budget uint64) uint64 {
	base, farthest := n.target.base, n.target.farthest()
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

// severalTimes is wider for cells of different costs, without the last step.
func (n *near) severalTimes(budget uint64) uint64 {
	const growth = 6
	base := n.target.base
	had := n.subsets(budget - base)
	step := max(1, n.least, (budget-base)/8) // subsets is too rough for smaller ones
	low, high := budget+step, budget+step
	for n.subsets(high-base) < growth*had && high < n.target.farthest() {
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

// subsets estimates how many sets of cells cost at most the given amount.
func (n *near) subsets(cost uint64) float64 {
	const parts = 32
	unit := cost/parts + 1
	var sets [parts]float64 // by cost, in units
	sets[0] = 1
	for _, extra := range n.target.extra {
		if extra == 0 || extra > cost {
			continue
		}
		by := int(extra / unit)
		for i := parts - 1; i >= by; i-- {
			sets[i] += sets[i-by]
		}
	}
	sum := 0.0
	for _, n := range sets[:cost/unit+1] {
		sum += n
	}
	return sum
}

// Count implements cells.Finder.
func (s *Space) Count(ctx context.Context, members bitset.Reader, p cells.Pattern, layers cells.Range) (n uint64, err error) {
	if err := statespace.CheckLen(s, members); err != nil {
		return 0, err
	}
	if h, ok := members.(trieHolder); ok {
		err := mapped.Guard(func() (err error) {
			n, err = s.countTrie(ctx, h, s.positions(p), layers)
			return err
		})
		if !errors.Is(err, trie.ErrPattern) {
			return n, err
		}
	}
	err = s.Visit(ctx, members, p, layers, func(_, members uint64) bool {
		n += uint64(bits.OnesCount64(members))
		return true
	})
	return n, err
}

// Visit implements cells.Finder.
func (s *Space) Visit(ctx context.Context, members bitset.Reader, p cells.Pattern, layers cells.Range, take func(first, members uint64) bool) error {
	t := exactly(s.positions(p), len(s.board.Cells()))
	err := s.walking(ctx, members, layers, func(w *walk) error {
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
