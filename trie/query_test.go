package trie

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
)

// value returns the value of a term on a number, 0 or 1.
func (t Term) value(x uint64) int {
	v := bits.OnesCount64(x&t.Mask) & 1
	if t.Odd {
		v ^= 1
	}
	return v
}

// matches tells plainly whether a number matches a pattern.
func (p Pattern) matches(x uint64) bool {
	ones := 0
	for i, tm := range p.Terms {
		v := tm.value(x)
		ones += v
		if p.Values != nil && (p.Values[i] == Zero && v == 1 || p.Values[i] == One && v == 0) {
			return false
		}
	}
	return p.Least <= ones && ones <= p.Most
}

// plainNear looks at every member.
func plainNear(s *bitset.Set, q NearQuery) (all []Match) {
	for x := range s.All() {
		if !q.matches(x) {
			continue
		}
		d := uint64(0)
		for i, tm := range q.Terms {
			if q.Costs != nil {
				d += q.Costs[i][tm.value(x)]
			}
		}
		if d <= q.Within {
			all = append(all, Match{x, d})
		}
	}
	slices.SortFunc(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.State, b.State))
	})
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	return all
}

func randomQuery(rng *rand.Rand, bits int) (q NearQuery) {
	singles := rng.IntN(bits + 3)
	for range singles {
		q.Terms = append(q.Terms, Term{1 << rng.IntN(bits), rng.IntN(2) == 0})
	}
	for range []int{0, 1, 3, 5, 9, 16}[rng.IntN(6)] {
		q.Terms = append(q.Terms, Term{rng.Uint64() & rng.Uint64(), rng.IntN(2) == 0})
	}
	if rng.IntN(4) == 0 {
		q.Terms = append(q.Terms, Term{0, rng.IntN(2) == 0})
	}
	rng.Shuffle(len(q.Terms), func(i, j int) { q.Terms[i], q.Terms[j] = q.Terms[j], q.Terms[i] })
	if rng.IntN(2) == 0 {
		for range q.Terms {
			q.Values = append(q.Values, Values([]int{0, 0, 0, 0, 0, 1, 2}[rng.IntN(7)]))
		}
	}
	q.Most = len(q.Terms) + rng.IntN(2)
	if rng.IntN(2) == 0 {
		q.Least = rng.IntN(len(q.Terms) + 1)
		q.Most = q.Least + rng.IntN(4) - 1
	}
	kind := rng.IntN(6)
	for range q.Terms {
		var c [2]uint64
		switch kind {
		case 0: // none
		case 1:
			c[rng.IntN(2)] = 1
		case 2:
			c = [2]uint64{rng.Uint64N(1000), rng.Uint64N(1000)}
		case 3:
			c[rng.IntN(2)] = []uint64{0, 1, 1e9}[rng.IntN(3)]
		case 4:
			c = [2]uint64{rng.Uint64N(3), rng.Uint64N(3)}
		case 5:
			c = [2]uint64{rng.Uint64N(1 << 49), rng.Uint64N(1 << 49)}
		}
		q.Costs = append(q.Costs, c)
	}
	if kind == 0 && rng.IntN(2) == 0 {
		q.Costs = nil
	}
	q.Within = ^uint64(0)
	if rng.IntN(2) == 0 {
		q.Within = []uint64{0, 1, 3, 10, 2000, 1e9, 1e9 + 2, 1 << 52}[rng.IntN(8)]
	}
	q.Limit = []int{0, 1, 2, 5, 20, 1000}[rng.IntN(6)]
	return q
}

// Count and Near find what looking at every member finds.
func TestQueries(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	all, orders := sets(rng, 1<<13)
	asked, empties := 0, 0
	for i, s := range all {
		tr := build(t, s, orders[i])
		for range long.Or(60, 15) {
			q := randomQuery(rng, Bits(s.Len()))
			asked++
			checkQuery(t, tr, s, q)
			if len(plainNear(s, q)) == 0 {
				empties++
			}
		}
	}
	if asked == 0 || empties > asked*3/4 {
		t.Errorf("%d of %d questions have no match", empties, asked)
	}
}

