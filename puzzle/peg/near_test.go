package peg_test

import (
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
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace/cells"
	"pagoda/statespace/patterns"
	"pagoda/statespace/sweep"
	"pagoda/trie"
)

// oddBoards have no name: they are in pieces, or have cells in no line, many invariants or
// holes.
var oddBoards = []string{
	"o", "oo.", "ooo.o", "o.o\n   \nooo", "oo o.\n ooo \noo oo",
	"lattice: triangular\n.oo\nooo\nooo\n", "ooo ooo ooo ooo ooo\no.. ..o .o. o.o oo.",
	"oooo\no..o\noooo\n\no\n\no", "ooooooo\no     o\no ooo o\no o.o o\no ooo o\no     o\nooo.ooo",
}

// boards are spaces of small boards of all kinds.
func boards(t testing.TB) []*peg.Space {
	t.Helper()
	var all []*peg.Space
	for _, name := range []string{"peg/4x4", "peg/5x5", "peg/3x7", "peg/triangle15", "peg/triangle21", "peg/2x3", "peg/1x9"} {
		all = append(all, pegtest.Lookup(t, name))
	}
	for i, text := range oddBoards {
		b, start, err := board.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := peg.New(fmt.Sprintf("odd%d", i), b, start)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sp)
	}
	if !long.Tests {
		all = slices.DeleteFunc(all, func(sp *peg.Space) bool { return sp.Size() > 1<<18 })
	}
	return all
}

// blockSet is a set that is read by blocks, through which a walk goes.
type blockSet struct{ bitset.Reader }

// wordSet is a set that looks up single words.
type wordSet struct{ *bitset.Set }

func (s wordSet) Has(x uint64) (bool, error)    { return s.Set.Has(x), nil }
func (s wordSet) Word(i uint64) (uint64, error) { return s.Words()[i], nil }

// batchSet is a set that looks up several words at a time.
type batchSet struct{ wordSet }

func (s batchSet) Early() (words []uint64, shift uint8) { return s.Words(), 0 }
func (s batchSet) Begin(*bitset.Batch) error            { return nil }
func (s batchSet) End(b *bitset.Batch) error {
	for k, i := range b.Words[:b.N] {
		b.Found[k] = s.Words()[i] & b.Masks[k]
	}
	return nil
}

type tree = trie.Trie

// trieSet is a set that is a trie.
type trieSet struct{ *tree }

func (s trieSet) Trie() (*trie.Trie, error) { return s.tree, nil }
func (s trieSet) Told(err error) error      { return err }

// readers returns a set in every form in which the walk, or the trie, reads it. It is folded
// only if it is symmetric.
func readers(t *testing.T, rng *rand.Rand, sp *peg.Space, set *bitset.Set, symmetric bool) map[string]bitset.Reader {
	t.Helper()
	var order bitset.Order
	if sp.Size() >= 64 && rng.IntN(2) == 0 {
		order = sp.Parts().Sweep.BitOrder()
	}
	tr, err := trie.Build(t.Context(), set, order, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bitset.Reader{"whole": set, "blocks": blockSet{set}, "words": wordSet{set}, "batches": batchSet{wordSet{set}}, "trie": trieSet{tr}}
	if sizes := pegtest.FoldingSizes(sp); symmetric && len(sizes) > 0 {
		folded := pegtest.FoldSet(sp, set, sizes[rng.IntN(len(sizes))])
		all["folded"] = sweep.Unfolded{FoldedSet: folded, Symmetries: sweep.Symmetries(sp)}
	}
	return all
}

// randomQuery draws a query of any kind.
func randomQuery(t testing.TB, rng *rand.Rand, sp *peg.Space) cells.Query {
	t.Helper()
	n, full := len(sp.Cells()), sp.Board().Full()
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
	q := cells.Query{Within: cells.Nearest, Limit: rng.IntN(4) * rng.IntN(20), Layers: cells.AllLayers}
	for range 1 + rng.IntN(3)*rng.IntN(2) {
		var patterns []cells.Pattern
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			p := board.Pattern{Pegs: rng.Uint64() & full}
			if rng.IntN(2) == 0 {
				p.Any = rng.Uint64() & rng.Uint64() & full
			}
			if rng.IntN(20) == 0 {
				p.Any = full
			}
			p.Pegs &^= p.Any
			patterns = append(patterns, sp.Pattern(p))
		}
		target, err := cells.NewTarget(sp, weights, patterns...)
		if err != nil {
			t.Fatal(err)
		}
		q.Targets = append(q.Targets, target)
	}
	if rng.IntN(2) == 0 {
		state := make(cells.Pattern, n)
		sp.State(state, rng.Uint64N(sp.Size()))
		q.Within = rng.Uint64N(q.Targets[0].Distance(state) + 2)
	}
	if rng.IntN(3) == 0 {
		q.Layers.Least = rng.IntN(n + 1)
		q.Layers.Most = q.Layers.Least + rng.IntN(3)*rng.IntN(3)
	}
	return q
}

