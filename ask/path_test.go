package ask_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/bitset"
	"pagoda/puzzle/peg"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// paths asks for paths.
func paths(t *testing.T, f *ask.File, q ask.PathQuestion) *ask.Paths {
	t.Helper()
	p, err := f.Paths(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// to asks for paths to a state.
func to(t *testing.T, f *ask.File, q ask.PathQuestion, state string) *ask.Solution {
	t.Helper()
	s, err := paths(t, f, q).To(state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// texts returns the paths of a solution, and fails the test if one is no path of the space.
func texts(t *testing.T, sp statespace.Space, s *ask.Solution) (all []string) {
	t.Helper()
	for path, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		at := path.From
		for _, step := range path.Steps {
			if !slices.ContainsFunc(sp.Successors(nil, at), func(e statespace.Edge) bool {
				return e.To == step.State && (step.Move == e.Move || step.Move == statespace.AnyMove)
			}) {
				t.Fatalf("no move %d leads from %s to %s", step.Move, sp.Format(at), sp.Format(step.State))
			}
			at = step.State
		}
		all = append(all, fmt.Sprint(path))
	}
	return all
}

var all, some = 0, 30

// inLayer returns the member of a board with a number of pegs to which the most paths lead.
func inLayer(t *testing.T, sp *peg.Space, pegs int) (state string) {
	t.Helper()
	d, most := depths(sp, sp.Roots()[0]), 0
	for x := range sp.Size() {
		if d[x] >= 0 && sp.Layer(x) == pegs {
			n := 0
			if allPaths(sp, sp.Roots()[0], x, func([]statespace.Step) { n++ }); n > most {
				state, most = sp.Format(x), n
			}
		}
	}
	return state
}

// Counts and lists of the paths of a space with layers are those of a plain recursion; random
// ones are among them, and all of them appear.
func TestPathsWithLayers(t *testing.T) {
	slope, pegs := newSlope(), board(t, "peg/4x4")
	for _, c := range []struct {
		sp    statespace.Space
		store string
		to    []string
	}{
		{slope, "", []string{"0", "17", "30", "37"}},
		{slope, "backptr", []string{"30"}},
		{pegs, "", []string{"oooo/o.oo/oooo/oooo", inLayer(t, pegs, 10)}},
		{pegs, "trie", []string{inLayer(t, pegs, 11)}},
	} {
		f, d := file(t, c.sp, c.store), depths(c.sp, c.sp.Roots()[0])
		for _, target := range c.to {
			x, err := c.sp.Parse(target)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			allPaths(c.sp, c.sp.Roots()[0], x, func(steps []statespace.Step) {
				want = append(want, fmt.Sprint(statespace.Path{From: c.sp.Roots()[0], Steps: steps}))
			})
			if (len(want) > 0) != (d[x] >= 0) {
				t.Fatal("the recursion is wrong")
			}
			what := fmt.Sprintf("%s to %s", c.sp.Name(), target)
			if len(want) == 0 {
				if s := to(t, f, ask.PathQuestion{}, target); s.Reachable || len(texts(t, c.sp, s)) > 0 {
					t.Errorf("%s: %+v", what, s)
				}
				continue
			}
			if s := to(t, f, ask.PathQuestion{}, target); !s.Reachable || s.Path.From != c.sp.Roots()[0] || len(texts(t, c.sp, s)) != 1 ||
				s.Positions[len(s.Positions)-1] != target || len(s.Moves) != len(s.Positions)-1 {
				t.Errorf("%s: %+v", what, s.Route)
			}
			s := to(t, f, ask.PathQuestion{All: true, List: &all}, target)
			got := texts(t, c.sp, s)
			if slices.Sort(got); s.Count.String() != fmt.Sprint(len(want)) || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("%s: %v paths, %d listed; want %d", what, s.Count, len(got), len(want))
			}
			two := 2
			if got := texts(t, c.sp, to(t, f, ask.PathQuestion{All: true, List: &two}, target)); len(got) != min(2, len(want)) {
				t.Errorf("%s: %d paths listed, want 2", what, len(got))
			}
			many := 40 * len(want)
			times := make(map[string]int)
			for _, path := range texts(t, c.sp, to(t, f, ask.PathQuestion{Random: true, List: &many, Rand: rand.New(rand.NewPCG(1, 2))}, target)) {
				if times[path]++; !slices.Contains(want, path) {
					t.Fatalf("%s: %s is no path", what, path)
				}
			}
			if len(times) != len(want) {
				t.Errorf("%s: %d of %d paths were drawn", what, len(times), len(want))
			}
			if s := to(t, f, ask.PathQuestion{Random: true}, target); len(texts(t, c.sp, s)) != 1 || s.Route == nil {
				t.Errorf("%s: a random path without a source of random numbers: %+v", what, s)
			}
		}
	}
}

// Paths through a state are those before it times those after it; paths from a state are those
// of the plain recursion from there.
func TestFromAndVia(t *testing.T) {
	sp := newSlope()
	f := file(t, sp, "")
	number := func(from, to uint64) (n int) {
		allPaths(sp, from, to, func([]statespace.Step) { n++ })
		return n
	}
	compared := 0
	for via := range uint64(28) {
		for _, target := range []uint64{20, 29, 30, 33} {
			s := to(t, f, ask.PathQuestion{Via: sp.Format(via), All: true, List: &all}, sp.Format(target))
			switch want := number(0, via) * number(via, target); {
			case want > 0:
				compared++
				got := texts(t, sp, s)
				if slices.Sort(got); s.Count.String() != fmt.Sprint(want) || len(slices.Compact(got)) != want {
					t.Errorf("through %d to %d: %v paths, want %d", via, target, s.Count, want)
				}
			case s.Reachable:
				t.Errorf("through %d to %d: %+v, want none", via, target, s.Reach)
			}
			s = to(t, f, ask.PathQuestion{From: sp.Format(via), All: true}, sp.Format(target))
			if want := number(via, target); s.Reachable != (want > 0) || want > 0 && s.Count.String() != fmt.Sprint(want) {
				t.Errorf("from %d to %d: %+v, %v; want %d", via, target, s.Reach, s.Count, want)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d states lie on paths", compared)
	}
	// Another class of a board has its own numbers.
	pegs := board(t, "peg/4x4")
	f = file(t, pegs, "")
	s := to(t, f, ask.PathQuestion{From: "oooo/oooo/oooo/oo.o"}, "oooo/oooo/oooo/..oo")
	if !s.Reachable || strings.Join(s.Positions, " ") != "oooo/oooo/oooo/oo.o oooo/oooo/oooo/..oo" && len(s.Moves) != 1 {
		t.Errorf("from another class: %+v", s.Route)
	}
	if s := to(t, f, ask.PathQuestion{From: "oooo/oooo/oooo/oo.o"}, "oooo/o.oo/oooo/oooo"); s.Reachable || s.Reason != ask.Class {
		t.Errorf("from another class to the start: %+v", s.Reach)
	}
}

// The fewest moves are the least that any path has, where jumps of one peg in a row are one.
func TestFewestMoves(t *testing.T) {
	sp := board(t, "peg/4x4")
	f := file(t, sp, "")
	for _, target := range []string{inLayer(t, sp, 10), "oooo/o.oo/oooo/oooo", inLayer(t, sp, 9)} {
		x, err := sp.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		want := -1
		allPaths(sp, sp.Roots()[0], x, func(steps []statespace.Step) {
			moves, at := 0, cells.Cell{Row: -1, Col: -1}
			for _, s := range steps {
				j := sp.Jump(s.Move)
				if j.From != at {
					moves++
				}
				at = j.To
			}
			if want < 0 || moves < want {
				want = moves
			}
		})
		s := to(t, f, ask.PathQuestion{Fewest: true}, target)
		if s.Reachable != (want >= 0) || want >= 0 && (s.Fewest == nil || *s.Fewest != want || len(texts(t, sp, s)) != 1) {
			t.Errorf("%s: %+v, want %d moves", target, s, want)
		}
	}
}

// plainMoves searches a board move by move, where a move is any number of jumps of one peg. It returns
// the fewest moves from a position to another, or -1, and how many ways there are to make them. A jump
// goes in one of the directions and back.
func plainMoves(all []cells.Cell, directions []cells.Cell, from, to uint64) (moves int, ways uint64) {
	number := make(map[cells.Cell]int)
	for i, c := range all {
		number[c] = i
	}
	var chain func(p uint64, peg int, land func(p uint64))
	chain = func(p uint64, peg int, land func(p uint64)) {
		for _, d := range directions {
			for _, sign := range []int{1, -1} {
				c, r, q := all[peg], sign*d.Row, sign*d.Col
				over, ok1 := number[cells.Cell{Row: c.Row + r, Col: c.Col + q}]
				hole, ok2 := number[cells.Cell{Row: c.Row + 2*r, Col: c.Col + 2*q}]
				if ok1 && ok2 && p>>over&1 == 1 && p>>hole&1 == 0 {
					next := p&^(1<<peg|1<<over) | 1<<hole
					land(next)
					chain(next, hole, land)
				}
			}
		}
	}
	for at := map[uint64]uint64{from: 1}; len(at) > 0; moves++ {
		if at[to] > 0 {
			return moves, at[to]
		}
		next := make(map[uint64]uint64)
		for p, ways := range at {
			for peg := range all {
				if p>>peg&1 == 1 {
					chain(p, peg, func(q uint64) { next[q] += ways })
				}
			}
		}
		at = next
	}
	return -1, 0
}

// From each vacancy to a single peg there, the fewest moves and the number of such solutions are those
// that a plain search over moves finds.
func TestFewestMovesFromVacancies(t *testing.T) {
	across, triangular := []cells.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}}, []cells.Cell{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 1}}
	solved := 0
	for name, directions := range map[string][]cells.Cell{"peg/4x4": across, "peg/3x5": across, "peg/triangle15": triangular} {
		sp := board(t, name)
		f, b := file(t, sp, ""), sp.Board()
		for cell := range b.Cells() {
			from, target := b.Full()&^(1<<cell), uint64(1)<<cell
			want, ways := plainMoves(b.Cells(), directions, from, target)
			s := to(t, f, ask.PathQuestion{From: b.FormatPosition(from), Fewest: true, All: true}, b.FormatPosition(target))
			if s.Reachable != (want >= 0) || want >= 0 && (*s.Fewest != want || s.Count.Uint64() != ways) {
				t.Errorf("%s, vacancy %d: %+v, want %d solutions of %d moves", name, cell, s, ways, want)
			}
			if want >= 0 {
				solved++
			}
		}
	}
	if solved < 10 {
		t.Errorf("only %d vacancies have a solution", solved)
	}
}

// shortestPaths counts the shortest paths between two states: those that differ in a state.
func shortestPaths(sp statespace.Space, d []int, from, to uint64) int {
	if from == to {
		return 1
	}
	n, before := 0, make(map[uint64]bool)
	for _, e := range sp.Predecessors(nil, to) {
		if d[e.To] == d[to]-1 && !before[e.To] {
			before[e.To] = true
			n += shortestPaths(sp, d, from, e.To)
		}
	}
	return n
}

// In a space without layers paths are shortest, whatever the file keeps.
func TestShortestPaths(t *testing.T) {
	for _, c := range []struct {
		sp    *graph
		store string
		from  string
	}{
		{newNet("both", true), "mod3", ""}, {newNet("both", true), "distance", ""}, {newNet("both", true), "set", ""},
		{newNet("both", true), "backptr", ""}, {newNet("directed", false), "distance", ""}, {newNet("directed", false), "set", ""},
		{newNet("both", true), "mod3", "7"}, {newNet("directed", false), "distance", "7"},
	} {
		f, from := file(t, c.sp, c.store), uint64(0)
		if c.from != "" {
			from = 7
		}
		d := depths(c.sp, from)
		p, counted := paths(t, f, ask.PathQuestion{From: c.from}), paths(t, f, ask.PathQuestion{From: c.from, All: true, List: &all})
		drawn := paths(t, f, ask.PathQuestion{From: c.from, Random: true, List: &some})
		for x := range c.sp.Size() {
			what := fmt.Sprintf("%s in %s from %d to %d", c.sp.name, c.store, from, x)
			s, err := p.To(c.sp.Format(x))
			if err != nil {
				t.Fatal(err)
			}
			if s.Reachable != (d[x] >= 0) || s.Reachable && (len(s.Moves) != d[x] || len(texts(t, c.sp, s)) != 1 || s.Path.From != from) {
				t.Fatalf("%s: %+v, want %d moves", what, s, d[x])
			}
			if !s.Reachable {
				continue
			}
			if s, err = counted.To(c.sp.Format(x)); err != nil {
				t.Fatal(err)
			}
			want, got := shortestPaths(c.sp, d, from, x), texts(t, c.sp, s)
			if slices.Sort(got); s.Count.String() != fmt.Sprint(want) || len(slices.Compact(got)) != want {
				t.Errorf("%s: %v paths, %d listed; want %d", what, s.Count, len(got), want)
			}
			if s, err = drawn.To(c.sp.Format(x)); err != nil {
				t.Fatal(err)
			}
			for _, path := range texts(t, c.sp, s) {
				if !slices.Contains(got, path) {
					t.Errorf("%s: %s is no shortest path", what, path)
				}
			}
			s.Close()
		}
	}
}

// ToGoal leads to the nearest goals, from the start and from elsewhere.
func TestToGoal(t *testing.T) {
	sp := newNet("both", true, 31, 44, 55)
	f := file(t, sp, "")
	for _, from := range []uint64{0, 7, 31} {
		q := ask.PathQuestion{All: true}
		if from != 0 {
			q.From = sp.Format(from)
		}
		d := depths(sp, from)
		least, count := 1<<30, 0
		for _, g := range sp.goal {
			if d[g] >= 0 {
				least = min(least, d[g])
			}
		}
		for _, g := range sp.goal {
			if d[g] == least {
				count += shortestPaths(sp, d, from, g)
			}
		}
		s, err := paths(t, f, q).ToGoal()
		if err != nil || s.Count.String() != fmt.Sprint(count) {
			t.Errorf("from %d: %v paths, %v; want %d", from, s.Count, err, count)
		}
		q.All = false
		if s, err = paths(t, f, q).ToGoal(); err != nil || len(s.Moves) != least || !slices.Contains(sp.goal, s.State) {
			t.Errorf("from %d: %+v, %v; want %d moves", from, s.Route, err, least)
		}
	}
	far := newNet("far", true, 55) // which no arc leads to
	s, err := paths(t, file(t, far, ""), ask.PathQuestion{}).ToGoal()
	if err != nil || s.Reachable || s.Reason != ask.Goal {
		t.Errorf("a goal that is not reached: %+v, %v", s, err)
	}
	_, err = paths(t, file(t, newNet("none", true), ""), ask.PathQuestion{}).ToGoal()
	question(t, err, "has no goal: give a pattern")
	_, err = paths(t, file(t, newSlope(), ""), ask.PathQuestion{}).ToGoal()
	question(t, err, "has no goal: give a pattern")
}

func TestWrongPathQuestions(t *testing.T) {
	slope, net := file(t, newSlope(), ""), file(t, newNet("both", true), "")
	negative := -1
	for text, q := range map[string]ask.PathQuestion{
		"a random path goes neither":  {All: true, Random: true},
		"nor with the fewest moves":   {Random: true, Fewest: true},
		"to list is -1":               {All: true, List: &negative},
		"to list is 0":                {Random: true, List: &all},
		"fewest moves":                {Fewest: true},
		`from "x": expected a number`: {From: "x"},
		`via "x": expected a number`:  {Via: "x"},
	} {
		_, err := slope.Paths(t.Context(), q)
		question(t, err, text)
	}
	_, err := net.Paths(t.Context(), ask.PathQuestion{Via: "3"})
	question(t, err, "graphs/both")
	_, err = paths(t, net, ask.PathQuestion{}).To("x")
	question(t, err, `pattern "x": expected a number`)
	var memory *statespace.MemoryError
	if _, err := slope.Paths(t.Context(), ask.PathQuestion{From: "3", Options: run.Options{Memory: 1}}); !errors.As(err, &memory) {
		t.Errorf("in one byte of memory: %v", err)
	}
	set := run.Options{Memory: 8 * bitset.Words(slope.Space().Size())} // and no more
	_, err = paths(t, slope, ask.PathQuestion{All: true, Options: set}).To("30")
	question(t, err, "a path, if any will do, needs no table")
	if s := to(t, slope, ask.PathQuestion{Options: set}, "30"); !s.Reachable {
		t.Errorf("one path in the memory of a set: %+v", s.Reach)
	}
	if s := to(t, slope, ask.PathQuestion{Via: "1"}, "30"); s.Reachable || s.Reason != ask.Via {
		t.Errorf("through a state that is not reached: %+v", s.Reach)
	}
}

// A solution is an object in JSON, whether its paths are one or a list.
func TestSolutionJSON(t *testing.T) {
	f := file(t, newSlope(), "")
	for _, c := range []struct {
		q         ask.PathQuestion
		to        string
		solutions int
		fields    []string
	}{
		{ask.PathQuestion{}, "30", 0, []string{"moves", "pattern", "positions", "reachable"}},
		{ask.PathQuestion{All: true}, "30", 0, []string{"count", "pattern", "reachable"}},
		{ask.PathQuestion{Random: true, List: &some}, "30", some, []string{"pattern", "reachable", "solutions"}},
		{ask.PathQuestion{}, "1", 0, []string{"pattern", "reachable", "reason"}},
	} {
		s := to(t, f, c.q, c.to)
		var b strings.Builder
		if err := s.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(b.String()), &object); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for name := range object {
			fields = append(fields, name)
		}
		if slices.Sort(fields); !slices.Equal(fields, c.fields) {
			t.Errorf("%+v: %s", c.q, &b)
		}
		var solutions []struct{ Positions []string }
		if json.Unmarshal(object["solutions"], &solutions); len(solutions) != c.solutions {
			t.Errorf("%+v: %d solutions", c.q, len(solutions))
		}
		for _, p := range solutions {
			if p.Positions[0] != "0" || p.Positions[len(p.Positions)-1] != c.to {
				t.Errorf("%+v: %q", c.q, p)
			}
		}
	}
}
