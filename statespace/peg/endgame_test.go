package peg_test

import (
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

func endgame(t *testing.T, sp *peg.Space, goals []peg.Position) *peg.Endgame {
	t.Helper()
	e, err := sp.NewEndgame(goals)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Enumerate(t.Context(), bitset.New(sp.Size()), 2, nil); err != nil {
		t.Fatal(err)
	}
	return e
}

// What is won is what a search forward from each position finds.
func TestEndgame(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, sp := range boards(t) {
		if sp.Size() > 1<<16 {
			continue
		}
		goals := sp.Singles()
		rng.Shuffle(len(goals), func(i, j int) { goals[i], goals[j] = goals[j], goals[i] })
		if sp.Board().Lattice() == peg.Square {
			goals = goals[:min(len(goals), 1+rng.IntN(3))]
		}
		e := endgame(t, sp, goals)
		// Positions with fewer pegs first.
		order := make([]uint64, sp.Size())
		for x := range order {
			order[x] = uint64(x)
		}
		slices.SortFunc(order, func(a, b uint64) int { return sp.Layer(a) - sp.Layer(b) })
		won := make(map[uint64]bool)
		var want peg.EndgameCounts
		everything := bitset.New(sp.Size())
		for _, x := range order {
			everything.Add(x)
			p := sp.Class().Position(x)
			won[x] = slices.Contains(goals, p)
			next := sp.Successors(nil, x)
			for _, n := range next {
				won[x] = won[x] || won[n.To]
			}
			if got := e.Won(x&^63) >> (x & 63) & 1; (got == 1) != won[x] {
				t.Fatalf("%s, goals %v: %s: won: %d, a search says %t", sp.Name(), goals, sp.Format(x), got, won[x])
			}
			if got := e.Stuck(x&^63, 1<<(x&63)) != 0; got != (len(next) == 0) {
				t.Fatalf("%s: %s: stuck: %t, but it has %d moves", sp.Name(), sp.Format(x), got, len(next))
			}
			if won[x] {
				want.Won++
			}
			if len(next) == 0 {
				want.DeadEnds++
				if bits.OnesCount64(p) == 1 {
					want.Single++
				}
			}
			moves, ok, err := e.Way(x)
			if ok != won[x] || err != nil {
				t.Fatalf("%s: %s: a way: %t, %v", sp.Name(), sp.Format(x), ok, err)
			}
			for _, m := range moves {
				i := slices.IndexFunc(sp.Successors(nil, x), func(e statespace.Edge) bool { return e.Move == m })
				if i < 0 {
					t.Fatalf("%s: move %d cannot be made in %s", sp.Name(), m, sp.Format(x))
				}
				x = sp.Successors(nil, x)[i].To
			}
			if p := sp.Class().Position(x); ok && !slices.Contains(goals, p) {
				t.Fatalf("%s: a way ends in %s", sp.Name(), sp.Format(x))
			}
		}
		for _, threads := range []int{1, 3} {
			if got, err := e.Count(t.Context(), everything, threads); got != want || err != nil {
				t.Errorf("%s: %+v, %v; want %+v", sp.Name(), got, err, want)
			}
		}
	}
}

// The endgame does not depend on the numbering being that of the sweep.
func TestEndgameOfLevels(t *testing.T) {
	sp := lookup(t, "peg/4x4@0,1")
	d := sp.Definition()
	free := slices.Clone(sp.Class().Free())
	slices.Reverse(free)
	d.Numbering, _ = json.Marshal(map[string][]int{"free": free})
	other, err := peg.Define(d)
	if err != nil {
		t.Fatal(err)
	}
	e, f := endgame(t, sp, sp.Singles()), endgame(t, other, other.Singles())
	for x := range sp.Size() {
		y, _ := other.Class().Number(sp.Class().Position(x))
		if e.Won(x&^63)>>(x&63)&1 != f.Won(y&^63)>>(y&63)&1 {
			t.Fatalf("%s is won by one numbering only", sp.Format(x))
		}
	}
}

// English board: 13,428,122 of the reachable positions can be played to the centre,
// and 162,352 are dead ends, 5 of them single pegs; counted by another program.
func TestEnglishEndgame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 130 MiB and some seconds")
	}
	sp := lookup(t, "peg/english")
	set := enumerate(t, sp, peg.SweepEngine, 2)
	centre := endgame(t, sp, []peg.Position{1 << 16})
	if got, err := centre.Count(t.Context(), set, 2); err != nil || got != (peg.EndgameCounts{Won: 13428122, DeadEnds: 162352, Single: 5}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := sp.NewEndgame([]peg.Position{1}); err == nil {
		t.Error("a goal of another class was taken")
	}
	if font := lookup(t, "peg/5x7"); len(font.Singles()) != 0 {
		t.Errorf("single pegs are in the class of the 5x7 start: %v", font.Singles())
	}
}

// What lies between is what a search back from the state finds.
func TestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, sp := range boards(t) {
		set := enumerate(t, sp, statespace.Engines(sp)[0], 2)
		for range 1 + 9/(1+set.Count()>>16) {
			to, err := bitset.Select(set, rng.Uint64N(set.Count()))
			if err != nil {
				t.Fatal(err)
			}
			want, got := bitset.New(sp.Size()), bitset.New(sp.Size())
			if err := statespace.BetweenPlain(t.Context(), sp, set, to, want); err != nil {
				t.Fatal(err)
			}
			if err := statespace.Between(t.Context(), sp, set, to, got, 2, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Words(), want.Words()) {
				t.Errorf("%s: %s: %d states between, a search finds %d", sp.Name(), sp.Format(to), got.Count(), want.Count())
			}
		}
	}
	sp := lookup(t, "peg/4x4")
	if err := statespace.Between(t.Context(), sp, bitset.New(5), 0, bitset.New(5), 1, nil); err == nil {
		t.Error("sets of another space were taken")
	}
}
