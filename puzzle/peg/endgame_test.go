package peg_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/paths"
)

func endgame(t *testing.T, sp *peg.Space, goals []board.Position) *peg.Endgame {
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

// Won, Stuck, Path and Count agree with a search forward from each position.
func TestEndgame(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, sp := range boards(t) {
		if sp.Size() > 1<<16 {
			continue
		}
		goals := sp.Singles()
		rng.Shuffle(len(goals), func(i, j int) { goals[i], goals[j] = goals[j], goals[i] })
		if sp.Board().Lattice() == board.Square {
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
			path, ok, err := e.Path(x)
			if ok != won[x] || err != nil || ok && path.From != x {
				t.Fatalf("%s: %s: a path: %t, %v", sp.Name(), sp.Format(x), ok, err)
			}
			for _, step := range path.Steps {
				if !slices.Contains(sp.Successors(nil, x), statespace.Edge{To: step.State, Move: step.Move}) {
					t.Fatalf("%s: move %d cannot be made in %s", sp.Name(), step.Move, sp.Format(x))
				}
				x = step.State
			}
			if p := sp.Class().Position(x); ok && !slices.Contains(goals, p) {
				t.Fatalf("%s: a path ends in %s", sp.Name(), sp.Format(x))
			}
		}
		for _, threads := range []int{1, 3} {
			if got, err := e.Count(t.Context(), everything, false, threads); !reflect.DeepEqual(got, want) || err != nil {
				t.Errorf("%s: %+v, %v; want %+v", sp.Name(), got, err, want)
			}
			checkByLayer(t, sp, e, everything, want, threads)
		}
	}
}

// checkByLayer compares the layers of Count with a count of single members, and its sums with those wanted.
func checkByLayer(t *testing.T, sp *peg.Space, e *peg.Endgame, members *bitset.Set, sums peg.EndgameCounts, threads int) {
	t.Helper()
	var keep []statespace.Symmetry // of start and goals
	for _, s := range sp.Symmetries() {
		isGoal := func(p board.Position) bool {
			x, _ := sp.Class().Number(p)
			return slices.Contains(e.Goals(), sp.Class().Position(s.Map(x)))
		}
		if !slices.ContainsFunc(e.Goals(), func(p board.Position) bool { return !isGoal(p) }) {
			keep = append(keep, s)
		}
	}
	want := make(map[int]peg.EndgameLayer)
	for x := range members.All() {
		l := want[sp.Layer(x)]
		l.Pegs = sp.Layer(x)
		if e.Won(x&^63)>>(x&63)&1 == 1 {
			l.Won++
			if statespace.Representative(keep, x) == x {
				l.WonUpTo++
			}
		}
		if len(sp.Successors(nil, x)) == 0 {
			l.DeadEnds++
			if statespace.Representative(sp.Symmetries(), x) == x {
				l.DeadUpTo++
			}
		}
		want[l.Pegs] = l
	}
	maps.DeleteFunc(want, func(_ int, l peg.EndgameLayer) bool { return l.Won == 0 && l.DeadEnds == 0 })
	got, err := e.Count(t.Context(), members, true, threads)
	if err != nil || len(got.Layers) != len(want) {
		t.Fatalf("%s: %d layers, %v; want %d", sp.Name(), len(got.Layers), err, len(want))
	}
	if got.Won != sums.Won || got.DeadEnds != sums.DeadEnds || got.Single != sums.Single {
		t.Errorf("%s: with layers %+v, want %+v", sp.Name(), got, sums)
	}
	for i, l := range got.Layers {
		if l != want[l.Pegs] || i > 0 && got.Layers[i-1].Pegs <= l.Pegs {
			t.Errorf("%s: %+v, want %+v", sp.Name(), l, want[l.Pegs])
		}
	}
}

// The endgame does not need the numbering of the sweep.
func TestEndgameOfLevels(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4@0,1")
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

// Of the reachable positions of the English board 13,428,122 can be played to the centre,
// and 162,352 are dead ends, 5 of them single pegs. Another program counted them.
func TestEnglishEndgame(t *testing.T) {
	if !long.Tests {
		t.Skip("takes 130 MiB and some seconds")
	}
	sp := pegtest.Lookup(t, "peg/english")
	set := pegtest.Enumerate(t, sp)
	centre := endgame(t, sp, []board.Position{1 << 16})
	got, err := centre.Count(t.Context(), set, true, 2)
	if err != nil || got.Won != 13428122 || got.DeadEnds != 162352 || got.Single != 5 {
		t.Errorf("%+v, %v", got, err)
	}
	// Up to symmetry, 1,679,072 are won: another program counted them, too.
	var sum peg.EndgameLayer
	for _, l := range got.Layers {
		sum.Won, sum.WonUpTo, sum.DeadEnds, sum.DeadUpTo = sum.Won+l.Won, sum.WonUpTo+l.WonUpTo, sum.DeadEnds+l.DeadEnds, sum.DeadUpTo+l.DeadUpTo
	}
	if err != nil || sum.Won != 13428122 || sum.WonUpTo != 1679072 || sum.DeadEnds != 162352 || sum.DeadUpTo <= 162352/8 {
		t.Errorf("%+v, %v", sum, err)
	}
	if _, err := sp.NewEndgame([]board.Position{1}); err == nil {
		t.Error("a goal of another class was taken")
	}
	if font := pegtest.Lookup(t, "peg/5x7"); len(font.Singles()) != 0 {
		t.Errorf("single pegs are in the class of the 5x7 start: %v", font.Singles())
	}
}

// paths.Between refuses sets of another space. TestLaws compares it with a search back.
func TestBetweenSizes(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4")
	right, wrong := bitset.New(sp.Size()), bitset.New(5)
	if err := paths.Between(t.Context(), sp, paths.Keeping(sp, 0), wrong, 0, right, 1, nil); err == nil {
		t.Error("members of another space were taken")
	}
	if err := paths.Between(t.Context(), sp, paths.Keeping(sp, 0), right, 0, wrong, 1, nil); err == nil {
		t.Error("a set of another space was filled")
	}
}

// StartAt returns a space with the same numbers, if the state lies in the same class. Its set is
// all that can be reached from the state.
func TestStartAt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, sp := range boards(t) {
		for range 4 {
			x := rng.Uint64N(sp.Size())
			other, err := sp.StartAt(t.Context(), sp.Format(x))
			if err != nil {
				t.Fatal(err)
			}
			if roots := other.Roots(); len(roots) != 1 || roots[0] != x || other.Name() != sp.Name()+" from "+sp.Format(x) {
				t.Fatalf("%s starts at %v, expected number %d of %s", other.Name(), roots, x, sp.Name())
			}
			for range 50 {
				if y := rng.Uint64N(sp.Size()); other.Format(y) != sp.Format(y) {
					t.Fatalf("%s: number %d is %s, in %s %s", other.Name(), y, other.Format(y), sp.Name(), sp.Format(y))
				}
			}
			want := bitset.New(sp.Size())
			for todo := []uint64{x}; len(todo) > 0; todo = todo[1:] {
				if want.Has(todo[0]) {
					continue
				}
				want.Add(todo[0])
				for _, e := range sp.Successors(nil, todo[0]) {
					todo = append(todo, e.To)
				}
			}
			if got := pegtest.Enumerate(t, other.(*peg.Space)); !slices.Equal(got.Words(), want.Words()) {
				t.Fatalf("%s: %d states, a search finds %d", other.Name(), got.Count(), want.Count())
			}
		}
	}
	sp := pegtest.Lookup(t, "peg/5x7")
	for _, text := range []string{"", "oo"} {
		_, want := sp.Parse(text)
		if other, err := sp.StartAt(t.Context(), text); err == nil || other != nil || err.Error() != want.Error() {
			t.Errorf("%q: %v, %v; want %v", text, other, err, want)
		}
	}
}

// A start of another class has its own numbers. What can be reached is what a search over
// positions finds, which knows no numbers.
func TestStartAtOtherClass(t *testing.T) {
	sp := pegtest.Lookup(t, "peg/4x4")
	const text = "oooo/oooo/oooo/oo.o"
	if _, err := sp.Parse(text); !errors.Is(err, statespace.ErrClass) {
		t.Fatalf("%s should lie in another class: %v", text, err)
	}
	start, err := sp.StartAt(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	other := start.(*peg.Space)
	if got := other.Format(other.Roots()[0]); got != text {
		t.Fatalf("it starts at %s", got)
	}
	want := make(map[board.Position]bool)
	for todo := []board.Position{other.Start()}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		if want[p] {
			continue
		}
		want[p] = true
		for k := range sp.Board().Jumps() {
			j := sp.Board().Jump(k)
			if p>>j.From&1 == 1 && p>>j.Over&1 == 1 && p>>j.To&1 == 0 {
				todo = append(todo, p^(1<<j.From|1<<j.Over|1<<j.To))
			}
		}
	}
	set := pegtest.Enumerate(t, other)
	if set.Count() != uint64(len(want)) {
		t.Errorf("%d states, a search finds %d", set.Count(), len(want))
	}
	for x := range set.All() {
		if !want[other.Class().Position(x)] {
			t.Fatalf("%s cannot be reached", other.Format(x))
		}
	}
}
