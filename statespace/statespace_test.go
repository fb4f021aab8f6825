package statespace_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
)

var errStop = errors.New("stopped by the test")

func TestSearch(t *testing.T) {
	// 20 18 16 ... 0, and 18/3 = 6, 12/3 = 4, 6/3 = 2 are even as well.
	want := []uint64{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20}
	if got := slices.Collect(toys.Reach(t, toys.Countdown{Start: 20}).All()); !slices.Equal(got, want) {
		t.Errorf("reached %v", got)
	}
	if n := toys.Reach(t, toys.NewHanoi(5)).Count(); n != 243 {
		t.Errorf("%d states of the tower, want 243", n)
	}
	// 50 is reached from 25, and nothing but 0 from there.
	ring := toys.Ring{N: 100, Add: 100, From: []uint64{25, 3}}
	if n := toys.Reach(t, ring).Count(); n != 25 {
		t.Errorf("%d states of the ring, want 25: %v", n, slices.Collect(toys.Reach(t, ring).All()))
	}
	if n := toys.Reach(t, toys.NewGraph(10, nil, false, nil, nil)).Count(); n != 0 {
		t.Errorf("%d states are reached without roots", n)
	}
}

// A search that was stopped can be continued with its set.
func TestSearchStops(t *testing.T) {
	sp := toys.NewHanoi(6)
	want := toys.Reach(t, sp)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	set := bitset.New(sp.Size())
	if err := statespace.Search(ctx, sp, set, nil); !errors.Is(err, errStop) || set.Count() != 1 {
		t.Errorf("%d states are reached after the end of the context: %v", set.Count(), err)
	}
	levels := 0
	err := statespace.Search(t.Context(), sp, set, func() error {
		if levels++; levels == 20 {
			return errStop
		}
		return nil
	})
	if n := set.Count(); !errors.Is(err, errStop) || n >= want.Count() || n < 20 {
		t.Errorf("stopped after 20 levels, it has %d states: %v", n, err)
	}
	if err := statespace.Search(t.Context(), sp, set, nil); err != nil || !slices.Equal(set.Words(), want.Words()) {
		t.Errorf("continued, it finds %d states: %v", set.Count(), err)
	}
}

func TestCountLayers(t *testing.T) {
	sp := toys.Countdown{Start: 20}
	layers := statespace.CountLayers(sp, toys.Reach(t, sp))
	if len(layers) != 11 || layers[0] != (statespace.Layer{Layer: 20, States: 1}) || layers[10].Layer != 0 {
		t.Errorf("layers %v", layers)
	}
	if layers := statespace.CountLayers(rising{sp}, toys.Reach(t, sp)); layers[0].Layer != 0 || layers[10].Layer != 20 {
		t.Errorf("layers %v of a space in which they rise", layers)
	}
	if layers := statespace.CountLayers(toys.NewHanoi(3), toys.Reach(t, toys.NewHanoi(3))); !slices.Equal(layers, []statespace.Layer{{States: 27}}) {
		t.Errorf("layers %v of a space without layers", layers)
	}
}

type rising struct{ toys.Countdown }

func (r rising) Parts() statespace.Parts { return statespace.Parts{Layers: r} }

func (rising) LayersFall() bool { return false }

func TestCertify(t *testing.T) {
	sp := toys.Countdown{Start: 20}
	set := toys.Reach(t, sp)
	if faults := toys.Certify(t, sp, set); faults.Count != 0 {
		t.Errorf("%+v", faults)
	}
	for _, tt := range []struct {
		flip uint64
		want statespace.Faults
	}{
		// Without 20 there is nothing that leads to 18.
		{20, statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.Orphan, State: 18}}},
		// 14 is two less and 16 no multiple of three.
		{16, statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.Orphan, State: 14}}},
		{0, statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.MissingSuccessor, State: 0}}},
		{1, statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.Orphan, State: 1}}},
	} {
		set.Flip(tt.flip)
		if faults := toys.Certify(t, sp, set); faults != tt.want {
			t.Errorf("%d flipped: %+v, want %+v", tt.flip, faults, tt.want)
		}
		set.Flip(tt.flip)
	}
	root := statespace.Faults{Count: 1, First: statespace.Fault{Kind: statespace.MissingRoot, State: 0}}
	if faults := toys.Certify(t, toys.Countdown{Start: 0}, bitset.New(1)); faults != root {
		t.Errorf("an empty set: %+v", faults)
	}
	set.Words()[0] |= 5 << 60
	beyond := statespace.Faults{Count: 2, First: statespace.Fault{Kind: statespace.NoState, State: 60}}
	if faults := toys.Certify(t, sp, set); faults != beyond {
		t.Errorf("two bits beyond the last number: %+v", faults)
	}
	seen := make(map[string]bool)
	for kind := statespace.MissingRoot; kind <= statespace.NoState+1; kind++ {
		seen[kind.String()] = true
	}
	if len(seen) != 5 || !seen["FaultKind(4)"] {
		t.Errorf("the kinds of faults are %v", seen)
	}
}

// certifyPlain is Certify by predecessors, for a set that has no bits beyond the last number.
func certifyPlain(sp statespace.Space, set *bitset.Set) (faults statespace.Faults) {
	for x := range sp.Size() {
		root := slices.Contains(sp.Roots(), x)
		expected := root || slices.ContainsFunc(sp.Predecessors(nil, x), func(e statespace.Edge) bool { return set.Has(e.To) })
		switch {
		case set.Has(x) && !expected:
			faults.Add(statespace.Fault{Kind: statespace.Orphan, State: x}, 1)
		case !set.Has(x) && root:
			faults.Add(statespace.Fault{Kind: statespace.MissingRoot, State: x}, 1)
		case !set.Has(x) && expected:
			faults.Add(statespace.Fault{Kind: statespace.MissingSuccessor, State: x}, 1)
		}
	}
	return faults
}