// checkNear compares Near of each reader with a look at every member, for random queries.
func checkNear(t *testing.T, rng *rand.Rand, sp *peg.Space, set *bitset.Set, all map[string]bitset.Reader, queries int) {
	t.Helper()
	for range queries {
		q := randomQuery(t, rng, sp)
		want, wantComplete, err := patterns.NearPlain(t.Context(), sp, set, q)
		if err != nil {
			t.Fatal(err)
		}
		counted := q
		counted.Limit = 0
		matches, _, err := patterns.NearPlain(t.Context(), sp, set, counted)
		if err != nil {
			t.Fatal(err)
		}
		for name, members := range all {
			if n, distance, err := patterns.CountNear(t.Context(), sp, members, counted); err != nil || n != uint64(len(matches)) || n > 0 && q.Within == cells.Nearest && distance != matches[0].Distance {
				t.Fatalf("%s, %s, %+v: counted %d, nearest at %d, %v; one by one %d; board:\n%s", sp.Name(), name, q, n, distance, err, len(matches), sp.Board().Text(sp.Start()))
			}
			got, complete, err := patterns.Near(t.Context(), sp, members, q)
			if err != nil {
				t.Fatalf("%s, %s: %v", sp.Name(), name, err)
			}
			if complete != wantComplete || !slices.Equal(got, want) {
				t.Fatalf("%s, %s, %+v: %d matches, complete: %t; one by one %d, %t\n%v\n%v; board:\n%s", sp.Name(), name, q, len(got), complete,
					len(want), wantComplete, got[:min(len(got), 8)], want[:min(len(want), 8)], sp.Board().Text(sp.Start()))
			}
		}
	}
}

// checkVisit compares Visit and Count of each reader with a look at every member, for random
// patterns.
func checkVisit(t *testing.T, rng *rand.Rand, sp *peg.Space, set *bitset.Set, all map[string]bitset.Reader, n int) {
	t.Helper()
	list := func(got *[]uint64, stop int) func(first, members uint64) bool {
		return func(first, members uint64) bool {
			for ; members != 0; members &= members - 1 {
				*got = append(*got, first+uint64(bits.TrailingZeros64(members)))
			}
			return stop < 0 || len(*got) < stop
		}
	}
	for i := range n {
		p := board.Pattern{Any: (rng.Uint64() | rng.Uint64()) & sp.Board().Full()}
		pegs := cells.AllLayers
		if i%3 == 0 {
			p.Any = sp.Board().Full()
		}
		if i%2 == 0 {
			pegs = cells.Range{Least: rng.IntN(10), Most: 5 + rng.IntN(15)}
		}
		p.Pegs = rng.Uint64() & sp.Board().Full() &^ p.Any
		pattern := sp.Pattern(p)
		var want []uint64
		if err := patterns.VisitPlain(t.Context(), sp, set, pattern, pegs, list(&want, -1)); err != nil {
			t.Fatal(err)
		}
		stop := rng.IntN(2*len(want) + 1)
		for name, members := range all {
			var got []uint64
			if err := patterns.Visit(t.Context(), sp, members, pattern, pegs, list(&got, stop)); err != nil {
				t.Fatal(err)
			}
			if len(got) < min(stop, len(want)) || !slices.Equal(got, want[:min(len(got), len(want))]) {
				t.Fatalf("%s, %s, %s, %v: %d members, one by one %d, stop at %d", sp.Name(), name, sp.FormatPattern(pattern), pegs, len(got), len(want), stop)
			}
			if n, err := patterns.Count(t.Context(), sp, members, pattern, pegs); n != uint64(len(want)) || err != nil {
				t.Fatalf("%s, %s, %s, %v: %d members, %v; one by one %d", sp.Name(), name, sp.FormatPattern(pattern), pegs, n, err, len(want))
			}
		}
	}
}