func checkQuery(t *testing.T, tr *Trie, s *bitset.Set, q NearQuery) {
	t.Helper()
	want := plainNear(s, q)
	plain := uint64(0)
	for x := range s.All() {
		if q.matches(x) {
			plain++
		}
	}
	if n, err := tr.Count(t.Context(), q.Pattern); n != plain || err != nil {
		t.Fatalf("Count = %d, %v; want %d: %d numbers, %+v, order %v", n, err, plain, s.Len(), q.Pattern, tr.order)
	}
	var got []Match
	for m, err := range tr.Near(t.Context(), q) {
		if err != nil {
			t.Fatalf("Near: %v", err)
		}
		got = append(got, m)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("Near: %d matches %v, want %d %v: %d numbers, %+v", len(got), got[:min(9, len(got))], len(want), want[:min(9, len(want))], s.Len(), q)
	}
}

func TestPatternErrors(t *testing.T) {
	tr := build(t, bitset.New(1000), nil)
	term := Term{Mask: 7}
	for _, q := range []NearQuery{
		{Pattern: Pattern{Terms: make([]Term, MaxTerms+1)}},
		{Pattern: Pattern{Terms: []Term{term}, Values: make([]Values, 2)}},
		{Pattern: Pattern{Terms: []Term{term}, Values: []Values{3}}},
		{Pattern: Pattern{Terms: slices.Repeat([]Term{term}, MaxWide+1), Least: 1}},
		{Pattern: Pattern{Terms: []Term{term}}, Costs: make([][2]uint64, 2)},
		{Pattern: Pattern{Terms: []Term{term, term}}, Costs: [][2]uint64{{MaxDistance, 0}, {0, 1}}},
		{Pattern: Pattern{Terms: []Term{term}}, Costs: [][2]uint64{{1 << 63, 0}}},
	} {
		var got error
		for _, err := range tr.Near(t.Context(), q) {
			got = err
		}
		if !errors.Is(got, ErrPattern) {
			t.Errorf("%+v: %v", q, got)
		}
	}
}

// The work of a question with a limit is bounded, whatever it asks for.
func TestWorkIsBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := bitset.New(1 << 16)
	for x := range s.Len() {
		if x%1024 < 700 { // few nodes
			s.Add(x)
		}
	}
	tr := build(t, s, rng.Perm(16))
	worst := 0.0
	for range 300 {
		q := randomQuery(rng, 16)
		q.Limit = 1 + rng.IntN(3)
		if rng.IntN(2) == 0 { // near to what is not in the set, and all alike
			q.Values = nil
			for i := range q.Costs {
				q.Costs[i] = [2]uint64{}
			}
		}
		x := newSearch()
		x.trie, x.ctx = tr, t.Context()
		if err := x.prepare(q); err != nil {
			if errors.Is(err, ErrPattern) {
				continue
			}
			t.Fatal(err)
		}
		if x.base > min(q.Within, MaxDistance) {
			continue
		}
		x.within = min(q.Within, MaxDistance) - x.base
		x.findRest()
		if err := x.run(func(Match, error) bool { return true }); err != nil {
			t.Fatal(err)
		}
		ones := 1
		if x.counted {
			ones = x.terms + 1
		}
		nodes := int(tr.Nodes()) + 2*len(tr.levels) // the full ones are not stored
		bound := q.Limit * nodes << x.wide * ones
		if x.opens > bound || cap(x.heap) > 2*(x.opens+64) {
			t.Fatalf("%d states opened, at most %d were expected; a heap of %d: %+v", x.opens, bound, cap(x.heap), q)
		}
		worst = max(worst, float64(x.opens)/float64(bound))
	}
	t.Logf("at most %.3f of the bound", worst)
}

// A question stops soon when its context ends.
func TestStop(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	s := bitset.New(1 << 20)
	for i := range s.Words() {
		s.Words()[i] = rng.Uint64()
	}
	tr := build(t, s, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	stop := errors.New("that will do")
	n, last := 0, error(nil)
	for _, err := range tr.Near(ctx, NearQuery{Within: 1}) {
		if n++; n == 10 {
			cancel(stop)
		}
		last = err
	}
	if last != stop || n > 5000 {
		t.Errorf("%d matches, then %v", n, last)
	}
	if _, err := tr.Count(ctx, Pattern{Terms: []Term{{1, false}, {1<<20 - 1, false}}, Values: []Values{Zero, One}, Most: 2}); err != nil && err != stop {
		t.Error(err)
	}
}
