// Package spacetest checks that a space keeps the laws that the engines count on.
package spacetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Test checks the laws of a space on its roots and on n random numbers: that
// successors and predecessors are inverse, that Parse reads what Format writes,
// that every move of a Layered space changes the layer in the direction that it
// tells, and, in a space of at most 2^22 numbers, that every engine finds the set that the plain
// search finds, on one and on several threads, that counting agrees with Layer,
// and that the certificate accepts this set and, with one bit flipped, does not.
func Test(t *testing.T, sp statespace.Space, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	states := slices.Clone(sp.Roots())
	for range n {
		states = append(states, rng.Uint64N(sp.Size()))
	}
	// Walk on from the roots as well: random numbers may miss what can be reached.
	for x, i := sp.Roots()[0], 0; i < n; i++ {
		next := sp.Successors(nil, x)
		if len(next) == 0 {
			x = sp.Roots()[0]
			continue
		}
		x = next[rng.IntN(len(next))].To
		states = append(states, x)
	}
	for _, x := range states {
		testState(t, sp, x)
	}
	if sp.Size() <= 1<<22 {
		testEngines(t, sp, rng)
	}
}

func testState(t *testing.T, sp statespace.Space, x statespace.Index) {
	t.Helper()
	if x >= sp.Size() {
		t.Fatalf("number %d is not below Size() = %d", x, sp.Size())
	}
	if y, err := sp.Parse(sp.Format(x)); err != nil || y != x {
		t.Fatalf("Parse(Format(%d)) = %d, %v; text %q", x, y, err, sp.Format(x))
	}
	for _, e := range sp.Successors(nil, x) {
		if !slices.Contains(sp.Predecessors(nil, e.To), statespace.Edge{To: x, Move: e.Move}) {
			t.Fatalf("%d leads to %d by move %d, but is not its predecessor", x, e.To, e.Move)
		}
		if l, ok := sp.(statespace.Layered); ok {
			if from, to := l.Layer(x), l.Layer(e.To); from == to || from > to != l.LayersFall() {
				t.Fatalf("a move leads from layer %d to %d; layers fall: %t", from, to, l.LayersFall())
			}
		}
	}
	for _, e := range sp.Predecessors(nil, x) {
		if !slices.Contains(sp.Successors(nil, e.To), statespace.Edge{To: x, Move: e.Move}) {
			t.Fatalf("%d comes from %d by move %d, but is not its successor", x, e.To, e.Move)
		}
	}
}

func testEngines(t *testing.T, sp statespace.Space, rng *rand.Rand) {
	t.Helper()
	ctx := t.Context()
	plain := bitset.New(sp.Size())
	if err := statespace.Search(ctx, sp, plain); err != nil {
		t.Fatal(err)
	}
	for _, engine := range statespace.Engines(sp) {
		for _, threads := range []int{1, 2, 7} {
			set := bitset.New(sp.Size())
			if err := statespace.Enumerate(ctx, sp, engine, set, threads, nil); err != nil {
				t.Fatalf("%s: %s on %d threads: %v", sp.Name(), engine, threads, err)
			}
			if !slices.Equal(set.Words(), plain.Words()) {
				t.Fatalf("%s: %s on %d threads finds %d states, the plain search %d",
					sp.Name(), engine, threads, set.Count(), plain.Count())
			}
		}
	}

	layers, err := statespace.CountLayers(ctx, sp, plain, 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := statespace.CountLayersPlain(sp, plain); !slices.Equal(layers, want) {
		t.Fatalf("%s: layers are %v, one by one %v", sp.Name(), layers, want)
	}

	l, ok := sp.(statespace.Layered)
	if !ok {
		return // there is no certificate
	}
	check(t, l, plain, true)
	if n := sp.Size(); n%64 != 0 {
		plain.Words()[n/64] ^= 5 << (61 - n%64/2)
		check(t, l, plain, false)
		plain.Words()[n/64] ^= 5 << (61 - n%64/2)
	}
	for range min(20, 1+1<<18/sp.Size()) {
		x := rng.Uint64N(sp.Size())
		plain.Flip(x)
		check(t, l, plain, false)
		plain.Flip(x)
	}
}

// check holds the fast certificate against the plain one, and both against what
// is known of the set.
func check(t *testing.T, sp statespace.Layered, set *bitset.Set, good bool) {
	t.Helper()
	fast, err := statespace.Verify(t.Context(), sp, set, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain := statespace.Certify(sp, set); fast != plain || (plain.Count == 0) != good {
		t.Fatalf("%s: the certificate finds %+v, state by state %+v; the set is right: %t", sp.Name(), fast, plain, good)
	}
}

// MustFail checks that a text is refused by Parse, as outside the space or not.
func MustFail(t *testing.T, sp statespace.Space, text string, outside bool) {
	t.Helper()
	_, err := sp.Parse(text)
	if err == nil {
		t.Errorf("%s: %q was read without an error", sp.Name(), text)
	} else if errors.Is(err, statespace.ErrOutside) != outside {
		t.Errorf("%s: %q: %v; outside the space should be %t", sp.Name(), text, err, outside)
	}
}
