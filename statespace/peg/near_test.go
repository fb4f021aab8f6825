package peg_test

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
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// scan answers a query by looking at every member: the reference of Near.
func scan(sp *peg.Space, set *bitset.Set, q peg.NearQuery) (matches []statespace.Match, complete bool) {
	for x := range set.All() {
		p := sp.Class().Position(x)
		if !q.Pegs.Holds(bits.OnesCount64(p)) {
			continue
		}
		best := statespace.Match{State: x, Distance: ^uint64(0)}
		for i, t := range q.Targets {
			if d := t.Distance(p); d < best.Distance {
				best.Distance, best.Target = d, i
			}
		}
		matches = append(matches, best)
	}
	slices.SortStableFunc(matches, func(a, b statespace.Match) int { return cmp.Compare(a.Distance, b.Distance) })
	within := q.Within
	if within == statespace.Nearest && len(matches) > 0 {
		within = matches[0].Distance
	}
	n, _ := slices.BinarySearchFunc(matches, within, func(m statespace.Match, d uint64) int {
		if m.Distance <= d {
			return -1
		}
		return 1
	})
	matches = matches[:n]
	if q.Limit > 0 && len(matches) > q.Limit {
		return matches[:q.Limit], false
	}
	return matches, true
}

// oddBoards are boards that are not in the catalogue: in pieces, with cells in no
// line, with many invariants, with holes.
var oddBoards = []string{
	"o", "oo.", "ooo.o", "o.o\n   \nooo", "oo o.\n ooo \noo oo",
	"lattice: triangular\n.oo\nooo\nooo\n", "ooo ooo ooo ooo ooo\no.. ..o .o. o.o oo.",
	"oooo\no..o\noooo\n\no\n\no", "ooooooo\no     o\no ooo o\no o.o o\no ooo o\no     o\nooo.ooo",
}

func boards(t testing.TB) []*peg.Space {
	t.Helper()
	var all []*peg.Space
	for _, name := range []string{"peg/4x4", "peg/5x5", "peg/3x7", "peg/triangle15", "peg/triangle21", "peg/2x3", "peg/1x9"} {
		all = append(all, lookup(t, name))
	}
	for i, text := range oddBoards {
		b, start, err := peg.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New(fmt.Sprintf("odd%d", i), b, start)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sp)
	}
	if testing.Short() {
		all = slices.DeleteFunc(all, func(sp *peg.Space) bool { return sp.Size() > 1<<18 })
	}
	return all
}

// randomQuery draws a query of any kind.
func randomQuery(t testing.TB, rng *rand.Rand, b *peg.Board) peg.NearQuery {
	t.Helper()
	n := len(b.Cells())
	var weights []uint64
	switch rng.IntN(6) {
	case 2: // of very different sizes
		for range n {
			weights = append(weights, []uint64{0, 1, 7, 1e3, 1e9, 1e15, 1e15 - 1}[rng.IntN(7)])
		}
	case 0:
		for range n {
			weights = append(weights, rng.Uint64N(4))
		}
	case 1:
		for range n {
			weights = append(weights, rng.Uint64N(1e9))
		}
	}
	q := peg.NearQuery{Within: statespace.Nearest, Limit: rng.IntN(4) * rng.IntN(20), Pegs: peg.AnyPegs}
	for range 1 + rng.IntN(3)*rng.IntN(2) {
		var patterns []peg.Pattern
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			p := peg.Pattern{Pegs: rng.Uint64() & b.Full()}
			if rng.IntN(2) == 0 {
				p.Any = rng.Uint64() & rng.Uint64() & b.Full()
			}
			if rng.IntN(20) == 0 {
				p.Any = b.Full()
			}
			p.Pegs &^= p.Any
			patterns = append(patterns, p)
		}
		target, err := b.NewTarget(weights, patterns...)
		if err != nil {
			t.Fatal(err)
		}
		q.Targets = append(q.Targets, target)
	}
	if rng.IntN(2) == 0 {
		all := q.Targets[0].Distance(rng.Uint64() & b.Full())
		q.Within = rng.Uint64N(all + 2)
	}
	if rng.IntN(3) == 0 {
		q.Pegs.Least = rng.IntN(n + 1)
		q.Pegs.Most = q.Pegs.Least + rng.IntN(3)*rng.IntN(3)
	}
	return q
}

