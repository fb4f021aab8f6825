package hardest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
)

// A twin is what the plain search found of a problem, and what Search should find.
type twin struct {
	*plainSearch
	images  []image
	byGoal  []map[int]*Result
	results []Result // all starts, but the counts of those goals only that Search searches
}

func newTwin(t testing.TB, p *Problem) *twin {
	t.Helper()
	s, err := newPlainSearch(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	w := &twin{plainSearch: s, images: images(s)}
	for goal := range p.Goals {
		s.results = make(map[int]*Result)
		if err := s.searchGoal(goal); err != nil {
			t.Fatal(err)
		}
		w.byGoal = append(w.byGoal, s.results)
	}
	w.add()
	return w
}

// add adds up the results of the goals.
func (w *twin) add() {
	all := make(map[int]*Result)
	for goal, results := range w.byGoal {
		for n, r := range results {
			sum := all[n]
			if sum == nil {
				sum = &Result{Pieces: n}
				all[n] = sum
			}
			if !slices.ContainsFunc(w.images, func(im image) bool { return im.goals[goal] < goal }) {
				sum.Placements += r.Placements
				sum.Reached += r.Reached
			}
			if r.Length > sum.Length {
				sum.Length, sum.Starts = r.Length, nil
			}
			if r.Length == sum.Length {
				sum.Starts = append(sum.Starts, r.Starts...)
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(all)) {
		w.results = append(w.results, *all[n])
	}
}

// only returns the twin of the same problem with some of its goals.
func (w *twin) only(goals []Goal) *twin {
	p, s := *w.Problem, *w.plainSearch
	p.Goals, s.Problem = goals, &p
	some := &twin{plainSearch: &s, images: images(&s)}
	known := make(map[string]int)
	for i, g := range w.Goals {
		known[fmt.Sprint(g)] = i
	}
	for i, g := range goals {
		results := make(map[int]*Result)
		for n, r := range w.byGoal[known[fmt.Sprint(g)]] {
			r := *r
			r.Starts = slices.Clone(r.Starts)
			for k := range r.Starts {
				r.Starts[k].Goal = i
			}
			results[n] = &r
		}
		some.byGoal = append(some.byGoal, results)
	}
	some.add()
	return some
}

// compare compares the results of Search, and returns them.
func (w *twin) compare(t testing.TB, o Options) []Result {
	t.Helper()
	results, err := Search(t.Context(), w.Problem, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(w.results) {
		t.Fatalf("results of %d numbers of pieces, want %d: %v and %v\n%s", len(results), len(w.results), results, w.results, w)
	}
	for i, got := range results {
		want := w.results[i]
		if got.Pieces != want.Pieces || got.Length != want.Length || got.Placements != want.Placements || got.Reached != want.Reached {
			t.Fatalf("pieces %d, length %d, %d of %d placements reached; want %d, %d, %d of %d\n%s", got.Pieces, got.Length, got.Reached, got.Placements,
				want.Pieces, want.Length, want.Reached, want.Placements, w)
		}
		starts, orbits := make(map[string]bool), make(map[string]bool)
		for _, st := range want.Starts {
			starts[w.images[0].of(w.plainSearch, st)] = true
			orbits[w.orbit(st)] = true
		}
		found := make(map[string]bool)
		for _, st := range got.Starts {
			for _, im := range w.images {
				found[im.of(w.plainSearch, st)] = true
			}
			delete(orbits, w.orbit(st))
		}
		if !maps.Equal(found, starts) {
			t.Fatalf("%d pieces, length %d: %d starts with their turns and reflections, want %d\n%s", got.Pieces, got.Length, len(found), len(starts), w)
		}
		if n := len(got.Starts); len(orbits) > 0 || n > len(want.Starts) || w.twice(got.Starts) {
			t.Fatalf("%d pieces, length %d: %d starts, some of them turned or reflected into each other\n%s", got.Pieces, got.Length, n, w)
		}
	}
	return results
}

// orbit returns what a start and its images share.
func (w *twin) orbit(st Start) string {
	var all []string
	for _, im := range w.images {
		all = append(all, im.of(w.plainSearch, st))
	}
	return slices.Min(all)
}

// twice reports whether one of the starts is the image of another one.
func (w *twin) twice(starts []Start) bool {
	known := make(map[string]bool)
	for _, st := range starts {
		known[w.orbit(st)] = true
	}
	return len(known) < len(starts)
}

// String describes the problem.
func (w *twin) String() string { return fmt.Sprintf("%+v", *w.Problem) }

// cornerTwins are those of the puzzles from corner to corner: strict and not.
func cornerTwins(t testing.TB, b Board, m tray.Metric) []*twin {
	t.Helper()
	goals, err := Goals(b, Journey{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	strict, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := newTwin(t, &Problem{Board: b, Goals: goals, Metric: m})
	return []*twin{all, all.only(strict)}
}

// All boards of at most 9 cells, of one floor and of several.
func TestPlainSmall(t *testing.T) {
	most := 9
	if !long.Tests {
		most = 6
	}
	for floors := 1; floors <= 3; floors++ {
		for rows := 1; floors*rows <= most; rows++ {
			for cols := 1; floors*rows*cols <= most; cols++ {
				for m := range tray.Supersteps {
					for _, w := range cornerTwins(t, Rectangle(floors, rows, cols), m) {
						w.compare(t, Options{})
						w.compare(t, Options{Threads: 2, PartLimit: 1})
					}
				}
			}
		}
	}
}

// Larger rectangles, the largest that the plain search does soon in one metric.
func TestPlainLarge(t *testing.T) {
	if !long.Tests {
		t.Skip("the plain search takes long")
	}
	for m := range tray.Supersteps {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			b := Rectangle(1, 2, 5)
			if m == tray.Lines {
				b = Rectangle(1, 3, 4)
			}
			for _, w := range cornerTwins(t, b, m) {
				w.compare(t, Options{Threads: 2})
				w.compare(t, Options{Threads: 7, PartLimit: 1000})
			}
		})
	}
}

// All journeys, on boards with walls and floors, one of them with a column of walls at its edge.
func TestPlainJourneys(t *testing.T) {
	wide := Rectangle(1, 3, 2)
	wide.Cols++
	boards := []Board{wide}
	for _, text := range []string{"..\n..\n..", "...\n..#\n..\nwalls: (0,0) right", "floors: 2\ntray:\n..\n..\n..\n.#\nwalls: (0,0) ceiling", "....\n"} {
		b, err := tray.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, *b)
	}
	for i, b := range boards {
		for n := range 8 {
			if !long.Tests && n%3 != i%3 {
				continue
			}
			goals, err := Goals(b, Journey{n&1 != 0, n&2 != 0, n&4 != 0}, 0)
			if err != nil {
				t.Fatal(err)
			}
			w := newTwin(t, &Problem{Board: b, Goals: goals, Metric: tray.Metric(n % 3)})
			w.compare(t, Options{Threads: 2, PartLimit: 500})
		}
	}
}

// Random problems: cells that are missing, thin walls, given shapes in one or several parts and with
// axes, goals with several starts and ends.
func TestPlainRandom(t *testing.T) {
	count := 600
	if !long.Tests {
		count = 40
	}
	r := rand.New(rand.NewPCG(1, 2))
	solved := 0
	for range count {
		data := make([]byte, 120)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		w := newTwin(t, problemOf(data))
		checkSolved(t, w.Problem, w.compare(t, Options{Threads: 1}))
		if slices.ContainsFunc(w.results, func(r Result) bool { return r.Length > 4 }) {
			solved++
		}
		for _, most := range []uint64{1, 30} {
			w.compare(t, Options{Threads: 2, PartLimit: most})
		}
	}
	if solved < count/10 {
		t.Errorf("%d of %d random problems have puzzles of more than 4 moves", solved, count)
	}
}

// Plain itself adds up goals as the twin does, without leaving out any.
func TestPlain(t *testing.T) {
	b := Rectangle(1, 2, 3)
	goals, err := Goals(b, Journey{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Board: b, Goals: goals, Metric: tray.Moves}
	results, err := Plain(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	w := newTwin(t, p)
	for i, r := range results {
		want := w.results[i]
		if r.Pieces != want.Pieces || r.Length != want.Length || r.Placements < want.Placements || len(r.Starts) != len(want.Starts) {
			t.Errorf("%v, want %v", r, want)
		}
	}
}