// Only one set of a space without cycles is accepted. The faults of the others are those that predecessors show.
func TestCertifyOne(t *testing.T) {
	sp := toys.Countdown{Start: 12}
	want := toys.Reach(t, sp).Words()[0]
	for word := range uint64(1 << 13) {
		set, err := bitset.Over([]uint64{word}, sp.Size())
		if err != nil {
			t.Fatal(err)
		}
		faults := toys.Certify(t, sp, set)
		if good := faults.Count == 0; good != (word == want) {
			t.Errorf("the set %x is accepted: %t; the states that can be reached are %x", word, good, want)
		}
		if plain := certifyPlain(sp, set); faults != plain {
			t.Errorf("the set %x: %+v; by predecessors %+v", word, faults, plain)
		}
	}
}

func TestNarrate(t *testing.T) {
	sp := toys.Countdown{Start: 20}
	step := func(move int, x uint64) statespace.Step { return statespace.Step{Move: move, State: x} }
	path := statespace.Path{From: 20, Steps: []statespace.Step{step(0, 18), step(statespace.AnyMove, 6), step(1, 2)}}
	moves, states, err := statespace.Narrate(sp, path)
	if got := fmt.Sprint(moves, states, err); got != "[take two a third a third] [20 18 6 2] <nil>" {
		t.Error(got)
	}
	for _, wrong := range []statespace.Step{step(0, 6), step(1, 16), step(statespace.AnyMove, 17), step(2, 16)} {
		path := statespace.Path{From: 20, Steps: []statespace.Step{step(0, 18), wrong}}
		if _, _, err := statespace.Narrate(sp, path); err == nil || err.Error() != fmt.Sprintf("move 2: no move leads from 18 to %d", wrong.State) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if _, states, err := statespace.Narrate(narrator{sp}, path); err != nil || !slices.Equal(states, []string{"a state"}) {
		t.Errorf("a Narrator describes %v, %v", states, err)
	}
}

type narrator struct{ toys.Countdown }

func (n narrator) Parts() statespace.Parts {
	p := n.Countdown.Parts()
	p.Texts.Narrate = func(statespace.Path) ([]fmt.Stringer, []string, error) { return nil, []string{"a state"}, nil }
	return p
}

// A space that lacks a part has the plain answers.
func TestMissingParts(t *testing.T) {
	hanoi, count := toys.NewHanoi(3), toys.Countdown{Start: 5}
	ring := toys.Ring{N: 5, Add: 1, From: []uint64{0}, Goals: []uint64{4}, ToGoal: true}
	for _, tt := range []struct {
		sp                                   statespace.Space
		undirected, goals, isGoal, endsAtAll bool
	}{
		{hanoi, true, true, false, false},
		{count, false, false, false, false},
		{ring, false, true, true, true},
		{toys.Ring{N: 5, Add: 1}, false, false, false, false},
		{toys.Line(5, false), false, false, false, false},
	} {
		got := []bool{tt.sp.Parts().Undirected, tt.sp.Parts().Goals.Any(), tt.sp.Parts().Goals.Has(4), tt.sp.Parts().Goals.Ends}
		if want := []bool{tt.undirected, tt.goals, tt.isGoal, tt.endsAtAll}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.sp.Name(), got, want)
		}
	}
	if !hanoi.Parts().Goals.Has(26) || len(statespace.Symmetries(hanoi)) != 0 || len(statespace.Symmetries(toys.Piles{N: 3})) != 1 {
		t.Error("the goal of the tower, or the symmetries are others")
	}
	piles := toys.Piles{N: 10}
	for x, want := range map[uint64]int{33: 1, 35: 2} {
		if n := statespace.Orbit(piles.Symmetries(), x); n != want {
			t.Errorf("%s: %d in its orbit, want %d", piles.Format(x), n, want)
		}
	}
}

func TestDefinition(t *testing.T) {
	d, e := toys.Countdown{Start: 5}.Definition(), toys.Countdown{Start: 6}.Definition()
	other := d
	other.Name, other.Numbering = "another", nil
	family := d
	family.Family = "another"
	if !d.SamePuzzle(other) || d.SamePuzzle(e) || d.SamePuzzle(family) {
		t.Error("definitions of the same puzzle differ, or others do not")
	}
	for _, err := range []error{
		&cells.SyntaxError{Line: 2, Col: 3, Reason: "a letter was expected"},
		&cells.SyntaxError{Col: 3, Reason: "a letter was expected"},
	} {
		if text := err.Error(); text != "line 2, column 3: a letter was expected" && text != "column 3: a letter was expected" {
			t.Error(text)
		}
	}
	if !errors.Is(statespace.ErrClass, statespace.ErrOutside) {
		t.Error("a state of another class is not outside the space")
	}
}

// Numbers are drawn in proportion to their weights, however large these are.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	huge := new(big.Int).Lsh(big.NewInt(1), 130)
	for _, unit := range []*big.Int{big.NewInt(1), huge} {
		weights := []int64{0, 1, 2, 0, 5}
		drawn := make([]int, len(weights))
		const each = 2000
		for range 8 * each {
			drawn[statespace.Draw(rng, len(weights), func(i int) *big.Int { return new(big.Int).Mul(unit, big.NewInt(weights[i])) })]++
		}
		for i, n := range drawn {
			if want := each * int(weights[i]); n < want-600 || n > want+600 || want == 0 && n > 0 { // more than 6 standard deviations
				t.Errorf("%d is drawn %d times, expected about %d", i, n, want)
			}
		}
	}
}