// Near finds what a look at every member finds.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for _, sp := range boards(t) {
		set := enumerate(t, sp, statespace.Engines(sp)[0], 2)
		queries := 300
		if set.Count() > 100000 {
			queries = 12
		}
		if testing.Short() {
			queries /= 4
		}
		for range queries {
			q := randomQuery(t, rng, sp.Board())
			want, wantComplete := scan(sp, set, q)
			got, complete, err := sp.Near(t.Context(), set, q)
			if err != nil {
				t.Fatal(err)
			}
			if complete != wantComplete || !slices.Equal(got, want) {
				t.Fatalf("%s, %+v: %d matches, complete: %t; a scan finds %d, %t\n%v\n%v", sp.Name(), q, len(got), complete, len(want), wantComplete,
					got[:min(len(got), 8)], want[:min(len(want), 8)])
			}
		}
	}
}

// Visit goes through the members that a look at every one of them finds.
func TestVisit(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for _, sp := range boards(t) {
		set := enumerate(t, sp, statespace.Engines(sp)[0], 2)
		for i := range 20 {
			full := sp.Board().Full()
			p := peg.Pattern{Any: (rng.Uint64() | rng.Uint64()) & full}
			pegs := peg.AnyPegs
			if i%3 == 0 {
				p.Any = full
			}
			if i%2 == 0 {
				pegs = peg.PegRange{Least: rng.IntN(10), Most: 5 + rng.IntN(15)}
			}
			p.Pegs = rng.Uint64() & full &^ p.Any
			var want, got []uint64
			for x := range set.All() {
				if q := sp.Class().Position(x); p.Matches(q) && pegs.Holds(bits.OnesCount64(q)) {
					want = append(want, x)
				}
			}
			stop := rng.IntN(2*len(want) + 1)
			err := sp.Visit(t.Context(), set, p, pegs, func(first, members uint64) bool {
				for ; members != 0; members &= members - 1 {
					got = append(got, first+uint64(bits.TrailingZeros64(members)))
				}
				return len(got) < stop || len(want) < stop
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) < min(stop, len(want)) || !slices.Equal(got, want[:min(len(got), len(want))]) {
				t.Fatalf("%s, %+v, %v: %d members, a scan finds %d, stop at %d", sp.Name(), p, pegs, len(got), len(want), stop)
			}
		}
	}
}

// An error of the set, and the end of the context, end a question.
func TestNearErrors(t *testing.T) {
	sp := lookup(t, "peg/5x5")
	set := enumerate(t, sp, peg.SweepEngine, 2)
	target, err := sp.Board().NewTarget(nil, peg.Pattern{Any: sp.Board().Full()})
	if err != nil {
		t.Fatal(err)
	}
	q := peg.NearQuery{Targets: []*peg.Target{target}, Within: 0, Pegs: peg.AnyPegs}
	broken := errors.New("broken")
	if _, _, err := sp.Near(t.Context(), failing{set, broken}, q); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if _, _, err := sp.Near(t.Context(), bitset.New(5), q); err == nil {
		t.Error("a set of another space was taken")
	}
	// An error does not get lost when there is none for the next target.
	whole := peg.Pattern{Pegs: sp.Class().Position(0)}
	fine, err := sp.Board().NewTarget(nil, whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sp.Near(t.Context(), failing{set, broken}, peg.NearQuery{Targets: []*peg.Target{target, fine}, Within: 0, Pegs: peg.AnyPegs}); !errors.Is(err, broken) {
		t.Errorf("of two targets: %v", err)
	}
	wide := lookup(t, "peg/5x6")
	large := enumerate(t, wide, peg.SweepEngine, 2)
	if target, err = wide.Board().NewTarget(nil, peg.Pattern{Any: wide.Board().Full()}); err != nil {
		t.Fatal(err)
	}
	q.Targets[0] = target
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, _, err := wide.Near(ctx, large, q); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if got, complete, err := sp.Near(t.Context(), set, peg.NearQuery{Within: statespace.Nearest, Pegs: peg.AnyPegs}); len(got) != 0 || !complete || err != nil {
		t.Errorf("without targets: %v, %t, %v", got, complete, err)
	}
}

// failing is a set whose last block cannot be read.
type failing struct {
	*bitset.Set
	err error
}

func (f failing) Block(i uint64) ([]uint64, error) {
	if (i+1)<<bitset.BlockBits >= f.Len() {
		return nil, f.err
	}
	return f.Set.Block(i)
}

func TestParseWeights(t *testing.T) {
	b := lookup(t, "peg/english").Board()
	three, seven := "1 1 1\n", "1 2 3 4.5 3 2 1\n"
	good := three + "\n" + "##0.25, 1,\t2.50##\r\n" + strings.Repeat(seven, 3) + three + "# # 1000000000 0 .5 # #"
	w, err := b.ParseWeights(good)
	if err != nil {
		t.Fatal(err)
	}
	if w.Decimals != 2 || w.Cells[3] != 25 || w.Cells[5] != 250 || w.Cells[30] != 1e11 || w.Cells[32] != 50 {
		t.Errorf("%+v", w)
	}
	for distance, want := range map[uint64]string{0: "0", 5: "0.05", 50: "0.5", 1200: "12", 1234: "12.34"} {
		if got := w.Format(distance); got != want {
			t.Errorf("%d is written %q, want %q", distance, got, want)
		}
		if back, err := w.Parse(want); back != distance || err != nil {
			t.Errorf("%q is read as %d, %v", want, back, err)
		}
	}
	if x, err := w.Parse("2.999"); x != 299 || err != nil {
		t.Errorf("%d, %v", x, err)
	}
	if x, err := new(statespace.Weights).Parse(".5"); x != 0 || err != nil {
		t.Errorf("%d, %v", x, err)
	}
	for text, want := range map[string]string{
		"":                                    "line 1, column 1: the board has 33 cells, there are 0 weights",
		three + "1 1\n":                       "line 2, column 1: row 1 of the board has 3 cells, here are 2 weights",
		strings.Replace(good, "4.5", "-1", 1): `line 4, column 1: the weight "-1" is not a number`,
		strings.Replace(good, "4.5", "x", 1):  `line 4, column 1: the weight "x" is not a number`,
		strings.Replace(good, "4.5", ".", 1):  `the weight "." is not a number`,
		strings.Replace(good, "4.5", "1.1234567", 1):             "at most 6 digits behind the point",
		strings.Replace(good, "4.5", "1000000001", 1):            "larger than 10^9",
		strings.Replace(good, "4.5", strings.Repeat("9", 99), 1): "line 4, column 1: the weight",
		good + "\n1 1 1": "more rows of weights than the board has",
		three:            "the board has 33 cells, there are 3 weights",
	} {
		if _, err := b.ParseWeights(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	if _, err := b.NewTarget(w.Cells[:4]); err == nil {
		t.Error("a target was made with 4 weights")
	}
	for i := range w.Cells {
		w.Cells[i] = 1 << 51
	}
	if _, err := b.NewTarget(w.Cells, peg.Pattern{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
	w.Cells[0] = 1 << 63
	if _, err := b.NewTarget(w.Cells, peg.Pattern{}, peg.Pattern{}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
}

// What ParseWeights takes has a number for each cell.
func FuzzParseWeights(f *testing.F) {
	f.Add("1 2 3\n4 5 6\n7 8 9\n")
	f.Add("#1,2,3.5\n\n0 0 .25\n1e5 x -")
	b := lookup(f, "peg/3x3").Board()
	f.Fuzz(func(t *testing.T, text string) {
		w, err := b.ParseWeights(text)
		if err != nil {
			return
		}
		if len(w.Cells) != 9 || w.Decimals < 0 || w.Decimals > 6 {
			t.Errorf("%q: %+v", text, w)
		}
		if _, err := b.NewTarget(w.Cells, peg.Pattern{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// FuzzNear holds Near against a look at every member, for any members of a space.
func FuzzNear(f *testing.F) {
	f.Add([]byte{4, 0xff, 0xff, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff}, uint64(1))
	f.Add([]byte{0x85, 0xdd, 0xfd, 0xff, 0xff, 0xff, 0x7f}, uint64(2))
	f.Add([]byte{0, 1, 1, 1, 1, 1, 1, 1}, uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		sp := fuzzSpace(t, data)
		if sp == nil {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		set := bitset.New(sp.Size())
		rare := rng.IntN(50)
		for x := range sp.Size() {
			if rng.IntN(1+rare) == 0 {
				set.Add(x)
			}
		}
		for range 4 {
			q := randomQuery(t, rng, sp.Board())
			want, wantComplete := scan(sp, set, q)
			got, complete, err := sp.Near(t.Context(), set, q)
			if err != nil || complete != wantComplete || !slices.Equal(got, want) {
				t.Fatalf("%+v: %v, complete: %t, %v; a scan finds %v, %t", q, got, complete, err, want, wantComplete)
			}
		}
	})
}

// A limit holds up to MaxMatches; without one, more are an error.
func TestMaxMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a GiB")
	}
	sp := lookup(t, "peg/5x6")
	set := bitset.New(sp.Size())
	for i := range set.Words()[:statespace.MaxMatches/64] {
		set.Words()[i] = ^uint64(0)
	}
	target, err := sp.Board().NewTarget(nil, peg.Pattern{Any: sp.Board().Full()})
	if err != nil {
		t.Fatal(err)
	}
	near := func(limit int) (n int, complete bool, err error) {
		q := peg.NearQuery{Targets: []*peg.Target{target}, Limit: limit, Pegs: peg.AnyPegs}
		matches, complete, err := sp.Near(t.Context(), set, q)
		return len(matches), complete, err
	}
	if n, complete, err := near(0); n != statespace.MaxMatches || !complete || err != nil {
		t.Errorf("%d, %t, %v", n, complete, err)
	}
	set.Add(statespace.MaxMatches)
	if n, complete, err := near(statespace.MaxMatches); n != statespace.MaxMatches || complete || err != nil {
		t.Errorf("%d, %t, %v", n, complete, err)
	}
	if _, _, err := near(0); !errors.Is(err, statespace.ErrMatches) {
		t.Errorf("%v", err)
	}
}

// What is far from everything does not take a walk through all numbers for each
// distance.
func TestNearFar(t *testing.T) {
	sp := lookup(t, "peg/5x6")
	set := &counted{Set: bitset.New(sp.Size())}
	x, _ := sp.Class().Number(sp.Start())
	set.Add(x)
	target, err := sp.Board().NewTarget(nil, peg.Pattern{Pegs: sp.Board().Full() &^ sp.Start()})
	if err != nil {
		t.Fatal(err)
	}
	q := peg.NearQuery{Targets: []*peg.Target{target}, Within: statespace.Nearest, Pegs: peg.AnyPegs}
	matches, _, err := sp.Near(t.Context(), set, q)
	if len(matches) != 1 || matches[0].State != x || matches[0].Distance != 30 || err != nil {
		t.Errorf("%v, %v", matches, err)
	}
	if blocks := int(sp.Size() >> bitset.BlockBits); set.blocks > 12*blocks {
		t.Errorf("%d blocks were looked at, of %d", set.blocks, blocks)
	}
}

// counted is a set that counts how often a block of it is looked at.
type counted struct {
	*bitset.Set
	blocks int
}

func (c *counted) Block(i uint64) ([]uint64, error) {
	c.blocks++
	return c.Set.Block(i)
}
