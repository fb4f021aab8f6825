package twist

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/puzzle/twist/definition"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sparse"
)

// unnumbered returns the space of a puzzle without numbers, as if it had too many states.
func unnumbered(t *testing.T, p *definition.Puzzle, metric string) *Space {
	t.Helper()
	s, err := newBy(t.Context(), "random", p, metric, byCodes, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// solve solves a state in the fewest moves, by bounds or from both ends.
func solve(t *testing.T, s *Space, from, to string, own *run.BoundsOptions, threads int) *ask.Solutions {
	t.Helper()
	o := run.Options{Engine: run.BoundsEngine, Threads: threads}
	if own != nil {
		o.Own = own
	}
	found, err := ask.Solve(t.Context(), s, ask.SolveQuestion{From: from, To: to, Count: true, Options: o})
	if err != nil {
		t.Fatalf("%v from %s to %s: %v", s.Puzzle, from, to, err)
	}
	t.Cleanup(found.Close)
	return found
}

// Without numbers, levels are those of the plain search, and distances between any two states are those of the space that
// has numbers, with as many solutions: from both ends, and by bounds with patterns of any size.
func TestRandomUnnumbered(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	puzzles, most, illegal := 16, 300, 0
	if long.Tests {
		puzzles, most = 100, 2000
	}
	for tried := 0; tried < puzzles; {
		p := randomPuzzle(rng)
		metric := []string{movesMetric, turnsMetric}[rng.IntN(2)]
		want, seen := plainLevels(p, metric, most)
		if _, err := newModel(p, metric); want == nil || err != nil || len(seen) < 4 {
			continue
		}
		if tried++; len(p.Illegal) > 0 {
			illegal++
		}
		s := unnumbered(t, p, metric)
		search, err := sparse.New(s.codes(), sparse.Options{Threads: 1 + tried%2})
		if err == nil {
			err = search.Run(t.Context(), nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if levels := search.Result().Levels; !slices.Equal(levels, want) {
			t.Fatalf("%v, %s: levels %v, want %v", p, metric, levels, want)
		}
		search.Close()
		if tried%10 == 0 {
			found, err := run.Find(t.Context(), s, run.Options{Engine: run.SparseEngine})
			if err != nil {
				t.Fatal(err)
			}
			all, err := found.All(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			spacetest.Test(t, all.Space, 20)
			found.Close()
		}
		numbered, err := New(t.Context(), "random", p, metric, 0)
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for state := range seen {
			states = append(states, state)
		}
		slices.Sort(states)
		var cut []string
		for set := range p.Sets {
			cut = append(cut, []string{"0", "1", "2"}[rng.IntN(1+min(2, len(s.kindsOf(set))))])
		}
		for range 3 {
			from, to := states[rng.IntN(len(states))], states[rng.IntN(len(states))]
			ends := solve(t, numbered, from, to, nil, 1)
			for i, own := range []*run.BoundsOptions{nil, {Cut: strings.Join(cut, "/")}} {
				if i == 1 && len(seen) > 300 && len(p.Illegal) > 0 {
					continue // without words it takes long
				}
				var first []string
				for _, threads := range []int{1, 2, 7} {
					got := solve(t, s, from, to, own, threads)
					if got.Length != ends.Length || got.Count.Cmp(ends.Count) != 0 || got.Positions[0] != from || got.Positions[got.Length] != to {
						t.Fatalf("%v, %s, from %s to %s, %+v: %d moves, %v solutions, want %d, %v", p, metric, from, to, own, got.Length, got.Count, ends.Length, ends.Count)
					}
					if first == nil {
						first = got.Positions
					}
					if !slices.Equal(first, got.Positions) {
						t.Fatalf("%v on %d threads, %v on one", got.Positions, threads, first)
					}
				}
				if to == text(p.Solved) && len(first)-1 != seen[from] {
					t.Fatalf("%v: %s is solved in %d moves, want %d", p, from, len(first)-1, seen[from])
				}
			}
		}
	}
	if illegal < puzzles/20 {
		t.Errorf("%d puzzles have illegal states", illegal)
	}
}

// tableOf makes tables in memory.
func tableOf(ctx context.Context, sp statespace.Space) ([]uint64, func(), error) {
	s, err := bfs.New(ctx, bfs.Of(sp), bfs.Options{})
	if err != nil {
		return nil, func() {}, err
	}
	return s.Marks().Words(), s.Close, s.Run(ctx, nil, nil)
}

// A bound is the greatest distance of its patterns, by a plain search of these.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 12))
	for tried := 0; tried < 20; {
		p := randomPuzzle(rng)
		want, seen := plainLevels(p, movesMetric, 300)
		if _, err := newModel(p, movesMetric); want == nil || err != nil || len(seen) < 4 {
			continue
		}
		tried++
		s := unnumbered(t, p, movesMetric)
		s.end = s.start
		var cut []string
		for set := range p.Sets {
			cut = append(cut, []string{"0", "1", "2"}[rng.IntN(1+min(2, len(s.kindsOf(set))))])
		}
		o := statespace.BoundsOptions{Cut: strings.Join(cut, "/"), Table: tableOf}
		patterns, err := s.patterns(o)
		if err != nil {
			t.Fatal(err)
		}
		walks, err := s.walks(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		distances := make([]map[string]int, len(patterns))
		for i, of := range patterns {
			_, distances[i] = plainLevels(s.puzzle(of, s.end), movesMetric, 1<<20)
		}
		w := walks.New()
		for state, distance := range seen {
			x, err := s.parse(state)
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s.code(nil, x))
			bound := 0
			for i, of := range patterns {
				a := make(definition.Arrangement, len(p.Sets))
				for place, q := range s.pieces(x) {
					a[s.setOf[place]] = append(a[s.setOf[place]], of.sees(int(s.setOf[place]), q))
				}
				bound = max(bound, distances[i][text(a)])
			}
			if w.Bound() != bound || bound > distance {
				t.Fatalf("%v, cut %s: the bound of %s is %d, want %d; its distance is %d", p, o.Cut, state, w.Bound(), bound, distance)
			}
			for _, m := range w.Moves(nil) { // and follows the moves
				bound := w.Do(m)
				other := walks.New()
				other.Start(w.Code(nil))
				if bound != other.Bound() {
					t.Fatalf("%v: the bound is %d after a move, and %d from there", p, bound, other.Bound())
				}
				w.Undo()
			}
		}
		walks.Close()
	}
}

// The cube of 3 by 3 by 3 has too many states for numbers. Its first levels are those that others have published.
func TestCube(t *testing.T) {
	for _, c := range []struct {
		metric string
		levels []uint64
		short  int
	}{
		{movesMetric, []uint64{1, 18, 243, 3240, 43239, 574908, 7618438}, 5},
		{turnsMetric, []uint64{1, 12, 114, 1068, 10011, 93840, 878880, 8221632}, 6},
	} {
		s := named(t, "3x3x3", c.metric)
		if n := s.Parts().States().String(); n != "43252003274489856000" {
			t.Errorf("there are %s states", n)
		}
		if !long.Tests {
			c.levels = c.levels[:c.short]
		}
		search, err := sparse.New(s.codes(), sparse.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		if err := search.Run(t.Context(), func() error {
			if len(search.Result().Levels) == len(c.levels) {
				return enough
			}
			return nil
		}, nil); !errors.Is(err, enough) {
			t.Fatal(err)
		}
		if got := search.Result().Levels; !slices.Equal(got, c.levels) {
			t.Errorf("%s: levels %v, want %v", c.metric, got, c.levels)
		}
		search.Close()
	}
}

// Scrambles of the cube are solved by small patterns as from both ends, and a state that no moves reach is refused.
func TestCubeSolved(t *testing.T) {
	for _, c := range []struct {
		scramble, metric string
		length           int
	}{
		{"R U F'", movesMetric, 3}, {"R2 L' R L", movesMetric, 1}, {"R U R' U' R U R' U'", movesMetric, 8},
		{"R2 U F2 D'", movesMetric, 4}, {"R2 U F2", turnsMetric, 5},
	} {
		s := named(t, "3x3x3", c.metric)
		ends, cut := solve(t, s, c.scramble, "", nil, 2), solve(t, s, c.scramble, "", &run.BoundsOptions{Cut: "4/3"}, 2)
		if ends.Length != c.length || cut.Length != c.length || ends.Count.Cmp(cut.Count) != 0 {
			t.Errorf("%s in %s: %d moves and %v solutions from both ends, %d and %v by bounds, want %d", c.scramble, c.metric, ends.Length, ends.Count, cut.Length, cut.Count, c.length)
		}
	}
	for _, state := range []string{"1,2,3,4,5,6,7,8/1+1,2,3,4,5,6,7,8,9,10,11,12", "2,1,3,4,5,6,7,8/1,2,3,4,5,6,7,8,9,10,11,12", "1+1,2,3,4,5,6,7,8/1,2,3,4,5,6,7,8,9,10,11,12"} {
		if _, err := named(t, "3x3x3", movesMetric).endAt(state); !errors.Is(err, statespace.ErrClass) {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A space that is played is known by its definition, and numberings by theirs.
func TestDefinitions(t *testing.T) {
	cube := named(t, "3x3x3", movesMetric)
	from, err := cube.startAt(t.Context(), "R")
	if err != nil {
		t.Fatal(err)
	}
	played, err := from.(*Space).endAt("U F2")
	if err != nil {
		t.Fatal(err)
	}
	for _, sp := range []statespace.Space{cube, played, named(t, "ivy", turnsMetric)} {
		d := sp.Definition()
		back, err := Define(t.Context(), d, 0)
		if err != nil || !d.SamePuzzle(back.Definition()) || string(d.Numbering) != string(back.Definition().Numbering) {
			t.Errorf("%s: %v", sp.Name(), err)
		}
	}
	if played.Definition().SamePuzzle(cube.Definition()) {
		t.Error("a space that is played has the definition of the puzzle")
	}
	for _, change := range [][2]string{{`"rows":3`, `"rows":1`}, {`"rows":3`, `"rows":4`}, {`"rows":3`, `"codes":3`}, {`"Start":"`, `"Start":"AA`}, {`"End":"`, `"End":"////`}} {
		d := played.Definition()
		d.Numbering, d.Puzzle = []byte(strings.Replace(string(d.Numbering), change[0], change[1], 1)), []byte(strings.Replace(string(d.Puzzle), change[0], change[1], 1))
		if _, err := Define(t.Context(), d, 0); err == nil {
			t.Errorf("%s for %s is no error", change[1], change[0])
		}
	}
}
