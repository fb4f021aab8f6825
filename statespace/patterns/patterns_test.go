package patterns_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/patterns"
)

var errStop = errors.New("stopped by the test")

// board is a space with cells and layers: lights, by the number of them that are on.
type board struct{ toys.Lights }

func (b board) Parts() statespace.Parts { return statespace.Parts{Layers: b, Cells: b} }

func (board) LayerName() string  { return "lights" }
func (board) Layer(x uint64) int { return bits.OnesCount64(x) }
func (board) LayersFall() bool   { return false }

// randomSet draws a set.
func randomSet(rng *rand.Rand, n uint64) *bitset.Set {
	set := bitset.New(n)
	for range rng.Uint64N(n) {
		set.Add(rng.Uint64N(n))
	}
	return set
}

// randomPattern draws a pattern of a board.
func randomPattern(rng *rand.Rand, n int) cells.Pattern {
	p := make(cells.Pattern, n)
	for i := range p {
		p[i] = int8(rng.IntN(3)) - 1
	}
	return p
}

// find is Near in the simplest way: it lists all members of the layers, orders them and cuts.
func find(sp board, set *bitset.Set, q cells.Query) (matches []cells.Match, complete bool) {
	state := make(cells.Pattern, len(sp.Cells()))
	for x := range set.All() {
		if !q.Layers.Holds(sp.Layer(x)) {
			continue
		}
		sp.State(state, x)
		best := cells.Match{State: x, Distance: ^uint64(0)}
		for i, target := range q.Targets {
			if d := target.Distance(state); d < best.Distance {
				best.Distance, best.Target = d, i
			}
		}
		matches = append(matches, best)
	}
	slices.SortFunc(matches, func(a, b cells.Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.State, b.State))
	})
	within := q.Within
	if within == cells.Nearest && len(matches) > 0 {
		within = matches[0].Distance
	}
	matches = slices.DeleteFunc(matches, func(m cells.Match) bool { return m.Distance > within })
	if q.Limit > 0 && len(matches) > q.Limit {
		return matches[:q.Limit], false
	}
	return matches, true
}

func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sp := board{toys.NewLights(2, 5, 0)}
	for range 400 {
		set := randomSet(rng, sp.Size())
		q := cells.Query{Within: rng.Uint64N(12), Limit: rng.IntN(200), Layers: cells.AllLayers}
		if rng.IntN(2) == 0 {
			q.Within = cells.Nearest
		}
		if rng.IntN(3) == 0 {
			q.Layers = cells.Range{Least: rng.IntN(6), Most: 3 + rng.IntN(8)}
		}
		for range 1 + rng.IntN(3) {
			var weights []uint64
			for range 10 {
				weights = append(weights, rng.Uint64N(3))
			}
			target, err := cells.NewTarget(sp, weights, randomPattern(rng, 10), randomPattern(rng, 10))
			if err != nil {
				t.Fatal(err)
			}
			q.Targets = append(q.Targets, target)
		}
		want, wantComplete := find(sp, set, q)
		got, complete, err := patterns.Near(t.Context(), sp, set, q)
		if err != nil || complete != wantComplete || !slices.Equal(got, want) {
			t.Fatalf("%+v: %v, complete: %t, %v; want %v, %t", q, got, complete, err, want, wantComplete)
		}
	}
}

func TestVisit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	sp := board{toys.NewLights(2, 5, 0)}
	for i := range 200 {
		set := randomSet(rng, sp.Size())
		p, layers := randomPattern(rng, 10), cells.AllLayers
		if i%3 == 0 {
			p = cells.Open(10)
		}
		if i%2 == 0 {
			layers = cells.Range{Least: rng.IntN(6), Most: 3 + rng.IntN(8)}
		}
		var want, got []uint64
		state := make(cells.Pattern, 10)
		for x := range set.All() {
			if sp.State(state, x); p.Matches(state) && layers.Holds(sp.Layer(x)) {
				want = append(want, x)
			}
		}
		most := rng.IntN(20)
		if err := patterns.Visit(t.Context(), sp, set, p, layers, func(first, members uint64) bool {
			if first%64 != 0 || members == 0 {
				t.Fatalf("visited %x from %d on", members, first)
			}
			for ; members != 0; members &= members - 1 {
				got = append(got, first+uint64(bits.TrailingZeros64(members)))
			}
			return len(got) < most
		}); err != nil {
			t.Fatal(err)
		}
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) || len(got) < min(most, len(want)) {
			t.Fatalf("%v in the layers %v: visited %v, want the first %d of %v", p, layers, got, most, want)
		}
		if n, err := patterns.Count(t.Context(), sp, set, p, layers); err != nil || n != uint64(len(want)) {
			t.Fatalf("%v in the layers %v: %d members, %v, want %d", p, layers, n, err, len(want))
		}
	}
}

// finder is a Finder that only says that it was asked.
type finder struct{ board }

func (f finder) Parts() statespace.Parts {
	p := f.board.Parts()
	p.Finder = f
	return p
}

var errAsked = errors.New("asked")