// Near, Visit and Count agree with a look at every member, however the members are stored.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for _, sp := range boards(t) {
		set := pegtest.Enumerate(t, sp)
		queries := 150
		if set.Count() > 100000 {
			queries = 8
		}
		if !long.Tests {
			queries /= 4
		}
		all := readers(t, rng, sp, set, true)
		checkNear(t, rng, sp, set, all, queries)
		checkVisit(t, rng, sp, set, all, min(20, queries))
	}
}

// They do so on random boards too, for any members.
func TestNearRandomBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	most := 150
	if !long.Tests {
		most = 30
	}
	tried := make(map[string]int)
	for boards := 0; boards < most; {
		b, start := []func(*rand.Rand) (*board.Board, board.Position){pegtest.RandomBoard, pegtest.SymmetricBoard}[boards%2](rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if sp.Size() > 1<<14 {
			continue
		}
		boards++
		set, symmetric := randomMembers(rng, sp), false
		if rng.IntN(2) == 0 {
			set, symmetric = pegtest.Enumerate(t, sp), true
		}
		all := readers(t, rng, sp, set, symmetric)
		for name := range all {
			tried[name]++
		}
		checkNear(t, rng, sp, set, all, 10)
		checkVisit(t, rng, sp, set, all, 6)
	}
	if t.Log(tried); len(tried) != 6 || tried["folded"] < most/6 {
		t.Errorf("the members are tried as %v", tried)
	}
}

// randomMembers draws a set of numbers of a space.
func randomMembers(rng *rand.Rand, sp *peg.Space) *bitset.Set {
	set := bitset.New(sp.Size())
	rare := rng.IntN(50)
	for x := range sp.Size() {
		if rng.IntN(1+rare) == 0 {
			set.Add(x)
		}
	}
	return set
}

// FuzzNear compares Near with a look at every member, for any members of a space.
func FuzzNear(f *testing.F) {
	f.Add([]byte{4, 0xff, 0xff, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff}, uint64(1))
	f.Add([]byte{0x85, 0xdd, 0xfd, 0xff, 0xff, 0xff, 0x7f}, uint64(2))
	f.Add([]byte{0, 1, 1, 1, 1, 1, 1, 1}, uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if sp := fuzzSpace(t, data); sp != nil {
			rng := rand.New(rand.NewPCG(seed, 1))
			set := randomMembers(rng, sp)
			all := readers(t, rng, sp, set, false)
			checkNear(t, rng, sp, set, all, 4)
			checkVisit(t, rng, sp, set, all, 2)
		}
	})
}