func (finder) Near(context.Context, bitset.Reader, *cells.Target, cells.Query, uint64) ([]cells.Match, error) {
	return nil, errAsked
}

func (finder) Visit(context.Context, bitset.Reader, cells.Pattern, cells.Range, func(first, members uint64) bool) error {
	return errAsked
}

func (finder) Count(context.Context, bitset.Reader, cells.Pattern, cells.Range) (uint64, error) {
	return 0, errAsked
}

// failing is a set that cannot be read.
type failing struct{ *bitset.Set }

func (failing) Block(uint64) ([]uint64, error) { return nil, errStop }

func TestErrors(t *testing.T) {
	sp := board{toys.NewLights(2, 5, 0)}
	set := bitset.New(sp.Size())
	set.Add(77)
	target, err := cells.NewTarget(sp, nil, cells.Open(10))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		sp      statespace.Space
		members bitset.Reader
		targets []*cells.Target
		pattern cells.Pattern
		want    string
	}{
		{"end of context", ctx, sp, set, []*cells.Target{target}, cells.Open(10), errStop.Error()},
		{"set that cannot be read", t.Context(), sp, failing{set}, []*cells.Target{target}, cells.Open(10), errStop.Error()},
		{"set of another size", t.Context(), sp, bitset.New(64), []*cells.Target{target}, cells.Open(10), "has 1024 numbers, the set holds 64"},
		{"no target, short pattern", t.Context(), sp, set, nil, cells.Open(9), "one target|expected a pattern of 10 cells, found 9"},
		{"short target, other content", t.Context(), sp, set, []*cells.Target{{}}, append(cells.Open(9), 5), "costs for 0|found 5 in cell 9"},
		{"Finder", t.Context(), finder{sp}, set, []*cells.Target{target}, cells.Open(10), errAsked.Error()},
	} {
		_, _, err1 := patterns.Near(tt.ctx, tt.sp, tt.members, cells.Query{Targets: tt.targets, Layers: cells.AllLayers})
		err2 := patterns.Visit(tt.ctx, tt.sp, tt.members, tt.pattern, cells.AllLayers, func(uint64, uint64) bool { return true })
		_, err3 := patterns.Count(tt.ctx, tt.sp, tt.members, tt.pattern, cells.AllLayers)
		wants := strings.Split(tt.want, "|")
		for i, err := range []error{err1, err2, err3} {
			if want := wants[min(i, len(wants)-1)]; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want %q", tt.name, []string{"Near", "Visit", "Count"}[i], err, want)
			}
		}
	}
}

// A query without a limit has at most MaxMatches matches.
func TestMaxMatches(t *testing.T) {
	if !long.Tests {
		t.Skip("it takes all numbers of 23 bits")
	}
	sp := board{toys.NewLights(1, 23, 0)}
	set := bitset.New(sp.Size())
	for i := range set.Words()[:cells.MaxMatches/64] {
		set.Words()[i] = ^uint64(0)
	}
	target, err := cells.NewTarget(sp, nil, cells.Open(23))
	if err != nil {
		t.Fatal(err)
	}
	q := cells.Query{Targets: []*cells.Target{target}, Layers: cells.AllLayers}
	if matches, complete, err := patterns.Near(t.Context(), sp, set, q); len(matches) != cells.MaxMatches || !complete || err != nil {
		t.Errorf("%d matches, complete: %t, %v", len(matches), complete, err)
	}
	set.Add(cells.MaxMatches)
	if matches, _, err := patterns.Near(t.Context(), sp, set, q); !errors.Is(err, cells.ErrMatches) || matches != nil {
		t.Errorf("%d matches: %v", len(matches), err)
	}
	q.Limit = 5
	if matches, complete, err := patterns.Near(t.Context(), sp, set, q); len(matches) != 5 || complete || err != nil {
		t.Errorf("%d matches, complete: %t, %v", len(matches), complete, err)
	}
}

// Which states of Lights Out are nearest to a picture.
func Example() {
	ctx := context.Background()
	sp := toys.NewLights(2, 3, 0)
	members := bitset.New(sp.Size())
	for _, text := range []string{"ooo/ooo", "ooo/...", "o.o/o.o", ".../ooo"} {
		x, err := sp.Parse(text)
		if err != nil {
			panic(err)
		}
		members.Add(x)
	}
	picture, err := sp.ParsePattern("oo?/..?")
	if err != nil {
		panic(err)
	}
	target, err := cells.NewTarget(sp, nil, picture)
	if err != nil {
		panic(err)
	}
	matches, complete, err := patterns.Near(ctx, sp, members, cells.Query{Targets: []*cells.Target{target}, Within: 2, Layers: cells.AllLayers})
	for _, m := range matches {
		fmt.Println(sp.Format(m.State), "differs in", m.Distance, "cells")
	}
	fmt.Println(complete, err)
	// Output:
	// ooo/... differs in 0 cells
	// o.o/o.o differs in 2 cells
	// ooo/ooo differs in 2 cells
	// true <nil>
}