// The matches of a question do not come back with the next one, which may be about a trie.
func TestNearTwice(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4")
	set := pegtest.Enumerate(t, sp)
	tr, err := trie.Build(t.Context(), set, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 20 {
		target, err := cells.NewTarget(sp, nil, sp.Pattern(board.Pattern{Pegs: rng.Uint64() & sp.Board().Full()}))
		if err != nil {
			t.Fatal(err)
		}
		for i, members := range []bitset.Reader{set, trieSet{tr}, wordSet{set}, trieSet{tr}} {
			q := cells.Query{Targets: []*cells.Target{target}, Within: uint64(6 - i), Layers: cells.AllLayers}
			got, _, err1 := patterns.Near(t.Context(), sp, members, q)
			want, _, err2 := patterns.NearPlain(t.Context(), sp, set, q)
			if err1 != nil || err2 != nil || !slices.Equal(got, want) {
				t.Fatalf("reader %d: %d matches, %v; one by one %d, %v", i, len(got), err1, len(want), err2)
			}
		}
	}
}

// open returns the target from which all positions have distance 0.
func open(t *testing.T, sp *peg.Space) *cells.Target {
	t.Helper()
	target, err := cells.NewTarget(sp, nil, cells.Open(len(sp.Cells())))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// An error of the set, and the end of the context, end a query.
func TestNearErrors(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/5x5")
	set := pegtest.Enumerate(t, sp)
	q := cells.Query{Targets: []*cells.Target{open(t, sp)}, Layers: cells.AllLayers}
	broken := errors.New("broken")
	if _, _, err := patterns.Near(t.Context(), sp, failing{set, broken}, q); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	// No later query has this error, also of a trie, through which nothing walks.
	tr, err := trie.Build(t.Context(), set, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	first := q
	first.Limit = 1
	for range 10 {
		_, _, err1 := patterns.Near(t.Context(), sp, trieSet{tr}, first)
		if err2 := sp.Visit(t.Context(), set, cells.Open(25), cells.AllLayers, func(uint64, uint64) bool { return false }); err1 != nil || err2 != nil {
			t.Fatalf("after an error: %v, %v", err1, err2)
		}
	}
	if _, _, err := patterns.Near(t.Context(), sp, bitset.New(5), q); err == nil {
		t.Error("a set of another space was taken")
	}
	// An error is not lost if the next target has none.
	whole := make(cells.Pattern, len(sp.Cells()))
	sp.State(whole, 0)
	fine, err := cells.NewTarget(sp, nil, whole)
	if err != nil {
		t.Fatal(err)
	}
	two := cells.Query{Targets: []*cells.Target{q.Targets[0], fine}, Layers: cells.AllLayers}
	if _, _, err := patterns.Near(t.Context(), sp, failing{set, broken}, two); !errors.Is(err, broken) {
		t.Errorf("of two targets: %v", err)
	}
	wide := pegtest.Lookup(t, "peg/5x6")
	large := pegtest.Enumerate(t, wide)
	q.Targets = []*cells.Target{open(t, wide)}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, _, err := patterns.Near(ctx, wide, large, q); !errors.Is(err, broken) {
		t.Errorf("%v", err)
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
	sp := pegtest.Lookup(t, "peg/english")
	three, seven := "1 1 1\n", "1 2 3 4.5 3 2 1\n"
	good := three + "\n" + "##0.25, 1,\t2.50##\r\n" + strings.Repeat(seven, 3) + three + "# # 1000000000 0 .5 # #"
	w, err := cells.ParseWeights(good, sp.Cells())
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
	if x, err := new(cells.Weights).Parse(".5"); x != 0 || err != nil {
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
		if _, err := cells.ParseWeights(text, sp.Cells()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	holes := make(cells.Pattern, len(sp.Cells()))
	if _, err := cells.NewTarget(sp, w.Cells[:4], holes); err == nil {
		t.Error("a target was made with 4 weights")
	}
	for i := range w.Cells {
		w.Cells[i] = 1 << 51
	}
	if _, err := cells.NewTarget(sp, w.Cells, holes); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
	w.Cells[0] = 1 << 63
	if _, err := cells.NewTarget(sp, w.Cells, holes, holes); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
}

// A text that ParseWeights accepts has a number for each cell.
func FuzzParseWeights(f *testing.F) {
	f.Add("1 2 3\n4 5 6\n7 8 9\n")
	f.Add("#1,2,3.5\n\n0 0 .25\n1e5 x -")
	sp := pegtest.Lookup(f, "peg/3x3")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := cells.ParseWeights(text, sp.Cells())
		if err != nil {
			return
		}
		if len(w.Cells) != 9 || w.Decimals < 0 || w.Decimals > 6 {
			t.Errorf("%q: %+v", text, w)
		}
		if _, err := cells.NewTarget(sp, w.Cells, make(cells.Pattern, 9)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// A limit may be as large as MaxMatches. Without a limit, more matches are an error.
func TestMaxMatches(t *testing.T) {
	if !long.Tests {
		t.Skip("takes a GiB")
	}
	sp := pegtest.Lookup(t, "peg/5x6")
	set := bitset.New(sp.Size())
	for i := range set.Words()[:cells.MaxMatches/64] {
		set.Words()[i] = ^uint64(0)
	}
	near := func(limit int) (n int, complete bool, err error) {
		q := cells.Query{Targets: []*cells.Target{open(t, sp)}, Limit: limit, Layers: cells.AllLayers}
		matches, complete, err := patterns.Near(t.Context(), sp, set, q)
		return len(matches), complete, err
	}
	if n, complete, err := near(0); n != cells.MaxMatches || !complete || err != nil {
		t.Errorf("%d, %t, %v", n, complete, err)
	}
	set.Add(cells.MaxMatches)
	if n, complete, err := near(cells.MaxMatches); n != cells.MaxMatches || complete || err != nil {
		t.Errorf("%d, %t, %v", n, complete, err)
	}
	if _, _, err := near(0); !errors.Is(err, cells.ErrMatches) {
		t.Errorf("%v", err)
	}
}

// A target far from all members does not take a walk through all numbers for each
// distance.
func TestNearFar(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/5x6")
	set := &counted{Set: bitset.New(sp.Size())}
	x := sp.Roots()[0]
	set.Add(x)
	target, err := cells.NewTarget(sp, nil, sp.Pattern(board.Pattern{Pegs: sp.Board().Full() &^ sp.Start()}))
	if err != nil {
		t.Fatal(err)
	}
	q := cells.Query{Targets: []*cells.Target{target}, Within: cells.Nearest, Layers: cells.AllLayers}
	matches, _, err := patterns.Near(t.Context(), sp, set, q)
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

// Many targets are shared by threads, with the answer of a look at every member.
func TestNearManyTargets(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	sp := pegtest.Lookup(t, "peg/4x4")
	set := pegtest.Enumerate(t, sp)
	incomplete := 0
	for i := range 60 {
		q := randomQuery(t, rng, sp)
		for len(q.Targets) < 65+i*3 {
			q.Targets = append(q.Targets, randomQuery(t, rng, sp).Targets...)
		}
		q.Threads = 1 + i%3
		want, wantComplete, err := patterns.NearPlain(t.Context(), sp, set, q)
		if err != nil {
			t.Fatal(err)
		}
		if !wantComplete {
			incomplete++
		}
		got, complete, err := patterns.Near(t.Context(), sp, set, q)
		if err != nil || complete != wantComplete || !slices.Equal(got, want) {
			t.Fatalf("%d targets, within %d, limit %d: %d matches, complete: %t, %v; one by one %d, %t", len(q.Targets), q.Within, q.Limit, len(got), complete, err, len(want), wantComplete)
		}
		n, _, err := patterns.CountNear(t.Context(), sp, set, q)
		if q.Limit = 0; err != nil {
			t.Fatal(err)
		}
		if want, _, _ = patterns.NearPlain(t.Context(), sp, set, q); n != uint64(len(want)) {
			t.Fatalf("%d targets: counted %d, one by one %d", len(q.Targets), n, len(want))
		}
	}
	if incomplete < 5 {
		t.Errorf("the limit cut %d answers off", incomplete)
	}
}
